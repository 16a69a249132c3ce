// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/binder.h"

namespace komuz::engine {

bool Binder::bind(const Decisions& decisions, Code& out) {
  if (!sketch_.plan.decode(decisions, variant_)) return false;
  copy_columns(out);
  const u32 instructions = binding_.bind(
      tables_, variant_, {out.instructions, out.places, out.constants, out.functions});
  out.instructions.resize(instructions);
  out.places.resize(instructions);
  return true;
}

// Additions stand behind the part that all variants share. Functions differ only in their places in the code and in
// their stacks.
void Binder::copy_columns(Code& out) const {
  const BindPlan& plan = sketch_.bind_plan;
  const Code& from = sketch_.code;
  const BoundFunctions& functions = plan.functions;
  if (out.functions.size() != functions.headers.size()) out.functions = functions.headers;
  if (out.slot_types.size() != functions.slot_types.size()) out.slot_types = functions.slot_types;
  if (out.names.size() != from.names.size()) out.names = from.names;
  if (out.types.size() != from.types.size()) out.types = from.types;
  if (out.parameter_names.size() != from.parameter_names.size())
    out.parameter_names = from.parameter_names;
  // No variant is larger than the sketch, unless it has expressions from spaces, which may be repeated.
  if (out.instructions.size() < plan.instructions.size()) {
    out.instructions.resize(plan.instructions.size());
    out.places.resize(plan.places.size());
  }
}

}  // namespace komuz::engine
