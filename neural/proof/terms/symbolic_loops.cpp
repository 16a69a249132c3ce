// SPDX-License-Identifier: Apache-2.0
// A machine on terms at a loop that is not unrolled: one round by itself, and what comes out.
#include <algorithm>

#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/symbolic_machine.h"

namespace komuz::neural {

std::vector<u32> SymbolicMachine::written_slots() const {
  std::vector<u32> written;
  const auto add = [&](u32 first, u32 count) {
    for (u32 k = 0; k < count; ++k) written.push_back(first + k);
  };
  for (u32 at = pc_; at < origin() + run_.code.instructions[pc_].b; ++at) {
    const Instruction i = run_.code.instructions[at];
    switch (op_row(i.op).form) {
      case OpForm::Store:
      case OpForm::Slot: add(i.a, 1); break;
      case OpForm::StoreSlots: add(i.a, i.b); break;
      case OpForm::StoreAt: add(i.a, area_access(i).slots); break;
      case OpForm::ForNext: add(i.a, 3); break;
      default: break;
    }
  }
  std::ranges::sort(written);
  const auto same = std::ranges::unique(written);
  written.erase(same.begin(), same.end());
  return written;
}

SymbolicMachine SymbolicMachine::round_machine(std::span<const SlotValue> slots) const {
  SymbolicMachine made = *this;
  for (const SlotValue& s : slots) made.frame().slots[s.slot] = s.value;
  made.frame().returns = {};
  for (size_t r = made.frame().regions; r < made.regions_.size(); ++r)
    made.regions_[r].breaks = made.regions_[r].continues = {};
  made.live_ = terms_.truth(true);
  made.ended_ = terms_.truth(false);
  made.traps_.fill(made.ended_);
  made.end_ticks_ = kNoTerm;
  if (run_.counts_ticks) made.ticks_ = terms_.constant(64, 0);
  made.open_loop(run_.code.instructions[pc_]);
  made.round_of_ = made.regions_.size();
  made.pc_ = pc_ + 1;
  return made;
}

SymbolicMachine::Round SymbolicMachine::round() const {
  const Term nobody = terms_.truth(false);
  const Region& loop = regions_.back();
  const Parked &left = loop.breaks, &returned = frames_.back().returns;
  Round round;
  round.goes_on = live_;
  round.leaves = left.when != kNoTerm ? left.when : nobody;
  round.returns = returned.when != kNoTerm ? returned.when : nobody;
  round.traps = traps_;
  round.next = frames_.back().slots;
  round.left = left.cells;
  round.results = returned.cells;
  round.next_ticks = ticks_;
  round.left_ticks = left.ticks;
  round.return_ticks = returned.ticks;
  round.end_ticks = end_ticks_;
  for (size_t r = frames_.back().regions; r + 1 < regions_.size(); ++r)
    round.stays_inside &=
        regions_[r].breaks.when == kNoTerm && regions_[r].continues.when == kNoTerm;
  return round;
}

void SymbolicMachine::pass_loop(const Passed& passed) {
  const TermWriter writer(terms_);
  pc_ = next_ = origin() + run_.code.instructions[pc_].b + 1;
  if (passed.ticks != kNoTerm) tick(passed.ticks);
  for (u8 t = 1; t < kTrapCount; ++t)
    if (passed.traps[t] != kNoTerm) trap(passed.traps[t], static_cast<Trap>(t));
  if (passed.returns != kNoTerm) {
    const Term returning = terms_.both(live_, passed.returns);
    park(frame().returns, returning, passed.results);
    park_further_out(returning, frame().regions);
    live_ = terms_.both(live_, terms_.no(passed.returns));
  }
  if (!passed.is_left) live_ = terms_.truth(false);
  for (const SlotValue& s : passed.slots) slot(s.slot) = s.value;
}

}  // namespace komuz::neural
