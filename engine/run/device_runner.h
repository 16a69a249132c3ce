// SPDX-License-Identifier: Apache-2.0
// The candidates of an epoch on a device: workers place compiled programs, then all of them run on all cases at
// once, and are scored there. Variants of a sketch that is bound are made there, too, from their numbers or
// decisions; what of them the host has is bound again where something has to be said about it. Outcomes come back
// to be scored by workers where what each case brought is kept, and where there are so many cases that few programs
// fill a run. Slow candidates (block_budget.h) are set aside: the host runs them.
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
  // `most_rows`: of outcomes that a run may have, programs times cases; the memory of a run is about 40 bytes a row.
  DeviceRunner(vm::WarpDevice& device, const EvaluateOptions& options, u32 workers,
               u32 most_rows = 1u << 23);
  // Workers point into it.
  DeviceRunner(const DeviceRunner&) = delete;
  DeviceRunner& operator=(const DeviceRunner&) = delete;

  void begin_epoch();
  // Called by a worker. Takes the code (what it had before comes back, for its memory) and keeps the source and the
  // place of the result. False if the program does not fit the device; then nothing is taken.
  [[nodiscard]] bool place(u32 worker, Code& code, u32 entry, std::string_view source,
                           CandidateResult& result);
  // Variants of the sketch of the options, which is bound, are made here from now on. `bound` is the code of one of
  // them that is accepted (candidate_runner.h), `entry` its entry. False: the host makes them.
  [[nodiscard]] bool use_variants(const Code& bound, u32 entry, const Suite& suite);
  // The same of a sketch that is expanded, for sweeps and searches alone. `runner` has accepted one of its variants.
  [[nodiscard]] bool use_expanded(CandidateRunner& runner, const Suite& suite);
  // Makes variants in the device's memory. They may be placed until the next call.
  Problem make_variants(const VariantMaker::List& variants);
  // What came of each.
  [[nodiscard]] std::span<const MadeVariant> made() const { return maker_->made(); }
  // Called by a worker. `variant` is one of made(), and Done; the candidate that it is stays where it is until the
  // end of the epoch.
  void place_made(u32 worker, const MadeVariant& variant, const Candidate& candidate,
                  CandidateResult& result);

  // Instead of all that: makes, runs, scores and ranks the variants of these numbers, of which `best` programs are wanted, after
  // use_variants. `is_possible`: false where that has to go the other way; then nothing came of it.
  Problem sweep(const Suite& suite, const VariantNumbers& numbers, u32 best,
                const std::function<void(u64)>& on_variants, const std::stop_token& stop,
                bool& is_possible, SweptVariants& out);
  // The same of what a search comes by.
  Problem search(const Suite& suite, SearchCandidates& candidates, u32 best,
                 const std::function<void(u64)>& on_variants, const std::stop_token& stop,
                 bool& is_possible, SweptVariants& out);

  // Runs all that has been placed, on all cases, and scores it within the limits. Results are not done where `stop`
  // came first. An error is the device's.
  Problem run(const Suite& suite, const ScoreLimits& limits, WorkerPool& pool,
              const std::stop_token& stop);

 private:
  struct Program {
    Code code;
    std::string_view source;
    CandidateResult* result = nullptr;
    // That it is, if it was made on the device: it has no code here.
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
    // Of a variant that was made on the device.
    std::optional<Binder> binder;
    Decisions decisions;
    Code bound;
  };

  Problem open_maker();
  // Of those of a sweep or a search.
  Problem open_stretch_maker();
  // The maker and the scorer. `is_possible`: false where outcomes are scored by the host.
  // False: it has to be done by the host.
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
  const SketchProgram* sketch_ = nullptr;     // whose variants are made
  u32 variant_entry_ = 0;
  std::vector<Worker> workers_;
  bool has_suite_ = false;
  std::vector<ArgumentColumn> columns_;
  std::unique_ptr<OutcomeScorer> on_device_;
  std::unique_ptr<VariantMaker> maker_;
  std::optional<ExpandedSketch> expanded_;  // whose variants are expanded there; load() takes it
  std::unique_ptr<ExpandedMaker> expanding_;
  StretchMaker* stretch_maker_ = nullptr;  // one of the two
  // Of the run at hand.
  ScoreLimits limits_;
  vm::WarpBatch batch_;
  std::vector<Program*> running_;           // those of batch_
  const vm::ResidentCode* code_ = nullptr;  // where their code is, if not in batch_
};

}  // namespace komuz::engine
