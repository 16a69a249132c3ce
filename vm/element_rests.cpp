// SPDX-License-Identifier: Apache-2.0
// Recognises what the body of a loop does behind its part (element_parts.h): the few shapes in which many consecutive
// elements can be completed at once. These are the shapes of `sum`, `count`, `argmin` and the like, and of the same
// written as a loop.
#include "vm/element_parts.h"

namespace komuz::vm {

bool ElementParts::matches(u32 pc, std::initializer_list<Op> ops) const {
  for (const Op op : ops)
    if (at(pc++).op != op) return false;
  return true;
}

RestOfBody ElementParts::rest_of(const ElementPart& part) const {
  RestOfBody rest;
  const Instruction next = at(part.end);
  const bool is_alone = part.height == 1 && part.carried() == 0;
  rest.is_tested = is_alone && next.op == Op::JumpIfFalse && next.a == 0 && next.b == part.loop_end;
  if (rest.is_tested) {
    note_count(part, rest);
  } else if (part.carried() == 1) {
    const auto [position, slot] = carried_[part.carried_begin];
    rest.variable = slot;
    rest.variable_is_left = position == 0;
    rest.op = next.op;
    rest.type = next.type;
    if (part.height == 2) note_fold(part, rest);
    if (part.height == 3 && position == 1) note_best(part, rest);
  }
  return rest;
}

// `if test { v = v + 1 }`
void ElementParts::note_count(const ElementPart& part, RestOfBody& rest) const {
  const u32 pc = part.end + 1;
  const bool has_form = pc + 4 == part.loop_end && matches(pc, {Op::LoadVar, Op::LoadConst}) &&
                        folding_number(at(pc + 2).op) < kFoldingOps &&
                        at(pc + 3).op == Op::StoreVar && at(pc + 3).a == at(pc).a;
  // A value that the iteration itself has made is stored with its element, not with the case.
  if (!has_form || is_local(part, at(pc).a)) return;
  rest.kind = Rest::Fold;
  rest.op = at(pc + 2).op;
  rest.type = at(pc + 2).type;
  rest.variable = at(pc).a;
  rest.variable_is_left = true;
  rest.folds_constant = true;
  rest.constant = at(pc + 1).b;
}

// `v = op(v, value)`, `if op(value, v) { … }`
void ElementParts::note_fold(const ElementPart& part, RestOfBody& rest) const {
  const u32 pc = part.end + 1;
  const Instruction next = at(pc);
  if (comparison_number(rest.op) < kComparisons) {
    if (next.op == Op::JumpIfFalse && next.a == 0 && next.b == part.loop_end)
      rest.kind = Rest::Pass;
    return;
  }
  if (folding_number(rest.op) == kFoldingOps || next.op != Op::StoreVar || next.a != rest.variable)
    return;
  // Constants may also go to other variables, such as a flag that there was an element. The last of the iterations is
  // not completed at once, and sets these variables, unless it is skipped.
  u32 end = pc + 1;
  while (matches(end, {Op::LoadConst, Op::StoreVar}) && at(end + 1).a != rest.variable) end += 2;
  if (end == part.loop_end && (end == pc + 1 || !part.skips)) rest.kind = Rest::Fold;
}

// The shape of `argmin` and `argmax`: count, and if the value is better note it and its number.
//
//   part ends here; value, count and 1 are on the stack
//   0  ADD_WRAP; STORE_VAR count
//   2  LOAD_VAR best; MIN; COPY; LOAD_VAR best; CMP; LOAD_CONST 0; NE; JUMP_IF_FALSE 12
//   10 LOAD_VAR count; STORE_VAR place
//   12 STORE_VAR best; END
void ElementParts::note_best(const ElementPart& part, RestOfBody& rest) const {
  const u32 pc = part.end;
  const Op better = at(pc + 3).op;
  const bool has_form =
      at(pc - 1).op == Op::LoadConst && matches(pc, {Op::AddWrap, Op::StoreVar, Op::LoadVar}) &&
      (better == Op::Min || better == Op::Max) &&
      matches(pc + 4, {Op::Copy, Op::LoadVar, Op::Cmp, Op::LoadConst, Op::Ne, Op::JumpIfFalse,
                       Op::LoadVar, Op::StoreVar, Op::StoreVar, Op::End});
  if (!has_form) return;
  const u16 count = rest.variable, best = at(pc + 2).a, place = at(pc + 11).a;
  const Instruction copy = at(pc + 4), branch = at(pc + 9);
  const bool has_operands =
      code_.constants[at(pc - 1).b] == 1 && at(pc + 1).a == count && at(pc + 5).a == best &&
      copy.a == 0 && copy.b == 0 && code_.constants[at(pc + 7).b] == 0 && branch.a == 0 &&
      branch.b == pc + 12 && at(pc + 10).a == count && place != best && place != count &&
      at(pc + 12).a == best && at(pc).type == Scalar::I64 && best != count && !is_local(part, best);
  if (!has_operands) return;
  rest.kind = Rest::Best;
  rest.op = better;
  rest.type = at(pc + 3).type;
  rest.count = count;
  rest.variable = best;
}

}  // namespace komuz::vm
