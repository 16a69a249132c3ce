// SPDX-License-Identifier: Apache-2.0
// Ranks the variants of a sketch where a device makes, runs and scores them. Duplicates, behaviours and the best
// programs are found there, a stretch of numbers at a time; at the end the best programs and a few counts come to the
// host. There are two sweeps: one for a GPU, and one that takes the same steps (sweep_task.h) on the host, for
// programs that run under the lockstep emulator.
//
//   sweep->begin(options);
//   sweep->next(count, stretch);                        // for each stretch: where its programs are to lie,
//   maker->make_stretch(stretch, count, …, programs);   // as VariantMaker makes them,
//   sweep->take(programs, scores);                      // and what came of them; scores lie on the device
//   sweep->fetch_best(best);
//
// Problems are those of the device (vm/cuda/warp_device.h).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/device_work.h"
#include "engine/device/sweep_task.h"
#include "engine/device/variant_task.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

class VariantSweep : public DeviceWork {
 public:
  struct Options {
    ScoreKind score = ScoreKind::Exact;
    // Those of ScoreBasis (score.h).
    LineBasis line;
    f64 whole = 1;
    VariantNumbers numbers;
    std::vector<u8> types;       // Scalar: of a result
    u32 best = 0;                // programs that are wanted
    bool of_behaviours = false;  // only the best program of each behaviour
    u32 longest_stretch = 0;     // variants
    // Limit on the decisions of a variant, for variants without numbers. The results of programs are then kept.
    u32 most_decisions = 0;
  };
  // Nothing is known yet.
  Problem begin(const Options& options);
  // The next stretch has so many variants, of which all stretches together have fewer than kNone, whose decisions are those, where they have no numbers.
  Problem next(u32 count, VariantStretch& out, const DecisionRows& decisions = {});
  Problem take(u32 programs, const ProgramScore* scores);

  // Of the results of the programs of a stretch, where they run.
  [[nodiscard]] const u8* types() const { return types_; }
  [[nodiscard]] u64 variants() const { return variants_; }
  [[nodiscard]] u64 programs() const { return programs_; }
  // The counts after the last stretch.
  [[nodiscard]] const SweepCounts& counts() const { return counts_; }
  // The best first.
  Problem fetch_best(std::vector<RankedProgram>& out);
  // The first of them; none: none has run.
  Problem fetch_first(std::optional<RankedProgram>& out);
  // … and their decisions, where they have no numbers.
  Problem fetch_best_decisions(std::vector<std::vector<u32>>& out);

  // For a search: the slot of the program of each variant of the stretch.
  [[nodiscard]] const KnownPrograms& known() const { return task_.known; }
  [[nodiscard]] const u32* slots() const { return task_.slots; }
  [[nodiscard]] const FoundProgram* found() const { return task_.found; }
  // The first row and the first new program of the stretch.
  [[nodiscard]] u32 first_row() const { return task_.first_row; }
  [[nodiscard]] u32 first_program() const { return task_.first_program; }

 protected:
  // Parts of the device's memory.
  enum class Part : u8 {
    Known,
    OtherKnown,  // the two take turns: one grows into the other
    Behaviours,
    OtherBehaviours,
    Slots,
    Programs,
    SlotOf,
    BytesOf,
    Types,
    Ranked,
    InOrder,
    Counts,
    Found,
    OtherFound,  // likewise
    BestDecisions,
    DecisionsInOrder,
    BestSizes,
    SizesInOrder,
  };
  virtual Problem run(SweepStep step, const SweepTask& task, u64 elements) = 0;

 private:
  static constexpr u64 kFirstSlots = u64{1} << 16;

  Problem reserve_stretch(u32 count);
  Problem reserve_decisions();
  Problem make_known(u64 slots);
  Problem make_behaviours(u64 slots);
  Problem make_found(u64 programs);
  Problem grow_tables(u32 more);

  Options options_;
  SweepTask task_{};
  // Which of its two parts each table is in.
  bool is_other_known_ = false, are_other_behaviours_ = false, is_other_found_ = false;
  u64 found_room_ = 0;  // programs
  u32 count_ = 0;       // of the stretch
  vm::WarpProgram* of_stretch_ = nullptr;
  u8* types_ = nullptr;
  u64 variants_ = 0, programs_ = 0;
  SweepCounts counts_{};
};

// `memory`: limit in bytes.
[[nodiscard]] std::unique_ptr<VariantSweep> host_variant_sweep(size_t memory = SIZE_MAX);

Result<std::unique_ptr<VariantSweep>> open_cuda_variant_sweep(int gpu);
// A sweep for programs that this device runs. `memory`: as above, if they run on the host.
Result<std::unique_ptr<VariantSweep>> open_variant_sweep(const vm::WarpDevice& device,
                                                         size_t memory = SIZE_MAX);

}  // namespace komuz::engine
