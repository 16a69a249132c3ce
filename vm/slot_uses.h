// SPDX-License-Identifier: Apache-2.0
// The uses of a function's slots, for the lowering.
#pragma once
#include <vector>

#include "lang/slot_use.h"

namespace komuz::vm {

// Slots of overlapping areas share one row, since an access may be to any of them. Places are instructions, counted
// from the function's first.
struct SlotUse {
  u32 first = ~0u, last = 0;
  u16 kept_in = 0;  // the slot whose row holds these data
  bool is_stored = false;
  bool is_indexed = false;  // accessed by an offset

  // True if all uses are within instructions [begin, end). A slot used only inside of an iteration is written in each
  // iteration before it is read.
  [[nodiscard]] bool is_inside(u32 begin, u32 end) const { return begin <= first && last < end; }
};

// Reused for one function after the other, so that it stops allocating.
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
  std::vector<u32> area_ends_;  // of each slot: behind the largest area that starts there
};

}  // namespace komuz::vm
