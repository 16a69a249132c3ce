// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/bind_tables.h"

namespace komuz::engine {

BindTables bind_tables(const SketchProgram& sketch) {
  const BindPlan& plan = sketch.bind_plan;
  const BoundFunctions& functions = plan.functions;
  return {.pieces = plan.pieces.data(),
          .first_pieces = plan.first_pieces.data(),
          .ways = plan.ways.data(),
          .patches = plan.patches.data(),
          .arguments = plan.arguments.data(),
          .spaces = plan.spaces.data(),
          .grids = plan.grids.data(),
          .space_grids = plan.space_grids.data(),
          .values = plan.values.data(),
          .instructions = plan.instructions.data(),
          .places = plan.places.data(),
          .constants = sketch.code.constants.data(),
          .hole_forms = plan.hole_forms.data(),
          .space_slots = functions.space_slots.data(),
          .first_slots = functions.first_slots.data(),
          .headers = functions.headers.data(),
          .callees_first = functions.callees_first.data(),
          .callees = functions.callees.data(),
          .callee_begins = functions.callee_begins.data(),
          .piece_count = static_cast<u32>(plan.pieces.size()),
          .grid_count = static_cast<u32>(plan.grids.size()),
          .constant_count = static_cast<u32>(sketch.code.constants.size()),
          .function_count = static_cast<u32>(functions.headers.size()),
          .space_count = static_cast<u32>(functions.spaces.size()),
          .sketch = &sketch.plan.sketch()};
}

}  // namespace komuz::engine
