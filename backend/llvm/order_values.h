// SPDX-License-Identifier: Apache-2.0
// The order of calculations for machines that share few registers among many threads.
#pragma once
#include <llvm/IR/Module.h>

#include "base/ints.h"

namespace komuz::backend {

// Puts each calculation where its value is first used, and of the operands of an instruction first the one that takes
// the most registers (Sethi and Ullman, 1970). LLVM writes PTX in the order of the code, which is that in which
// op_eval.h was written, and ptxas keeps to it more than it should. What reads or writes memory keeps its order.
void order_values(llvm::Module& module);

}  // namespace komuz::backend
