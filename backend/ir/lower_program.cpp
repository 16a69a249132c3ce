// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lower_program.h"

#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "backend/ir/c_functions.h"
#include "backend/ir/entry_call.h"
#include "backend/ir/lower_function.h"
#include "backend/ir/result_cells.h"

namespace komuz::backend::ir {
namespace {

// What holds for all functions: nothing throws.
void mark(llvm::Function& f) { f.addFnAttr(llvm::Attribute::NoUnwind); }

// Loads the arguments of a row, calls the entry, and stores its results as cells.
void write_run_case(const ProgramModule& module, u32 entry, const std::string& symbol) {
  IrWriter& w = module.writer;
  const CallShape shape(module.code, module.plan, entry);
  llvm::Type* const i64 = w.builder.getInt64Ty();
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Function* const f = llvm::Function::Create(
      llvm::FunctionType::get(i64, {pointer, pointer, i64, pointer, i64}, false),
      llvm::GlobalValue::ExternalLinkage, symbol, w.module);
  mark(*f);
  w.builder.SetInsertPoint(llvm::BasicBlock::Create(w.context, "entry", f));
  const char* const kNames[] = {"state", "columns", "row", "values", "stride"};
  for (u32 k = 0; k < 5; ++k) f->getArg(k)->setName(kNames[k]);
  llvm::Value *const state = f->getArg(0), *const columns = f->getArg(1), *const row = f->getArg(2),
                     *const values = f->getArg(3), *const stride = f->getArg(4);
  llvm::Value* const left_at = state_member(w, state, offsetof(CaseState, left));
  llvm::SmallVector<llvm::Value*, 16> given = {state, w.builder.CreateLoad(i64, left_at)};
  llvm::Value* const results = give_arguments(w, shape, columns, row, given);
  llvm::Value* const all = w.builder.CreateCall(module.functions[entry], given);
  const bool is_alone = shape.results.empty() || shape.results_in_memory;
  llvm::Value* const left = is_alone ? all : w.builder.CreateExtractValue(all, 0);
  llvm::BasicBlock* const trapped = w.block("trapped");
  llvm::BasicBlock* const returned = w.block("returned");
  w.builder.CreateCondBr(w.builder.CreateICmpSLT(left, w.builder.getInt64(0)), trapped, returned);
  w.builder.SetInsertPoint(trapped);
  w.builder.CreateRet(
      w.builder.CreateLoad(i64, state_member(w, state, offsetof(CaseState, ended))));

  w.builder.SetInsertPoint(returned);
  w.builder.CreateStore(left, left_at);
  u32 result = 0;
  for_each_run(w, shape.results, [&](llvm::Value* k, Scalar type) {
    llvm::Value* const value = results != nullptr ? load_result(w, results, k, type)
                                                  : w.builder.CreateExtractValue(all, ++result);
    w.builder.CreateStore(result_cell(value, type),
                          w.builder.CreateInBoundsGEP(i64, values, w.builder.CreateMul(stride, k)));
  });
  w.builder.CreateRet(w.builder.getInt64(0));
}

}  // namespace

std::string function_symbol(const CodeView& code, u32 function) {
  return "kz.fn." + std::to_string(function) + "." +
         std::string(code.name(code.functions[function]));
}

std::vector<llvm::Function*> lower_program(IrWriter& w, const CodeView& code,
                                           const ProgramPlan& plan, const std::string& symbol,
                                           std::span<const CFunction> c_functions,
                                           std::span<const SourcePlace> places, u64 scratch_bytes) {
  ProgramModule module = {w, code, plan, std::vector<llvm::Function*>(code.functions.size())};
  for (const u32 number : plan.functions) {
    const CallShape shape(code, plan, number);
    module.functions[number] = llvm::Function::Create(
        shape.type(w), llvm::GlobalValue::InternalLinkage, function_symbol(code, number), w.module);
    mark(*module.functions[number]);
  }
  if (w.traits.slices) write_tick_functions(module);
  for (const u32 number : plan.functions) FunctionLowering(module, number).write();
  if (!symbol.empty()) write_run_case(module, plan.functions[0], symbol);
  llvm::GlobalVariable* const table =
      c_functions.empty() ? nullptr : write_place_table(module, places);
  for (const CFunction& f : c_functions) {
    write_run_case(module, f.function, f.symbol + std::string("_case"));
    if (f.fuel != 0) write_c_functions(module, f, scratch_bytes, table);
  }
  return std::move(module.functions);
}

}  // namespace komuz::backend::ir
