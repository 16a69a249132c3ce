// SPDX-License-Identifier: Apache-2.0
// Computes a pure operation on known values. eval_cells inlines all operations wherever it is called, so it is
// called only here.
#pragma once
#include "base/ints.h"
#include "lang/ops/eval_cells.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD_COLD EvaluatedCell evaluate_operation(Instruction instruction, const u64* operands) {
  return eval_cells(instruction, operands);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
