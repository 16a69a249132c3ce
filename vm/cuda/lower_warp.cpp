// SPDX-License-Identifier: Apache-2.0
// Lowering to warp code, the straight part: a virtual stack is kept instead of the operand stack. LOAD_VAR and LOAD_CONST
// only push where a value is; an operation takes its operands from there. At most one value of the virtual stack is in
// the accumulator; when another operation needs the accumulator, that value goes to the home cell of its position.
#include "vm/cuda/lower_warp.h"

#include <algorithm>

#include "lang/eval_cells.h"

namespace komuz::vm {
namespace {

// By operation and type; 0 where there is none: that is a control's.
struct HotCodes {
  WarpOpcode of[kOpCount][kScalarCount] = {};
};
constexpr HotCodes make_hot_codes() {
  HotCodes codes;
#define HOT(Name, form, type)                                            \
  codes.of[static_cast<u32>(Op::Name)][static_cast<u32>(Scalar::type)] = \
      warp_opcode(Hot::Name##type);
#include "vm/cuda/hot_operations.def"
  return codes;
}
constexpr HotCodes kHotCodes = make_hot_codes();

WarpOpcode opcode_of(Instruction i, OpForm form) {
  const WarpOpcode hot = kHotCodes.of[static_cast<u32>(i.op)][static_cast<u32>(i.type)];
  if (hot != 0) return hot;
  const bool has_second_type = form == OpForm::Shift || form == OpForm::Convert;
  return warp_opcode_of_any(i.op, i.type,
                            has_second_type ? static_cast<Scalar>(i.a) : Scalar::None);
}

}  // namespace

void WarpBatch::clear() {
  programs.clear();
  ops.clear();
  places.clear();
  constants.clear();
  types.clear();
}

void WarpBatch::append(const WarpBatch& from, u32 number) {
  WarpProgram program = from.programs[number];
  // A program's part of a column ends where the next one's begins.
  const WarpProgram* const next =
      number + 1 < from.programs.size() ? &from.programs[number + 1] : nullptr;
  const auto copy = [](const auto& column, auto& to, u32& begin, size_t end) {
    const auto first = static_cast<u32>(to.size());
    to.insert(to.end(), column.begin() + begin, column.begin() + static_cast<i64>(end));
    begin = first;
  };
  const size_t ops_end = next != nullptr ? next->ops_begin : from.ops.size();
  places.insert(places.end(), from.places.begin() + program.ops_begin,
                from.places.begin() + static_cast<i64>(ops_end));
  copy(from.ops, ops, program.ops_begin, ops_end);
  copy(from.constants, constants, program.constants_begin,
       next != nullptr ? next->constants_begin : from.constants.size());
  copy(from.types, types, program.types_begin,
       next != nullptr ? next->types_begin : from.types.size());
  programs.push_back(program);
}

bool WarpLowering::add(const CodeView& code, u32 function, WarpBatch& batch) {
  code_ = &code;
  batch_ = &batch;
  fits_ = true;
  const Function& entry = code.functions[function];
  WarpProgram program;
  program.ops_begin = ops_begin_ = static_cast<u32>(batch.ops.size());
  program.constants_begin = constants_begin_ = static_cast<u32>(batch.constants.size());
  program.types_begin = static_cast<u32>(batch.types.size());
  program.results = entry.result_cells;
  program.entry_place = entry.code_begin;
  program.entry_cycle = entry.cycle;
  append_scalars(code.result_type(entry), batch.types);

  functions_.assign(code.functions.size(), {});
  calls_.clear();
  worklist_.assign(1, function);
  functions_[function].is_lowered = true;
  // NOLINTNEXTLINE(modernize-loop-convert): the list grows while it is read
  for (size_t next = 0; next < worklist_.size(); ++next) lower_function(worklist_[next]);
  for (const CallFixup& call : calls_) op_at(call.op).d = functions_[call.function].first_op;
  if (!add_up(program)) fits_ = false;
  if (fits_) {
    batch.programs.push_back(program);
  } else {
    batch.ops.resize(program.ops_begin);
    batch.places.resize(program.ops_begin);
    batch.constants.resize(program.constants_begin);
    batch.types.resize(program.types_begin);
  }
  return fits_;
}

// A function outside of all cycles is at most once in a chain of calls; of a cycle at most `rec` frames are live.
bool WarpLowering::add_up(WarpProgram& program) {
  // So that a place in a warp's memory, in quads, is a u32.
  constexpr u64 kMost = u64{1} << 25;
  cycles_.clear();
  u64 cells = 0, words = kFuelWords;
  for (const u32 number : worklist_) {
    const Function& f = code_->functions[number];
    const LoweredFunction& lowered = functions_[number];
    if (f.cycle == 0) {
      cells += lowered.cells;
      words += lowered.words;
      continue;
    }
    if (cycles_.size() < f.cycle) cycles_.resize(f.cycle);
    Cycle& cycle = cycles_[f.cycle - 1];
    cycle.cells = std::max(cycle.cells, u64{lowered.cells} * f.rec);
    cycle.words = std::max(cycle.words, u64{lowered.words} * f.rec);
  }
  for (const Cycle& cycle : cycles_) {
    cells += cycle.cells;
    words += cycle.words + 1;
  }
  program.cycles = static_cast<u16>(cycles_.size());
  program.cells = static_cast<u32>(cells);
  program.words = static_cast<u32>(words);
  return cells < kMost && words < kMost;
}

void WarpLowering::lower_function(u32 number) {
  const Function& f = code_->functions[number];
  code_begin_ = f.code_begin;
  code_size_ = f.code_end - f.code_begin;
  slot_types_ = code_->slot_types.data() + f.slots_begin;
  returns_early_ = false;
  for (u32 at = 0; at + 1 < code_size_; ++at)
    returns_early_ |= code_->instructions[code_begin_ + at].op == Op::Return;
  is_reachable_ = true;
  stack_base_ = f.slots + (returns_early_ ? f.result_cells : 0u);
  cells_ = std::max<u32>(stack_base_, f.result_cells);
  places_ = most_places_ = 1;
  in_accumulator_ = producer_ = moved_ = 0;
  pushes_ = false;
  shrink(0);
  regions_.clear();
  arm_types_.clear();
  pc_ = 0;

  functions_[number].first_op = here();
  WarpOp& start = emit(WarpControl::Enter);
  start.a = f.cycle;
  start.b = f.rec;
  while (true) {
    close_merges();
    if (pc_ >= code_size_) break;
    next_pc_ = pc_ + 1;
    lower_instruction(f, code_->instructions[code_begin_ + pc_]);
    pc_ = next_pc_;
  }
  if (!is_reachable_) end_function(f);
  functions_[number].cells = cells_;
  functions_[number].words = most_places_ + 1;
  constexpr u32 kLargest = 0xFFFF;
  if (cells_ > kLargest || most_places_ >= kLargest) fits_ = false;
}

WarpOp& WarpLowering::emit(WarpOpcode code) {
  WarpOp& op = batch_->ops.emplace_back();
  batch_->places.push_back(code_begin_ + pc_);
  op.code = code;
  if (pushes_) {
    op.flags = WarpOp::kPushes | (pushes_wide_ ? WarpOp::kPushesWide : 0);
    op.push = static_cast<u16>(push_cell_);
    pushes_ = false;
  }
  producer_ = 0;
  return op;
}

u32 WarpLowering::home(u32 position) {
  const u32 cell = stack_base_ + position;
  cells_ = std::max(cells_, cell + 1);
  return cell;
}

void WarpLowering::set_operand(WarpOp& op, bool is_right, u32 position) {
  const Value& v = stack_[position];
  WarpSource source = WarpSource::Cell;
  u16& cell = is_right ? op.b : op.a;
  switch (v.where) {
    case Where::Accumulator: source = WarpSource::Accumulator; break;
    case Where::Home: cell = static_cast<u16>(home(position)); break;
    case Where::Slot: cell = static_cast<u16>(v.number); break;
    case Where::Constant:
      source = WarpSource::Constant;
      op.d = v.number;
      break;
  }
  op.sources |= static_cast<u8>(static_cast<u32>(source) << (is_right ? 4 : 0));
  if (is_wide_cell(v.type)) op.flags |= is_right ? WarpOp::kRightWide : WarpOp::kLeftWide;
}

void WarpLowering::set_store(WarpOp& op, u32 cell, Scalar type) {
  op.flags |= WarpOp::kStores;
  if (is_wide_cell(type)) op.flags |= WarpOp::kStoresWide;
  op.c = static_cast<u16>(cell);
}

// What is there goes home, with the next operation.
void WarpLowering::free_accumulator() {
  if (in_accumulator_ == 0) return;
  const u32 position = in_accumulator_ - 1;
  stack_[position].where = Where::Home;
  push_cell_ = home(position);
  pushes_wide_ = is_wide_cell(stack_[position].type);
  pushes_ = true;
  in_accumulator_ = 0;
}

void WarpLowering::send_home(u32 position) {
  if (stack_[position].where == Where::Home) return;
  const bool is_there = stack_[position].where == Where::Accumulator;
  free_accumulator();
  if (is_there) return;
  move_to(position, home(position));
  stack_[position].where = Where::Home;
}

// Before control parts the cases: slots may change on one way and not on the other, and there is one accumulator.
void WarpLowering::settle(u32 below) {
  for (u32 position = kept_below_; position < below; ++position)
    if (stack_[position].where == Where::Slot) send_home(position);
  kept_below_ = std::max(kept_below_, below);
  if (in_accumulator_ != 0 && in_accumulator_ <= below) free_accumulator();
}

void WarpLowering::shrink(u32 to) {
  stack_.resize(to);
  kept_below_ = std::min(kept_below_, to);
  if (in_accumulator_ > to) in_accumulator_ = 0;
}

void WarpLowering::lower_instruction(const Function& f, Instruction i) {
  const OpForm form = op_row(i.op).form;
  switch (form) {
    case OpForm::Const: push_constant(i.type, i.b); break;
    case OpForm::Load: load_slots(i.a, 1); break;
    case OpForm::Store: store(i.a); break;
    case OpForm::LoadSlots: load_slots(i.a, i.b); break;
    case OpForm::StoreSlots: store_slots(i.a, i.b); break;
    case OpForm::LoadAt: load_at(i); break;
    case OpForm::StoreAt: store_at(i); break;
    case OpForm::Ref: refer(i); break;
    case OpForm::RefPart: part_reference(); break;
    case OpForm::LoadRef: load_referred(i); break;
    case OpForm::Project: project(i.b >> 16, i.b & 0xFFFF, i.a); break;
    case OpForm::Copy: push_again(height() - 1 - i.a - i.b, i.b + 1); break;
    case OpForm::Repeat: push_again(height() - i.a, i.a * (i.b - 1)); break;
    case OpForm::Consts: load_constants(i); break;
    case OpForm::EqCells: compare_cells(i); break;
    case OpForm::Branch: open_branch(i); break;
    case OpForm::Jump: end_first_arm(i); break;
    case OpForm::ShortCircuit: open_short_circuit(i); break;
    case OpForm::Loop: open_loop(i); break;
    case OpForm::BreakIf:
    case OpForm::ForNext: break_if(i); break;
    case OpForm::LoopExit: exit_loop(i); break;
    case OpForm::End: close_loop(); break;
    case OpForm::Slot:
      keep_values_of(i.a, 1, height());
      emit(WarpControl::Limit).a = i.a;
      break;
    case OpForm::Plain: emit(WarpControl::Tick); break;
    case OpForm::Ticks: emit_test(WarpControl::Ticks); break;
    case OpForm::Call: call(i); break;
    case OpForm::Return: return_values(f); break;
    case OpForm::Assert: require(Trap::Assert); break;
    case OpForm::Require: require(static_cast<Trap>(i.a)); break;
    case OpForm::TrapNow:
      emit(WarpControl::TrapNow).a = i.a;
      unreachable_from_here();
      break;
    case OpForm::Hole:
      emit(WarpControl::TrapNow).a = static_cast<u16>(Trap::Hole);
      unreachable_from_here();
      break;
    case OpForm::Unary:
    case OpForm::Binary:
    case OpForm::Ternary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Near:
    case OpForm::Convert: compute(i, form); break;
  }
}

void WarpLowering::compute(Instruction i, OpForm form) {
  const u32 operands = operand_count(form), bottom = height() - operands;
  if (operands == 3 && stack_[bottom + 2].where != Where::Slot) send_home(bottom + 2);
  // An operation names one constant.
  if (operands > 1 && stack_[bottom].where == Where::Constant &&
      stack_[bottom + 1].where == Where::Constant)
    send_home(bottom);
  if (in_accumulator_ != 0 && in_accumulator_ <= bottom) free_accumulator();

  WarpOp& op = emit(opcode_of(i, form));
  set_operand(op, false, bottom);
  if (operands > 1) set_operand(op, true, bottom + 1);
  if (operands > 2) {
    const Value& third = stack_[bottom + 2];
    op.flags |= WarpOp::kHasThird;
    op.c = static_cast<u16>(third.where == Where::Slot ? third.number : home(bottom + 2));
  }
  shrink(bottom);
  push_result(result_type(form, i.type));
  if (operands > 2) producer_ = 0;
}

void WarpLowering::project(u32 taken, u32 first, u32 kept) {
  const u32 bottom = height() - taken;
  kept_below_ = std::min(kept_below_, bottom);
  const u32 there = in_accumulator_ - 1;
  if (in_accumulator_ != 0 && there >= bottom &&
      (there < bottom + first || there >= bottom + first + kept))
    in_accumulator_ = 0;
  for (u32 k = 0; k < kept && first != 0; ++k) {
    const u32 from = bottom + first + k, to = bottom + k;
    if (stack_[from].where == Where::Home) {
      free_accumulator();
      move_to(from, home(to));
    }
    stack_[to] = stack_[from];
    if (stack_[to].where == Where::Accumulator) in_accumulator_ = to + 1;
  }
  shrink(bottom + kept);
  producer_ = 0;
}

}  // namespace komuz::vm
