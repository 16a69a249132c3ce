// SPDX-License-Identifier: Apache-2.0
#include "vm/element_parts.h"

#include <algorithm>

#include "lang/op_costs.h"
#include "lang/stack_effect.h"

namespace komuz::vm {

namespace {

// Running a part for many iterations takes copies of the shared values, and of what each iteration leaves to the rest
// of the body.
constexpr u32 kMostShared = 32;
constexpr u32 kMostLeft = 12;
// Weights of instructions: roughly their time for a vector of cases, in sums (op_costs.def).
constexpr u32 kWorkOfCall = 8;
constexpr u32 work_of(Op op, Scalar type) {
  switch (op) {
    case Op::LoadAt:
    case Op::LoadRef: return 1;
    case Op::Call:
    case Op::ForNext: return kWorkOfCall;
    default: return is_pure_form(op_row(op).form) ? op_cost(op, type) : 0;
  }
}
// Measured (docs/measurements.md): taking an element costs each case some time, folding it costs less.
constexpr u32 least_work(const RestOfBody& rest, u32 cases) {
  return rest.kind != Rest::Any || rest.is_tested ? 2 * cases - 1 : 5 * cases;
}
// A loop is examined with all loops in it. Loops nested deeper than this, which no one writes, are not examined.
constexpr u32 kMostNested = 16;

// Where control goes on behind the region that an instruction opens (0 if it opens none), and how many values it
// leaves there.
struct RegionEnd {
  u32 pc = 0;
  i32 values = 0;
};
RegionEnd region_end(const CodeView& code, u32 code_begin, Instruction i) {
  switch (i.op) {
    case Op::JumpIfFalse: {
      if (i.a == 0) return {i.b, 0};
      const Instruction jump = code.instructions[code_begin + i.b - 1];  // it ends the first arm
      return {jump.b, jump.a};
    }
    case Op::JumpIfFalseOrPop:
    case Op::JumpIfTrueOrPop: return {i.b, 1};
    case Op::Loop: return {i.b + 1, 0};
    default: return {};
  }
}

// Cells that an instruction takes off the stack or looks at.
i32 cells_read(const CodeView& code, const Function& f, Instruction i) {
  const auto a = static_cast<i32>(i.a), low = static_cast<i32>(i.b & 0xFFFF),
             high = static_cast<i32>(i.b >> 16);
  const OpForm form = op_row(i.op).form;
  switch (form) {
    case OpForm::Copy: return a + static_cast<i32>(i.b) + 1;
    case OpForm::Repeat: return a;
    case OpForm::EqCells: return std::max(high, low) + a;
    case OpForm::Project: return high;
    case OpForm::Ref: return 1;
    case OpForm::LoadAt: return 1;
    case OpForm::LoadRef: return 2;
    case OpForm::RefPart: return 3;
    case OpForm::Call: return code.functions[i.a].parameter_slots;
    default: break;
  }
  if (is_pure_form(form)) return static_cast<i32>(operand_count(form));
  const i32 effect = stack_effect(code, f, i);
  return effect < 0 ? -effect : 0;
}

}  // namespace

struct ElementParts::Scan {
  ElementPart& part;
  i32 height = 0;        // above the values that lie below the loop
  i32 unread = 0;        // 1 + the highest position of a carried value
  u32 region_until = 0;  // the place behind the outermost open region
  i32 height_there = 0;
  bool ticks = false, skips = false;
  u32 shared = 0, work = 0;

