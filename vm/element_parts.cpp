// SPDX-License-Identifier: Apache-2.0
#include "vm/element_parts.h"

#include <algorithm>

#include "lang/stack_effect.h"

namespace komuz::vm {

namespace {

// Running a part for many iterations takes copies of what they share, and of what each leaves to the rest of the body.
constexpr u32 kMostShared = 32;
constexpr u32 kMostLeft = 12;
// What operations are worth: about their time for a vector of cases, most of which is what it takes to start one.
constexpr u32 kWorkOfCall = 8;
constexpr u32 work_of(Op op, Scalar type) {
  switch (op) {
    case Op::Div:
    case Op::Rem:
    case Op::DivFloor:
    case Op::ModFloor:
    case Op::Div0: return is_integer(type) ? 4 : 2;
    case Op::Sqrt:
    case Op::Sqrt0: return 2;
    default: return op == Op::Pow || (Op::Exp <= op && op <= Op::Fmod) ? 6 : 1;
  }
}
// Measured (docs/measurements.md): to take an element costs each case some time, to fold it less.
constexpr u32 least_work(const ElementPart& part, u32 cases) {
  return part.rest != Rest::Any || part.tests_rest ? 2 * cases - 1 : 5 * cases;
}
// Loops are looked at with all that is in them: beyond this many within each other, which no one writes, none is.
constexpr u32 kMostNested = 16;

// Where control goes on behind the region that an instruction opens, 0 if it opens none, and how many values it leaves there.
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
  i32 height = 0;        // above what lies below the loop; in a region at most so much
  i32 unread = 0;        // 1 + the highest position of a value that is carried
  u32 region_until = 0;  // the place behind the outermost open region
  i32 height_there = 0;
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
  stored_in_.assign(f.slots, 0);
  listed_in_.assign(f.slots, 0);
  u32 nested = 0;
  for (u32 pc = 0; pc < f.code_end - f.code_begin; ++pc) {
    const Op op = at(pc).op;
    if (op == Op::Loop && ++nested <= kMostNested) examine(pc);
    if (op == Op::End) --nested;
  }
}

void ElementParts::note_stores(const ElementPart& part) {
  changed_in_ = ++round_;
  for (u32 pc = part.loop + 1; pc < part.loop_end; ++pc)
    for_each_slot_use(at(pc), [&](u32 first, u32 slots, bool is_store) {
      for (u32 k = 0; k < slots && is_store; ++k) stored_in_[uses_->root(first + k)] = round_;
    });
  // The bound changes only where it is the last value.
  if (!part.is_inclusive) stored_in_[uses_->root(part.counter + 1u)] = 0;
}

void ElementParts::examine(u32 loop) {
  const Instruction next = at(loop + 1);
  if (next.op != Op::ForNext || next.type != Scalar::I64) return;
  ElementPart part{.loop = loop, .loop_end = at(loop).b, .begin = loop + 2};
  part.counter = next.a;
  part.is_inclusive = next.b != 0;
  part.carried_begin = part.carried_end = static_cast<u32>(carried_.size());
  note_stores(part);
  loop_ends_.clear();
  Scan scan{part};
  bool ticks = false, skips = false;
  u32 work = 0;
  for (u32 pc = part.begin; pc < part.loop_end; ++pc) {
    if (pc == scan.region_until) scan.height = scan.height_there;
    if (!scan.is_in_region(pc)) {
      part.end = pc;
      part.height = static_cast<u32>(scan.height);
      part.carried_end = static_cast<u32>(carried_.size());
      ticks = part.ticks;
      skips = part.skips;
      work = scan.work;
    }
    if (!takes(scan, pc)) break;
  }
  part.ticks = ticks;
  part.skips = skips;
  carried_.resize(part.carried_end);
  note_rest(part);
  if (work < least_work(part, cases_)) return carried_.resize(part.carried_begin);
  list_shared(part);
  if (list_made(part)) return parts_.push_back(part);
  slots_.resize(part.shared_begin);
  carried_.resize(part.carried_begin);
}

// May the part read a slot? `is_one`: it is pushed by itself, and may be left on the stack unread.
bool ElementParts::reads(Scan& scan, u32 slot, bool is_one) {
  if (slot == scan.part.counter + 2u || is_local(scan.part, slot)) return true;
  if (!is_stored(slot)) {
    if (listed_in_[slot] == round_) return true;
    listed_in_[slot] = round_;
    return ++scan.shared <= kMostShared;
  }
  if (!is_one || uses_->is_indexed(slot)) return false;
  carried_.push_back({static_cast<u32>(scan.height), static_cast<u16>(slot)});
  scan.unread = scan.height + 1;
  return true;
}

// What a callee refers to would have to be of the lanes of the cases for one reference, of the elements for another.
bool ElementParts::calls(Scan& scan, Instruction i) {
  const Function& callee = code_.functions[i.a];
  for (u32 k = 0; k < callee.parameter_slots; ++k)
    if (is_reference(static_cast<Scalar>(code_.slot_types[callee.slots_begin + k]))) return false;
  scan.work += kWorkOfCall;
  scan.part.ticks = true;
  return true;
}

// Can the part go on with this instruction?
bool ElementParts::takes(Scan& scan, u32 pc) {
  const Instruction i = at(pc);
  ElementPart& part = scan.part;
  const bool in_region = scan.is_in_region(pc);
  while (!loop_ends_.empty() && loop_ends_.back() < pc) loop_ends_.pop_back();
  if (scan.height - cells_read(code_, *function_, i) < scan.unread) return false;
  switch (i.op) {
    case Op::LoadVar:
      if (!reads(scan, i.a, !in_region)) return false;
      break;
    case Op::LoadVars:
      for (u32 k = 0; k < i.b; ++k)
        if (!reads(scan, i.a + k, false)) return false;
      break;
    case Op::LoadAt:
      if (!is_local(part, i.a) && is_stored(i.a)) return false;
      scan.work += 1;
      break;
    case Op::StoreVar:
    case Op::StoreVars:
    case Op::StoreAt:
    case Op::Limit: {
      bool are_local = true;
      for_each_slot_use(i, [&](u32 first, u32 slots, bool) {
        for (u32 k = 0; k < slots; ++k) are_local &= is_local(part, first + k);
      });
      if (!are_local) return false;
      break;
    }
    case Op::ForNext:
      for (u32 k = 0; k < 3; ++k)
        if (!is_local(part, i.a + k)) return false;
      scan.work += kWorkOfCall;
      break;
    case Op::Ref: return false;
    case Op::Call:
      if (!calls(scan, i)) return false;
      break;
    case Op::Tick:
    case Op::Ticks: part.ticks = true; break;
    case Op::Loop: loop_ends_.push_back(i.b); break;
    case Op::Break:
      if (!in_region || i.a >= loop_ends_.size()) return false;
      break;
    case Op::Continue:
      if (!in_region || i.a > loop_ends_.size()) return false;
      part.skips |= i.a == loop_ends_.size();
      break;
    case Op::Return: return false;
    case Op::TrapNow:
    case Op::LoadHole:
      if (!in_region) return false;
      break;
    default:
      if (is_pure_form(op_row(i.op).form)) scan.work += work_of(i.op, i.type);
      scan.work += i.op == Op::LoadRef ? 1 : 0;
      break;
  }
  scan.height += stack_effect(code_, *function_, i);
  if (in_region) return true;
  const RegionEnd region = region_end(code_, code_begin_, i);
  scan.region_until = region.pc;
  scan.height_there = scan.height + region.values;
  return true;
}

bool ElementParts::matches(u32 pc, std::initializer_list<Op> ops) const {
  for (const Op op : ops)
    if (at(pc++).op != op) return false;
  return true;
}

void ElementParts::note_rest(ElementPart& part) const {
  const u32 carried = part.carried_end - part.carried_begin;
  const bool is_alone = part.height == 1 && carried == 0;
  const Instruction branch = at(part.end);
  part.tests_rest =
      is_alone && branch.op == Op::JumpIfFalse && branch.a == 0 && branch.b == part.loop_end;
  if (part.tests_rest) return note_count(part);
  if (carried != 1) return;
  const auto [position, slot] = carried_[part.carried_begin];
  part.variable = slot;
  part.variable_is_left = position == 0;
  part.rest_op = at(part.end).op;
  part.rest_type = at(part.end).type;
  if (part.height == 2) note_fold(part);
  if (part.height == 3 && position == 1) note_best(part);
}

// `if test { v = v + 1 }`
void ElementParts::note_count(ElementPart& part) const {
  const u32 pc = part.end + 1;
  const Instruction load = at(pc), constant = at(pc + 1), fold = at(pc + 2), store = at(pc + 3);
  if (pc + 4 != part.loop_end || load.op != Op::LoadVar || constant.op != Op::LoadConst ||
      folding_number(fold.op) == kFoldingOps || store.op != Op::StoreVar || store.a != load.a)
    return;
  part.rest = Rest::Fold;
  part.rest_op = fold.op;
  part.rest_type = fold.type;
  part.variable = load.a;
  part.variable_is_left = true;
  part.folds_constant = true;
  part.constant = constant.b;
}

// `v = op(v, value)`, `if op(value, v) { … }`
void ElementParts::note_fold(ElementPart& part) const {
  const u32 pc = part.end + 1;
  const Instruction next = at(pc);
  if (comparison_number(part.rest_op) < kComparisons) {
    if (next.op == Op::JumpIfFalse && next.a == 0 && next.b == part.loop_end)
      part.rest = Rest::Pass;
    return;
  }
  if (folding_number(part.rest_op) == kFoldingOps || next.op != Op::StoreVar ||
      next.a != part.variable)
    return;
  // Constants that go to variables beside, as whether there was an element: the last iteration at hand does that, if it comes
  // so far.
  u32 end = pc + 1;
  while (at(end).op == Op::LoadConst && at(end + 1).op == Op::StoreVar &&
         at(end + 1).a != part.variable)
    end += 2;
  if (end == part.loop_end && (end == pc + 1 || !part.skips)) part.rest = Rest::Fold;
}

// What `argmin` and `argmax` do: count, and where the value is better note it and its number.
void ElementParts::note_best(ElementPart& part) const {
  const u32 pc = part.end;
  const bool has_form =
      at(pc - 1).op == Op::LoadConst && matches(pc, {Op::AddWrap, Op::StoreVar, Op::LoadVar}) &&
      (at(pc + 3).op == Op::Min || at(pc + 3).op == Op::Max) &&
      matches(pc + 4, {Op::Copy, Op::LoadVar, Op::Cmp, Op::LoadConst, Op::Ne, Op::JumpIfFalse,
                       Op::LoadVar, Op::StoreVar, Op::StoreVar, Op::End});
  if (!has_form) return;
  const u16 count = part.variable, best = at(pc + 2).a;
  const Instruction branch = at(pc + 9);
  const bool has_operands =
      code_.constants[at(pc - 1).b] == 1 && at(pc + 1).a == count && at(pc + 5).a == best &&
      at(pc + 4).a == 0 && at(pc + 4).b == 0 && code_.constants[at(pc + 7).b] == 0 &&
      branch.a == 0 && branch.b == pc + 12 && at(pc + 10).a == count && at(pc + 11).a != best &&
      at(pc + 11).a != count && at(pc + 12).a == best;
  if (!has_operands) return;
  part.rest = Rest::Best;
  part.rest_op = at(pc + 3).op;
  part.rest_type = at(pc + 3).type;
  part.count = count;
  part.variable = best;
}

void ElementParts::list_shared(ElementPart& part) {
  ++round_;
  part.shared_begin = static_cast<u32>(slots_.size());
  for (u32 pc = part.begin; pc < part.end; ++pc) {
    const Instruction i = at(pc);
    if (i.op != Op::LoadVar && i.op != Op::LoadVars) continue;
    for_each_slot_use(i, [&](u32 first, u32 slots, bool) {
      for (u32 slot = first; slot < first + slots; ++slot) {
        const bool is_shared =
            slot != part.counter + 2u && !is_local(part, slot) && !is_stored(slot);
        if (!is_shared || listed_in_[slot] == round_) continue;
        listed_in_[slot] = round_;
        slots_.push_back(static_cast<u16>(slot));
      }
    });
  }
  part.shared_end = static_cast<u32>(slots_.size());
}

// False if there is too much of it.
bool ElementParts::list_made(ElementPart& part) {
  const u32 made_in = ++round_;
  for (u32 pc = part.begin; pc < part.end; ++pc)
    for_each_slot_use(at(pc), [&](u32 first, u32 slots, bool is_store) {
      for (u32 k = 0; k < slots && is_store; ++k) stored_in_[uses_->root(first + k)] = made_in;
    });
  ++round_;
  for (u32 pc = part.end; pc < part.loop_end; ++pc)
    for_each_slot_use(at(pc), [&](u32 first, u32 slots, bool) {
      for (u32 slot = first; slot < first + slots; ++slot) {
        if (stored_in_[uses_->root(slot)] != made_in || listed_in_[slot] == round_) continue;
        listed_in_[slot] = round_;
        slots_.push_back(static_cast<u16>(slot));
      }
    });
  part.made_end = static_cast<u32>(slots_.size());
  return part.made() + part.height <= kMostLeft;
}

}  // namespace komuz::vm
