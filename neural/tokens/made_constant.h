// SPDX-License-Identifier: Apache-2.0
// Constants of a target as words: a literal, a constant of the source, or what one operation makes of these, or two of
// the source's own operations. Whoever
// reads the words calculates it again (read_words.h).
#pragma once
#include "neural/tokens/source.h"

namespace komuz::neural {

struct MadeConstant {
  u32 count = 0;  // of words; 0: nothing makes it
  u8 words[5] = {};
  Scalar types[5] = {};
};
[[nodiscard]] MadeConstant make_constant(const TypedCell& constant, const Source& source);

// What an operation makes of constants, by lang/ops/eval_cells.h.
struct EvaluatedConstant {
  u64 cell = 0;
  bool has_trapped = false;
};
[[nodiscard]] EvaluatedConstant evaluate_constants(Instruction operation, const u64* operands);

}  // namespace komuz::neural
