// SPDX-License-Identifier: Apache-2.0
// Ranks the variants of a sketch where a device makes, runs and scores them: duplicates, behaviours and the best programs are
// found there, a stretch of numbers at a time, and at the end the best and a few counts come to the host. There are two: for a
// GPU, and one that takes the same steps (sweep_task.h) on the host, for what runs under the lockstep emulator.
//
//   sweep->begin(options);
//   sweep->next(count, stretch);                        // for each stretch: where its programs are to lie,
//   maker->make_stretch(stretch, count, …, programs);   // as VariantMaker makes them,
//   sweep->take(programs, scores);                      // and what came of them; scores lie on the device
//   sweep->fetch_best(best);
//
// An error is a sentence as of a WarpDevice; an empty one means that all is well.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/sweep_task.h"
#include "engine/cuda/variant_task.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

class VariantSweep {
 public:
  virtual ~VariantSweep() = default;

  struct Options {
    ScoreKind score = ScoreKind::Exact;
    f64 total_squares = 0;  // score.h
    VariantNumbers numbers;
    std::vector<u8> types;    // Scalar: of a result
    u32 best = 0;             // programs that are wanted
    u32 longest_stretch = 0;  // variants
  };
  // Nothing is known yet.
  [[nodiscard]] std::string begin(const Options& options);
  // The next stretch has so many variants.
  [[nodiscard]] std::string next(u32 count, VariantStretch& out);
  [[nodiscard]] std::string take(u32 programs, const ProgramScore* scores);

  // Of the results of the programs of a stretch, where they run.
  [[nodiscard]] const u8* types() const { return types_; }
  [[nodiscard]] u64 variants() const { return variants_; }
  [[nodiscard]] u64 programs() const { return programs_; }
  // As of the last stretch.
  [[nodiscard]] const SweepCounts& counts() const { return counts_; }
  // The best first.
  [[nodiscard]] std::string fetch_best(std::vector<RankedProgram>& out);

 protected:
  // What lies in the device's memory.
  enum class Part : u8 {
    Known,
    OtherKnown,  // each in turn: one grows into the other
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
  };
  static constexpr u32 kParts = static_cast<u32>(Part::Counts) + 1;
  // Has at least so many bytes; what was in it is gone where it had less.
  [[nodiscard]] virtual std::string reserve(Part part, size_t bytes, u8*& out) = 0;
  [[nodiscard]] virtual std::string run(SweepStep step, const SweepTask& task, u64 elements) = 0;
  // From and to the host.
  [[nodiscard]] virtual std::string fetch(void* to, const void* from, size_t bytes) = 0;
  [[nodiscard]] virtual std::string send(void* to, const void* from, size_t bytes) = 0;

 private:
  static constexpr u64 kFirstSlots = u64{1} << 16;

  template <class T>
  [[nodiscard]] std::string reserve_rows(Part part, u64 rows, T*& out) {
    u8* bytes = nullptr;
    std::string problem = reserve(part, rows * sizeof(T), bytes);
    out = reinterpret_cast<T*>(bytes);
    return problem;
  }
  [[nodiscard]] std::string reserve_stretch(u32 count);
  [[nodiscard]] std::string make_known(u64 slots);
  [[nodiscard]] std::string make_behaviours(u64 slots);
  [[nodiscard]] std::string grow_tables(u32 more);

  Options options_;
  SweepTask task_{};
  // Which of the two parts tables are in.
  bool is_other_known_ = false, are_other_behaviours_ = false;
  u32 count_ = 0;  // of the stretch
  vm::WarpProgram* of_stretch_ = nullptr;
  u8* types_ = nullptr;
  u64 variants_ = 0, programs_ = 0;
  SweepCounts counts_{};
};

[[nodiscard]] std::unique_ptr<VariantSweep> host_variant_sweep();

struct OpenedVariantSweep {
  std::unique_ptr<VariantSweep> sweep;
  std::string problem;
};
[[nodiscard]] OpenedVariantSweep open_cuda_variant_sweep(int gpu);
// For programs that this device runs.
[[nodiscard]] OpenedVariantSweep open_variant_sweep(const vm::WarpDevice& device);

}  // namespace komuz::engine
