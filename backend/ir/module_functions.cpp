// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/module_functions.h"

#include <llvm/IR/Module.h>

#include "backend/case_state.h"

namespace komuz::backend::ir {
namespace {

llvm::Function* rare_function(IrWriter& w, const char* name, llvm::ArrayRef<llvm::Type*> types) {
  llvm::Function* const f =
      llvm::Function::Create(llvm::FunctionType::get(w.builder.getInt64Ty(), types, false),
                             llvm::GlobalValue::InternalLinkage, name, w.module);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->addFnAttr(llvm::Attribute::Cold);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "", f));
  return f;
}

// Of `ticks` a slice is given, and the rest is the reserve.
llvm::Value* give_slice(IrWriter& w, llvm::Value* reserve_at, llvm::Value* ticks) {
  llvm::Value* const whole = w.builder.getInt64(kSlice);
  llvm::Value* const slice =
      w.builder.CreateSelect(w.builder.CreateICmpULT(ticks, whole), ticks, whole);
  w.builder.CreateStore(w.builder.CreateSub(ticks, slice), reserve_at);
  return slice;
}

}  // namespace

llvm::Value* stop_requested(IrWriter& w, llvm::Value* state, size_t offset) {
  llvm::LoadInst* const stop =
      w.builder.CreateLoad(w.builder.getInt32Ty(), state_member(w, state, offset));
  stop->setAtomic(llvm::AtomicOrdering::Monotonic);
  stop->setAlignment(llvm::Align(4));
  return w.builder.CreateICmpNE(stop, w.builder.getInt32(0));
}

llvm::Value* state_member(IrWriter& w, llvm::Value* state, size_t offset) {
  return w.builder.CreateInBoundsPtrAdd(state, w.builder.getInt64(offset));
}

void write_tick_functions(ProgramModule& module) {
  IrWriter& w = module.writer;
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* const pointer = w.builder.getPtrTy();
  {
    llvm::Function* const f = rare_function(w, "kz.refill", {pointer});
    llvm::Value* const state = f->getArg(0);
    llvm::Value* const reserve_at = state_member(w, state, offsetof(CaseState, reserve));
    llvm::Value* const stop = stop_requested(w, state, offsetof(CaseState, stop));
    llvm::Value* const reserve = w.builder.CreateLoad(i64, reserve_at);
    llvm::Value* const ticks = w.builder.CreateSelect(stop, w.builder.getInt64(0), reserve);
    w.builder.CreateRet(give_slice(w, reserve_at, ticks));
    module.refill = f;
  }
  llvm::Function* const f = rare_function(w, "kz.take", {pointer, i64, i64});
  llvm::Value* const state = f->getArg(0);
  llvm::Value* const reserve_at = state_member(w, state, offsetof(CaseState, reserve));
  llvm::Value* const all = w.builder.CreateAdd(f->getArg(1), w.builder.CreateLoad(i64, reserve_at));
  llvm::Value* const ends = w.builder.CreateOr(stop_requested(w, state, offsetof(CaseState, stop)),
                                               w.builder.CreateICmpULT(all, f->getArg(2)));
  llvm::BasicBlock* const out = w.block("used_up");
  llvm::BasicBlock* const on = w.block("on");
  w.builder.CreateCondBr(ends, out, on);
  w.builder.SetInsertPoint(out);
  w.builder.CreateStore(w.builder.getInt64(0), reserve_at);
  w.builder.CreateRet(w.builder.getInt64(-1));
  w.builder.SetInsertPoint(on);
  w.builder.CreateRet(give_slice(w, reserve_at, w.builder.CreateSub(all, f->getArg(2))));
  module.take = f;
}

CallShape::CallShape(const CodeView& code, const ProgramPlan& plan, u32 function) {
  const Function& f = code.functions[function];
  for (u32 k = 0; k < f.parameter_slots; ++k)
    parameters.push_back(static_cast<Scalar>(code.slot_types[f.slots_begin + k]));
  results = result_types(code, f);
  has_live = f.cycle != 0;
  has_top = plan.uses_scratch;
  parameters_in_memory = f.parameter_slots > kMostParameters;
  results_in_memory = f.result_cells > kMostResults;
}

// Those that functions of all kinds have, behind their own.
void CallShape::add_arguments(IrWriter& w, llvm::SmallVectorImpl<llvm::Type*>& takes) const {
  llvm::Type* const pointer = w.builder.getPtrTy();
  if (has_top) takes.push_back(w.builder.getInt64Ty());
  if (has_live) takes.push_back(w.builder.getInt32Ty());
  if (results_in_memory) takes.push_back(pointer);
  if (parameters_in_memory)
    takes.push_back(pointer);
  else
    for (const Scalar p : parameters) takes.push_back(w.type(p));
}

llvm::FunctionType* CallShape::type(IrWriter& w) const {
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::SmallVector<llvm::Type*, 16> takes = {pointer, i64};
  add_arguments(w, takes);
  if (results.empty() || results_in_memory) return llvm::FunctionType::get(i64, takes, false);
  llvm::SmallVector<llvm::Type*, 8> gives = {i64};
  for (const Scalar r : results) gives.push_back(w.type(r));
  return llvm::FunctionType::get(llvm::StructType::get(w.context, gives), takes, false);
}

llvm::FunctionType* CallShape::lanes_type(IrWriter& w) const {
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::SmallVector<llvm::Type*, 16> takes = {pointer, pointer, i64, w.type(Type::I32),
                                              w.mask_type()};
  add_arguments(w, takes);
  return llvm::FunctionType::get(w.builder.getVoidTy(), takes, false);
}
llvm::StructType* CallShape::lanes_out(IrWriter& w) const {
  llvm::SmallVector<llvm::Type*, 8> gives = {w.builder.getInt64Ty(), w.type(Type::I32),
                                             w.mask_type()};
  if (!results_in_memory)
    for (const Scalar r : results) gives.push_back(w.type(r));
  return llvm::StructType::get(w.context, gives);
}

}  // namespace komuz::backend::ir
