// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/terms/execute.h"

#include <algorithm>

#include "lang/layout.h"
#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/symbolic_machine.h"

namespace komuz::neural {

SymbolicMachine::SymbolicMachine(Terms& terms, const SymbolicRun& run, StepCount& count)
    : terms_(terms), run_(run), count_(count) {
  live_ = terms_.truth(true);
  ended_ = terms_.truth(false);
  traps_.fill(ended_);
  if (run_.counts_ticks) ticks_ = number(1);
}

SymbolicMachine::Pause SymbolicMachine::go_on() {
  const TermWriter writer(terms_);
  if (frames_.empty() && !is_done_) {
    for (const Term t : run_.arguments) push(t);
    enter(run_.function, 0);
  }
  while (!is_done_ && why_.empty()) {
    close_regions();
    while (terms_.is_false(live_) && skip()) close_regions();
    const bool is_loop = run_.code.instructions[pc_].op == Op::Loop && !terms_.is_false(live_);
    if (is_loop && std::ranges::find(run_.paused_loops, pc_) != run_.paused_loops.end()) {
      if (!is_in_open_loop()) return Pause::AtLoop;
      continue;
    }
    if (may_go_on()) step();
  }
  return why_.empty() ? Pause::Done : Pause::GaveUp;
}

// A loop that is not unrolled lies in one that should not be, either: it would be looked at again and again.
bool SymbolicMachine::is_in_open_loop() {
  const auto outer = std::ranges::find_if(
      regions_, [](const Region& r) { return r.open_rounds >= kMostOpenRoundsAround; });
  if (outer == regions_.end()) return false;
  endless_loop_ = outer->begin;
  give_up("a loop has no end that can be seen, at " + place());
  return true;
}

SymbolicOutcome SymbolicMachine::outcome() {
  SymbolicOutcome outcome;
  outcome.why = why_;
  outcome.endless_loop = endless_loop_;
  if (!outcome.why.empty()) return outcome;
  outcome.cells = stack_;
  outcome.traps = traps_;
  outcome.traps[0] = terms_.no(ended_);
  if (run_.counts_ticks)
    outcome.ticks = terms_.is_false(ended_) ? ticks_ : chosen(ended_, end_ticks_, ticks_);
  return outcome;
}

// The arguments are on the stack.
void SymbolicMachine::enter(u32 function, u32 return_to) {
  const Function& f = run_.code.functions[function];
  Frame made;
  made.function = function;
  made.return_to = return_to;
  if (!frames_.empty()) {
    const Function& caller = run_.code.functions[frame().function];
    made.base = frame().base + caller.slots + caller.max_stack;
  }
  made.regions = regions_.size();
  made.live = live_;
  made.ended = ended_;
  made.slots.assign(f.slots, kNoTerm);
  const size_t first = stack_.size() - f.parameter_slots;
  for (u32 k = 0; k < f.parameter_slots; ++k) made.slots[k] = stack_[first + k];
  stack_.resize(first);
  made.height = first;
  frames_.push_back(std::move(made));
  pc_ = next_ = f.code_begin;
}

std::string SymbolicMachine::place() const {
  const Function& f = run_.code.functions[frames_.back().function];
  return "`" + std::string(run_.code.name(f)) + "`, instruction " +
         std::to_string(pc_ - f.code_begin);
}

void SymbolicMachine::give_up(std::string why) {
  if (why_.empty()) why_ = std::move(why);
}

bool SymbolicMachine::may_go_on() {
  ++count_.steps;
  if (run_.stop != nullptr && count_.steps % 1024 == 0 && run_.stop->stop_requested())
    give_up("it was stopped");
  if (count_.steps <= kMostSteps && terms_.rows().size() <= kMostTerms) return why_.empty();
  // The outermost loop or recursion that goes on says most.
  const auto loop = std::ranges::find_if(
      regions_, [](const Region& r) { return r.open_rounds >= 8 || r.rounds >= kMostOpenRounds; });
  std::string what = "the code is too long, at " + place();
  if (loop != regions_.end()) {
    endless_loop_ = loop->begin;
    what = "a loop has no end that can be seen, at " + place();
  }
  for (const Frame& f : frames_)
    if (const Function& function = run_.code.functions[f.function]; function.cycle != 0)
      what = "the calls of `" + std::string(run_.code.name(function)) + "` are too many";
  give_up(what + " (after " + std::to_string(count_.steps) + " steps)");
  return false;
}

Scalar SymbolicMachine::slot_type(u32 function, u32 slot) const {
  return static_cast<Scalar>(
      run_.code.slot_types[run_.code.functions[function].slots_begin + slot]);
}
// A cell that no live case has written is any: a zero.
Term SymbolicMachine::read(Term cell, Scalar type) {
  return cell != kNoTerm ? cell : terms_.constant(cell_bits(type), 0);
}
Term SymbolicMachine::pop() {
  const Term top = stack_.back();
  stack_.pop_back();
  return top;
}
Term SymbolicMachine::chosen(Term when, Term a, Term b) {
  if (a == b || b == kNoTerm) return a;
  return a == kNoTerm ? b : terms_.select(when, a, b);
}
void SymbolicMachine::choose(Term when, std::vector<Term>& a, const std::vector<Term>& b) {
  for (size_t k = 0; k < a.size(); ++k) a[k] = chosen(when, a[k], b[k]);
  count_.steps += a.size() / 64;
}

void SymbolicMachine::compute(Instruction i) {
  const u32 operands = operand_count(op_row(i.op).form);
  const size_t first = stack_.size() - operands;
  const EvaluatedTerm result = evaluate(i, stack_.data() + first);
  stack_.resize(first);
  trap(result);
  push(result.value);
}

void SymbolicMachine::compare_cells(Instruction i) {
  const size_t first = stack_.size() - (i.b & 0xFFFF) - i.a,
               second = stack_.size() - (i.b >> 16) - i.a;
  Term all = terms_.truth(true);
  for (u32 k = 0; k < i.a; ++k) {
    const Term pair[] = {stack_[first + k], stack_[second + k]};
    all = terms_.both(all, evaluate({Op::Eq, i.type, 0, 0}, pair).value);
  }
  push(all);
}

void SymbolicMachine::project(Instruction i) {
  const size_t bottom = stack_.size() - (i.b >> 16), first = bottom + (i.b & 0xFFFF);
  for (u32 k = 0; k < i.a; ++k) stack_[bottom + k] = stack_[first + k];
  stack_.resize(bottom + i.a);
}

void SymbolicMachine::step() {
  const Instruction i = run_.code.instructions[pc_];
  const std::span<const u64> constants = run_.code.constants;
  next_ = pc_ + 1;
  const OpForm form = op_row(i.op).form;
  const auto type_of = [&](u32 k) { return slot_type(frame().function, k); };
  switch (form) {
    case OpForm::Const: push(cell_term(terms_, i.type, constants[i.b])); break;
    case OpForm::Load: push(read(slot(i.a), i.type)); break;
    case OpForm::Store: slot(i.a) = pop(); break;
    case OpForm::LoadSlots:
      for (u32 k = 0; k < i.b; ++k) push(read(slot(i.a + k), type_of(i.a + k)));
      break;
    case OpForm::StoreSlots:
      for (u32 k = i.b; k-- > 0;) slot(i.a + k) = pop();
      break;
    case OpForm::LoadAt: load_at(i); break;
    case OpForm::StoreAt: store_at(i); break;
    case OpForm::Ref: refer(i); break;
    case OpForm::RefPart: part_reference(); break;
    case OpForm::LoadRef: load_referred(i); break;
    case OpForm::Copy: {
      const size_t first = stack_.size() - 1 - i.a - i.b;
      for (u32 k = 0; k < i.b + 1; ++k) push(stack_[first + k]);
      break;
    }
    case OpForm::Repeat: {
      const size_t first = stack_.size() - i.a;
      for (u32 k = 0; k < i.a * (i.b - 1); ++k) push(stack_[first + k]);
      break;
    }
    case OpForm::Consts:
      for (u32 k = 0; k < i.a; ++k) push(cell_term(terms_, i.type, constants[i.b + k]));
      break;
    case OpForm::EqCells: compare_cells(i); break;
    case OpForm::Hole:
      trap(terms_.truth(true), Trap::Hole);
      push(terms_.constant(cell_bits(i.type), 0));
      break;
    case OpForm::Project: project(i); break;
    case OpForm::Branch: branch(i); break;
    case OpForm::Jump: jump(i); break;
    case OpForm::ShortCircuit: lazy(i); break;
    case OpForm::Loop: open_loop(i); break;
    case OpForm::BreakIf: leave_loop(terms_.no(pop()), 0, true); break;
    case OpForm::ForNext: for_next(i); break;
    case OpForm::LoopExit: leave_loop(terms_.truth(true), i.a, i.op == Op::Break); break;
    case OpForm::End: end_loop(); break;
    case OpForm::Slot: {
      const Term left = read(slot(i.a), Scalar::I64);
      trap(terms_.make(TermOp::LessSigned, 1, left, number(1)), Trap::Limit);
      slot(i.a) = terms_.make(TermOp::Subtract, 64, left, number(1));
      break;
    }
    case OpForm::Plain: tick(number(1)); break;
    case OpForm::Ticks: {
      const Term count = pop();
      has_large_ticks_ = true;
      tick(terms_.select(terms_.make(TermOp::LessSigned, 1, count, number(0)), number(0), count));
      break;
    }
    case OpForm::Call: call(i.a); break;
    case OpForm::Return: {
      const Function& f = run_.code.functions[frame().function];
      return_from_function(pc_ + 1 == f.code_end);
      break;
    }
    case OpForm::Assert: trap(terms_.no(pop()), Trap::Assert); break;
    case OpForm::Require: trap(terms_.no(pop()), static_cast<Trap>(i.a)); break;
    case OpForm::TrapNow: trap(terms_.truth(true), static_cast<Trap>(i.a)); break;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near:
    case OpForm::Convert: compute(i); break;
  }
  pc_ = next_;
}

SymbolicOutcome execute(Terms& terms, const SymbolicRun& run, StepCount& count) {
  SymbolicMachine machine(terms, run, count);
  // No loop is paused at: there is nobody to ask.
  (void)machine.go_on();
  return machine.outcome();
}

}  // namespace komuz::neural
