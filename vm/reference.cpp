// SPDX-License-Identifier: Apache-2.0
// The reference interpreter: one case at a time, one instruction at a time, as ops.def and code.h define them.
//
// A frame lies in `cells_` as its slots, then its operand stack; the callee's frame starts behind the caller's.
// `loops_` holds the loops that the frames are in. An exit from a loop finds there where the loop ends, and how high
// the operand stack was at its start.
#include <algorithm>
#include <vector>

#include "lang/ops/eval_cells.h"
#include "vm/count_instructions.h"
#include "vm/explain_assertion.h"

namespace komuz::vm {
namespace {

struct Frame {
  u32 function;
  u32 return_to;    // instruction of the caller, behind its CALL
  u32 base;         // first slot in cells_
  u32 loops_begin;  // in loops_
};

struct OpenLoop {
  u32 loop;    // its LOOP
  u32 end;     // its END
  u32 height;  // cells of all frames in use at its start
};

// How a case ended. It has a value if `trap` is None; the value's cells are then the topmost of the stack.
struct Ending {
  Trap trap = Trap::None;
  u32 place = 0;
  u32 depth = 0;
  u64 fuel = 0;
};

EvaluatedCell evaluate(Instruction i, const u64* operands) { return eval_cells(i, operands); }

u64 read_argument(const ArgumentColumn& column, u32 row) {
  switch (column.type) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, T, bytes, cls) \
  case Scalar::Name:                          \
    return cell_of_value(static_cast<const T*>(column.data)[row]);
#include "lang/types.def"
  }
  return 0;
}

class Interpreter {
 public:
  explicit Interpreter(const Job& job)
      : code_(job.code),
        cases_(job.cases),
        entry_(job.function),
        budget_(job.fuel),
        stop_(job.stop),
        constant_columns_(job.constants) {
    if (!constant_columns_.empty())
      constants_.assign(code_.constants.begin(), code_.constants.end());
    if (!constant_columns_.empty()) code_.constants = constants_;
    u32 cycles = 1;
    for (const Function& f : code_.functions)
      if (f.cycle >= cycles) cycles = f.cycle + 1u;
    live_in_cycle_.resize(cycles);
  }

  Ending run_case(u32 row) {
    start(row);
    while (!finished_) step();
    return {trap_, trap_ == Trap::None ? 0 : pc_, trap_ == Trap::None ? 0 : u32(frames_.size()),
            fuel_};
  }

  // Counts the instructions that a case takes.
  [[nodiscard]] u64 count_case(u32 row) {
    u64 count = 0;
    for (start(row); !finished_; ++count) step();
    return count;
  }

  // The i-th cell of the result of the last case.
  [[nodiscard]] u64 result(u32 i) const { return cells_[i]; }

  // Runs a case, and returns the operands of the last comparison that stands right before an assertion.
  [[nodiscard]] std::optional<Comparison> asserted(u32 row) {
    Comparison last;
    bool is_known = false;
    start(row);
    while (!finished_) {
      const Instruction i = code_.instructions[pc_];
      const OpForm form = op_row(i.op).form;
      const u32 below = i.b & 0xFFFF;
      const bool drops = form == OpForm::Project && i.a == 1 && i.b >> 16 == below + 1;
      if (form == OpForm::Compare) last = {i.op, i.type, cells_[top_ - 2], cells_[top_ - 1], {}};
      if (drops) {
        last = {};
        const u64* const operands = cells_.data() + (top_ - below - 1);
        last.cells.assign(operands, operands + below);
      }
      if (form != OpForm::Assert) is_known = form == OpForm::Compare || drops;
      step();
    }
    if (trap_ != Trap::Assert || !is_known) return std::nullopt;
    return last;
  }

 private:
  void start(u32 row) {
    frames_.clear();
    loops_.clear();
    live_in_cycle_.assign(live_in_cycle_.size(), 0);
    fuel_ = 0;
    set_next_look();
    trap_ = Trap::None;
    finished_ = false;
    pc_ = code_.functions[entry_].code_begin;
    enter(entry_, 0, 0);
    for (u32 i = 0; i < cases_.columns.size(); ++i)
      cells_[i] = read_argument(cases_.columns[i], row);
    for (const ConstantColumn& own : constant_columns_)
      constants_[own.constant] = read_argument(own.values, row);
    tick();
  }

