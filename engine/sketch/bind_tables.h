// SPDX-License-Identifier: Apache-2.0
// What binding a variant reads (bind_plan.h, bound_functions.h), as plain pointers, into memory of the host or of a device.
#pragma once
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

struct BindTables {
  const BindPlan::Piece* pieces;
  const u32* first_pieces;  // by function
  const u32* ways;          // pieces
  const BindPlan::Patch* patches;
  const u16* arguments;
  const BindPlan::SpacePieces* spaces;
  const BindPlan::GridConstant* grids;
  const BindPlan::GridConstant* space_grids;
  const u64* values;
  const Instruction* instructions;
  const u32* places;
  const u64* constants;        // of the sketch's code
  const HoleForm* hole_forms;  // by hole
  const BoundFunctions::SpaceSlots* space_slots;
  const u16* first_slots;  // by function and space
  const Function* headers;
  const u16* callees_first;
  const u16* callees;
  const u32* callee_begins;
  u32 piece_count, grid_count, constant_count, function_count, space_count;
  const Sketch*
      sketch;  // of the host: for grids whose points are too many for `values`; on a device null
};

// Valid as long as the sketch is, which has no obstacle.
[[nodiscard]] BindTables bind_tables(const SketchProgram& sketch);

}  // namespace komuz::engine
