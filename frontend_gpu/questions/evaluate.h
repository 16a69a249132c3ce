// SPDX-License-Identifier: Apache-2.0
// A pure operation on known values. All operations are expanded where eval_cells is called: that is here.
#pragma once
#include "base/ints.h"
#include "lang/ops/eval_cells.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD_COLD EvaluatedCell evaluate_operation(Instruction instruction, const u64* operands) {
  return eval_cells(instruction, operands);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
