// SPDX-License-Identifier: Apache-2.0
// Calls and returns of the machine on terms.
#include "neural/proof/terms/symbolic_machine.h"

namespace komuz::neural {
namespace {

// Numbers of what a call by name gives, behind those of its cells.
constexpr u32 kTrapOutput = 1u << 20, kTicksOutput = kTrapOutput + 1;

}  // namespace

u32 SymbolicMachine::frames_of_cycle(u16 cycle) const {
  u32 count = 0;
  for (const Frame& f : frames_)
    if (run_.code.functions[f.function].cycle == cycle) ++count;
  return count;
}

// How many calls of its cycle a function that is called now may have below itself; no term: it may not be called.
// Where that is not known, the cases that may not call it trap.
Term SymbolicMachine::calls_left(u32 function) {
  const Function& callee = run_.code.functions[function];
  const Function& entry = run_.code.functions[run_.function];
  if (run_.calls_left != kNoTerm && callee.cycle == entry.cycle) {
    trap(terms_.equal(run_.calls_left, terms_.constant(16, 0)), Trap::Depth);
    return terms_.make(TermOp::Subtract, 16, run_.calls_left, terms_.constant(16, 1));
  }
  const u32 count = frames_of_cycle(callee.cycle);
  if (count < callee.rec) return terms_.constant(16, callee.rec - count - 1);
  trap(terms_.truth(true), Trap::Depth);
  return kNoTerm;
}

void SymbolicMachine::call(u32 function) {
  const Function& callee = run_.code.functions[function];
  const bool is_named = !run_.names.empty() && run_.names[function].is_known;
  if (is_named) return call_by_name(function);
  if (callee.cycle != 0) {
    const Function& entry = run_.code.functions[run_.function];
    if (run_.calls_left != kNoTerm && callee.cycle == entry.cycle)
      return give_up("`" + std::string(run_.code.name(callee)) + "` has no partner");
    const u32 count = frames_of_cycle(callee.cycle);
    if (count >= 4 && (count & (count - 1)) == 0 && !may_be_here()) live_ = terms_.truth(false);
    if (terms_.is_false(live_)) return;
    if (calls_left(function) == kNoTerm) return;
  }
  tick(number(1));
  enter(function, pc_ + 1);
}

void SymbolicMachine::call_by_name(u32 function) {
  const CallName& name = run_.names[function];
  const Function& callee = run_.code.functions[function];
  const size_t first = stack_.size() - callee.parameter_slots;
  std::vector<Term> arguments(stack_.begin() + static_cast<std::ptrdiff_t>(first), stack_.end());
  stack_.resize(first);
  if (callee.cycle != 0) {
    const Term left = calls_left(function);
    if (terms_.is_false(live_)) return;
    arguments.push_back(left);
  }
  tick(number(1));
  FunctionRow row;
  row.name_low = name.low;
  row.name_high = name.high;
  const auto output = [&](u32 what, u32 width, bool is_canonical) {
    row.meaning.b = what;
    row.width = static_cast<u8>(width);
    row.is_canonical = is_canonical;
    return terms_.function(row, arguments);
  };
  if (run_.counts_ticks) tick(output(kTicksOutput, 64, false));
  const Term kind = name.traps != 0 ? output(kTrapOutput, 8, false) : kNoTerm;
  for (u8 t = 1; t < kTrapCount; ++t)
    if ((name.traps >> t & 1) != 0)
      trap(terms_.equal(kind, terms_.constant(8, t)), static_cast<Trap>(t));
  u32 cell = 0;
  for_each_cell(run_.code.result_type(callee),
                [&](Scalar type) { push(output(cell++, cell_bits(type), is_float(type))); });
}

void SymbolicMachine::return_from_function(bool is_last) {
  const Frame& from = frame();
  const u32 results = run_.code.functions[from.function].result_cells;
  const std::span<const Term> top = terms_.is_false(live_)
                                        ? std::span<const Term>()
                                        : std::span<const Term>(stack_).last(results);
  if (!is_last) {
    park(frame().returns, live_, top);
    park_further_out(live_, from.regions);
    live_ = terms_.truth(false);
    return;
  }
  Frame left = std::move(frames_.back());
  std::vector<Term> cells(top.begin(), top.end());
  const bool has_returned = left.returns.when != kNoTerm;
  if (terms_.is_false(live_)) {
    cells = has_returned ? std::move(left.returns.cells) : std::vector<Term>(results, kNoTerm);
    if (has_returned) ticks_ = left.returns.ticks;
  } else if (has_returned) {
    choose(left.returns.when, left.returns.cells, cells);
    cells = std::move(left.returns.cells);
    ticks_ = chosen(left.returns.when, left.returns.ticks, ticks_);
  }
  const bool is_anybody = has_returned || !terms_.is_false(live_);
  live_ = !is_anybody            ? terms_.truth(false)
          : ended_ == left.ended ? left.live
                                 : terms_.both(left.live, terms_.no(ended_));
  frames_.pop_back();
  regions_.resize(left.regions);
  std::erase_if(areas_, [&](const Area& a) { return a.frame >= frames_.size(); });
  stack_.resize(left.height);
  stack_.insert(stack_.end(), cells.begin(), cells.end());
  is_done_ = frames_.empty();
  next_ = left.return_to;
}

}  // namespace komuz::neural
