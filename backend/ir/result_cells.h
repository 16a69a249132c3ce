// SPDX-License-Identifier: Apache-2.0
// Values as the cells of outcomes (lang/cases.h).
#pragma once
#include "lang/types.h"

namespace llvm {
class Value;
}

namespace komuz::backend::ir {

// The code of the canonical cell of a value of the type.
[[nodiscard]] llvm::Value* result_cell(llvm::Value* value, Scalar type);

}  // namespace komuz::backend::ir
