// SPDX-License-Identifier: Apache-2.0
#include "engine/run/device_runner.h"

#include <algorithm>
#include <utility>

#include "engine/candidates/load_modules.h"
#include "engine/cases/slice_entry.h"
#include "engine/run/block_budget.h"
#include "engine/sketch/add_function.h"
#include "engine/sketch/sketch_candidates.h"
#include "frontend_gpu/expand.h"

namespace komuz::engine {

DeviceRunner::DeviceRunner(vm::WarpDevice& device, const EvaluateOptions& options, u32 workers,
                           u32 most_rows)
    : device_(device),
      options_(options),
      most_rows_(std::max(most_rows / vm::kWarpCases, 1u) * vm::kWarpCases) {
  for (u32 i = 0; i < workers; ++i) workers_.emplace_back(options);
}

void DeviceRunner::begin_epoch() {
  for (Worker& worker : workers_) {
    worker.batch.clear();
    worker.made.clear();
    worker.made_programs.clear();
  }
}

bool DeviceRunner::use_variants(const Code& bound, u32 entry, const Suite& suite) {
  sketch_ = options_.programs.sketch;
  variant_entry_ = entry;
  if (suite.has_slices) {
    const u32 called = bound.instructions[bound.functions[entry].code_end - 2].a;
    with_slices_ = with_last_function(*sketch_, bound, called, options_.limits.stack_limit);
    sketch_ = with_slices_ ? &*with_slices_ : nullptr;
  }
  return sketch_ != nullptr && VariantMaker::can_make(*sketch_);
}

bool DeviceRunner::use_expanded(CandidateRunner& runner, const Suite& suite) {
  // The compiler's output has to lie where programs run.
  if (options_.machines.compiler == nullptr || options_.machines.compiler->gpu() != device_.gpu())
    return false;
  if (!ExpandedMaker::can_make(*options_.programs.sketch)) return false;
  ExpandedSketch out;
  out.sketch = options_.programs.sketch;
  out.stack_limit = options_.limits.stack_limit;
  frontend::ExpandedText with_interfaces;
  switch (runner.expand_sketch(with_interfaces)) {
    case frontend::Expanded::Refused: return false;
    case frontend::Expanded::No: break;
    case frontend::Expanded::Yes:
      out.interfaces = with_interfaces.text.substr(options_.programs.sketch->source.size());
      out.heads = std::move(with_interfaces.heads);
      break;
  }
  if (options_.programs.modules != nullptr) out.library = &options_.programs.modules->library();
  if (options_.programs.harness != kNoModule) {
    const CodeView harness = (*out.library)[options_.programs.harness].code.view();
    out.harness = options_.programs.harness;
    out.harness_entry = static_cast<u32>(harness.find_function(options_.programs.entry));
  }
  out.example = runner.code();
  out.entry = runner.entry();
  if (suite.has_slices) {
    const Code& code = out.example;
    out.added = last_function(code);
    out.entry = code.instructions[code.functions[out.entry].code_end - 2].a;
  }
  expanded_ = std::move(out);
  return true;
}

Problem DeviceRunner::open_stretch_maker() {
  if (stretch_maker_ != nullptr) return {};
  if (!expanded_) {
    Problem error = open_maker();
    stretch_maker_ = maker_.get();
    return error;
  }
  Result<std::unique_ptr<ExpandedMaker>> opened = open_expanded_maker(device_);
  if (opened.problem()) return std::move(opened).problem();
  expanding_ = std::move(opened).value();
  stretch_maker_ = expanding_.get();
  return expanding_->load(std::move(*expanded_), *options_.machines.compiler);
}

Problem DeviceRunner::open_maker() {
  if (maker_ != nullptr) return {};
  Result<std::unique_ptr<VariantMaker>> opened = open_variant_maker(device_);
  if (opened.problem()) return std::move(opened).problem();
  maker_ = std::move(opened).value();
  for (Worker& worker : workers_) worker.binder.emplace(*sketch_);
  return maker_->load_sketch(*sketch_, variant_entry_, with_slices_ ? 1 : 0);
}

Problem DeviceRunner::make_variants(const VariantMaker::List& variants) {
  if (Problem error = open_maker()) return error;
  return maker_->make(variants);
}

// Case scores, if anybody asks for them, are made from outcomes on the host.
bool DeviceRunner::scores_there() const {
  return on_device_ != nullptr && options_.details.case_scores == CaseScores::None;
}

Result<bool> DeviceRunner::open_sweep(const Suite& suite) {
  if (Problem error = load_suite(suite)) return error;
  if (on_device_ == nullptr) return false;
  if (Problem error = open_stretch_maker()) return error;
  return true;
}
SweepJob DeviceRunner::sweep_job(const Suite& suite, u32 best) const {
  return {.suite = suite,
          .limits = {.at_failure = options_.ranking.ends_at_failure,
                     .least_score = {},
                     .at_fuel = true},
          .fuel = fuel(suite),
          .best = best,
          .of_behaviours = options_.ranking.best_of_each_behaviour,
          .most_rows = most_rows_};
}

Result<std::optional<SweptVariants>> DeviceRunner::sweep(
    const Suite& suite, const VariantNumbers& numbers, u32 best,
    const std::function<void(u64)>& on_variants, const std::stop_token& stop) {
  const Result<bool> opened = open_sweep(suite);
  if (opened.problem()) return opened.problem();
  if (!opened.value()) return std::optional<SweptVariants>();
  DeviceSweep sweep({device_, *stretch_maker_, *on_device_}, sweep_job(suite, best), numbers);
  return sweep.run(on_variants, stop);
}

Result<std::optional<SweptVariants>> DeviceRunner::search(
    const Suite& suite, SearchCandidates& candidates, u32 best,
    const std::function<void(u64)>& on_variants, const std::stop_token& stop) {
  const Result<bool> opened = open_sweep(suite);
  if (opened.problem()) return opened.problem();
  if (!opened.value()) return std::optional<SweptVariants>();
  DeviceSearch search({device_, *stretch_maker_, *on_device_}, sweep_job(suite, best), candidates);
  return search.run(on_variants, stop);
}

void DeviceRunner::enqueue_made(u32 worker, const MadeVariant& variant, const Candidate& candidate,
                                CandidateResult& result) {
  workers_[worker].made.push_back(variant.program);
  workers_[worker].made_programs.push_back({{}, candidate.source, &result, &candidate});
}

bool DeviceRunner::enqueue(u32 worker, Code& code, u32 entry, std::string_view source,
                           CandidateResult& result) {
  Worker& w = workers_[worker];
  if (!w.lowering.add(code.view(), entry, w.batch)) return false;
  const size_t number = w.batch.programs.size() - 1;
  if (w.programs.size() <= number) w.programs.emplace_back();
  Program& program = w.programs[number];
  std::swap(program.code, code);
  program.source = source;
  program.result = &result;
  return true;
}

Problem DeviceRunner::load_suite(const Suite& suite) {
  if (has_suite_) return {};
  has_suite_ = true;
  if (Problem error = device_.load_cases(suite.view(0, suite.count, columns_))) return error;
  // A warp scores a program, so most of the device would idle in a run of few programs.
  constexpr u32 kLeastPrograms = 64;
  if (suite.count > most_rows_ / kLeastPrograms || options_.details.case_scores == CaseScores::Kept)
    return {};
  Result<std::unique_ptr<OutcomeScorer>> opened = open_outcome_scorer(device_);
  if (opened.problem()) return std::move(opened).problem();
  on_device_ = std::move(opened).value();
  return on_device_->load_suite(suite, options_.ranking.score, options_.ranking.tolerance);
}

Problem DeviceRunner::run(const Suite& suite, const ScoreLimits& limits, WorkerPool& pool,
                          const std::stop_token& stop) {
  limits_ = limits;
  limits_.at_fuel = true;
  const bool any = std::ranges::any_of(workers_, [](const Worker& worker) {
    return !worker.batch.programs.empty() || !worker.made.empty();
  });
  if (!any) return {};
  if (Problem error = load_suite(suite)) return error;
  const u32 most_programs = std::max(most_rows_ / std::max(suite.count, 1u), 1u);
  batch_.clear();
  running_.clear();
  if (Problem error = run_made(suite, most_programs, pool, stop)) return error;
  for (Worker& worker : workers_) {
    for (u32 number = 0; number < worker.batch.programs.size(); ++number) {
      if (running_.size() == most_programs) {
        if (Problem error = run_batch(suite, pool, stop)) return error;
      }
      batch_.append(worker.batch, number);
      running_.push_back(&worker.programs[number]);
    }
  }
  return run_batch(suite, pool, stop);
}

// The batch has no code of these programs, but has their types.
Problem DeviceRunner::run_made(const Suite& suite, u32 most_programs, WorkerPool& pool,
                               const std::stop_token& stop) {
  if (maker_ == nullptr) return {};
  code_ = &maker_->code();
  Problem error;
  for (Worker& worker : workers_) {
    for (size_t number = 0; number < worker.made.size() && !error; ++number) {
      if (running_.size() == most_programs) error = run_batch(suite, pool, stop);
      vm::WarpProgram& program = batch_.programs.emplace_back(worker.made[number]);
      program.types_begin = static_cast<u32>(batch_.types.size());
      for (const Scalar type : suite.result_types) batch_.types.push_back(static_cast<u8>(type));
      running_.push_back(&worker.made_programs[number]);
    }
  }
  if (!error) error = run_batch(suite, pool, stop);
  code_ = nullptr;
  return error;
}

// The code of a variant that was made on the device is bound again from its decisions, which have been valid once.
CodeView DeviceRunner::code_of(Worker& worker, const Program& program) const {
  if (program.variant == nullptr) return program.code.view();
  static_cast<void>(
      decisions_of(options_.programs.sketch->plan, *program.variant, worker.decisions));
  static_cast<void>(worker.binder->bind(worker.decisions, worker.bound));
  return worker.bound.view();
}

Problem DeviceRunner::run_batch(const Suite& suite, WorkerPool& pool, const std::stop_token& stop) {
  if (running_.empty() || stop.stop_requested()) return {};
  Problem error = scores_there() ? run_and_score(suite, pool) : run_slices(suite, pool, stop);
  batch_.clear();
  running_.clear();
  return error;
}

// The host runs the candidates that take more.
u64 DeviceRunner::fuel(const Suite& suite) const {
  const u64 ticks = slow_ticks(options_.limits.fuel, options_.limits.candidate_budget);
  return suite.has_slices ? slice_entry_fuel(ticks) : ticks;
}

Problem DeviceRunner::run_and_score(const Suite& suite, WorkerPool& pool) {
  const vm::WarpRun all{.cases = suite.count, .fuel = fuel(suite), .fetches = false, .code = code_};
  if (Problem error = device_.run(batch_, all)) return error;
  const auto programs = static_cast<u32>(running_.size());
  if (Problem error = on_device_->score(device_.resident(), programs, limits_)) return error;
  pool.run(programs, [&](u32 worker, u32 number) {
    const Program& program = *running_[number];
    Worker& own = workers_[worker];
    const OutcomeScorer::Scored scored = on_device_->scored(number);
    // A variant that was made on the device has no code here. The code is needed only if it traps.
    const CodeView code = scored.traps() ? code_of(own, program) : CodeView();
    own.scorer.take(code, program.source, suite, scored, *program.result);
  });
  return {};
}

// If there are more cases than a run may have rows, they are cut into slices, and the run has one program.
Problem DeviceRunner::run_slices(const Suite& suite, WorkerPool& pool,
                                 const std::stop_token& stop) {
  u32 first = 0;
  do {
    if (stop.stop_requested()) break;
    const u32 cases = std::min(suite.count - first, most_rows_);
    const vm::WarpRun slice{
        .first_case = first, .cases = cases, .fuel = fuel(suite), .code = code_};
    if (Problem error = device_.run(batch_, slice)) return error;
    const auto programs = static_cast<u32>(running_.size());
    if (programs == 1) {
      score(suite, 0, 0, first, cases);  // the scorer continues from slice to slice
    } else {
      pool.run(programs, [&, first, cases](u32 worker, u32 number) {
        score(suite, worker, number, first, cases);
      });
    }
    first += cases;
  } while (first < suite.count);
  return {};
}

void DeviceRunner::score(const Suite& suite, u32 worker, u32 number, u32 first_case, u32 cases) {
  CandidateScorer& scorer = workers_[worker].scorer;
  const Program& program = *running_[number];
  if (first_case == 0) scorer.begin(suite, limits_);
  scorer.add(code_of(workers_[worker], program), program.source, first_case, cases,
             device_.outcomes(batch_, number), *program.result);
  if (first_case + cases == suite.count) scorer.finish(*program.result);
}

}  // namespace komuz::engine
