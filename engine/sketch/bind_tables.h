// SPDX-License-Identifier: Apache-2.0
// The tables for binding a variant (bind_plan.h, bound_functions.h), in memory of the host or of a device.
#pragma once
#include <span>

#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

struct BindTables {
  std::span<const BindPlan::Piece> pieces;
  std::span<const u32> first_pieces;  // by function
  std::span<const u32> ways;          // pieces
  std::span<const BindPlan::Patch> patches;
  std::span<const u16> arguments;
  std::span<const BindPlan::SpacePieces> spaces;
  std::span<const BindPlan::GridConstant> grids, space_grids;
  std::span<const u64> values;
  std::span<const HoleForm> hole_forms;
  std::span<const Instruction> instructions;
  std::span<const u32> places;
  std::span<const u64> constants;  // of the sketch's code
  std::span<const BoundFunctions::SpaceSlots> space_slots;
  std::span<const u16> first_slots;  // by function and space
  std::span<const Function> headers;
  std::span<const u16> callees_first, callees;
  std::span<const u32> callee_begins;
  // Some instruction goes to a place that moves: to know where pieces begin takes a third of the time of a walk.
  bool has_jumps;
  // By hole, for grids whose points are too many for `values`; null on a device.
  const GridPoints* points;

  // Calls visit(span&) for each table.
  template <class Visit>
  void for_each(Visit visit) {
    visit(pieces), visit(first_pieces), visit(ways), visit(patches), visit(arguments);
    visit(spaces), visit(grids), visit(space_grids), visit(values), visit(hole_forms);
    visit(instructions), visit(places), visit(constants), visit(space_slots);
    visit(first_slots), visit(headers), visit(callees_first), visit(callees);
    visit(callee_begins);
  }
};
// Valid as long as the sketch, which has no obstacle.
[[nodiscard]] BindTables bind_tables(const SketchProgram& sketch);
// For a grid whose points are too many for `values`.
[[nodiscard]] u64 grid_point(const BindTables& tables, u32 hole, u64 point);

}  // namespace komuz::engine
