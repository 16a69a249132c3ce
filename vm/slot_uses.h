// SPDX-License-Identifier: Apache-2.0
// Where the slots of a function are used, for the lowering.
#pragma once
#include <vector>

#include "lang/code.h"

namespace komuz::vm {

// The slots of FOR_NEXT, one behind the other: next, bound, variable.
inline constexpr u32 kForSlots = 3;

// Slots of areas that overlap share one, since an access may be to any of them. Places are instructions, from the function's
// first one on.
struct SlotUse {
  u32 first = ~0u, last = 0;
  u16 kept_in = 0;  // the slot in whose row all this is
  bool is_stored = false;
  bool is_indexed = false;  // accessed by an offset

  // Are all uses within instructions [begin, end)? What is only used inside of an iteration is written in each before it is
  // read.
  [[nodiscard]] bool is_inside(u32 begin, u32 end) const { return begin <= first && last < end; }
};

// Calls `visit(slot, is_store)` of each slot that an instruction reads or writes. Of areas all slots; of FOR_NEXT the ones that
// it writes.
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

// Kept from function to function, so that it stops allocating.
class SlotUses {
 public:
  void survey(const CodeView& code, const Function& f);
  [[nodiscard]] const SlotUse& of(u32 slot) const { return uses_[uses_[slot].kept_in]; }
  [[nodiscard]] u32 root(u32 slot) const { return uses_[slot].kept_in; }
  [[nodiscard]] bool is_indexed(u32 slot) const { return uses_[slot].is_indexed; }
  [[nodiscard]] bool has_regions() const { return has_regions_; }
  [[nodiscard]] bool returns_early() const { return returns_early_; }

 private:
  void join_areas(const CodeView& code, const Function& f);

  bool has_regions_ = false, returns_early_ = false;
  std::vector<SlotUse> uses_;
  std::vector<u32> area_ends_;  // of each slot, behind the largest area that starts there
};

}  // namespace komuz::vm
