// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Module.h>

#include <algorithm>

#include "backend/ir/function_walk.h"

namespace komuz::backend::ir {

llvm::Value* FunctionWalk::cell_address(llvm::Value* memory, u64 index) {
  return w_.builder.CreateConstInBoundsGEP1_64(w_.builder.getInt64Ty(), memory, index * w_.lanes);
}

llvm::Value* FunctionWalk::value_of(const Cell& cell) {
  if (cell.value != nullptr) return cell.value;
  if (cell.is_constant) return constant_in_table(cell);
  return load_cell(cell.type, cell_address(cell.stretch, cell.index));
}

void FunctionWalk::copy_cells(llvm::Value* to, llvm::Value* from, u64 count) {
  w_.builder.CreateMemCpy(to, llvm::Align(8), from, llvm::Align(8), cell_bytes_ * count);
}

// How many of the first cells lie one behind the other in one stretch.
u32 FunctionWalk::run_length(const Cell* cells, u32 count) const {
  if (cells[0].value != nullptr) return 0;
  u32 length = 1;
  while (length < count && cells[length].value == nullptr &&
         cells[length].stretch == cells[0].stretch &&
         cells[length].index == cells[0].index + length)
    ++length;
  return length;
}

void FunctionWalk::pop_cells(llvm::Value* to, u32 count) {
  const Cell* const cells = stack_.data() + (stack_.size() - count);
  for (u32 k = 0; k < count;) {
    const u32 length = run_length(cells + k, count - k);
    if (length >= kStretch && cells[k].is_constant) {
      llvm::Value* const from = w_.builder.CreateConstInBoundsGEP1_64(
          w_.builder.getInt64Ty(), cells[k].stretch, cells[k].index);
      copy_constants(cell_address(to, k), from, length);
      k += length;
    } else if (length >= kStretch) {
      move_cells(cell_address(to, k), cell_address(cells[k].stretch, cells[k].index), length);
      k += length;
    } else {
      store_cell(value_of(cells[k]), cell_address(to, k));
      ++k;
    }
  }
  stack_.resize(stack_.size() - count);
}

void FunctionWalk::repeat(u32 group, u32 times) {
  const size_t first = stack_.size() - group;
  const u32 all = group * times;
  if (all < kStretch) {
    for (u32 k = group; k < all; ++k) stack_.push_back(Cell(stack_[first + k - group]));
    return;
  }
  std::vector<Scalar> types;
  bool is_zero = true;
  for (u32 k = 0; k < group; ++k) {
    const Cell& cell = stack_[first + k];
    types.push_back(cell.type);
    const auto* const known = llvm::dyn_cast_or_null<llvm::Constant>(cell.value);
    is_zero = is_zero && known != nullptr && known->isNullValue();
  }
  llvm::Value* const stretch = stretches_[frame_.stretch_of[at_]];
  if (is_zero) {
    w_.builder.CreateMemSet(stretch, w_.builder.getInt8(0), cell_bytes_ * all, llvm::Align(8));
    stack_.resize(first);
  } else {
    pop_cells(stretch, group);
    // What is there is copied behind itself, so that it doubles.
    for (u32 made = group; made < all;) {
      const u32 more = std::min(made, all - made);
      copy_cells(cell_address(stretch, made), stretch, more);
      made += more;
    }
  }
  for (u32 k = 0; k < all; ++k) stack_.push_back({nullptr, types[k % group], stretch, k});
}

}  // namespace komuz::backend::ir
