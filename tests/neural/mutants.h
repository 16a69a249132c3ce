// SPDX-License-Identifier: Apache-2.0
// Code that is nearly right: one instruction differs, and the checker accepts it. What a model proposes is wrong in the
// same way.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "lang/check/check_code.h"
#include "lang/code.h"
#include "lang/reached_functions.h"

namespace komuz::test {

// Changes one instruction of a function that `entry` reaches: its operation, its constant, or the slot that it reads.
// None: no change of some tries was accepted.
inline std::optional<Code> mutant(const Code& code, u32 entry, Random& random) {
  const std::vector<u32> reached = reached_functions(code.view(), entry);
  constexpr u32 kTries = 200;
  for (u32 k = 0; k < kTries; ++k) {
    Code changed = code;
    const Function& f = code.functions[random.pick(reached)];
    Instruction& i = changed.instructions[f.code_begin + random.below(f.code_end - f.code_begin)];
    const OpRow& row = op_row(i.op);
    if (i.op == Op::LoadConst) {
      const u64 old = code.constants[i.b];
      const u64 others[] = {old + 1, old - 1, ~old + 1, 0, 1, random.pick(code.constants)};
      i.b = static_cast<u32>(changed.constants.size());
      changed.constants.push_back(others[random.below(std::size(others))]);
      if (changed.constants.back() == old) continue;
    } else if (i.op == Op::LoadVar) {
      const u16 old = std::exchange(i.a, static_cast<u16>(random.below(f.slots)));
      if (i.a == old) continue;
    } else {
      const Op other = static_cast<Op>(random.below(kOpCount));
      if (other == i.op || op_row(other).form != row.form) continue;
      i.op = other;
    }
    if (!check_code(changed.view(), changed.functions)) return changed;
  }
  return {};
}

}  // namespace komuz::test
