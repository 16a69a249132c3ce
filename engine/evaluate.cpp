// SPDX-License-Identifier: Apache-2.0
// The epochs. Threads meet between the steps of an epoch; what must be in input order happens on the calling thread.
#include "engine/evaluate.h"

#include <algorithm>

#include "engine/candidate_runner.h"
#include "engine/device_runner.h"
#include "engine/identity_table.h"
#include "engine/worker_pool.h"
#include "frontend_gpu/batch.h"

namespace komuz::engine {
namespace {

class Evaluation {
 public:
  Evaluation(const CasesTable& cases, const EvaluateOptions& options, Results& results,
             ResultSink* sink, ProgressSink* progress, std::stop_token stop)
      : cases_(cases),
        options_(options),
        results_(results),
        sink_(sink),
        progress_(progress),
        stop_(std::move(stop)),
        pool_(options.threads) {
    for (u32 i = 0; i < pool_.size(); ++i) runners_.emplace_back(options_);
    if (options_.device != nullptr) device_.emplace(*options_.device, options_, pool_.size());
    results_ = {};
    results_.score = options.score;
    results_.tolerance = options.tolerance;
    results_.cases = static_cast<u32>(cases.rows.size());
  }

  MaybeError run(CandidateSource& source) {
    total_ = source.total();
    const bool has_device = device_ || options_.compiler != nullptr;
    const u32 epoch = std::max(1u, has_device ? options_.device_epoch : options_.epoch);
    while (results_.complete) {
      batch_.clear();
      if (stop_.stop_requested()) {
        results_.complete = false;
        break;
      }
      source.read(batch_, epoch);
      if (batch_.rows.empty()) break;
      begin_epoch();
      identify();
      find_duplicates();
      if (MaybeError error = compile_on_device()) return error;
      if (MaybeError error = find_signature()) return error;
      if (MaybeError error = run_programs()) return error;
      commit();
    }
    rank(results_);
    return std::nullopt;
  }

 private:
  // A candidate of the epoch: what is known of it before it is a row.
  struct Slot {
    frontend::TextHash identity;
    u32 representative = kNone;  // a row of an earlier candidate; kNone: it is one itself
    CandidateResult result;
  };

  void begin_epoch() {
    first_row_ = static_cast<u32>(results_.rows.size());
    if (slots_.size() < batch_.rows.size()) slots_.resize(batch_.rows.size());
    for (size_t i = 0; i < batch_.rows.size(); ++i) {
      slots_[i].representative = kNone;
      slots_[i].result.clear();
      if (!batch_.rows[i].error.empty())
        refuse(std::string(batch_.rows[i].error), slots_[i].result);
    }
  }

  void identify() {
    pool_.run(static_cast<u32>(batch_.rows.size()), [this](u32 worker, u32 i) {
      if (slots_[i].result.done || stop_.stop_requested()) return;
      slots_[i].identity = runners_[worker].identify(batch_.rows[i].source);
    });
  }

  // In input order, so that a representative is the first. Leaves in programs_ what is to be compiled.
  void find_duplicates() {
    programs_.clear();
    if (stop_.stop_requested()) return;  // some identities may be missing
    for (u32 i = 0; i < batch_.rows.size(); ++i) {
      if (slots_[i].result.done) continue;
      const u32 row = first_row_ + i;
      if (slots_[i].identity == frontend::TextHash{}) {  // a text that is refused has none
        programs_.push_back(i);
        continue;
      }
      const u32 first = identities_.insert(slots_[i].identity, row);
      if (first == row) {
        programs_.push_back(i);
      } else {
        slots_[i].representative = first;
      }
    }
  }

  // The device's part of compiling; workers do the rest when they come to a program.
  MaybeError compile_on_device() {
    if (options_.compiler == nullptr || programs_.empty()) return std::nullopt;
    sources_.clear();
    for (const u32 i : programs_) sources_.push_back(batch_.rows[i].source);
    return device_error(options_.compiler->run(sources_));
  }

  // The program `at` of the epoch.
  bool compile(CandidateRunner& runner, u32 at) {
    const u32 i = programs_[at];
    return options_.compiler == nullptr
               ? runner.compile(batch_.rows[i], slots_[i].result)
               : runner.read(*options_.compiler, at, batch_.rows[i], slots_[i].result);
  }

