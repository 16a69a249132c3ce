// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lane_function.h"

namespace komuz::backend::ir {

llvm::Value* LaneLowering::load_cell(Scalar type, llvm::Value* address) {
  return from_row(w_.builder.CreateAlignedLoad(w_.type(Type::I64), address, kRowAlign), type);
}
void LaneLowering::store_cell(llvm::Value* value, llvm::Value* address) {
  llvm::Value* row = as_row(value);
  if (write_mask_ != nullptr) {
    llvm::Value* const before =
        w_.builder.CreateAlignedLoad(w_.type(Type::I64), address, kRowAlign);
    row = w_.builder.CreateSelect(write_mask_, row, before);
  }
  w_.builder.CreateAlignedStore(row, address, kRowAlign);
}
llvm::Value* LaneLowering::constant_in_table(const Cell& cell) {
  llvm::Type* const i64 = w_.builder.getInt64Ty();
  llvm::Value* const at = w_.builder.CreateConstInBoundsGEP1_64(i64, cell.stretch, cell.index);
  return from_row(w_.splat(w_.builder.CreateLoad(i64, at)), cell.type);
}
void LaneLowering::move_cells(llvm::Value* to, llvm::Value* from, u32 count) {
  if (write_mask_ == nullptr) return copy_cells(to, from, count);
  blend_rows(w_, to, from, write_mask_, count);
}
void LaneLowering::copy_constants(llvm::Value* to, llvm::Value* from, u32 count) {
  llvm::Value* const all = constant(Type::Bool, 1);
  splat_rows(w_, to, from, write_mask_ != nullptr ? write_mask_ : all, count);
}

bool LaneLowering::is_own(u32 slot) {
  const u32 here = static_cast<u32>(regions_.size());
  if (born_in_[slot] == kNowhere) {
    born_in_[slot] = here;
    births_.push_back(slot);
  }
  return born_in_[slot] == here;
}
// What a region writes first counts as unwritten behind it.
void LaneLowering::forget_inner_slots() {
  while (!births_.empty() && born_in_[births_.back()] > regions_.size()) {
    born_in_[births_.back()] = kNowhere;
    births_.pop_back();
  }
  forget_inner_commons();
}

void LaneLowering::store_slot(u32 slot, llvm::Value* value) {
  commons_[slot].is_known = false;
  const bool keeps = !is_own(slot);
  if (frame_.area_of[slot] != kNowhere) {
    write_mask_ = keeps ? live() : nullptr;
    store_cell(value, slot_address(slot));
    write_mask_ = nullptr;
    return;
  }
  if (keeps) value = w_.builder.CreateSelect(live(), value, load_slot(slot));
  w_.builder.CreateStore(value, slots_[slot]);
}

void LaneLowering::pop_slots(u32 first, u32 count) {
  bool keeps = false;
  for (u32 slot = first; slot < first + count; ++slot) keeps = !is_own(slot) || keeps;
  write_mask_ = keeps ? live() : nullptr;
  pop_cells(slot_address(first), count);
  write_mask_ = nullptr;
}
// Arguments are there before anything is written.
void LaneLowering::copy_slots(u32 first, llvm::Value* from, u32 count) {
  for (u32 slot = first; slot < first + count; ++slot) is_own(slot);
  copy_cells(slot_address(first), from, count);
}

llvm::Value* LaneLowering::row_of(llvm::Value* first, llvm::Value* offset) {
  return w_.builder.CreateGEP(w_.builder.getInt64Ty(), first,
                              w_.builder.CreateMul(offset, integer(w_.lanes)));
}

// `offsets` counts rows from `first` on. Lanes that do not run may have any offset: where none runs, nothing may be
// accessed.
LaneLowering::Target LaneLowering::target(llvm::Value* first, llvm::Value* offsets) {
  llvm::SmallVector<llvm::Constant*, 32> lanes;
  for (u32 k = 0; k < w_.lanes; ++k) lanes.push_back(w_.builder.getInt64(k));
  llvm::Value* const live = this->live();
  llvm::Value* const rows = w_.builder.CreateMul(offsets, constant(Type::I64, w_.lanes));
  const LanePlaces places = {first, w_.builder.CreateAdd(rows, llvm::ConstantVector::get(lanes)),
                             live};

  llvm::Type* const bits_type = w_.builder.getIntNTy(w_.lanes);
  llvm::Value* const bits = w_.builder.CreateBitCast(live, bits_type);
  llvm::Value* const lowest =
      w_.builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, w_.builder.getFalse());
  llvm::Value* const lane =
      w_.builder.CreateAnd(lowest, llvm::ConstantInt::get(bits_type, w_.lanes - 1));
  llvm::Value* const common = w_.builder.CreateExtractElement(offsets, lane);
  llvm::Value* const same = w_.builder.CreateICmpEQ(offsets, w_.splat(common));
  llvm::Value* const others = w_.any(w_.builder.CreateAnd(live, w_.builder.CreateNot(same)));
  llvm::Value* const is_row = w_.builder.CreateAnd(w_.any(live), w_.builder.CreateNot(others));
  return {row_of(first, common), is_row, places};
}

