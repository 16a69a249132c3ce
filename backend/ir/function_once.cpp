// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/function_once.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include "backend/ir/ir_writer.h"

namespace komuz::backend::ir {

llvm::Function* function_once(IrWriter& w, const std::string& name, llvm::Type* result,
                              const std::vector<llvm::Type*>& parameters,
                              const std::function<void(llvm::Function&)>& body) {
  if (llvm::Function* const known = w.module.getFunction(name)) return known;
  llvm::Function* const f =
      llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                             llvm::GlobalValue::InternalLinkage, name, w.module);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  const llvm::IRBuilderBase::InsertPointGuard guard(w.builder);
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "", f));
  w.builder.SetCurrentDebugLocation({});
  body(*f);
  return f;
}

llvm::Value* call_once(Op op, Type type, u32 operands, llvm::Value* const* values,
                       const std::function<llvm::Value*(llvm::Value* const*)>& body) {
  IrWriter& w = IrWriter::current();
  llvm::Type* const t = w.type(type);
  const std::string full = "kz." + std::string(op_row(op).mnemonic) +
                           (type == Type::F32 ? ".f32" : ".f64") +
                           (w.lanes == 1 ? "" : ".v" + std::to_string(w.lanes));
  const std::vector<llvm::Type*> types(operands, t);
  llvm::Function* f = w.module.getFunction(full);
  if (f == nullptr && w.shares_kernels) {
    f = llvm::Function::Create(llvm::FunctionType::get(t, types, false),
                               llvm::GlobalValue::ExternalLinkage, full, w.module);
    w.kernels.push_back({full, op, type == Type::F32 ? Scalar::F32 : Scalar::F64});
  } else if (f == nullptr) {
    f = function_once(w, full, t, types, [&](llvm::Function& g) {
      llvm::SmallVector<llvm::Value*, 2> parameters;
      for (llvm::Argument& a : g.args()) parameters.push_back(&a);
      w.builder.CreateRet(body(parameters.data()));
    });
  }
  f->setMemoryEffects(llvm::MemoryEffects::none());
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->addFnAttr(llvm::Attribute::WillReturn);
  return w.builder.CreateCall(f, llvm::ArrayRef(values, operands));
}

}  // namespace komuz::backend::ir
