// SPDX-License-Identifier: Apache-2.0
#include "vm/slot_uses.h"

namespace komuz::vm {

// Areas may share slots: each such slot takes the uses of all slots of the areas that overlap with its own.
void SlotUses::join_areas(const CodeView& code, const Function& f) {
  area_ends_.assign(f.slots, 0);
  for (u32 pc = f.code_begin; pc < f.code_end; ++pc) {
    const Instruction& i = code.instructions[pc];
    if (i.op != Op::LoadAt && i.op != Op::StoreAt && i.op != Op::Ref) continue;
    const u32 slots = i.op == Op::Ref ? i.b : area_access(i).slots;
    if (slots != 0 && area_ends_[i.a] < i.a + slots) area_ends_[i.a] = i.a + slots;
  }
  u32 first = 0, end = 0;
  for (u32 slot = 0; slot < f.slots; ++slot) {
    if (slot >= end) first = slot;
    if (end < area_ends_[slot]) end = area_ends_[slot];
    uses_[slot].kept_in = static_cast<u16>(first);
    uses_[slot].is_indexed = slot < end;
  }
}

void SlotUses::survey(const CodeView& code, const Function& f) {
  has_regions_ = returns_early_ = false;
  uses_.assign(f.slots, {});
  join_areas(code, f);
  const u32 size = f.code_end - f.code_begin;
  const auto note = [this](u32 slot, u32 pc, bool is_store) {
    SlotUse& use = uses_[uses_[slot].kept_in];
    if (pc < use.first) use.first = pc;
    if (pc > use.last) use.last = pc;
    use.is_stored |= is_store;
  };
  for (u32 slot = 0; slot < f.parameter_slots; ++slot) note(slot, 0, false);
  for (u32 pc = 0; pc < size; ++pc) {
    const Instruction& i = code.instructions[f.code_begin + pc];
    switch (i.op) {
      // The target of a reference is needed until the function ends: by callees, and wherever the reference is
      // passed.
      case Op::Ref:
        if (i.b == 0) break;
        note(i.a, 0, false);
        note(i.a, size, false);
        break;
      case Op::LoadAt: note(i.a, pc, false); break;  // its area has one row
      case Op::StoreAt: note(i.a, pc, true); break;
      case Op::JumpIfFalse:
      case Op::JumpIfFalseOrPop:
      case Op::JumpIfTrueOrPop:
      case Op::Loop: has_regions_ = true; break;
      case Op::Return: returns_early_ |= pc + 1 != size; break;
      default:
        for_each_slot_use(i, [&](u32 slot, bool is_store) { note(slot, pc, is_store); });
        break;
    }
  }
}

}  // namespace komuz::vm
