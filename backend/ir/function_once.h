// SPDX-License-Identifier: Apache-2.0
// Functions of a module that its code calls, each written when it is first called.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "backend/ir/ir_values.h"

namespace llvm {
class Function;
class Type;
}  // namespace llvm

namespace komuz::backend::ir {

class IrWriter;

// The code of a call of the mathematical function `op` on `operands` values of one type, with a result of that type.
// `body` gives the code of the result for the code of its parameters.
[[nodiscard]] llvm::Value* call_once(Op op, Type type, u32 operands, llvm::Value* const* values,
                                     const std::function<llvm::Value*(llvm::Value* const*)>& body);

// The function of that name and shape; `body` writes all of its code.
[[nodiscard]] llvm::Function* function_once(IrWriter& writer, const std::string& name,
                                            llvm::Type* result,
                                            const std::vector<llvm::Type*>& parameters,
                                            const std::function<void(llvm::Function&)>& body);

}  // namespace komuz::backend::ir
