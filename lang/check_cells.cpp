// SPDX-License-Identifier: Apache-2.0
// Many cells of the operand stack at once.
#include <algorithm>

#include "base/counts.h"
#include "lang/check_function.h"

namespace komuz {

bool FunctionChecker::push_many(u32 at, Scalar type, u32 count) {
  if (count > program_->max_cells - height_) return fail_height(at);
  std::fill_n(cells_ + height_, count, type);
  height_ += count;
  max_height_ = std::max(max_height_, height_);
  return true;
}

// Are the `count` cells that `above` cells lie on there, all of the type? `present`: cells that may be looked at.
bool FunctionChecker::cells_are(u32 at, Scalar type, u32 above, u64 count, u32 present) {
  const std::string_view name = op_row(code_[at].op).mnemonic;
  if (above + count > present)
    return fail(at, std::string(name) + " of cells " + std::to_string(above) + " to " +
                        std::to_string(above + count - 1) + ", but there are only " +
                        std::to_string(present));
  const Scalar* const end = cells_ + (height_ - above);
  const Scalar* const other =
      std::find_if(end - count, end, [&](Scalar cell) { return cell != type; });
  return other == end || fail(at, std::string(name) + " takes " + cell_type_text(type) +
                                      ", but a cell is " + cell_type_text(*other));
}

bool FunctionChecker::copy(u32 at, Instruction i) {
  const u64 count = u64{i.b} + 1;
  // An arm or a loop may copy what lies below it.
  return cells_are(at, i.type, i.a, count, height_) &&
         push_many(at, i.type, static_cast<u32>(count));
}

bool FunctionChecker::repeat(u32 at, Instruction i) {
  if (i.a == 0 || i.b == 0) return fail_fields(at);
  if (!has(i.a))
    return fail(at, "REPEAT takes " + counted(i.a, "cell") + ", but there are only " +
                        std::to_string(height_ - base_));
  const Scalar* const group = cells_ + (height_ - i.a);
  const Scalar* const reference = std::find_if(group, group + i.a, is_reference);
  if (reference != group + i.a)
    return fail(at, "REPEAT does not take " + cell_type_text(*reference));
  const u64 count = u64{i.a} * (i.b - 1);
  if (count > program_->max_cells - height_) return fail_height(at);
  // Cell by cell from the first on: each from where the one a group before it has been put.
  Scalar* const top = cells_ + height_;
  for (u64 k = 0; k < count; ++k) top[k] = group[k];
  height_ += static_cast<u32>(count);
  max_height_ = std::max(max_height_, height_);
  return true;
}

bool FunctionChecker::load_constants(u32 at, Instruction i) {
  if (i.a == 0) return fail_fields(at);
  for (u64 k = i.b; k < u64{i.b} + i.a; ++k)
    if (k >= constants_.size() || !is_canonical(constants_[k], i.type))
      return fail_constant(at, static_cast<u32>(k));
  return push_many(at, i.type, i.a);
}

bool FunctionChecker::load_hole(u32 at, Instruction i) {
  if (i.b >= constants_.size() || !is_canonical(constants_[i.b], i.type))
    return fail_constant(at, i.b);
  return push_many(at, i.type, 1);
}

bool FunctionChecker::compare_cells(u32 at, Instruction i) {
  if (i.a == 0) return fail_fields(at);
  const u32 present = height_ - base_;
  return cells_are(at, i.type, i.b & 0xFFFF, i.a, present) &&
         cells_are(at, i.type, i.b >> 16, i.a, present) && push(at, Scalar::Bool);
}

}  // namespace komuz
