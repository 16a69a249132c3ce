// SPDX-License-Identifier: Apache-2.0
// Checks many slots at once, and areas: slots of one type, all of them written, that are accessed by an offset.
// Proving an area takes a number of steps that does not depend on its size.
#pragma once
#include <algorithm>

#include "lang/check/check_function.h"

namespace komuz {

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::know_areas() {
  if (!knows_areas_) {
    const u32 slots = header_->slots;
    if (!make_long(runs_, slots) || !unwritten_.start(slots)) return no_room();
    knows_areas_ = true;
    for (u32 slot = slots; slot-- > 0;) {
      const u8 differing = slot + 1 < slots ? slots_[slot] ^ slots_[slot + 1] : u8{1};
      const bool goes_on = (differing & ~kUnwritten) == 0;
      runs_[slot] = static_cast<u16>(1 + (goes_on ? runs_[slot + 1] : 0));
      if (slots_[slot] >= kUnwritten) unwritten_.insert(slot);
    }
    noted_writes_ = writes_count_;
  }
  for (; noted_writes_ < writes_count_; ++noted_writes_) unwritten_.erase(writes_[noted_writes_]);
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::slots_exist(u32 at, u32 first, u32 count) {
  if (count <= header_->slots && first <= header_->slots - count) return true;
  return fail(at, CheckReason::SlotsRange, {{first, first + count - 1, header_->slots}});
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::load_slots(u32 at, Instruction i) {
  const u32 first = i.a, count = i.b;
  if (!slots_exist(at, first, count)) return false;
  if (count > most_cells_ - height_) return fail_height(at);
  for (u32 slot = first; slot < first + count; ++slot) {
    const Scalar type = slot_type(slot);
    if (!read(at, slot, type)) return false;
    cells_[height_++] = type;
  }
  max_height_ = std::max(max_height_, height_);
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::store_slots(u32 at, Instruction i) {
  const u32 first = i.a, count = i.b;
  if (!slots_exist(at, first, count)) return false;
  const u8* const types = program_->code.slot_types.data() + header_->slots_begin + first;
  if (!pop_types(at, types, count)) return false;
  for (u32 slot = first; slot < first + count; ++slot) write(slot);
  return true;
}

// True if so many slots, from `i.a` on, are an area of the type.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::area_is(u32 at, Instruction i, u32 slots) {
  if (!slot_is(at, i.a, i.type) || !know_areas()) return false;
  const u32 first = i.a, last = first + slots - 1;
  if (runs_[first] < slots)
    return fail(at, CheckReason::AreaType, {{first, last, static_cast<u64>(i.type)}});
  if (unwritten_.has_any(first, first + slots))
    return fail(at, CheckReason::AreaUnwritten, {{first, last}});
  return true;
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::load_at(u32 at, Instruction i) {
  const AreaAccess area = area_access(i);
  if (area.cells == 0 || area.cells > area.slots) return fail_fields(at);
  return area_is(at, i, area.slots) && pop(at, Scalar::I64) && push_many(at, i.type, area.cells);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::store_at(u32 at, Instruction i) {
  const AreaAccess area = area_access(i);
  if (area.cells == 0 || area.cells > area.slots) return fail_fields(at);
  if (!area_is(at, i, area.slots) || !pop(at, Scalar::I64)) return false;
  bool are_of_type = has(area.cells);
  for (u32 k = 1; k <= area.cells && are_of_type; ++k) are_of_type = cells_[height_ - k] == i.type;
  if (!are_of_type)
    return fail(at, CheckReason::StoredCells, {{area.cells, static_cast<u64>(i.type)}});
  height_ -= area.cells;
  return true;
}

// A reference to no slots may come from any place.
template <class Storage>
HD_CALL bool FunctionChecker<Storage>::refer(u32 at, Instruction i) {
  if (i.b > header_->slots) return fail_fields(at);
  const bool is_area = i.b == 0 ? i.a == 0 || fail_fields(at) : area_is(at, i, i.b);
  return is_area && pop(at, Scalar::I64) && push(at, reference_to(i.type));
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::part_reference(u32 at, Instruction i) {
  if (i.a != 0 || i.b != 0) return fail_fields(at);
  return pop(at, Scalar::I64) && pop(at, Scalar::I64) && pop(at, reference_to(i.type)) &&
         push(at, reference_to(i.type));
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::load_referred(u32 at, Instruction i) {
  if (i.a == 0 || i.b != 0) return fail_fields(at);
  return pop(at, Scalar::I64) && pop(at, reference_to(i.type)) && push_many(at, i.type, i.a);
}

template <class Storage>
HD_CALL bool FunctionChecker<Storage>::move_reference(u32 at, Instruction i) {
  if (i.b != 0) return fail_fields(at);
  if (i.op == Op::LoadVar) return read(at, i.a, i.type) && push(at, i.type);
  if (!pop(at, i.type) || !slot_is(at, i.a, i.type)) return false;
  write(i.a);
  return true;
}

}  // namespace komuz
