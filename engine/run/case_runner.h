// SPDX-License-Identifier: Apache-2.0
// Runs a program on the cases of a suite within its budget (block_budget.h), and scores it. The result is the same as
// if the cases had run one after the other, each with all the ticks that it may take:
//
//   cases  0 1 2 3 4 5 6 7 …    in slices, each case with few ticks at first
//              ✗ ✗     ✗        of those that need more, the first runs alone, with all that it may take; if it ends,
//                               the others run with four times the ticks that it took, …
//
// A job takes about as long for four cases as for some dozens, so expressions, which are most programs, cost no more.
// An endless loop costs as much as one case may take, not all of them. One case alone takes a fourth of the time of a
// job (vm/one_lane.h). If a candidate was set aside, the case that took too long runs first: mostly this decides
// already. A workspace for one thread.
//
// Where somebody finds cheaper code (cheaper_run.h), cases run on that. All that a result shows is the same, but for the place and
// the depth of the trap of one case: that case runs again, alone, on the code as it is.
#pragma once
#include <algorithm>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/native/tiered_machine.h"
#include "engine/run/candidate_scorer.h"
#include "engine/run/cheaper_run.h"
#include "engine/run/shared_values.h"
#include "vm/vm.h"

namespace komuz::engine {

struct CaseBudget {
  u64 ticks = 0;  // limit on the ticks of all cases that trap FUEL
  u64 slow = 0;   // slow_ticks()
  // True: a candidate that takes more is `unscored`. False: it is set aside, and its row says what it would be.
  bool is_final = false;
  // For a candidate that was set aside: CandidateResult::slow_case.
  bool was_set_aside = false;
  u32 slow_case = kNone;
};

class CaseRunner {
 public:
  explicit CaseRunner(const EvaluateOptions& options)
      : options_(options),
        machine_(options.machines.native),
        exact_(options.machines.native),
        scorer_(options),
        cheaper_(options) {}

  struct Program {
    CodeView code;
    u32 entry = 0;
    std::string_view source;
    const CaseArguments& arguments;  // the cases as it takes them
  };
  // Runs it on the cases of the suite, until the limits end it. Not done if stopped or set aside.
  void run(const Program& program, const Suite& suite, const ScoreLimits& limits,
           const CaseBudget& budget, const std::stop_token& stop, CandidateResult& out);
  // The budget of a candidate's first run. It follows from the ticks of others, and only decides which candidates are
  // set aside.
  [[nodiscard]] CaseBudget first_budget() const;
  // Ticks that each case gets at first. `usual`: those of this program's cases so far.
  [[nodiscard]] u64 first_ticks(const CaseBudget& budget, u64 usual = 0) const;
  [[nodiscard]] CandidateScorer& scorer() { return scorer_; }
  // The ticks of the last run, as far as it is scored.
  [[nodiscard]] u64 ticks() const { return scorer_.ticks(); }
  // So many cases took so many ticks elsewhere.
  void note_ticks(u64 ticks, u64 cases);

  // The next run_cases() is of another program than the last one.
  void begin_program() { machine_.begin(); }
  // Runs cases [begin, begin + rows), each with so many ticks. `begin` is a multiple of 64. The outcomes stay until
  // the next call.
  [[nodiscard]] OutcomesView run_cases(const Program& program, const Suite& suite, u32 begin,
                                       u32 rows, u64 fuel, const std::stop_token& stop);

 private:
  // Lanes of a job of selected cases.
  static constexpr u32 kLanes = 64;
  struct alignas(64) Column {
    u64 cells[kLanes];
  };
  // Outcomes in memory of their own.
  struct Outcomes {
    std::vector<u64> values, fuel;
    std::vector<Trap> traps;
    std::vector<u32> places, depths;
    OutcomesView view(u32 rows, size_t result_cells);
  };
  // The slice at hand.
  struct Slice {
    const Program& program;
    const Suite& suite;
    const std::stop_token& stop;
    u32 begin = 0, rows = 0;
    OutcomesView outcomes;
  };
  enum class Ending : u8 {
    None,      // the next slice follows
    Settled,   // no further case counts
    Exceeded,  // the next case takes more than its budget
    Stopped,
  };
  struct Known {
    u32 rows = 0;  // the first of the slice
    Ending ending = Ending::None;
  };

  // Of the next slice.
  struct SliceSize {
    u32 rows = 0;
    u64 ticks = 0;  // that each case gets at first
  };
  // Runs all cases of a variant with what others have in common with it. False: it is to be run as others are.
  [[nodiscard]] bool run_shared(const Program& program, const Suite& suite,
                                const ScoreLimits& limits, const CaseBudget& budget,
                                CandidateResult& out);
  [[nodiscard]] SliceSize next_size(const Suite& suite, const CaseBudget& budget, u32 begin) const;
  void run_slices(const Program& program, const Suite& suite, const ScoreLimits& limits,
                  const CaseBudget& budget, const std::stop_token& stop, CandidateResult& out);
  // `waiting`: so many cases of the program wait behind the job.
  void run_job(TieredMachine& machine, const vm::Job& job, u64 waiting, const OutcomesView& out);
  // True if the first slow case takes more than its budget. The run is then over.
  [[nodiscard]] bool is_slow_case_too_long(const Program& program, const Suite& suite,
                                           const std::stop_token& stop, CandidateResult& out);
  [[nodiscard]] Known complete(const Slice& slice);
  // The first case from `from` on that has not come to its end, or was slow; the slice's rows if there is none.
  [[nodiscard]] u32 next_slow(const Slice& slice, u32 from) const;
  [[nodiscard]] u64 ticks_of(const Slice& slice, u32 row) const;
  // Runs the first `most` cases from `from` on again that have trapped FUEL within fewer ticks than these.
  void run_again(const Slice& slice, u32 from, u32 most, u64 ticks);
  void run_picked(const Slice& slice, u64 ticks);
  // The outcomes stay until the next call.
  [[nodiscard]] OutcomesView run_picked_on(TieredMachine& machine, const Slice& slice, u64 ticks);
  // Finds the place and the depth of a row's trap, by the code as it is. Outcomes are as the scorer leaves them.
  void find_place(const Slice& slice, u32 row);
  void leave(const Slice& slice, u32 row, CandidateResult& out);
  // The ticks of the next case: at least as many as a case may take without being slow.
  [[nodiscard]] u64 ticks_left() const {
    const u64 left = budget_.ticks - std::min(wasted_, budget_.ticks);
    return std::min(options_.limits.fuel, std::max(left, std::min(budget_.slow, budget_.ticks)));
  }

  const EvaluateOptions& options_;
  TieredMachine machine_;
  TieredMachine exact_;  // runs code as it is beside cheaper code
  CandidateScorer scorer_;
  CheaperRun cheaper_;
  SharedValues shared_;
  u32 others_ = 0;       // programs since the last one that shared values
  u64 usual_ticks_ = 0;  // of a case, among those run last
  bool knows_usual_ = false;
  // State of the present run:
  CaseBudget budget_;
  u64 wasted_ = 0;  // ticks of cases that have trapped FUEL
  bool is_slow_ = false;
  bool is_faulty_ = false;  // cheaper code has trapped otherwise than the code
  Outcomes outcomes_, of_picked_, shared_outcomes_;
  bool has_run_long_ = false;  // cases of the slice that may be slow
  std::vector<u64> tested_;    // for each case of the slice: the ticks of its last run
  std::vector<u32> picked_;    // cases of the slice
  std::vector<ArgumentColumn> columns_, picked_columns_;
  std::vector<Column> cells_;
};

}  // namespace komuz::engine