  // Makes a frame at `base`, where the arguments already are.
  void enter(u32 function, u32 base, u32 return_to) {
    const Function& f = code_.functions[function];
    frames_.push_back({function, return_to, base, u32(loops_.size())});
    if (f.cycle != 0) ++live_in_cycle_[f.cycle];
    const size_t needed = size_t{base} + f.slots + f.max_stack;
    if (cells_.size() < needed) cells_.resize(needed);
    top_ = base + f.slots;
  }

  void trap(Trap t) {
    trap_ = t;
    finished_ = true;
  }
  void set_next_look() {
    const u64 next = fuel_ + kTicksBetweenLooks;
    next_look_ = stop_ != nullptr && next < budget_ ? next : budget_;
  }
  bool may_go_on() {
    if (fuel_ == budget_ || (stop_ != nullptr && stop_->stop_requested())) return false;
    set_next_look();
    return true;
  }
  void tick() {
    if (fuel_ == next_look_ && !may_go_on()) return trap(Trap::Fuel);
    ++fuel_;
  }
  // Has the effect of one tick after the other, but takes one step up to the next check.
  void ticks(i64 count) {
    for (u64 left = count > 0 ? static_cast<u64>(count) : 0; left != 0;) {
      if (fuel_ == next_look_ && !may_go_on()) return trap(Trap::Fuel);
      const u64 step = std::min(left, next_look_ - fuel_);
      fuel_ += step;
      left -= step;
    }
  }

  u64& slot(u32 number) { return cells_[frames_.back().base + number]; }
  void push(u64 cell) { cells_[top_++] = cell; }
  u64 pop() { return cells_[--top_]; }
  // Pushes the cells from number `first` of cells_ on. The pushed cells may be among them.
  void push_again(u32 first, u32 count) {
    for (u32 k = 0; k < count; ++k) push(cells_[first + k]);
  }

  // The a-th loop outwards becomes the innermost; the operands that its body has left on the stack are dropped.
  OpenLoop unwind_to(u32 out) {
    loops_.resize(loops_.size() - out);
    top_ = loops_.back().height;
    return loops_.back();
  }
  u32 leave_loop(u32 out) {
    const u32 end = unwind_to(out).end;
    loops_.pop_back();
    return end + 1;
  }

