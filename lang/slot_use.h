// SPDX-License-Identifier: Apache-2.0
// Which slots an instruction uses.
#pragma once
#include "lang/code.h"

namespace komuz {

// The slots of FOR_NEXT, one behind the other: next, bound, variable.
inline constexpr u32 kForSlots = 3;

// Calls `visit(slot, is_store)` for each slot that an instruction reads or writes: for areas all slots, for FOR_NEXT
// the ones that it writes.
template <class Visit>
void for_each_slot_use(Instruction i, Visit visit) {
  const auto each = [&](u32 slots, bool is_store) {
    for (u32 slot = i.a; slot < i.a + slots; ++slot) visit(slot, is_store);
  };
  switch (i.op) {
    case Op::LoadVar: return each(1, false);
    case Op::LoadVars:
    case Op::Ref: return each(i.b, false);
    case Op::LoadAt: return each(area_access(i).slots, false);
    case Op::StoreVar:
    case Op::Limit: return each(1, true);
    case Op::StoreVars: return each(i.b, true);
    case Op::StoreAt: return each(area_access(i).slots, true);
    case Op::ForNext: return each(kForSlots, true);
    default: return;
  }
}

}  // namespace komuz
