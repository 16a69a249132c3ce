// SPDX-License-Identifier: Apache-2.0
// The data that all warps of a launch share: programs, cases, and the place for outcomes. The plain pointers lead
// into memory of the device or, under the emulator, of the host.
//
// Items: a program of `order` has `tiles` tiles of kWarpCases cases. Item i is tile i % tiles of program order[i /
// tiles]. Warp w runs the items w, w + warps, and so on.
//
// Columns of outcomes have `stride` rows, a multiple of kWarpCases, for each program; `values` has such a column for
// each result cell. So a warp writes whole quads.
#pragma once
#include "lang/cases.h"
#include "vm/cuda/warp_memory.h"

namespace komuz::vm {

// Readable up to the next multiple of kWarpCases rows.
struct WarpColumn {
  const void* data;
  u32 type;  // Scalar
};

struct WarpLaunch {
  const WarpProgram* programs;
  const WarpOp* ops;
  const u32* places;
  const u64* constants;
  const u8* types;
  const WarpColumn* columns;
  const u32* order;  // numbers of the programs to run
  u32 column_count;
  u32 items;
  u32 tiles;       // of a program
  u32 first_case;  // a multiple of kWarpCases
  u32 cases;
  u32 stride;
  u64 budget;
  u64* values;
  Trap* traps;
  u32* outcome_places;
  u32* depths;
  u64* fuel;
};

}  // namespace komuz::vm