  // Executes the instruction at pc_. If it traps, pc_ stays there.
  void step() {
    const Instruction i = code_.instructions[pc_];
    const u32 origin = code_.functions[frames_.back().function].code_begin;
    u32 next = pc_ + 1;
    const OpForm form = op_row(i.op).form;
    switch (form) {
      case OpForm::Const: push(canonical_cell(i.type, code_.constants[i.b])); break;
      case OpForm::Load: push(slot(i.a)); break;
      case OpForm::Store: slot(i.a) = pop(); break;
      case OpForm::LoadSlots:
        for (u32 k = 0; k < i.b; ++k) push(slot(i.a + k));
        break;
      case OpForm::StoreSlots:
        for (u32 k = i.b; k-- > 0;) slot(i.a + k) = pop();
        break;
      case OpForm::LoadAt: load_at(i); break;
      case OpForm::StoreAt: store_at(i); break;
      case OpForm::Ref: refer(i.a, i.b); break;
      case OpForm::RefPart: part_reference(); break;
      case OpForm::LoadRef: load_referred(i.a); break;
      case OpForm::Copy: push_again(top_ - 1 - i.a - i.b, i.b + 1); break;
      // Each cell is a copy of the one a group before it.
      case OpForm::Repeat: push_again(top_ - i.a, i.a * (i.b - 1)); break;
      case OpForm::Consts:
        for (u32 k = 0; k < i.a; ++k) push(canonical_cell(i.type, code_.constants[i.b + k]));
        break;
      case OpForm::EqCells: compare_cells(i); break;
      case OpForm::Hole: trap(Trap::Hole); break;
      case OpForm::Project: project(i.b >> 16, i.b & 0xFFFF, i.a); break;
      case OpForm::Branch:
        if (pop() == 0) next = origin + i.b;
        break;
      case OpForm::Jump: next = origin + i.b; break;
      case OpForm::ShortCircuit:
        if (cells_[top_ - 1] == (i.op == Op::JumpIfTrueOrPop ? 1u : 0u)) {
          next = origin + i.b;
        } else {
          pop();
        }
        break;
      case OpForm::Loop: loops_.push_back({pc_, origin + i.b, top_}); break;
      case OpForm::BreakIf:
        if (pop() == 0) next = leave_loop(0);
        break;
      case OpForm::ForNext:
        if (!for_next(i)) next = leave_loop(0);
        break;
      case OpForm::LoopExit: next = i.op == Op::Break ? leave_loop(i.a) : unwind_to(i.a).end; break;
      case OpForm::End: next = loops_.back().loop + 1; break;
      case OpForm::Slot: limit(slot(i.a)); break;
      case OpForm::Plain: tick(); break;
      case OpForm::Ticks: ticks(static_cast<i64>(pop())); break;
      case OpForm::Call: next = call(i.a); break;
      case OpForm::Return: next = return_from_function(); break;
      case OpForm::Assert:
        if (pop() == 0) trap(Trap::Assert);
        break;
      case OpForm::Require:
        if (pop() == 0) trap(static_cast<Trap>(i.a));
        break;
      case OpForm::TrapNow: trap(static_cast<Trap>(i.a)); break;
      case OpForm::Unary:
      case OpForm::Binary:
      case OpForm::Ternary:
      case OpForm::Shift:
      case OpForm::Compare:
      case OpForm::Order:
      case OpForm::Predicate:
      case OpForm::Count:
      case OpForm::Near:
      case OpForm::Convert: compute(i, operand_count(form)); break;
    }
    if (!finished_) pc_ = next;
  }

  void compute(Instruction i, u32 operands) {
    top_ -= operands;
    const EvaluatedCell result = evaluate(i, &cells_[top_]);
    if (result.trap != Trap::None) return trap(result.trap);
    push(result.value);
  }

  void compare_cells(Instruction i) {
    const u64* const first = &cells_[top_ - (i.b & 0xFFFF) - i.a];
    const u64* const second = &cells_[top_ - (i.b >> 16) - i.a];
    bool all = true;
    for (u32 k = 0; k < i.a; ++k) {
      const u64 pair[] = {first[k], second[k]};
      all = all && evaluate({Op::Eq, i.type, 0, 0}, pair).value != 0;
    }
    push(all ? 1 : 0);
  }

  // A negative offset is a large one without its sign.
  void load_at(Instruction i) {
    const AreaAccess area = area_access(i);
    const u64 offset = pop();
    if (offset >= area.offsets()) return trap(Trap::Index);
    for (u32 k = 0; k < area.cells; ++k) push(slot(i.a + static_cast<u32>(offset) + k));
  }
  void store_at(Instruction i) {
    const AreaAccess area = area_access(i);
    const u64 offset = pop();
    if (offset >= area.offsets()) return trap(Trap::Index);
    for (u32 k = area.cells; k-- > 0;) slot(i.a + static_cast<u32>(offset) + k) = pop();
  }

  // A reference's address is the number of a cell of cells_. False if it traps.
  template <class Reference>
  bool push_reference(const Reference& reference) {
    if (reference.first) trap(Trap::Index);
    push(reference.value);
    return !reference.first;
  }
  void refer(u32 first, u32 slots) {
    push_reference(evaluate_reference(pop(), slots, frames_.back().base + first));
  }
  void part_reference() {
    const u64 high = pop(), low = pop(), whole = pop();
    push_reference(evaluate_part(whole, low, high));
  }
  void load_referred(u32 count) {
    const u64 offset = pop(), whole = pop();
    if (!push_reference(evaluate_rest(whole, offset, count))) return;
    const auto first = static_cast<u32>(pop());
    for (u32 k = 0; k < count; ++k) push(cells_[first + k]);
  }

