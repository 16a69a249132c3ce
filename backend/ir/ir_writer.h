// SPDX-License-Identifier: Apache-2.0
// Where code is written: what the functions of ir_values.h append to.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include "backend/ir/ir_values.h"

namespace komuz::backend::ir {

// What the code may use.
struct TargetTraits {
  bool fuses = false;   // an instruction for fma
  bool rounds = false;  // one for rounding to integral values
};

// While one exists, it is the writer of its thread.
class IrWriter {
 public:
  IrWriter(llvm::Module& module, TargetTraits traits);
  ~IrWriter();
  IrWriter(const IrWriter&) = delete;
  IrWriter& operator=(const IrWriter&) = delete;
  [[nodiscard]] static IrWriter& current();

  [[nodiscard]] llvm::Type* type(Type t);
  [[nodiscard]] llvm::Type* type(Scalar scalar);
  // A new block at the end of the function in which code is written.
  [[nodiscard]] llvm::BasicBlock* block(const char* name);
  [[nodiscard]] llvm::Function* function() { return builder.GetInsertBlock()->getParent(); }

  llvm::Module& module;
  llvm::LLVMContext& context;
  llvm::IRBuilder<> builder;
  const TargetTraits traits;

 private:
  IrWriter* const around_;
};

}  // namespace komuz::backend::ir
