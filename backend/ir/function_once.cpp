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
  body(*f);
  return f;
}

llvm::Value* call_once(std::string_view name, Type type, u32 operands, llvm::Value* const* values,
                       const std::function<llvm::Value*(llvm::Value* const*)>& body) {
  IrWriter& w = IrWriter::current();
  llvm::Type* const t = w.type(type);
  const std::string full = "kz." + std::string(name) + (type == Type::F32 ? ".f32" : ".f64") +
                           (w.lanes == 1 ? "" : ".v" + std::to_string(w.lanes));
  llvm::Function* const f =
      function_once(w, full, t, std::vector<llvm::Type*>(operands, t), [&](llvm::Function& g) {
        g.setMemoryEffects(llvm::MemoryEffects::none());
        g.addFnAttr(llvm::Attribute::WillReturn);
        llvm::SmallVector<llvm::Value*, 2> parameters;
        for (llvm::Argument& a : g.args()) parameters.push_back(&a);
        w.builder.CreateRet(body(parameters.data()));
      });
  return w.builder.CreateCall(f, llvm::ArrayRef(values, operands));
}

}  // namespace komuz::backend::ir
