// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/function_once.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include "backend/ir/ir_writer.h"

namespace komuz::backend::ir {

llvm::Value* call_once(std::string_view name, Type type, u32 operands, llvm::Value* const* values,
                       const std::function<llvm::Value*(llvm::Value* const*)>& body) {
  IrWriter& w = IrWriter::current();
  llvm::Type* const t = w.type(type);
  const std::string full = "kz." + std::string(name) + (type == Type::F32 ? ".f32" : ".f64");
  llvm::Function* f = w.module.getFunction(full);
  if (f == nullptr) {
    const llvm::SmallVector<llvm::Type*, 2> types(operands, t);
    f = llvm::Function::Create(llvm::FunctionType::get(t, types, false),
                               llvm::GlobalValue::InternalLinkage, full, w.module);
    f->addFnAttr(llvm::Attribute::NoInline);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    f->setMemoryEffects(llvm::MemoryEffects::none());
    f->addFnAttr(llvm::Attribute::WillReturn);
    const llvm::IRBuilderBase::InsertPointGuard guard(w.builder);
    w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "", f));
    llvm::SmallVector<llvm::Value*, 2> parameters;
    for (llvm::Argument& a : f->args()) parameters.push_back(&a);
    w.builder.CreateRet(body(parameters.data()));
  }
  return w.builder.CreateCall(f, llvm::ArrayRef(values, operands));
}

}  // namespace komuz::backend::ir
