// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/ptx_kernel.h"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "backend/ir/entry_call.h"
#include "lang/traps.h"

namespace komuz::backend::ir {
namespace {

// In the order of docs/native.md.
enum Parameter : u32 {
  kColumns,
  kValues,
  kTraps,
  kPlaces,
  kDepths,
  kFuel,
  kCount,
  kStride,
  kBudget,
  kParameters
};
constexpr const char* kNames[kParameters] = {"columns", "values", "traps",  "places", "depths",
                                             "fuel",    "count",  "stride", "budget"};

llvm::Function* make_kernel(IrWriter& w, const std::string& symbol) {
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* types[kParameters];
  for (u32 k = 0; k < kParameters; ++k) types[k] = k < kCount ? pointer : i64;
  llvm::Function* const f =
      llvm::Function::Create(llvm::FunctionType::get(w.builder.getVoidTy(), types, false),
                             llvm::GlobalValue::ExternalLinkage, symbol, w.module);
  f->setCallingConv(llvm::CallingConv::PTX_Kernel);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  for (u32 k = 0; k < kParameters; ++k) f->getArg(k)->setName(kNames[k]);
  // Columns of outcomes do not overlap each other.
  for (u32 k = kValues; k <= kFuel; ++k) f->addParamAttr(k, llvm::Attribute::NoAlias);
  llvm::Metadata* const marks[] = {llvm::ValueAsMetadata::get(f),
                                   llvm::MDString::get(w.context, "kernel"),
                                   llvm::ConstantAsMetadata::get(w.builder.getInt32(1))};
  w.module.getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(llvm::MDNode::get(w.context, marks));
  return f;
}

llvm::Value* special(IrWriter& w, llvm::Intrinsic::ID which) {
  return w.builder.CreateZExt(w.builder.CreateIntrinsic(which, {}, {}), w.builder.getInt64Ty());
}

}  // namespace

void write_ptx_kernel(IrWriter& w, const KernelParts& parts) {
  llvm::Function* const f = make_kernel(w, parts.symbol);
  llvm::Type* const i64 = w.builder.getInt64Ty();
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "entry", f));
  llvm::Value* const state =
      w.builder.CreateAlloca(llvm::ArrayType::get(i64, (sizeof(CaseState) + 7) / 8));
  llvm::Value* scratch = llvm::ConstantPointerNull::get(w.builder.getPtrTy());
  if (parts.scratch_bytes != 0)
    scratch = w.builder.CreateAlloca(llvm::ArrayType::get(i64, (parts.scratch_bytes + 7) / 8));
  using namespace llvm::Intrinsic;
  llvm::Value* const block = special(w, nvvm_read_ptx_sreg_ctaid_x);
  llvm::Value* const size = special(w, nvvm_read_ptx_sreg_ntid_x);
  llvm::Value* const row = w.builder.CreateAdd(w.builder.CreateMul(block, size),
                                               special(w, nvvm_read_ptx_sreg_tid_x), "row");
  llvm::Value* const budget = f->getArg(kBudget);
  llvm::BasicBlock* const body = w.block("case");
  llvm::BasicBlock* const runs = w.block("run");
  llvm::BasicBlock* const refused = w.block("no_ticks");
  llvm::BasicBlock* const trapped = w.block("trapped");
  llvm::BasicBlock* const ended = w.block("ended");
  llvm::BasicBlock* const done = w.block("done");

  w.builder.CreateCondBr(w.builder.CreateICmpULT(row, f->getArg(kCount)), body, done);
  w.builder.SetInsertPoint(body);
  llvm::Value* const values = w.builder.CreateInBoundsGEP(i64, f->getArg(kValues), row);
  // The tick of the call.
  w.builder.CreateCondBr(w.builder.CreateICmpEQ(budget, w.builder.getInt64(0)), refused, runs);
  w.builder.SetInsertPoint(refused);
  w.builder.CreateBr(trapped);

  w.builder.SetInsertPoint(runs);
  const auto member = [&](size_t offset) { return state_member(w, state, offset); };
  // It is less than 2^63; this says so.
  w.builder.CreateStore(w.builder.CreateAnd(w.builder.CreateSub(budget, w.builder.getInt64(1)),
                                            w.builder.getInt64(~u64{0} >> 1)),
                        member(offsetof(CaseState, left)));
  if (parts.scratch_bytes != 0)
    w.builder.CreateStore(scratch, member(offsetof(CaseState, scratch)));
  llvm::Value* const how = w.builder.CreateCall(
      parts.run_case, {state, f->getArg(kColumns), row, values, f->getArg(kStride)});
  llvm::Value* const used =
      w.builder.CreateSub(budget, w.builder.CreateLoad(i64, member(offsetof(CaseState, left))));
  w.builder.CreateCondBr(w.builder.CreateICmpEQ(how, w.builder.getInt64(0)), ended, trapped);

  w.builder.SetInsertPoint(trapped);
  llvm::PHINode* const word = w.builder.CreatePHI(i64, 2);
  llvm::PHINode* const ticks = w.builder.CreatePHI(i64, 2);
  word->addIncoming(how, runs);
  word->addIncoming(
      w.builder.getInt64(static_cast<u64>(Trap::Fuel) | 1u << 8 | u64{parts.place} << 32), refused);
  ticks->addIncoming(used, runs);
  ticks->addIncoming(w.builder.getInt64(0), refused);
  const std::vector<Scalar> cells(parts.results, Scalar::I64);
  for_each_run(w, cells, [&](llvm::Value* k, Scalar) {
    llvm::Value* const at = w.builder.CreateMul(k, f->getArg(kStride));
    w.builder.CreateStore(w.builder.getInt64(0), w.builder.CreateInBoundsGEP(i64, values, at));
  });
  llvm::BasicBlock* const zeroed = w.builder.GetInsertBlock();
  w.builder.CreateBr(ended);

  w.builder.SetInsertPoint(ended);
  llvm::PHINode* const end = w.builder.CreatePHI(i64, 2);
  llvm::PHINode* const fuel = w.builder.CreatePHI(i64, 2);
  end->addIncoming(how, runs);
  end->addIncoming(word, zeroed);
  fuel->addIncoming(used, runs);
  fuel->addIncoming(ticks, zeroed);
  const auto put = [&](Parameter column, llvm::Value* value) {
    w.builder.CreateStore(value,
                          w.builder.CreateInBoundsGEP(value->getType(), f->getArg(column), row));
  };
  llvm::Type* const i32 = w.builder.getInt32Ty();
  put(kTraps, w.builder.CreateTrunc(end, w.builder.getInt8Ty()));
  put(kPlaces, w.builder.CreateTrunc(w.builder.CreateLShr(end, 32), i32));
  put(kDepths, w.builder.CreateLShr(w.builder.CreateTrunc(end, i32), 8));
  put(kFuel, fuel);
  w.builder.CreateBr(done);
  w.builder.SetInsertPoint(done);
  w.builder.CreateRetVoid();
}

}  // namespace komuz::backend::ir
