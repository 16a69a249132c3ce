// SPDX-License-Identifier: Apache-2.0
// Code that differs in one thing, and what questions about it need.
#pragma once
#include <optional>
#include <vector>

#include "base/random.h"
#include "lang/check/check_code.h"
#include "lang/code.h"
#include "lang/layout.h"
#include "lang/reached_functions.h"

namespace komuz::test {

// Another operation, constant, slot, trap or way in the place of one. False: this one has no other.
inline bool change_code(Code& code, const Function& f, Random& random) {
  const u32 at = f.code_begin + random.below(f.code_end - f.code_begin);
  Instruction& i = code.instructions[at];
  const OpForm form = op_row(i.op).form;
  switch (form) {
    case OpForm::Const: code.constants[i.b] += random.one_in(2) ? 1 : ~u64{0}; return true;
    case OpForm::Load:
    case OpForm::Store: i.a = static_cast<u16>(random.below(f.slots)); return true;
    case OpForm::Require: i.a = static_cast<u16>(Trap::Index) + i.a % 3; return true;
    case OpForm::ForNext: i.b ^= 1; return true;
    case OpForm::LoopExit: i.op = i.op == Op::Break ? Op::Continue : Op::Break; return true;
    case OpForm::Plain: return false;
    case OpForm::ShortCircuit:
      i.op = i.op == Op::JumpIfFalseOrPop ? Op::JumpIfTrueOrPop : Op::JumpIfFalseOrPop;
      return true;
    default: break;
  }
  if (!is_pure_form(form)) return false;
  for (u32 turn = 0; turn < 20; ++turn) {
    const Op other = static_cast<Op>(random.below(kOpCount));
    if (other == i.op || op_row(other).form != form ||
        (op_row(other).types & type_bit(i.type)) == 0)
      continue;
    i.op = other;
    return true;
  }
  return false;
}

// Code with one such change in a function that `entry` reaches, which the checker accepts. What a model proposes is wrong
// in the same way. None: no change of some tries was accepted.
inline std::optional<Code> mutant(const Code& code, u32 entry, Random& random) {
  const std::vector<u32> reached = reached_functions(code.view(), entry);
  constexpr u32 kTries = 200;
  for (u32 k = 0; k < kTries; ++k) {
    Code changed = code;
    if (change_code(changed, code.functions[random.pick(reached)], random) &&
        !(changed.instructions == code.instructions && changed.constants == code.constants) &&
        !check_code(changed.view(), changed.functions))
      return changed;
  }
  return {};
}

inline bool takes_slices(const Code& code, u32 function) {
  const Function& f = code.functions[function];
  for (u32 p = 0; p < f.parameter_slots; ++p)
    if (is_reference(static_cast<Scalar>(code.slot_types[f.slots_begin + p]))) return true;
  return false;
}

// Columns of rows.
inline std::vector<std::vector<u64>> transposed(const std::vector<std::vector<u64>>& rows,
                                                size_t columns) {
  std::vector<std::vector<u64>> found(columns);
  for (const auto& row : rows)
    for (size_t p = 0; p < columns; ++p) found[p].push_back(row[p]);
  return found;
}

}  // namespace komuz::test
