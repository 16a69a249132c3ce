// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "backend/ir/entry_call.h"
#include "backend/ir/lane_function.h"
#include "backend/ir/lane_rows.h"
#include "backend/ir/lower_program.h"
#include "backend/ir/result_cells.h"

namespace komuz::backend::ir {
namespace {

// {i64 slice, lanes that end} (ptr state, ticks since the last look, lanes that run, ticks that they want):
// takes both from what is left to each lane.
void write_synchronise(ProgramModule& module) {
  IrWriter& w = module.writer;
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* const lanes = w.type(Type::I64);
  llvm::StructType* const gives = llvm::StructType::get(w.context, {i64, w.mask_type()});
  llvm::Function* const f = llvm::Function::Create(
      llvm::FunctionType::get(
          gives, {w.builder.getPtrTy(), w.type(Type::I32), w.mask_type(), lanes}, false),
      llvm::GlobalValue::InternalLinkage, "kz.look", w.module);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->addFnAttr(llvm::Attribute::Cold);
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "", f));
  llvm::Value* const state = f->getArg(0);
  llvm::Value* const left_at = state_member(w, state, offsetof(LaneState, left));
  llvm::Value* const before = w.builder.CreateAlignedLoad(lanes, left_at, kRowAlign);
  llvm::Value* const unused =
      w.builder.CreateSub(before, w.builder.CreateZExt(f->getArg(1), lanes));
  llvm::Value* const stop = stop_requested(w, state, offsetof(LaneState, stop));
  llvm::Value* const zero = constant(Type::I64, 0);
  llvm::Value* const left = w.builder.CreateSelect(w.splat(stop), zero, unused);
  llvm::Value* const short_of = w.builder.CreateICmpULT(left, f->getArg(3));
  llvm::Value* const ends = w.builder.CreateAnd(f->getArg(2), short_of);
  llvm::Value* const now =
      w.builder.CreateSelect(ends, zero, w.builder.CreateSub(left, f->getArg(3)));
  w.builder.CreateAlignedStore(now, left_at, kRowAlign);
  // The next look is when the first of those that have not ended may have no tick left.
  llvm::Value* const ended = w.builder.CreateAlignedLoad(
      lanes, state_member(w, state, offsetof(LaneState, ended)), kRowAlign);
  llvm::Value* const counts =
      w.builder.CreateAnd(w.builder.CreateICmpEQ(ended, zero), w.builder.CreateNot(ends));
  llvm::Value* const least = w.builder.CreateIntMinReduce(
      w.builder.CreateSelect(counts, now, constant(Type::I64, kSlice)), false);
  llvm::Value* const slice =
      w.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, least, w.builder.getInt64(kSlice));
  llvm::Value* both = w.builder.CreateInsertValue(llvm::PoisonValue::get(gives), slice, 0);
  w.builder.CreateRet(w.builder.CreateInsertValue(both, ends, 1));
  module.synchronise = f;
}

