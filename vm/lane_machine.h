// SPDX-License-Identifier: Apache-2.0
// The machine of one instruction set: its handlers, by ops.def, and a function that runs a tile.
#pragma once
#include "base/simd_level.h"
#include "vm/tile.h"

namespace komuz::vm {

struct LaneMachine {
  HandlerTable handlers;
  // Runs the tile's cases from an operation on; `place` is the entry's first instruction.
  void (*run_tile)(Tile&, const LoweredOp* first, u32 place);
  u32 register_bytes;
};

[[nodiscard]] const LaneMachine& lane_machine(SimdLevel level);
const LaneMachine& lane_machine_portable();
const LaneMachine& lane_machine_avx2();
const LaneMachine& lane_machine_avx512();

}  // namespace komuz::vm
