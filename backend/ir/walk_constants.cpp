// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "backend/ir/function_walk.h"
#include "backend/ir/lane_rows.h"
#include "lang/layout.h"
#include "lang/ops/eval_cells.h"

namespace komuz::backend::ir {
namespace {

// While the code of a case runs, tables stay as they are.
llvm::LoadInst* unchanging(llvm::LoadInst* load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(load->getContext(), {}));
  return load;
}

}  // namespace

llvm::Value* constant_cell(Scalar type, u64 cell) {
  const u64 canonical = canonical_cell(type, cell);
  switch (moved_as(type)) {
    case Scalar::Bool: return constant(Type::Bool, canonical);
    case Scalar::U8: return constant(Type::I8, canonical);
    case Scalar::I32:
    case Scalar::U32: return constant(Type::I32, canonical);
    case Scalar::F32: return constant(Type::F32, canonical);
    case Scalar::F64: return constant(Type::F64, canonical);
    default: return constant(Type::I64, canonical);
  }
}

llvm::Value* FunctionWalk::loaded_at(u32 number) {
  const size_t offset =
      w_.lanes == 1 ? offsetof(SharedCaseState, constants) : offsetof(LaneState, constants);
  llvm::Value* const table =
      unchanging(w_.builder.CreateLoad(w_.builder.getPtrTy(), state_member(w_, state_, offset)));
  const u64 cells = w_.constants.of_case() ? w_.lanes : 1;
  return w_.builder.CreateConstInBoundsGEP1_64(w_.builder.getInt64Ty(), table,
                                               cells * w_.constants.row(number));
}

Cell FunctionWalk::constant_of(u32 number, Scalar type) {
  Cell cell = {nullptr, type};
  if (!w_.constants.has(number)) {
    cell.value = constant_cell(type, code_.constants[number]);
    if (type == Scalar::I64) cell.common = integer(code_.constants[number]);
  } else if (w_.constants.of_case()) {
    llvm::LoadInst* const row =
        w_.builder.CreateAlignedLoad(w_.type(Type::I64), loaded_at(number), kRowAlign);
    cell.value = from_row(unchanging(row), type);
  } else {
    llvm::LoadInst* const one =
        unchanging(w_.builder.CreateLoad(w_.builder.getInt64Ty(), loaded_at(number)));
    cell.value = from_row(w_.splat(one), type);
    if (type == Scalar::I64) cell.common = one;
  }
  return cell;
}

// Those of one instruction are all loaded, or none is.
void FunctionWalk::push_constants(Scalar type, u32 first, u32 count) {
  if (count < kStretch) {
    for (u32 k = 0; k < count; ++k) stack_.push_back(constant_of(first + k, type));
    return;
  }
  if (w_.constants.has(first)) {
    llvm::Value* const rows = loaded_at(first);
    const bool is_constant = !w_.constants.of_case();
    for (u32 k = 0; k < count; ++k) stack_.push_back({nullptr, type, rows, k, is_constant});
    return;
  }
  std::vector<u64> cells;
  for (u32 k = 0; k < count; ++k) cells.push_back(canonical_cell(type, code_.constants[first + k]));
  llvm::Constant* const rows = llvm::ConstantDataArray::get(w_.context, cells);
  auto* const global = new llvm::GlobalVariable(
      w_.module, rows->getType(), true, llvm::GlobalValue::PrivateLinkage, rows, "kz.constants");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  global->setAlignment(llvm::Align(8));
  for (u32 k = 0; k < count; ++k) stack_.push_back({nullptr, type, global, k, true});
}

}  // namespace komuz::backend::ir
