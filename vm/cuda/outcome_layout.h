// SPDX-License-Identifier: Apache-2.0
// The layout of a run's outcomes in one stretch of memory: values, fuel, places, depths and traps. Each is a column
// of `stride` rows for each program (values: for each result cell), with the programs one behind the other.
#pragma once
#include "vm/cuda/warp_device.h"
#include "vm/cuda/warp_launch.h"

namespace komuz::vm {

[[nodiscard]] constexpr u32 padded_rows(u32 cases) {
  return (cases + kWarpCases - 1) / kWarpCases * kWarpCases;
}

class OutcomeLayout {
 public:
  OutcomeLayout() = default;
  // `cells`: result cells of all programs.
  OutcomeLayout(size_t programs, size_t cells, u32 cases)
      : cases_(cases),
        programs_(static_cast<u32>(programs)),
        stride_(padded_rows(cases)),
        fuel_at_(sizeof(u64) * stride_ * cells),
        places_at_(fuel_at_ + sizeof(u64) * stride_ * programs),
        depths_at_(places_at_ + sizeof(u32) * stride_ * programs),
        traps_at_(depths_at_ + sizeof(u32) * stride_ * programs),
        bytes_(traps_at_ + sizeof(Trap) * stride_ * programs) {}

  [[nodiscard]] size_t bytes() const { return bytes_; }
  // The part of a launch that follows from the run.
  [[nodiscard]] WarpLaunch launch(const WarpRun& run) const {
    WarpLaunch launch{};
    launch.tiles = stride_ / kWarpCases;
    launch.items = launch.tiles * programs_;
    launch.first_case = run.first_case;
    launch.cases = cases_;
    launch.stride = stride_;
    launch.budget = run.fuel;
    return launch;
  }
  void place(WarpLaunch& launch, u8* memory) const {
    launch.values = reinterpret_cast<u64*>(memory);
    launch.fuel = reinterpret_cast<u64*>(memory + fuel_at_);
    launch.outcome_places = reinterpret_cast<u32*>(memory + places_at_);
    launch.depths = reinterpret_cast<u32*>(memory + depths_at_);
    launch.traps = reinterpret_cast<Trap*>(memory + traps_at_);
  }
  [[nodiscard]] ResidentOutcomes resident(u8* memory) const {
    WarpLaunch all{};
    place(all, memory);
    return {all.values, all.traps, all.outcome_places, all.depths, all.fuel, stride_};
  }
  // The outcomes of one program. Columns of values are `stride` apart.
  [[nodiscard]] OutcomesView view(const WarpBatch& batch, u32 number, u8* memory) const {
    WarpLaunch all{};
    place(all, memory);
    const WarpProgram& program = batch.programs[number];
    const size_t row = size_t{number} * stride_, rows = stride_;
    return {{all.values + size_t{program.types_begin} * rows, program.results * rows},
            {all.traps + row, rows},
            {all.outcome_places + row, rows},
            {all.depths + row, rows},
            {all.fuel + row, rows}};
  }

 private:
  u32 cases_ = 0, programs_ = 0, stride_ = 0;
  size_t fuel_at_ = 0, places_at_ = 0, depths_at_ = 0, traps_at_ = 0, bytes_ = 0;
};

}  // namespace komuz::vm
