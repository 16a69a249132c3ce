// SPDX-License-Identifier: Apache-2.0
// The meaning of the pure operations, written a second time in another way: integers in 128 bits, floats by the C++
// library and long double. Shares no code with lang/ops/op_eval.h.
#pragma once
#include "lang/code.h"

namespace komuz::test {

struct OracleAnswer {
  u64 value = 0;
  Trap trap = Trap::None;
  u32 steps = 0;  // an answer may be so many floats away from `value`
};

[[nodiscard]] OracleAnswer ask_oracle(Instruction instruction, const u64* operands);

}  // namespace komuz::test