template <class OfRow, class OfPlaces>
void LaneLowering::at_target(const Target& at, OfRow of_row, OfPlaces of_places) {
  if (at.is_row == nullptr) return of_row();
  llvm::BasicBlock* const one = w_.block("row");
  llvm::BasicBlock* const each = w_.block("places");
  llvm::BasicBlock* const on = w_.block("on");
  w_.builder.CreateCondBr(at.is_row, one, each);
  w_.builder.SetInsertPoint(one);
  of_row();
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(each);
  of_places();
  w_.builder.CreateBr(on);
  w_.builder.SetInsertPoint(on);
}

void LaneLowering::load_at(const Target& at, u32 count, Scalar type) {
  const auto places = [&](u32 k) {
    return LanePlaces{cell_address(at.places.first, k), at.places.index, at.places.mask};
  };
  if (count >= kStretch) {
    llvm::Value* const stretch = stretches_[frame_.stretch_of[at_]];
    at_target(
        at, [&] { copy_cells(stretch, at.row, count); },
        [&] { gather_rows(w_, stretch, at.places, count); });
    for (u32 k = 0; k < count; ++k) stack_.push_back({nullptr, type, stretch, k});
    return;
  }
  llvm::SmallVector<llvm::Value*, kStretch> of_row, of_places;
  llvm::BasicBlock *row_end = nullptr, *places_end = nullptr;
  at_target(
      at,
      [&] {
        for (u32 k = 0; k < count; ++k) of_row.push_back(load_cell(type, cell_address(at.row, k)));
        row_end = w_.builder.GetInsertBlock();
      },
      [&] {
        for (u32 k = 0; k < count; ++k) of_places.push_back(from_row(gather(w_, places(k)), type));
        places_end = w_.builder.GetInsertBlock();
      });
  for (u32 k = 0; k < count; ++k) {
    if (at.is_row == nullptr) {
      push(of_row[k], type);
      continue;
    }
    llvm::PHINode* const cell = w_.builder.CreatePHI(w_.type(type), 2);
    cell->addIncoming(of_row[k], row_end);
    cell->addIncoming(of_places[k], places_end);
    push(cell, type);
  }
}

void LaneLowering::store_at(const Target& at, u32 count) {
  llvm::Value* const keeps = regions_.empty() ? nullptr : live();
  if (count >= kStretch) {
    llvm::Value* const stretch = stretches_[frame_.stretch_of[at_]];
    pop_cells(stretch, count);
    at_target(
        at,
        [&] {
          write_mask_ = keeps;
          move_cells(at.row, stretch, count);
          write_mask_ = nullptr;
        },
        [&] { scatter_rows(w_, at.places, stretch, count); });
    return;
  }
  llvm::SmallVector<llvm::Value*, kStretch> values(count);
  for (u32 k = count; k-- > 0;) values[k] = pop();
  at_target(
      at,
      [&] {
        write_mask_ = keeps;
        for (u32 k = 0; k < count; ++k) store_cell(values[k], cell_address(at.row, k));
        write_mask_ = nullptr;
      },
      [&] {
        for (u32 k = 0; k < count; ++k)
          scatter(w_, {cell_address(at.places.first, k), at.places.index, at.places.mask},
                  as_row(values[k]));
      });
}

void LaneLowering::access(Instruction i) {
  const AreaAccess area = area_access(i);
  llvm::Value* const common = stack_.back().common;
  llvm::Value* const offset = pop();
  // A negative offset is a large one without its sign.
  Target at = {};
  if (common != nullptr) {
    trap_all_if(w_.builder.CreateICmpUGE(common, integer(area.offsets())), Trap::Index);
    at = {row_of(slot_address(i.a), common), nullptr, {}};
  } else {
    trap_if(w_.builder.CreateICmpUGE(offset, constant(Type::I64, area.offsets())), Trap::Index);
    at = target(slot_address(i.a), offset);
  }
  if (i.op == Op::LoadAt)
    load_at(at, area.cells, i.type);
  else
    store_at(at, area.cells);
}

void LaneLowering::load_referred(llvm::Value* memory, llvm::Value* first, u32 count, Scalar type) {
  load_at(target(memory, first), count, type);
}

}  // namespace komuz::backend::ir
