// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/add_function.h"

namespace komuz::engine {
namespace {

// Bound code orders constants differently: the function's constants become constants of the sketch.
void add_code(const Code& bound, const Function& f, Code& code, BindPlan& plan) {
  const auto shorten = [](auto& column) { column.resize(column.size() - BindPlan::kCopied); };
  shorten(plan.instructions);
  shorten(plan.places);
  BindPlan::Piece piece;
  piece.begin = static_cast<u32>(plan.instructions.size());
  for (u32 k = f.code_begin; k < f.code_end; ++k) {
    Instruction i = bound.instructions[k];
    if (i.op == Op::LoadConst) {
      code.constants.push_back(bound.constants[i.b]);
      i.b = static_cast<u32>(code.constants.size()) - 1;
    }
    plan.instructions.push_back(i);
    plan.places.push_back(bound.places[k]);
  }
  piece.end = static_cast<u32>(plan.instructions.size());
  piece.max_stack = f.max_stack;
  piece.first_patch = piece.behind_patches = static_cast<u32>(plan.patches.size());
  plan.first_pieces.push_back(static_cast<u32>(plan.pieces.size()));
  plan.pieces.push_back(piece);
  plan.instructions.resize(plan.instructions.size() + BindPlan::kCopied);
  plan.places.resize(plan.places.size() + BindPlan::kCopied);
}

}  // namespace

std::optional<SketchProgram> with_last_function(const SketchProgram& sketch, const Code& bound,
                                                u32 called, u32 stack_limit) {
  const Function& last = bound.functions.back();
  const u64 frame = (u64{last.slots} + last.max_stack) * sizeof(u64);
  if (sketch.bind_plan.functions.headers[called].stack_bytes + frame > stack_limit)
    return std::nullopt;
  SketchProgram out = sketch;
  add_code(bound, last, out.code, out.bind_plan);
  BoundFunctions& functions = out.bind_plan.functions;
  Function& f = functions.headers.emplace_back(last);
  const auto take = [](const auto& from, size_t begin, auto& to) {
    const auto at = static_cast<u32>(to.size());
    to.insert(to.end(), from.begin() + static_cast<i64>(begin), from.end());
    return at;
  };
  f.slots_begin = take(bound.slot_types, last.slots_begin, functions.slot_types);
  f.types_begin = take(bound.types, last.types_begin, out.code.types);
  functions.callees.push_back(static_cast<u16>(called));
  functions.callee_begins.push_back(static_cast<u32>(functions.callees.size()));
  functions.callees_first.push_back(static_cast<u16>(functions.headers.size() - 1));
  functions.first_slots.resize(functions.headers.size() * functions.spaces.size());
  return out;
}

}  // namespace komuz::engine
