// SPDX-License-Identifier: Apache-2.0
// Many slots at once, and areas: slots of one type, all of them written, that are accessed by an offset. An area is
// proven in a number of steps that does not depend on its size.
#include <algorithm>

#include "base/counts.h"
#include "lang/check_function.h"

namespace komuz {
namespace {

std::string range_text(u32 first, u32 count) {
  return "slots " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

}  // namespace

void FunctionChecker::know_areas() {
  if (!knows_areas_) {
    knows_areas_ = true;
    const u32 slots = header_->slots;
    runs_.resize(slots);
    unwritten_.start(slots);
    for (u32 slot = slots; slot-- > 0;) {
      const u8 differing = slot + 1 < slots ? slots_[slot] ^ slots_[slot + 1] : u8{1};
      const bool goes_on = (differing & ~kUnwritten) == 0;
      runs_[slot] = static_cast<u16>(1 + (goes_on ? runs_[slot + 1] : 0));
      if (slots_[slot] >= kUnwritten) unwritten_.insert(slot);
    }
    noted_writes_ = writes_count_;
  }
  for (; noted_writes_ < writes_count_; ++noted_writes_) unwritten_.erase(writes_[noted_writes_]);
}

bool FunctionChecker::load_slots(u32 at, Instruction i) {
  const u32 first = i.a, count = i.b;
  if (count > header_->slots || first > header_->slots - count)
    return fail(at, range_text(first, count) + " of only " + std::to_string(header_->slots));
  if (count > program_->max_cells - height_) return fail_height(at);
  for (u32 slot = first; slot < first + count; ++slot) {
    const auto type = static_cast<Scalar>(slots_[slot] & ~kUnwritten);
    if (!read(at, slot, type)) return false;
    cells_[height_++] = type;
  }
  max_height_ = std::max(max_height_, height_);
  return true;
}

bool FunctionChecker::store_slots(u32 at, Instruction i) {
  const u32 first = i.a, count = i.b;
  if (count > header_->slots || first > header_->slots - count)
    return fail(at, range_text(first, count) + " of only " + std::to_string(header_->slots));
  const u8* const types = program_->code.slot_types.data() + header_->slots_begin + first;
  if (!pop_types(at, types, count)) return false;
  for (u32 slot = first; slot < first + count; ++slot) write(slot);
  return true;
}

// Are so many slots, from `i.a` on, an area of the type?
bool FunctionChecker::area_is(u32 at, Instruction i, u32 slots) {
  if (!slot_is(at, i.a, i.type)) return false;
  know_areas();
  if (runs_[i.a] < slots)
    return fail(at, range_text(i.a, slots) + " do not all hold " + cell_type_text(i.type));
  if (unwritten_.has_any(i.a, i.a + slots))
    return fail(at, range_text(i.a, slots) + " may be read before they are written");
  return true;
}

bool FunctionChecker::load_at(u32 at, Instruction i) {
  const AreaAccess area = area_access(i);
  if (area.cells == 0 || area.cells > area.slots) return fail_fields(at);
  return area_is(at, i, area.slots) && pop(at, Scalar::I64) && push_many(at, i.type, area.cells);
}

bool FunctionChecker::store_at(u32 at, Instruction i) {
  const AreaAccess area = area_access(i);
  if (area.cells == 0 || area.cells > area.slots) return fail_fields(at);
  if (!area_is(at, i, area.slots) || !pop(at, Scalar::I64)) return false;
  const auto is_of_type = [&](Scalar type) { return type == i.type; };
  if (!has(area.cells) ||
      !std::all_of(cells_ + (height_ - area.cells), cells_ + height_, is_of_type))
    return fail(at, std::string(op_row(i.op).mnemonic) + " takes " + counted(area.cells, "cell") +
                        " of " + cell_type_text(i.type) + " below the offset");
  height_ -= area.cells;
  return true;
}

// To no slots: from no matter where.
bool FunctionChecker::refer(u32 at, Instruction i) {
  if (i.b > header_->slots) return fail_fields(at);
  const bool is_area = i.b == 0 ? i.a == 0 || fail_fields(at) : area_is(at, i, i.b);
  return is_area && pop(at, Scalar::I64) && push(at, reference_to(i.type));
}

bool FunctionChecker::part_reference(u32 at, Instruction i) {
  if (i.a != 0 || i.b != 0) return fail_fields(at);
  return pop(at, Scalar::I64) && pop(at, Scalar::I64) && pop(at, reference_to(i.type)) &&
         push(at, reference_to(i.type));
}

bool FunctionChecker::load_referred(u32 at, Instruction i) {
  if (i.a == 0 || i.b != 0) return fail_fields(at);
  return pop(at, Scalar::I64) && pop(at, reference_to(i.type)) && push_many(at, i.type, i.a);
}

bool FunctionChecker::move_reference(u32 at, Instruction i) {
  if (i.b != 0) return fail_fields(at);
  if (i.op == Op::LoadVar) return read(at, i.a, i.type) && push(at, i.type);
  if (!pop(at, i.type) || !slot_is(at, i.a, i.type)) return false;
  write(i.a);
  return true;
}

}  // namespace komuz