  // Keeps `kept` of the `taken` topmost cells, from `first` on.
  void project(u32 taken, u32 first, u32 kept) {
    const u32 bottom = top_ - taken;
    for (u32 i = 0; i < kept; ++i) cells_[bottom + i] = cells_[bottom + first + i];
    top_ = bottom + kept;
  }

  // False if the range is done.
  bool for_next(Instruction i) {
    u64& next = slot(i.a);
    u64& bound = slot(i.a + 1u);
    const Op in_range = i.b == 0 ? Op::Lt : Op::Le;
    const u64 ends[] = {next, bound};
    if (evaluate({in_range, i.type, 0, 0}, ends).value == 0) return false;
    slot(i.a + 2u) = next;
    const u64 step[] = {next, 1};
    const EvaluatedCell stepped = evaluate({Op::Add, i.type, 0, 0}, step);
    if (stepped.trap == Trap::None) {
      next = stepped.value;
    } else {
      const u64 lower[] = {bound, 1};
      bound = evaluate({Op::SubWrap, i.type, 0, 0}, lower).value;
    }
    return true;
  }

  void limit(u64& left) {
    if (static_cast<i64>(left) <= 0) return trap(Trap::Limit);
    --left;
  }

  // Returns where execution goes on. First come the arguments, then DEPTH, then the tick.
  u32 call(u32 function) {
    const Function& callee = code_.functions[function];
    if (callee.cycle != 0 && live_in_cycle_[callee.cycle] == callee.rec) {
      trap(Trap::Depth);
      return pc_;
    }
    tick();
    if (finished_) return pc_;
    enter(function, top_ - callee.parameter_slots, pc_ + 1);
    return callee.code_begin;
  }

  // Moves the results to the place of the arguments, which is the top of the caller's stack.
  u32 return_from_function() {
    const Frame frame = frames_.back();
    const Function& f = code_.functions[frame.function];
    frames_.pop_back();
    loops_.resize(frame.loops_begin);
    if (f.cycle != 0) --live_in_cycle_[f.cycle];
    for (u32 i = 0; i < f.result_cells; ++i)
      cells_[frame.base + i] = cells_[top_ - f.result_cells + i];
    top_ = frame.base + f.result_cells;
    finished_ = frames_.empty();
    return frame.return_to;
  }

  CodeView code_;
  CasesView cases_;
  u32 entry_;
  u64 budget_;
  u64 next_look_ = 0;  // fuel at the next check of budget and stop token
  const std::stop_token* stop_;
  std::span<const ConstantColumn> constant_columns_;
  std::vector<u64> constants_;  // of the case, if cases have their own

  std::vector<u64> cells_;
  std::vector<Frame> frames_;
  std::vector<OpenLoop> loops_;
  std::vector<u32> live_in_cycle_;  // live frames of each recursion cycle
  u32 pc_ = 0;
  u32 top_ = 0;  // end of the innermost frame's operand stack in cells_
  u64 fuel_ = 0;
  Trap trap_ = Trap::None;
  bool finished_ = false;
};

}  // namespace

void run_reference(const Job& job, OutcomesView out) {
  Interpreter interpreter(job);
  const u32 count = job.cases.count;
  const u32 results = job.code.functions[job.function].result_cells;
  for (u32 row = 0; row < count; ++row) {
    const Ending ending = interpreter.run_case(row);
    out.traps[row] = ending.trap;
    out.places[row] = ending.place;
    out.depths[row] = ending.depth;
    out.fuel[row] = ending.fuel;
    for (u32 i = 0; i < results; ++i)
      out.values[size_t{i} * count + row] = ending.trap == Trap::None ? interpreter.result(i) : 0;
  }
}

u64 count_instructions(const Job& job) {
  Interpreter interpreter(job);
  u64 count = 0;
  for (u32 row = 0; row < job.cases.count; ++row) count += interpreter.count_case(row);
  return count;
}

std::optional<Comparison> explain_assertion(const Job& job) { return Interpreter(job).asserted(0); }

}  // namespace komuz::vm