// Loads the arguments of a row for each lane, calls the entry, and stores its results as cells.
void write_run_lanes(const ProgramModule& module, const std::string& symbol) {
  IrWriter& w = module.writer;
  const u32 entry = module.plan.functions[0];
  const CallShape shape(module.code, module.plan, entry);
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Function* const f = llvm::Function::Create(
      llvm::FunctionType::get(w.builder.getVoidTy(), {pointer, pointer, i64, i64}, false),
      llvm::GlobalValue::ExternalLinkage, symbol, w.module);
  mark_lanes(*f);
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "entry", f));
  const char* const kNames[] = {"state", "columns", "row", "count"};
  for (u32 k = 0; k < 4; ++k) f->getArg(k)->setName(kNames[k]);
  llvm::Value *const state = f->getArg(0), *const columns = f->getArg(1), *const row = f->getArg(2),
                     *const count = f->getArg(3);
  const auto in_state = [&](llvm::Type* type, size_t offset) {
    return w.builder.CreateLoad(type, state_member(w, state, offset));
  };
  llvm::SmallVector<llvm::Constant*, 32> numbers;
  for (u32 k = 0; k < w.lanes; ++k) numbers.push_back(w.builder.getInt64(k));
  llvm::Value* const lanes =
      w.builder.CreateICmpULT(llvm::ConstantVector::get(numbers), w.splat(count));
  llvm::StructType* const out_type = shape.lanes_out(w);
  llvm::Value* const out = w.builder.CreateAlloca(out_type);
  llvm::Value* const budget = in_state(i64, offsetof(LaneState, budget));
  llvm::Value* const left_at = state_member(w, state, offsetof(LaneState, left));
  llvm::Value* const ended_at = state_member(w, state, offsetof(LaneState, ended));
  w.builder.CreateAlignedStore(w.splat(budget), left_at, kRowAlign);
  w.builder.CreateAlignedStore(constant(Type::I64, 0), ended_at, kRowAlign);
  llvm::Value* const slice =
      w.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, budget, w.builder.getInt64(kSlice));
  llvm::SmallVector<llvm::Value*, 16> given = {state, out, slice, constant(Type::I32, 0), lanes};
  llvm::Value* const results = give_arguments(w, shape, columns, row, given);
  w.builder.CreateCall(module.functions[entry], given);
  const auto member = [&](llvm::Type* type, u32 k) {
    return w.builder.CreateLoad(type, w.builder.CreateStructGEP(out_type, out, k));
  };
  // A column of outcomes, from this row on.
  const auto put = [&](llvm::Value* outcomes, llvm::Type* element, llvm::Value* column) {
    w.builder.CreateAlignedStore(outcomes, w.builder.CreateInBoundsGEP(element, column, row),
                                 llvm::Align(1));
  };
  const auto shifted = [&](llvm::Value* x, u64 places, Type to) {
    return w.builder.CreateTrunc(w.builder.CreateLShr(x, constant(Type::I64, places)), w.type(to));
  };
  llvm::Value* const left = w.builder.CreateAlignedLoad(w.type(Type::I64), left_at, kRowAlign);
  llvm::Value* const unused = w.builder.CreateSub(
      left, w.builder.CreateZExt(member(w.type(Type::I32), 1), w.type(Type::I64)));
  llvm::Value* const all = w.splat(w.builder.CreateAdd(budget, w.builder.getInt64(1)));
  llvm::Value* const ended = w.builder.CreateAlignedLoad(w.type(Type::I64), ended_at, kRowAlign);
  put(w.builder.CreateSub(all, unused), i64, in_state(pointer, offsetof(LaneState, fuel)));
  put(shifted(ended, 0, Type::I8), w.builder.getInt8Ty(),
      in_state(pointer, offsetof(LaneState, traps)));
  put(shifted(ended, 32, Type::I32), w.builder.getInt32Ty(),
      in_state(pointer, offsetof(LaneState, places)));
  put(w.builder.CreateLShr(shifted(ended, 0, Type::I32), constant(Type::I32, 8)),
      w.builder.getInt32Ty(), in_state(pointer, offsetof(LaneState, depths)));
  llvm::Value* const values = in_state(pointer, offsetof(LaneState, values));
  llvm::Value* const stride = in_state(i64, offsetof(LaneState, stride));
  llvm::Value* const returned = member(w.mask_type(), 2);
  u32 result = 3;
  for_each_run(w, shape.results, [&](llvm::Value* k, Scalar type) {
    llvm::Value* const value =
        results != nullptr ? load_result(w, results, k, type) : member(w.type(type), result++);
    llvm::Value* const cells =
        w.builder.CreateSelect(returned, result_cell(value, type), constant(Type::I64, 0));
    llvm::Value* const place = w.builder.CreateMul(stride, k);
    put(cells, i64, w.builder.CreateInBoundsGEP(i64, values, place));
  });
  w.builder.CreateRetVoid();
}

}  // namespace

void mark_lanes(llvm::Function& f) {
  f.addFnAttr(llvm::Attribute::NoUnwind);
  // Some processors prefer half of the registers that they have, for programs that use vectors now and then.
  f.addFnAttr("prefer-vector-width", "512");
}

// By way of a function that calls it.
void write_kernel(IrWriter& w, const Kernel& kernel) {
  const u32 operands = operand_count(op_row(kernel.op).form);
  llvm::Type* const t = w.type(kernel.type);
  llvm::Function* const caller = llvm::Function::Create(
      llvm::FunctionType::get(t, std::vector<llvm::Type*>(operands, t), false),
      llvm::GlobalValue::InternalLinkage, "caller", w.module);
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "", caller));
  llvm::SmallVector<llvm::Value*, 2> parameters;
  for (llvm::Argument& a : caller->args()) parameters.push_back(&a);
  w.builder.CreateRet(evaluate({kernel.op, kernel.type, 0, 0}, parameters.data()).value);
  caller->eraseFromParent();
  llvm::Function* const f = w.module.getFunction(kernel.name);
  f->setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (w.lanes != 1) mark_lanes(*f);
}

void lower_lanes(IrWriter& w, const CodeView& code, const ProgramPlan& plan,
                 const std::string& symbol) {
  ProgramModule module = {w, code, plan, std::vector<llvm::Function*>(code.functions.size())};
  for (const u32 number : plan.functions) {
    const CallShape shape(code, plan, number);
    module.functions[number] =
        llvm::Function::Create(shape.lanes_type(w), llvm::GlobalValue::InternalLinkage,
                               function_symbol(code, number), w.module);
  }
  write_synchronise(module);
  for (const u32 number : plan.functions) LaneLowering(module, number).write();
  write_run_lanes(module, symbol);
  for (llvm::Function& f : w.module)
    if (!f.isIntrinsic()) mark_lanes(f);
}

}  // namespace komuz::backend::ir
