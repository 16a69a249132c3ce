// SPDX-License-Identifier: Apache-2.0
// Checks straight code whose operands and results are all of one type, as most expressions are. Where every cell
// above a floor has that type, an operation asks only whether it takes cells below the floor: the types on the stack
// are neither read nor written. It is the rule of check_straight.h in fewer steps, and leaves whatever it does not
// handle to that. On the host alone: a device walks over the code of many programs at once, and one loop is better
// there.
#pragma once
#include "lang/check/check_straight.h"

namespace komuz {

namespace one_type {

// An instruction as one number: operation, type, a and b from the lowest byte on.
[[nodiscard]] inline u64 word_of(Instruction i) {
  return u64{static_cast<u8>(i.op)} | u64{static_cast<u8>(i.type)} << 8 | u64{i.a} << 16 |
         u64{i.b} << 32;
}

struct alignas(32) Rule {
  // Bits that must be 0, once the type is taken off: those of the type, and of fields without meaning.
  u64 fixed = 0;
  TypeSet types = 0;    // none: it pops or pushes cells of other types
  u32 slot = 0;         // 1 if a is the number of a slot
  u32 constant = 0;     // 1 if b is the number of a constant
  u8 pops = 0;          // cells
  i8 grows = 0;         // by so many cells
  u8 slot_typed = 0;    // bits of the slot that must be the type
  u8 slot_written = 0;  // bits of the slot that are cleared
};

constexpr Rule rule_of(Op op) {
  const straight::Rule row = straight::rule_of(op);
  const bool is_one_type = row.pushes == 0 || row.result_of_type == 0xFF;
  return {.fixed = 0xFF00 | (row.slot ? 0 : u64{0xFFFF} << 16) | (row.constant ? 0 : ~u64{0} << 32),
          .types = is_one_type ? row.types : TypeSet{0},
          .slot = row.slot ? 1u : 0u,
          .constant = row.constant ? 1u : 0u,
          .pops = row.pops,
          .grows = static_cast<i8>(row.pushes - row.pops),
          .slot_typed = static_cast<u8>(row.typed >> 24),
          .slot_written = static_cast<u8>(~row.slot_keeps)};
}

// One for each value of a byte, so that the number of an operation need not be checked.
struct Rules {
  Rule row[256];
};
constexpr Rules make_rules() {
  Rules rules{};
  for (u32 op = 0; op < kOpCount; ++op) rules.row[op] = rule_of(static_cast<Op>(op));
  return rules;
}
inline constexpr Rules kRules = make_rules();

}  // namespace one_type

template <class Storage>
u32 FunctionChecker<Storage>::walk_one_type(u32 at, u32 end) {
  using namespace one_type;
  const Scalar type = code_[at].type;
  const u32 code = static_cast<u8>(type);
  if (code >= kScalarCount) return at;
  const u32 may_be_wide = ~u32{straight::kWholeCell} >> code & 1;
  const u64 typed = u64{code} << 8;
  // A few cells below the top, so that a walk is no longer than its code: no rule takes more, and code that goes deeper
  // is left to walk_straight.
  constexpr u32 kLooksDown = 8;
  const u32 least = height_ - base_ > kLooksDown ? height_ - kLooksDown : base_;
  u32 floor = height_;
  while (floor > least && cells_[floor - 1] == type) --floor;

  const Instruction* next = code_ + at;
  const Instruction* const last = code_ + end;
  u32 height = height_, highest = max_height_;
  u8* const slots = slots_.data();
  u16* writes = writes_.data() + writes_count_;
  const u64 constant_count = constants_.size();
  const u32 slot_count = header_->slots;
  for (; next != last; ++next) {
    const u64 word = word_of(*next);
    const Rule& rule = kRules.row[static_cast<u8>(word)];
    if (((word ^ typed) & rule.fixed) != 0 || !(rule.types >> code & 1)) break;
    const u32 a = static_cast<u16>(word >> 16);
    if (a + rule.slot > slot_count || (word >> 32) + rule.constant > constant_count) break;
    const u32 slot = slots[a];
    const u32 grown = height + static_cast<u32>(i32{rule.grows});
    if (((slot ^ code) & rule.slot_typed) != 0 || height - floor < rule.pops || grown > most_cells_)
      break;
    if ((may_be_wide & rule.constant) != 0 && !is_canonical(constants_[word >> 32], type)) break;
    height = grown;
    highest = height > highest ? height : highest;
    *writes = static_cast<u16>(a);
    writes += (slot & rule.slot_written) >> 7;
    slots[a] = static_cast<u8>(slot & ~u32{rule.slot_written});
  }
  for (u32 k = height_; k < height; ++k) cells_[k] = type;
  height_ = height;
  max_height_ = highest;
  writes_count_ = static_cast<u32>(writes - writes_.data());
  return static_cast<u32>(next - code_);
}

}  // namespace komuz
