// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/object_reader.h"

#include <algorithm>

namespace komuz::backend::ir {

u64 cells_alone(const CObject& object) {
  u64 cells = 0;
  for (u32 k = 0; k < object.run_count; ++k) {
    const CellRun& run = object.runs[k];
    cells += u64{loops_over_rows(run) ? 1 : run.rows} * (loops_over_cells(run) ? 1 : run.count);
  }
  return cells;
}

llvm::Value* cell_address(IrWriter& w, const CellRun& run, llvm::Value* object, llvm::Value* row,
                          llvm::Value* k) {
  auto& b = w.builder;
  llvm::Value* const in_row =
      b.CreateAdd(b.getInt64(run.offset), b.CreateMul(k, b.getInt64(run.stride)));
  return b.CreateInBoundsPtrAdd(object,
                                b.CreateAdd(in_row, b.CreateMul(row, b.getInt64(run.row_stride))));
}

llvm::Value* cell_number(IrWriter& w, const CellRun& run, llvm::Value* row, llvm::Value* k) {
  auto& b = w.builder;
  llvm::Value* const begin =
      b.CreateAdd(b.getInt64(run.first), b.CreateMul(row, b.getInt64(run.count)));
  return b.CreateAdd(k, begin);
}

llvm::Value* ObjectReader::cell(u32 number) {
  const auto known = cells_.find(number);
  if (known != cells_.end()) return known->second;
  const CellRun& run = run_of(number);
  const u32 at = number - run.first;
  know_guards(run);
  llvm::Value* const row = integer(at / run.count);
  llvm::Value* const found = element(run, row, integer(at % run.count), guard_of(run, row));
  return cells_[number] = found;
}

void ObjectReader::store(llvm::Value* memory) {
  for (u32 k = 0; k < object_.run_count; ++k) {
    const CellRun& run = object_.runs[k];
    know_guards(run);
    for_cells(
        w_, run, [&](llvm::Value* row) { return guard_of(run, row); },
        [&](llvm::Value* row, llvm::Value* i, llvm::Value* guard) {
          llvm::Value* const value = element(run, row, i, guard);
          w_.builder.CreateStore(value,
                                 w_.builder.CreateInBoundsGEP(w_.builder.getInt64Ty(), memory,
                                                              cell_number(w_, run, row, i)));
        });
  }
}

llvm::Value* ObjectReader::is_bad() {
  llvm::Value* bad = nullptr;
  llvm::Value* found = nullptr;  // the same of loops, in memory
  for (u32 n = 0; n < object_.run_count; ++n) {
    const CellRun& run = object_.runs[n];
    if (run.most == kNoLimit) continue;
    know_guards(run);
    const bool is_loop = loops_over_rows(run) || loops_over_cells(run);
    if (is_loop && found == nullptr) {
      llvm::BasicBlock& entry = w_.builder.GetInsertBlock()->getParent()->getEntryBlock();
      found = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(w_.builder.getInt1Ty());
      w_.builder.CreateStore(w_.builder.getFalse(), found);
    }
    for_cells(
        w_, run, [&](llvm::Value* row) { return guard_of(run, row); },
        [&](llvm::Value* row, llvm::Value* k, llvm::Value* guard) {
          llvm::Value* const above =
              w_.builder.CreateICmpUGT(wide(element(run, row, k, guard)), integer(run.most));
          if (is_loop)
            w_.builder.CreateStore(
                w_.builder.CreateOr(above, w_.builder.CreateLoad(w_.builder.getInt1Ty(), found)),
                found);
          else
            bad = bad == nullptr ? above : w_.builder.CreateOr(bad, above);
        });
  }
  if (found == nullptr) return bad;
  llvm::Value* const in_loops = w_.builder.CreateLoad(w_.builder.getInt1Ty(), found);
  return bad == nullptr ? in_loops : w_.builder.CreateOr(bad, in_loops);
}

const CellRun& ObjectReader::run_of(u32 cell) const {
  const std::span<const CellRun> runs(object_.runs, object_.run_count);
  return *(std::ranges::upper_bound(runs, cell, {}, &CellRun::first) - 1);
}

llvm::Value* ObjectReader::wide(llvm::Value* value) {
  return w_.builder.CreateZExtOrTrunc(value, w_.builder.getInt64Ty());
}

void ObjectReader::know_guards(const CellRun& run) {
  if (run.guard == kNoGuard) return;
  if (run.guard_step == 0) {
    static_cast<void>(cell(run.guard));
  } else {
    know_guards(run_of(run.guard));
  }
}

llvm::Value* ObjectReader::guard_of(const CellRun& run, llvm::Value* row) {
  if (run.guard == kNoGuard) return nullptr;
  if (run.guard_step == 0) return wide_guard(run.guard);
  // The guards are cells of one row.
  const CellRun& guards = run_of(run.guard);
  llvm::Value* const k = w_.builder.CreateAdd(integer(run.guard - guards.first),
                                              w_.builder.CreateMul(row, integer(run.guard_step)));
  llvm::Value* const first = integer(0);
  return wide(element(guards, first, k, guard_of(guards, first)));
}

llvm::Value* ObjectReader::element(const CellRun& run, llvm::Value* row, llvm::Value* k,
                                   llvm::Value* guard) {
  const Scalar type = types_[run.first];
  llvm::Type* const stored = type == Scalar::Bool ? w_.builder.getInt8Ty() : w_.type(type);
  llvm::Value* value =
      w_.builder.CreateAlignedLoad(stored, cell_address(w_, run, at_, row, k), llvm::Align(1));
  // Any byte but 0 is true.
  if (type == Scalar::Bool) value = w_.builder.CreateICmpNE(value, w_.builder.getInt8(0));
  if (guard == nullptr) return value;
  llvm::Value* const in_row =
      w_.builder.CreateAdd(integer(run.index), w_.builder.CreateMul(k, integer(run.index_step)));
  llvm::Value* const index =
      w_.builder.CreateAdd(in_row, w_.builder.CreateMul(row, integer(run.row_index)));
  return w_.builder.CreateSelect(w_.builder.CreateICmpUGT(guard, index), value,
                                 llvm::Constant::getNullValue(value->getType()));
}

}  // namespace komuz::backend::ir
