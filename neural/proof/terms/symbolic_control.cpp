// SPDX-License-Identifier: Apache-2.0
// Branches, loops, exits, traps and ticks of the machine on terms.
#include "neural/proof/terms/symbolic_machine.h"

namespace komuz::neural {
namespace {

// Rounds after which somebody is asked whether a case may still be in a loop: 4, 8, 16 … Later it costs too much.
bool is_time_to_ask(u32 rounds) {
  return rounds >= 4 && rounds <= 64 && (rounds & (rounds - 1)) == 0;
}

}  // namespace

Term SymbolicMachine::live_after(const Region& region) {
  Term live = region.live;
  if (ended_ != region.ended) live = terms_.both(live, terms_.no(ended_));
  if (region.away != kNoTerm) live = terms_.both(live, terms_.no(region.away));
  return live;
}

void SymbolicMachine::branch(Instruction i) {
  const Term condition = pop();
  const Term first = terms_.both(live_, condition);
  const Term second = terms_.both(live_, terms_.no(condition));
  if (terms_.is_false(first)) {
    next_ = origin() + i.b;
    return;
  }
  if (terms_.is_false(second)) return;
  Region region;
  region.height = static_cast<u32>(stack_.size());
  region.condition = condition;
  region.live = live_;
  region.ended = ended_;
  region.slots = frame().slots;
  region.ticks = ticks_;
  if (i.a == 1) {
    region.kind = RegionKind::FirstArm;
    region.begin = origin() + i.b;
  } else {
    // The other side is that of the cases that go by.
    region.kind = RegionKind::LastArm;
    region.end = origin() + i.b;
    region.condition = terms_.no(condition);
    region.arm_live = second;
  }
  live_ = first;
  regions_.push_back(std::move(region));
}

// The end of a first arm. Where the other one cannot be, there is no region.
void SymbolicMachine::jump(Instruction i) {
  const u32 merge = origin() + i.b;
  next_ = merge;
  if (regions_.size() == frame().regions) return;
  Region& region = regions_.back();
  if (region.kind != RegionKind::FirstArm || region.begin != pc_ + 1) return;
  region.kind = RegionKind::LastArm;
  region.end = merge;
  region.arm_live = live_;
  region.cells.assign(i.a, kNoTerm);
  if (!terms_.is_false(live_))
    for (u32 k = 0; k < i.a; ++k) region.cells[k] = stack_[region.height + k];
  stack_.resize(region.height);
  region.slots.swap(frame().slots);
  std::swap(region.ticks, ticks_);
  live_ = terms_.both(region.live, terms_.no(region.condition));
  next_ = pc_ + 1;
}

void SymbolicMachine::lazy(Instruction i) {
  const bool is_or = i.op == Op::JumpIfTrueOrPop;
  const Term left = stack_.back();
  const Term stays = is_or ? left : terms_.no(left);  // the left operand decides
  const Term goes = terms_.both(live_, terms_.no(stays));
  if (terms_.is_false(goes)) {
    next_ = origin() + i.b;
    return;
  }
  pop();
  Region region;
  region.arm_live = terms_.both(live_, stays);
  if (terms_.is_false(region.arm_live)) return;
  region.kind = RegionKind::LastArm;
  region.end = origin() + i.b;
  region.height = static_cast<u32>(stack_.size());
  region.condition = stays;
  region.live = live_;
  region.ended = ended_;
  region.slots = frame().slots;
  region.ticks = ticks_;
  region.cells = {terms_.truth(is_or)};
  live_ = goes;
  regions_.push_back(std::move(region));
}

void SymbolicMachine::close_regions() {
  while (regions_.size() > frame().regions && regions_.back().kind == RegionKind::LastArm &&
         regions_.back().end == pc_) {
    Region region = std::move(regions_.back());
    regions_.pop_back();
    close_branch(region);
  }
}

void SymbolicMachine::close_branch(Region& region) {
  count_.steps += 1 + region.slots.size() / 16;
  if (terms_.is_false(live_)) {
    stack_.resize(region.height);
    stack_.insert(stack_.end(), region.cells.begin(), region.cells.end());
    frame().slots.swap(region.slots);
    ticks_ = region.ticks;
    live_ = terms_.is_false(region.arm_live) ? region.arm_live : live_after(region);
    return;
  }
  live_ = live_after(region);
  if (terms_.is_false(region.arm_live)) return;
  for (size_t k = 0; k < region.cells.size(); ++k)
    stack_[region.height + k] =
        chosen(region.condition, region.cells[k], stack_[region.height + k]);
  for (size_t k = 0; k < region.slots.size(); ++k)
    slot(static_cast<u32>(k)) =
        chosen(region.condition, region.slots[k], slot(static_cast<u32>(k)));
  ticks_ = chosen(region.condition, region.ticks, ticks_);
}

// Nobody is here: goes on where somebody may be.
bool SymbolicMachine::skip() {
  if (regions_.size() == frame().regions) {
    pc_ = run_.code.functions[frame().function].code_end - 1;
    return false;
  }
  const Region& region = regions_.back();
  stack_.resize(region.height);
  pc_ = region.kind == RegionKind::FirstArm ? region.begin - 1 : region.end;
  return region.kind == RegionKind::LastArm;
}

void SymbolicMachine::open_loop(Instruction i) {
  Region region;
  region.begin = pc_;
  region.end = origin() + i.b;
  region.height = static_cast<u32>(stack_.size());
  region.live = live_;
  region.ended = ended_;
  regions_.push_back(std::move(region));
}

void SymbolicMachine::end_loop() {
  Region& loop = regions_.back();
  stack_.resize(loop.height);
  if (Parked& parked = loop.continues; parked.when != kNoTerm) {
    if (terms_.is_false(live_)) {
      frame().slots.swap(parked.cells);
      ticks_ = parked.ticks;
    } else {
      choose(parked.when, parked.cells, frame().slots);
      frame().slots.swap(parked.cells);
      ticks_ = chosen(parked.when, parked.ticks, ticks_);
    }
    live_ = terms_.either(live_, parked.when);
    parked = {};
  }
  if (round_of_ == regions_.size()) {
    is_done_ = true;
    return;
  }
  ++loop.rounds;
  if (is_time_to_ask(loop.rounds) && !may_be_here()) live_ = terms_.truth(false);
  if (!terms_.is_false(live_)) {
    next_ = loop.begin + 1;
    // As long as nobody has left, the arguments do not matter.
    if (live_ != loop.live && ++loop.open_rounds > kMostOpenRounds) {
      endless_loop_ = loop.begin;
      give_up("a loop has no end that can be seen, at " + place());
    }
    return;
  }
  if (loop.breaks.when != kNoTerm) {
    frame().slots.swap(loop.breaks.cells);
    ticks_ = loop.breaks.ticks;
    live_ = live_after(loop);
  }
  regions_.pop_back();
}

bool SymbolicMachine::may_be_here() {
  return terms_.is_true(live_) || run_.may_be == nullptr ||
         (!terms_.is_false(live_) && run_.may_be(live_));
}

void SymbolicMachine::park(Parked& parked, Term when, std::span<const Term> cells) {
  std::vector<Term> now(cells.begin(), cells.end());
  count_.steps += now.size() / 16;
  if (parked.when == kNoTerm) {
    parked = {when, std::move(now), ticks_};
    return;
  }
  choose(when, now, parked.cells);
  parked.cells = std::move(now);
  parked.ticks = chosen(when, ticks_, parked.ticks);
  parked.when = terms_.either(parked.when, when);
}

// … than the topmost regions down to number `regions`.
void SymbolicMachine::park_further_out(Term when, size_t regions) {
  for (size_t r = regions; r < regions_.size(); ++r) {
    Term& away = regions_[r].away;
    away = away == kNoTerm ? when : terms_.either(away, when);
  }
}

void SymbolicMachine::leave_loop(Term when, u32 out, bool is_break) {
  const Term leaving = terms_.both(live_, when);
  if (terms_.is_false(leaving)) return;
  size_t at = regions_.size() - 1;
  for (u32 left = out;; --at) {
    if (regions_[at].kind != RegionKind::Loop) continue;
    if (left-- == 0) break;
  }
  park(is_break ? regions_[at].breaks : regions_[at].continues, leaving, frame().slots);
  park_further_out(leaving, at + 1);
  live_ = terms_.both(live_, terms_.no(when));
}

void SymbolicMachine::for_next(Instruction i) {
  const u32 at = i.a;
  const Term next = read(slot(at), i.type), bound = read(slot(at + 1), i.type);
  const Term ends[] = {next, bound};
  const Op in_range = i.b == 0 ? Op::Lt : Op::Le;
  leave_loop(terms_.no(evaluate({in_range, i.type, 0, 0}, ends).value), 0, true);
  slot(at + 2) = next;
  const Term one = terms_.constant(cell_bits(i.type), 1);
  const Term step[] = {next, one};
  const EvaluatedTerm stepped = evaluate({Op::Add, i.type, 0, 0}, step);
  slot(at) = stepped.value;
  // What is less than a bound has a next one.
  if (i.b == 0 || stepped.first == kNoTerm) return;
  slot(at) = terms_.select(stepped.first, next, stepped.value);
  const Term lower = terms_.make(TermOp::Subtract, cell_bits(i.type), bound, one);
  slot(at + 1) = terms_.select(stepped.first, lower, bound);
}

void SymbolicMachine::trap(Term when, Trap kind) {
  const Term ending = terms_.both(live_, when);
  if (terms_.is_false(ending)) return;
  Term& ended = traps_[static_cast<u8>(kind)];
  ended = terms_.either(ended, ending);
  if (run_.counts_ticks) end_ticks_ = chosen(ending, ticks_, end_ticks_);
  ended_ = terms_.either(ended_, ending);
  live_ = terms_.both(live_, terms_.no(when));
}
void SymbolicMachine::trap(const EvaluatedTerm& evaluated) {
  if (evaluated.first != kNoTerm) trap(evaluated.first, evaluated.first_trap);
  if (evaluated.second != kNoTerm) trap(evaluated.second, evaluated.second_trap);
}

// Ends at the largest number: no budget is larger.
void SymbolicMachine::tick(Term count) {
  if (!run_.counts_ticks) return;
  const Term sum = terms_.make(TermOp::Add, 64, ticks_, count);
  // That many ticks of their own no run can have; TICKS alone makes more.
  const bool is_small =
      !has_large_ticks_ && terms_.is_constant(count) && terms_.row(count).value <= 1;
  ticks_ = is_small ? sum
                    : terms_.select(terms_.make(TermOp::LessUnsigned, 1, sum, count),
                                    number(~u64{0}), sum);
}

}  // namespace komuz::neural
