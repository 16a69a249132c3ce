// SPDX-License-Identifier: Apache-2.0
// Functions of a module that its code calls, each written when it is first called.
#pragma once
#include <functional>
#include <string_view>

#include "backend/ir/ir_values.h"

namespace komuz::backend::ir {

// The code of a call of the function `name` on `operands` values of one type, with a result of that type. `body` gives
// the code of the result for the code of its parameters.
[[nodiscard]] llvm::Value* call_once(std::string_view name, Type type, u32 operands,
                                     llvm::Value* const* values,
                                     const std::function<llvm::Value*(llvm::Value* const*)>& body);

}  // namespace komuz::backend::ir
