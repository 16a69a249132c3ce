// SPDX-License-Identifier: Apache-2.0
// Areas and references of the machine on terms. What an unknown offset names is a choice among all cells that it may name.
#include <algorithm>

#include "lang/layout.h"
#include "neural/proof/terms/symbolic_machine.h"

namespace komuz::neural {

// False: it gives up.
bool SymbolicMachine::may_choose(u64 cells) {
  count_.steps += cells / 8;
  if (cells <= kMostChoices) return true;
  give_up("an unknown offset names one of too many cells, at " + place());
  return false;
}

void SymbolicMachine::load_at(Instruction i) {
  const AreaAccess area = area_access(i);
  const Term offset = pop();
  trap(terms_.no(terms_.make(TermOp::LessUnsigned, 1, offset, number(area.offsets()))),
       Trap::Index);
  if (terms_.is_false(live_)) return;
  const auto cell = [&](u32 at) { return read(slot(i.a + at), i.type); };
  if (terms_.is_constant(offset)) {
    const u32 at = static_cast<u32>(terms_.row(offset).value);
    for (u32 k = 0; k < area.cells; ++k) push(cell(at + k));
    return;
  }
  if (!may_choose(u64{area.offsets()} * area.cells)) return;
  for (u32 k = 0; k < area.cells; ++k) {
    Term found = cell(area.offsets() - 1 + k);
    for (u32 at = area.offsets() - 1; at-- > 0;)
      found = terms_.select(terms_.equal(offset, number(at)), cell(at + k), found);
    push(found);
  }
}

void SymbolicMachine::store_at(Instruction i) {
  const AreaAccess area = area_access(i);
  const Term offset = pop();
  trap(terms_.no(terms_.make(TermOp::LessUnsigned, 1, offset, number(area.offsets()))),
       Trap::Index);
  if (terms_.is_false(live_)) return;
  const size_t first = stack_.size() - area.cells;
  if (terms_.is_constant(offset)) {
    const u32 at = static_cast<u32>(terms_.row(offset).value);
    for (u32 k = 0; k < area.cells; ++k) slot(i.a + at + k) = stack_[first + k];
  } else {
    if (!may_choose(u64{area.offsets()} * area.cells)) return;
    for (u32 at = 0; at < area.offsets(); ++at) {
      const Term here = terms_.equal(offset, number(at));
      for (u32 k = 0; k < area.cells; ++k) {
        Term& cell = slot(i.a + at + k);
        cell = chosen(here, stack_[first + k], cell);
      }
    }
  }
  stack_.resize(first);
}

void SymbolicMachine::refer(Instruction i) {
  const EvaluatedTerm made = neural::refer(pop(), i.b, frame().base + i.a);
  trap(made);
  push(made.value);
  const Area area = {frames_.size() - 1, i.a, i.b};
  const auto is_it = [&](const Area& a) {
    return a.frame == area.frame && a.first == area.first && a.count == area.count;
  };
  if (std::ranges::none_of(areas_, is_it)) areas_.push_back(area);
}

void SymbolicMachine::part_reference() {
  const Term high = pop(), low = pop(), whole = pop();
  const EvaluatedTerm made = part_of(whole, low, high);
  trap(made);
  push(made.value);
}

void SymbolicMachine::load_referred(Instruction i) {
  const Term offset = pop(), whole = pop();
  const EvaluatedTerm rest = rest_of(whole, offset, i.a);
  trap(rest);
  if (terms_.is_false(live_)) return;
  const Term address = terms_.make(TermOp::And, 64, rest.value, number(0xFFFF'FFFFu));
  // The cells of that type to which there are references, by their addresses.
  struct Cell {
    u64 address;
    Term value;
  };
  std::vector<Cell> cells;
  for (const Area& area : areas_) {
    const Frame& owner = frames_[area.frame];
    for (u32 k = 0; k < area.count; ++k)
      if (slot_type(owner.function, area.first + k) == i.type)
        cells.push_back({owner.base + area.first + k, read(owner.slots[area.first + k], i.type)});
  }
  std::ranges::sort(cells, {}, &Cell::address);
  const auto same = std::ranges::unique(cells, {}, &Cell::address);
  cells.erase(same.begin(), same.end());
  if (!may_choose(cells.size() * i.a)) return;
  for (u32 k = 0; k < i.a; ++k) {
    Term found = kNoTerm;
    for (const Cell& cell : cells)
      if (cell.address >= k)
        found = chosen(terms_.equal(address, number(cell.address - k)), cell.value, found);
    push(read(found, i.type));
  }
}

}  // namespace komuz::neural
