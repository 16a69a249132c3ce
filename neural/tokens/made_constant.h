// SPDX-License-Identifier: Apache-2.0
// Constants of a target as words: a literal, a constant of the source, or an operation on these that makes it. Whoever
// reads the words calculates it again (read_words.h).
#pragma once
#include "neural/tokens/source.h"

namespace komuz::neural {

struct MadeConstant {
  u32 count = 0;  // of words; 0: one operation does not make it
  u8 words[3] = {};
  Scalar types[3] = {};
};
[[nodiscard]] MadeConstant make_constant(const TypedCell& constant, const Source& source);

// What an operation makes of constants, by lang/ops/eval_cells.h.
struct EvaluatedConstant {
  u64 cell = 0;
  bool has_trapped = false;
};
[[nodiscard]] EvaluatedConstant evaluate_constants(Instruction operation, const u64* operands);

}  // namespace komuz::neural
