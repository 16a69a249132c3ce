// SPDX-License-Identifier: Apache-2.0
// Runs variants of a sketch as lanes. If there are few cases, a variant alone leaves most lanes idle. Variants that
// differ only in constants (the numbers of grids) become cases of one job, whose constants are columns:
//
//   lane          0   1   2     3   4   5     6   7   8   …
//   variant      #7            #9            #12
//   case          0   1   2     0   1   2     0   1   2
//   ?(0.0..1.0)  0.1 0.1 0.1   0.3 0.3 0.3   0.6 0.6 0.6
//
// So the variants are also lowered only once. With more cases, they run one after the other on the lowered code of
// the first. Variants that run long become native code, which loads the constants in which they differ. Each variant's results are those of running it alone, to the bit. A workspace for one thread.
#pragma once
#include <array>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/native/tiered_variants.h"
#include "engine/run/case_runner.h"
#include "vm/vm.h"

namespace komuz::engine {

class VariantLanes {
 public:
  // Lanes of a job: those of a tile.
  static constexpr u32 kLanes = 64;

  explicit VariantLanes(const EvaluateOptions& options);

  // True if it pays for variants of a sketch on these cases.
  [[nodiscard]] static bool pays(const EvaluateOptions& options, const Suite& suite);

  // Variants that are added from now on run on the suite until the limits or a stop end them. The suite is the same
  // each time, and stays in place.
  void begin(const Suite& suite, const ScoreLimits& limits, std::stop_token stop);
  // True if the next variant should be added. Large variants are not; and if few of the last ones had the same
  // instructions, the next many run elsewhere.
  [[nodiscard]] bool takes_next(const Code& code);
  // Adds the code of a variant that the suite's cases fit. It runs when many wait, or when others need its place, and
  // `out` is then done. `out` and `source`, which is the sketch's, stay in place until run_all().
  void add(const Code& code, u32 entry, std::string_view source, CandidateResult& out);
  // Runs all that wait. Variants that come after a stop are not done.
  void run_all();

  // Counts of variants that ran as lanes of jobs with others, and of jobs on code that was lowered for another
  // variant.
  struct Counts {
    u64 as_lanes = 0, jobs_again = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  // Variants with the same instructions at the same places of the sketch.
  struct Group {
    Code code;  // with the constants of one of them
    u32 entry = 0;
    std::string_view source;
    std::vector<u64> constants;  // of each variant
    std::vector<CandidateResult*> results;
  };
  // The most variants of a group that wait, and the most constants of these. With more cases or results, or larger
  // code, lowering takes a small part of the time.
  static constexpr u32 kMostWaiting = 64, kMostConstants = 1 << 14;
  static constexpr u32 kMostCases = 256, kMostCells = 1 << 14, kMostInstructions = 4096;
  // Choices that stand behind a grid change faster than the grid; so many of the codes that they make wait at a time.
  static constexpr u32 kMostGroups = 64;
  struct alignas(64) Column {
    u64 cells[kLanes];
  };

  [[nodiscard]] bool fits_lanes() const { return suite_->count <= kLanes / 2; }
  // A group's number; kNone if there is none yet.
  [[nodiscard]] u32 find(u64 key, const Code& code, u32 entry) const;
  u32 start(u64 key, const Code& code, u32 entry, std::string_view source);
  void run_and_remove(u32 number);
  void run_group(Group& group);
  // What each case gets at first, by what is known of others.
  void set_fuel();
  void run_as_lanes(Group& group);
  void run_one_by_one(Group& group);
  void run_job(const vm::Job& job, bool again, const OutcomesView& out);
  // The same natively; a variant alone where a job has the cases of one.
  void run_natively(Group& group);
  // Scores the outcomes of one variant. A variant that has not come to its end runs by itself.
  void score(Group& group, size_t variant, const OutcomesView& outcomes);
  void use_constants(Group& group, size_t variant);
  [[nodiscard]] bool shares_lanes(const Group& group) const;
  void note_ticks(size_t variants);
  [[nodiscard]] bool find_columns(const Group& group);
  void fill_columns(const Group& group, u32 first, u32 count);
  [[nodiscard]] CasesView lanes_of(u32 lanes);
  [[nodiscard]] OutcomesView outcomes(u32 rows);
  [[nodiscard]] OutcomesView part_of(const OutcomesView& all, size_t variant);

  const EvaluateOptions& options_;
  vm::BatchMachine machine_;
  TieredVariants tiered_;
  CandidateScorer scorer_;
  CaseRunner cases_;
  const Suite* suite_ = nullptr;
  ScoreLimits limits_;
  std::stop_token stop_;
  u64 fuel_ = 0;  // of the next job

  std::vector<Group> groups_{kMostGroups};
  std::array<u64, kMostGroups> keys_;  // of groups in use
  u32 used_groups_ = 0;
  u32 added_ = 0, started_ = 0;  // variants and groups since the last decision
  u32 left_out_ = 0;             // so many more variants run elsewhere
  // Of the present group: the ticks of all its variants, and the most ticks of one. Of the last group: true if so few
  // variants took so many ticks that most lanes would wait for them.
  u64 ticks_ = 0, most_ticks_ = 0;
  bool few_are_long_ = false;
  Counts counts_;

  // The suite's cases, repeated, and the constants that differ.
  std::vector<Column> argument_lanes_, constant_lanes_;
  std::vector<ArgumentColumn> arguments_;
  std::vector<vm::ConstantColumn> constants_;
  std::vector<Scalar> constant_types_;
  std::vector<bool> is_shared_;  // by constant: other instructions use it, too
  // The memory of outcomes(), and the values of one variant.
  std::vector<u64> values_, own_values_, fuel_used_;
  std::vector<Trap> traps_;
  std::vector<u32> places_, depths_;
};

}  // namespace komuz::engine
