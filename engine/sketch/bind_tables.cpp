// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/bind_tables.h"

#include <algorithm>

namespace komuz::engine {

namespace {

bool has_jumps(const BindPlan& plan) {
  return std::ranges::any_of(plan.patches, [](const BindPlan::Patch& patch) {
    return patch.kind == BindPlan::PatchKind::Target;
  });
}

}  // namespace

BindTables bind_tables(const SketchProgram& sketch) {
  const BindPlan& plan = sketch.bind_plan;
  const BoundFunctions& functions = plan.functions;
  return {.pieces = plan.pieces,
          .first_pieces = plan.first_pieces,
          .ways = plan.ways,
          .patches = plan.patches,
          .arguments = plan.arguments,
          .spaces = plan.spaces,
          .grids = plan.grids,
          .space_grids = plan.space_grids,
          .values = plan.values,
          .hole_forms = plan.hole_forms,
          .instructions = plan.instructions,
          .places = plan.places,
          .constants = sketch.code.constants,
          .space_slots = functions.space_slots,
          .first_slots = functions.first_slots,
          .headers = functions.headers,
          .callees_first = functions.callees_first,
          .callees = functions.callees,
          .callee_begins = functions.callee_begins,
          .has_jumps = has_jumps(plan),
          .points = plan.points.data()};
}

u64 grid_point(const BindTables& tables, u32 hole, u64 point) {
  return tables.points[hole].at(point);
}

}  // namespace komuz::engine
