// SPDX-License-Identifier: Apache-2.0
// Which integers a slot of a function may hold at an instruction, as far as the code before it says. Where several paths lead there
// with different numbers, nothing is known.
#pragma once
#include <limits>
#include <vector>

#include "lang/code.h"

namespace komuz::services {

struct NumberRange {
  static constexpr i64 kLeast = std::numeric_limits<i64>::min(),
                       kMost = std::numeric_limits<i64>::max();
  i64 lo = kLeast, hi = kMost;
  u32 place = 0;  // in the source: what is not known
};

class NumberRanges {
 public:
  NumberRanges(const CodeView& code, const Function& f);

  // Before the instruction, which is counted from the function's first.
  [[nodiscard]] NumberRange slot_at(u32 slot, u32 instruction) const {
    return slot_at(slot, instruction, 0);
  }
  // Of the number on the top of the stack there.
  [[nodiscard]] NumberRange top_at(u32 instruction) const;
  // How often the loop at a LOOP goes round at most. `hi` is kMost: not known; `lo` is nothing.
  [[nodiscard]] NumberRange rounds(u32 loop) const { return rounds(loop, 0); }

 private:
  // An expression of integers without jumps, by what it begins with; kNone: it is none.
  static constexpr u32 kNone = 0xFFFF'FFFF, kMostDepth = 16;
  struct Expression {
    NumberRange range;
    u32 begin = kNone;
  };
  struct Region {
    u32 begin = 0, end = 0, above = kNone;  // instructions
    bool is_loop = false;
  };

  void find_regions();
  void find_stores();
  void read_parameters();
  [[nodiscard]] NumberRange unknown(u32 instruction) const {
    return {.place = places_[instruction]};
  }
  [[nodiscard]] NumberRange slot_at(u32 slot, u32 instruction, u32 depth) const;
  [[nodiscard]] NumberRange stored_by(u32 store, u32 depth) const;
  [[nodiscard]] NumberRange rounds(u32 loop, u32 depth) const;
  [[nodiscard]] Expression ends_before(u32 end, u32 depth) const;
  [[nodiscard]] Expression of_two(const Instruction& at, u32 instruction, u32 depth) const;
  [[nodiscard]] bool holds(u32 region, u32 instruction) const;

  const CodeView& code_view_;
  const Function& function_;
  std::span<const Instruction> code_;
  std::span<const u32> places_;
  std::vector<Region> regions_;
  std::vector<u32> region_of_;            // one an instruction
  std::vector<std::vector<u32>> stores_;  // one a slot, in their order
  std::vector<NumberRange> parameters_;   // one a slot of theirs
  std::vector<bool> is_target_;
};

}  // namespace komuz::services
