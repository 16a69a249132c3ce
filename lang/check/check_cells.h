// SPDX-License-Identifier: Apache-2.0
// Checks many cells of the operand stack at once.
#pragma once
#include <algorithm>

#include "lang/check/check_function.h"

namespace komuz {

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::push_many(u32 at, Scalar type, u32 count) {
  if (count > most_cells_ - height_) return fail_height(at);
  for (u32 k = 0; k < count; ++k) cells_[height_ + k] = type;
  height_ += count;
  max_height_ = std::max(max_height_, height_);
  return true;
}

// True if there are `count` cells below the topmost `above` cells, all of the type. `present`: cells that may be
// looked at.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::cells_are(u32 at, Scalar type, u32 above, u64 count,
                                                 u32 present) {
  if (above + count > present)
    return fail(at, CheckReason::CellRange, {{above, above + count - 1, present}});
  const Scalar* const end = cells_ + (height_ - above);
  for (const Scalar* cell = end - count; cell != end; ++cell)
    if (*cell != type)
      return fail(at, CheckReason::CellType, {{static_cast<u64>(type), static_cast<u64>(*cell)}});
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::copy(u32 at, Instruction i) {
  const u64 count = u64{i.b} + 1;
  // An arm or a loop may copy the cells below it.
  return cells_are(at, i.type, i.a, count, height_) &&
         push_many(at, i.type, static_cast<u32>(count));
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::repeat(u32 at, Instruction i) {
  if (i.a == 0 || i.b == 0) return fail_fields(at);
  if (!has(i.a)) return fail(at, CheckReason::TooFewCells, {{i.a, height_ - base_}});
  const Scalar* const group = cells_ + (height_ - i.a);
  for (u32 k = 0; k < i.a; ++k)
    if (is_reference(group[k]))
      return fail(at, CheckReason::RepeatedReference, {{static_cast<u64>(group[k])}});
  const u64 count = u64{i.a} * (i.b - 1);
  if (count > most_cells_ - height_) return fail_height(at);
  // Cell by cell from the first on: each is a copy of the one a group before it.
  Scalar* const top = cells_ + height_;
  for (u64 k = 0; k < count; ++k) top[k] = group[k];
  height_ += static_cast<u32>(count);
  max_height_ = std::max(max_height_, height_);
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::load_constants(u32 at, Instruction i) {
  if (i.a == 0) return fail_fields(at);
  for (u64 k = i.b; k < u64{i.b} + i.a; ++k)
    if (k >= constants_.size() || !is_canonical(constants_[k], i.type))
      return fail_constant(at, static_cast<u32>(k));
  return push_many(at, i.type, i.a);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::load_hole(u32 at, Instruction i) {
  if (i.b >= constants_.size() || !is_canonical(constants_[i.b], i.type))
    return fail_constant(at, i.b);
  return push_many(at, i.type, 1);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::compare_cells(u32 at, Instruction i) {
  if (i.a == 0) return fail_fields(at);
  const u32 present = height_ - base_;
  return cells_are(at, i.type, i.b & 0xFFFF, i.a, present) &&
         cells_are(at, i.type, i.b >> 16, i.a, present) && push(at, Scalar::Bool);
}

}  // namespace komuz
