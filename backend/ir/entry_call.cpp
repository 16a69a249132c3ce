// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/entry_call.h"

#include "backend/ir/lane_rows.h"

namespace komuz::backend::ir {
namespace {

// Cell k of memory that has 8 bytes for each case.
llvm::Value* cell_at(IrWriter& w, llvm::Value* memory, llvm::Value* k) {
  llvm::Value* const index = w.lanes == 1 ? k : w.builder.CreateMul(k, w.builder.getInt64(w.lanes));
  return w.builder.CreateInBoundsGEP(w.builder.getInt64Ty(), memory, index);
}

llvm::Value* memory_for(IrWriter& w, size_t cells) {
  llvm::AllocaInst* const made =
      w.builder.CreateAlloca(llvm::ArrayType::get(w.type(Type::I64), cells));
  if (w.lanes != 1) made->setAlignment(kRowAlign);
  return made;
}

// Columns of many cases may begin anywhere.
llvm::Value* read_argument(IrWriter& w, llvm::Value* columns, llvm::Value* row, llvm::Value* k,
                           Scalar type) {
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Value* const column =
      w.builder.CreateLoad(pointer, w.builder.CreateInBoundsGEP(pointer, columns, k));
  llvm::Type* const stored = type == Scalar::Bool ? w.type(Type::I8) : w.type(type);
  llvm::LoadInst* const value = w.builder.CreateLoad(
      stored, w.builder.CreateInBoundsGEP(stored->getScalarType(), column, row));
  if (w.lanes != 1) value->setAlignment(llvm::Align(1));
  return type == Scalar::Bool ? w.builder.CreateTrunc(value, w.type(type)) : value;
}

}  // namespace

llvm::Value* give_arguments(IrWriter& w, const CallShape& shape, llvm::Value* columns,
                            llvm::Value* row, llvm::SmallVectorImpl<llvm::Value*>& given) {
  if (shape.has_top) given.push_back(w.builder.getInt64(0));
  if (shape.has_live) given.push_back(w.builder.getInt32(1));
  llvm::Value* results = nullptr;
  if (shape.results_in_memory) given.push_back(results = memory_for(w, shape.results.size()));
  llvm::Value* parameters = nullptr;
  if (shape.parameters_in_memory)
    given.push_back(parameters = memory_for(w, shape.parameters.size()));
  for_each_run(w, shape.parameters, [&](llvm::Value* k, Scalar type) {
    llvm::Value* const argument = read_argument(w, columns, row, k, type);
    if (!shape.parameters_in_memory)
      given.push_back(argument);
    else if (w.lanes == 1)
      w.builder.CreateStore(argument, cell_at(w, parameters, k));
    else
      w.builder.CreateAlignedStore(as_row(argument), cell_at(w, parameters, k), kRowAlign);
  });
  return results;
}

llvm::Value* load_result(IrWriter& w, llvm::Value* results, llvm::Value* k, Scalar type) {
  llvm::Value* const at = cell_at(w, results, k);
  if (w.lanes == 1) return w.builder.CreateLoad(w.type(type), at);
  return from_row(w.builder.CreateAlignedLoad(w.type(Type::I64), at, kRowAlign), type);
}

}  // namespace komuz::backend::ir
