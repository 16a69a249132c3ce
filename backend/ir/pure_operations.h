// SPDX-License-Identifier: Apache-2.0
// A pure operation as code, chosen at run time: as eval_cells.h, with code in the place of cells.
#pragma once
#include "lang/code.h"

namespace llvm {
class Value;
}

namespace komuz::backend::ir {

// The code of the value, and that of the masks of both traps: null where a trap cannot be.
struct EvaluatedCode {
  llvm::Value* value = nullptr;
  llvm::Value* first = nullptr;
  llvm::Value* second = nullptr;
  Trap first_trap = Trap::None, second_trap = Trap::None;
};

// The code of a pure operation of checked code on its operands, the deepest first. A bool is one bit. The code of a
// mathematical function is a call of a function that is written into the module once.
[[nodiscard]] EvaluatedCode evaluate(Instruction i, llvm::Value* const* operands);

// The operations on references (op_eval.h), which are 64 bits.
[[nodiscard]] EvaluatedCode refer(llvm::Value* count, u64 slots);
[[nodiscard]] EvaluatedCode part_of(llvm::Value* whole, llvm::Value* low, llvm::Value* high);
[[nodiscard]] EvaluatedCode rest_of(llvm::Value* whole, llvm::Value* offset, u64 least);

}  // namespace komuz::backend::ir
