// SPDX-License-Identifier: Apache-2.0
// Runs the candidates of an epoch on a device: workers enqueue compiled programs, then all programs run on all cases at
// once, and are scored there. Variants of a bound sketch are made there, too, from their numbers or decisions; the
// host binds a variant again if it has to report on it. The host's workers score instead if case scores are kept, or
// if there are so many cases that few programs fill a run. Slow candidates (block_budget.h) are set aside: the host
// runs them.
#pragma once
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/device/expanded_maker.h"
#include "engine/device/outcome_scorer.h"
#include "engine/device/variant_maker.h"
#include "engine/run/candidate_runner.h"
#include "engine/run/device_search.h"
#include "engine/sketch/binder.h"
#include "engine/support/worker_pool.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

class DeviceRunner {
 public:
  // `most_rows`: limit on a run's outcomes, programs times cases. A run takes about 40 bytes a row.
  DeviceRunner(vm::WarpDevice& device, const EvaluateOptions& options, u32 workers,
               u32 most_rows = 1u << 23);
  // Workers point into the object.
  DeviceRunner(const DeviceRunner&) = delete;
  DeviceRunner& operator=(const DeviceRunner&) = delete;

  void begin_epoch();
  // Called by a worker. Takes the code (the code it had before comes back, for its memory), and keeps the source and
  // the place of the result. False if the program does not fit the device; then nothing is taken.
  [[nodiscard]] bool enqueue(u32 worker, Code& code, u32 entry, std::string_view source,
                             CandidateResult& result);
  // From now on the device makes the variants of the options' sketch, which is bound. `bound` is the code of an
  // accepted variant (candidate_runner.h), `entry` its entry. False: the host makes them.
  [[nodiscard]] bool use_variants(const Code& bound, u32 entry, const Suite& suite);
  // The same for an expanded sketch, only for sweeps and searches. `runner` has accepted one of its variants.
  [[nodiscard]] bool use_expanded(CandidateRunner& runner, const Suite& suite);
  // Makes variants in the device's memory. They may be enqueued until the next call.
  Problem make_variants(const VariantMaker::List& variants);
  // The result of making each.
  [[nodiscard]] std::span<const MadeVariant> made() const { return maker_->made(); }
  // Called by a worker. `variant` is one of made(), and Done. Its candidate stays in place until the end of the
  // epoch.
  void enqueue_made(u32 worker, const MadeVariant& variant, const Candidate& candidate,
                    CandidateResult& result);

  // Replaces all of the above, after use_variants: makes, runs, scores and ranks the variants of these numbers, of
  // which the `best` programs are wanted. Nothing if a sweep cannot do this; then it has had no effect.
  Result<std::optional<SweptVariants>> sweep(const Suite& suite, const VariantNumbers& numbers,
                                             u32 best, const std::function<void(u64)>& on_variants,
                                             const std::stop_token& stop);
  // The same for the proposals of a search.
  Result<std::optional<SweptVariants>> search(const Suite& suite, SearchCandidates& candidates,
                                              u32 best, const std::function<void(u64)>& on_variants,
                                              const std::stop_token& stop);

  // Runs all enqueued programs on all cases, and scores them within the limits. Results are not done if `stop` came
  // first. An error is the device's.
  Problem run(const Suite& suite, const ScoreLimits& limits, WorkerPool& pool,
              const std::stop_token& stop);

 private:
  struct Program {
    Code code;
    std::string_view source;
    CandidateResult* result = nullptr;
    // The candidate, for a variant that was made on the device: it has no code here.
    const Candidate* variant = nullptr;
  };
  struct Worker {
    explicit Worker(const EvaluateOptions& options) : scorer(options) {}
    vm::WarpLowering lowering;
    vm::WarpBatch batch;
    std::vector<Program> programs;  // those of the batch; behind them old ones, for their memory
    std::vector<vm::WarpProgram> made;
    std::vector<Program> made_programs;
    CandidateScorer scorer;
    // For variants that were made on the device.
    std::optional<Binder> binder;
    Decisions decisions;
    Code bound;
  };

  Problem open_maker();
  // For a sweep or a search.
  Problem open_stretch_maker();
  // Opens the maker and the scorer. False if the host scores outcomes: then it makes the variants, too.
  Result<bool> open_sweep(const Suite& suite);
  [[nodiscard]] SweepJob sweep_job(const Suite& suite, u32 best) const;
  Problem load_suite(const Suite& suite);
  [[nodiscard]] bool scores_there() const;
  Problem run_made(const Suite& suite, u32 most_programs, WorkerPool& pool,
                   const std::stop_token& stop);
  Problem run_batch(const Suite& suite, WorkerPool& pool, const std::stop_token& stop);
  [[nodiscard]] CodeView code_of(Worker& worker, const Program& program) const;
  Problem run_and_score(const Suite& suite, WorkerPool& pool);
  Problem run_slices(const Suite& suite, WorkerPool& pool, const std::stop_token& stop);
  [[nodiscard]] u64 fuel(const Suite& suite) const;
  void score(const Suite& suite, u32 worker, u32 number, u32 first_case, u32 cases);

  vm::WarpDevice& device_;
  const EvaluateOptions& options_;
  const u32 most_rows_;
  std::optional<SketchProgram> with_slices_;  // the sketch with the entry of slice_entry.h
  const SketchProgram* sketch_ = nullptr;     // makes variants of this sketch
  u32 variant_entry_ = 0;
  std::vector<Worker> workers_;
  bool has_suite_ = false;
  std::vector<ArgumentColumn> columns_;
  std::unique_ptr<OutcomeScorer> on_device_;
  std::unique_ptr<VariantMaker> maker_;
  std::optional<ExpandedSketch>
      expanded_;  // expands variants of this sketch there; load() takes it
  std::unique_ptr<ExpandedMaker> expanding_;
  StretchMaker* stretch_maker_ = nullptr;  // one of the two
  // State of the present run:
  ScoreLimits limits_;
  vm::WarpBatch batch_;
  std::vector<Program*> running_;           // programs of batch_
  const vm::ResidentCode* code_ = nullptr;  // where their code is, if not in batch_
};

}  // namespace komuz::engine