  // Until one candidate has given the signature, they are compiled one after the other.
  MaybeError find_signature() {
    CandidateRunner& runner = runners_[0];
    for (u32 at = 0; at < programs_.size(); ++at) {
      const u32 i = programs_[at];
      if (results_.typed || stop_.stop_requested()) break;
      if (!compile(runner, at)) continue;
      if (MaybeError error = make_suite(cases_, runner.signature(), results_.suite)) {
        error->message +=
            " [the signature is that of the candidate `" + std::string(batch_.rows[i].id) + "`]";
        return error;
      }
      results_.typed = true;
      slots_[i].result.clear();  // it is compiled again with the others
    }
    return std::nullopt;
  }

  MaybeError run_programs() {
    if (device_) device_->begin_epoch();
    pool_.run(static_cast<u32>(programs_.size()), [this](u32 worker, u32 at) {
      if (!slots_[programs_[at]].result.done && !stop_.stop_requested()) run_program(worker, at);
      // Worker 0 is the thread that called evaluate().
      if (worker == 0 && progress_ != nullptr) progress_->on_progress(first_row_ + at, total_);
    });
    return device_ ? device_->run(results_.suite, pool_, stop_) : std::nullopt;
  }

  // Leaves to the device what fits it.
  void run_program(u32 worker, u32 at) {
    CandidateRunner& runner = runners_[worker];
    const std::string_view source = batch_.rows[programs_[at]].source;
    CandidateResult& result = slots_[programs_[at]].result;
    if (!compile(runner, at) || !runner.accept(results_.suite, result)) return;
    if (device_ && device_->place(worker, runner.code(), runner.entry(), source, result)) return;
    runner.run(source, results_.suite, stop_, result);
  }

  // Makes rows of the epoch's candidates, up to the first that a stop left unfinished.
  void commit() {
    for (u32 i = 0; i < batch_.rows.size(); ++i) {
      Slot& slot = slots_[i];
      if (slot.representative == kNone && !slot.result.done) {
        results_.complete = false;
        break;
      }
      results_.add_id(batch_.rows[i].id);
      if (slot.representative != kNone) {
        results_.rows.push_back(results_.rows[slot.representative]);
        results_.rows.back().duplicate_of = slot.representative;
      } else {
        add_row(slot.result);
      }
      if (sink_ != nullptr) sink_->on_result(results_, first_row_ + i);
      if (!options_.keep_details) forget_details();
    }
    if (progress_ != nullptr) progress_->on_progress(results_.rows.size(), total_);
  }

  void add_row(CandidateResult& result) {
    ResultRow& row = results_.rows.emplace_back(result.row);
    if (result.has_failure) {
      row.first_failure = static_cast<u32>(results_.failures.size());
      results_.failures.push_back(std::move(result.failure));
    }
    row.diagnostics_begin = static_cast<u32>(results_.diagnostics.size());
    row.diagnostics = static_cast<u32>(result.diagnostics.size());
    std::ranges::move(result.diagnostics, std::back_inserter(results_.diagnostics));
  }

  void forget_details() {
    ResultRow& row = results_.rows.back();
    row.first_failure = kNone;
    row.diagnostics_begin = row.diagnostics = 0;
    results_.failures.clear();
    results_.diagnostics.clear();
  }

  const CasesTable& cases_;
  const EvaluateOptions options_;
  Results& results_;
  ResultSink* sink_;
  ProgressSink* progress_;
  std::stop_token stop_;
  WorkerPool pool_;
  std::vector<CandidateRunner> runners_;  // one a worker
  std::optional<DeviceRunner> device_;
  std::optional<u64> total_;
  CandidateBatch batch_;
  IdentityTable identities_;
  // Of the epoch.
  u32 first_row_ = 0;
  std::vector<Slot> slots_;
  std::vector<u32> programs_;              // slots that hold a program of their own
  std::vector<std::string_view> sources_;  // of these, where a device compiles
};

}  // namespace

MaybeError evaluate(CandidateSource& candidates, const CasesTable& cases,
                    const EvaluateOptions& options, Results& out, ResultSink* sink,
                    ProgressSink* progress, std::stop_token stop) {
  return Evaluation(cases, options, out, sink, progress, std::move(stop)).run(candidates);
}

}  // namespace komuz::engine