  [[nodiscard]] bool is_in_region(u32 pc) const { return pc < region_until; }
};

const ElementPart* ElementParts::of_loop(u32 loop) const {
  const auto found = std::ranges::lower_bound(parts_, loop, {}, &ElementPart::loop);
  return found != parts_.end() && found->loop == loop ? &*found : nullptr;
}

bool ElementParts::is_carried(const ElementPart& part, u32 position) const {
  for (u32 k = part.carried_begin; k < part.carried_end; ++k)
    if (carried_[k].position == position) return true;
  return false;
}

void ElementParts::find(const CodeView& code, const Function& f, const SlotUses& uses, u32 cases) {
  code_ = code;
  cases_ = cases;
  function_ = &f;
  code_begin_ = f.code_begin;
  code_size_ = f.code_end - f.code_begin;
  uses_ = &uses;
  parts_.clear();
  slots_.clear();
  carried_.clear();
  round_ = 0;
  written_in_.assign(f.slots, 0);
  listed_in_.assign(f.slots, 0);
  u32 nested = 0;
  for (u32 pc = 0; pc < code_size_; ++pc) {
    const Op op = at(pc).op;
    if (op == Op::Loop && ++nested <= kMostNested) examine(pc);
    if (op == Op::End) --nested;
  }
}

void ElementParts::note_writes(u32 begin, u32 end) {
  ++round_;
  for (u32 pc = begin; pc < end; ++pc)
    for_each_slot_use(at(pc), [&](u32 slot, bool is_store) {
      if (is_store) written_in_[uses_->root(slot)] = round_;
    });
}

// Notes the loop's changes. False if anything but its FOR_NEXT writes its counter.
bool ElementParts::note_changes(const ElementPart& part) {
  bool is_counted = true;
  for (u32 k = 0; k < kForSlots; ++k) is_counted &= !uses_->is_indexed(part.counter + k);
  for (u32 pc = part.begin; pc < part.loop_end; ++pc)
    for_each_slot_use(at(pc), [&](u32 slot, bool is_store) {
      is_counted &= !is_store || slot - part.counter >= kForSlots;
    });
  note_writes(part.loop + 1, part.loop_end);
  changed_in_ = round_;
  // FOR_NEXT changes the bound only if the bound is the largest number.
  if (!part.is_inclusive) written_in_[uses_->root(part.counter + 1u)] = 0;
  return is_counted;
}

void ElementParts::examine(u32 loop) {
  const Instruction next = at(loop + 1);
  if (next.op != Op::ForNext || next.type != Scalar::I64) return;
  ElementPart part{.loop = loop, .loop_end = at(loop).b, .begin = loop + 2};
  part.counter = next.a;
  part.is_inclusive = next.b != 0;
  part.carried_begin = part.carried_end = static_cast<u32>(carried_.size());
  if (!note_changes(part)) return;
  u32 work = 0;
  scan_part(part, work);
  carried_.resize(part.carried_end);
  part.rest = rest_of(part);
  if (work < least_work(part.rest, cases_)) return carried_.resize(part.carried_begin);
  list_shared(part);
  list_made(part);
  if (part.made() + part.height <= kMostLeft) return parts_.push_back(part);
  slots_.resize(part.shared_begin);
  carried_.resize(part.carried_begin);
}

// The part ends outside of all regions, as far behind as its instructions allow.
void ElementParts::scan_part(ElementPart& part, u32& work) {
  loop_ends_.clear();
  ++round_;
  Scan scan{part};
  for (u32 pc = part.begin; pc < part.loop_end; ++pc) {
    if (pc == scan.region_until) scan.height = scan.height_there;
    if (!scan.is_in_region(pc)) {
      part.end = pc;
      part.height = static_cast<u32>(scan.height);
      part.carried_end = static_cast<u32>(carried_.size());
      part.ticks = scan.ticks;
      part.skips = scan.skips;
      work = scan.work;
    }
    if (!takes(scan, pc)) return;
  }
}

// True if the part can go on with this instruction.
bool ElementParts::takes(Scan& scan, u32 pc) {
  const Instruction i = at(pc);
  const bool is_in_region = scan.is_in_region(pc);
  while (!loop_ends_.empty() && loop_ends_.back() < pc) loop_ends_.pop_back();
  if (scan.height - cells_read(code_, *function_, i) < scan.unread) return false;
  if (!may_run(scan, i, is_in_region)) return false;
  scan.work += work_of(i.op, i.type);
  scan.height += stack_effect(code_, *function_, i);
  if (is_in_region) return true;
  const RegionEnd region = region_end(code_, code_begin_, i);
  scan.region_until = region.pc;
  scan.height_there = scan.height + region.values;
  return true;
}

// A loop that is open within the part may be left, but not the part's own loop.
bool ElementParts::may_run(Scan& scan, Instruction i, bool is_in_region) {
  const size_t open_loops = loop_ends_.size();
  switch (i.op) {
    case Op::LoadVar: return reads(scan, i.a, !is_in_region);
    case Op::LoadVars: {
      bool may_read = true;
      for (u32 k = 0; k < i.b && may_read; ++k) may_read = reads(scan, i.a + k, false);
      return may_read;
    }
    case Op::LoadAt: return is_local(scan.part, i.a) || !is_changed(i.a);
    case Op::StoreVar:
    case Op::StoreVars:
    case Op::StoreAt:
    case Op::Limit: return writes_locals(scan.part, i);
    case Op::ForNext: return open_loops != 0 && writes_locals(scan.part, i);
    case Op::BreakIfFalse: return open_loops != 0;
    case Op::Break: return i.a < open_loops;
    case Op::Continue: scan.skips |= i.a == open_loops; return is_in_region && i.a <= open_loops;
    case Op::Loop: loop_ends_.push_back(i.b); return true;
    case Op::Tick:
    case Op::Ticks: scan.ticks = true; return true;
    case Op::Call: scan.ticks = true; return may_call(i);
    // An instruction that always traps leaves nothing behind it.
    case Op::TrapNow:
    case Op::LoadHole: return is_in_region;
    case Op::Ref:
    case Op::Return: return false;
    default: return true;
  }
}

// True if the part may read a slot. `is_one`: the slot is pushed by itself outside of all regions, and may be
// carried.
bool ElementParts::reads(Scan& scan, u32 slot, bool is_one) {
  const ElementPart& part = scan.part;
  if (is_shared(part, slot)) return !lists(slot) || ++scan.shared <= kMostShared;
  if (slot == part.variable() || is_local(part, slot)) return true;
  if (!is_one || uses_->is_indexed(slot)) return false;
  carried_.push_back({static_cast<u32>(scan.height), static_cast<u16>(slot)});
  scan.unread = scan.height + 1;
  return true;
}

bool ElementParts::writes_locals(const ElementPart& part, Instruction i) const {
  bool are_local = true;
  for_each_slot_use(i, [&](u32 slot, bool) { are_local &= is_local(part, slot); });
  return are_local;
}

// A callee's reference could be to lanes of cases for one argument, and to lanes of elements for another.
bool ElementParts::may_call(Instruction i) const {
  const Function& callee = code_.functions[i.a];
  for (u32 k = 0; k < callee.parameter_slots; ++k)
    if (is_reference(static_cast<Scalar>(code_.slot_types[callee.slots_begin + k]))) return false;
  return true;
}

void ElementParts::list_shared(ElementPart& part) {
  ++round_;
  part.shared_begin = static_cast<u32>(slots_.size());
  for (u32 pc = part.begin; pc < part.end; ++pc) {
    const Instruction i = at(pc);
    // Cells of areas are read in the lanes of the cases.
    if (i.op != Op::LoadVar && i.op != Op::LoadVars) continue;
    for_each_slot_use(i, [&](u32 slot, bool) {
      if (is_shared(part, slot) && lists(slot)) slots_.push_back(static_cast<u16>(slot));
    });
  }
  part.shared_end = static_cast<u32>(slots_.size());
}

void ElementParts::list_made(ElementPart& part) {
  note_writes(part.begin, part.end);
  for (u32 pc = part.end; pc < part.loop_end; ++pc)
    for_each_slot_use(at(pc), [&](u32 slot, bool) {
      if (written_in_[uses_->root(slot)] == round_ && lists(slot))
        slots_.push_back(static_cast<u16>(slot));
    });
  part.made_end = static_cast<u32>(slots_.size());
}

}  // namespace komuz::vm
