// SPDX-License-Identifier: Apache-2.0
// Lowering to warp code, the straight part: a virtual stack is kept instead of the operand stack. LOAD_VAR and
// LOAD_CONST only push where a value is; an operation takes its operands from there. At most one value of the
// virtual stack is in the accumulator; when another operation needs the accumulator, that value goes to the home
// cell of its position.
//
// Written over a Storage (base/rows.h): the host lowers programs that come from text (lower_warp.h), a device the
// variants of a sketch that it binds itself.
#pragma once
#include <algorithm>

#include "base/rows.h"
#include "lang/eval_cells.h"
#include "lang/layout.h"
#include "vm/cuda/warp_code.h"

namespace komuz::vm {

// What lowering reads of checked code. `result_types` are the scalars of the functions' results, those of function
// f from result_begins[f] on.
struct LoweringInput {
  const Instruction* instructions;
  const u64* constants;
  const Function* functions;
  const u8* slot_types;
  const u8* result_types;
  const u32* result_begins;
  u32 function_count;
};

// Where warp code goes.
template <class Storage>
struct LoweringOutput {
  typename Storage::template List<WarpOp>* ops;
  typename Storage::template List<u32>* places;  // of each operation: the instruction it stands for
  typename Storage::template List<u64>* constants;
};

enum class Lowered : u8 {
  Done,
  TooLarge,  // a frame has more cells, or a program more waiting places, than the fields of warp code can number
  NoRoom,  // some list is too short
};

// Does a cell of the type take the high halves, too?
[[nodiscard]] HD constexpr bool is_wide_cell(Scalar type) { return scalar_bytes(type) == 8; }

namespace lowering {

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
HD_TABLE HotCodes kHotCodes = make_hot_codes();
HD constexpr const WarpOpcode& hot_code(Op op, Scalar type) {
  return kHotCodes.of[static_cast<u32>(op)][static_cast<u32>(type)];
}

}  // namespace lowering

// Scratch of the lowering; kept from program to program so that it stops allocating.
template <class Storage>
class Lowering {
 public:
  Lowering() = default;
  // How long its lists may become.
  struct Room {
    u32 functions = 0, calls = 0, stack = 0, regions = 0;
  };
  HD Lowering(RowsMemory& memory, const Room& room)
      : functions_(memory.take<LoweredFunction>(room.functions)),
        worklist_(memory.take<u32>(room.functions)),
        calls_(memory.take<CallFixup>(room.calls)),
        cycles_(memory.take<Cycle>(room.functions)),
        stack_(memory.take<Value>(room.stack)),
        regions_(memory.take<Region>(room.regions)),
        arm_types_(memory.take<Scalar>(2 * room.stack)) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<LoweredFunction>(room.functions) +
           RowsMemory::bytes<u32>(room.functions) + RowsMemory::bytes<CallFixup>(room.calls) +
           RowsMemory::bytes<Cycle>(room.functions) + RowsMemory::bytes<Value>(room.stack) +
           RowsMemory::bytes<Region>(room.regions) + RowsMemory::bytes<Scalar>(2 * room.stack);
  }

  // Appends `function` and all that it calls. `program` is filled in but for types_begin. What has been appended means
  // something if it is Done.
  [[nodiscard]] HD_CALL Lowered run(const LoweringInput& code, u32 function,
                                    const LoweringOutput<Storage>& out, WarpProgram& program);

 private:
  // A value of the virtual operand stack: where it is.
  enum class Where : u8 { Accumulator, Home, Slot, Constant };
  struct Value {
    Where where = Where::Home;
    Scalar type = Scalar::None;
    u32 number = 0;  // of the slot or constant
  };
  enum class RegionKind : u8 { If, FirstArm, SecondArm, ShortCircuit, Loop };
  struct Region {
    RegionKind kind = RegionKind::If;
    bool first_arm_ends = false;  // SecondArm: cases come out of the first one
    bool has_exit = false;        // Loop: something leaves it
    u32 place = 0;                // its first waiting place
    u32 end = 0;                  // the instruction where control goes on
    u32 height = 0;               // of the stack below it
    u32 values = 0;               // that either way leaves
    u32 op = 0;                   // the operation that opened it
    // Loop: 1 + the last operation that goes to its end; its `d` holds the one before.
    u32 pending = 0;
  };
  struct LoweredFunction {
    u32 first_op = 0, cells = 0, words = 0;
    bool is_lowered = false;
  };
  struct CallFixup {
    u32 op = 0, function = 0;
  };
  struct Cycle {
    u64 cells = 0, words = 0;
  };

  HD_CALL void lower_function(u32 number);
  HD_CALL void lower_instruction(const Function& f, Instruction i);
  [[nodiscard]] HD_CALL static WarpOpcode opcode_of(Instruction i, OpForm form);
  HD_CALL void compute(Instruction i, OpForm form);
  HD_CALL void store(u32 slot);
  HD_CALL void store_slots(u32 first, u32 count);
  HD_CALL void load_at(Instruction i);
  HD_CALL void store_at(Instruction i);
  HD_CALL void refer(Instruction i);
  HD_CALL void part_reference();
  HD_CALL void load_referred(Instruction i);
  HD_CALL void push_result(Scalar type);
  HD_CALL void require(Trap trap);
  HD_CALL void project(u32 taken, u32 first, u32 kept);
  HD_CALL void copy(u32 position);
  HD_CALL void push_again(u32 first, u32 count);
  HD_CALL void load_constants(Instruction i);
  HD_CALL void compare_cells(Instruction i);
  HD_CALL void push_constant(Scalar type, u32 number);
  [[nodiscard]] HD_CALL u32 cells_in_order(u32 first, u32 count);
  HD_CALL void load_slots(u32 first, u32 count);
  [[nodiscard]] HD_CALL bool add_up(WarpProgram& program);
  [[nodiscard]] HD_CALL bool has_step_room();

  HD_CALL void open_branch(Instruction i);
  HD_CALL void open_short_circuit(Instruction i);
  HD_CALL void end_first_arm(Instruction i);
  HD_CALL void open_loop(Instruction i);
  HD_CALL void close_merges();
  HD_CALL void close_merge();
  HD_CALL void close_loop();
  HD_CALL void break_if(Instruction i);
  HD_CALL void exit_loop(Instruction i);
  HD_CALL void call(Instruction i);
  HD_CALL void return_values(const Function& f);
  HD_CALL void end_function(const Function& f);
  HD_CALL void unreachable_from_here();
  HD_CALL Region& open(RegionKind kind, u32 places);
  HD_CALL Region& innermost_loop(u32 out);

  HD_CALL WarpOp& emit(WarpOpcode code);
  HD_CALL WarpOp& emit_test(WarpControl control);
  HD_CALL void set_operand(WarpOp& op, bool is_right, u32 position);
  HD_CALL void set_store(WarpOp& op, u32 cell, Scalar type);
  HD_CALL void move_to(u32 position, u32 cell);
  [[nodiscard]] HD_CALL bool extend_move(u32 position, u32 cell);
  HD_CALL void move_results(u32 results, u32 first);
  HD_CALL void free_accumulator();
  HD_CALL void send_home(u32 position);
  HD_CALL void keep_values_of(u32 first, u32 count, u32 below);
  HD_CALL void settle(u32 below);
  HD_CALL void shrink(u32 to);
  [[nodiscard]] HD_CALL u32 home(u32 position);
  HD WarpOp& emit(WarpControl control) { return emit(warp_opcode(control)); }
  [[nodiscard]] HD u32 height() const { return static_cast<u32>(stack_.size()); }
  // Operations of the program so far.
  [[nodiscard]] HD u32 here() const { return static_cast<u32>(ops_->size()) - ops_begin_; }
  [[nodiscard]] HD WarpOp& op_at(u32 number) { return (*ops_)[ops_begin_ + number]; }

  template <class T>
  using List = typename Storage::template List<T>;

  LoweringInput code_{};
  List<WarpOp>* ops_ = nullptr;
  List<u32>* places_of_ops_ = nullptr;
  List<u64>* constants_ = nullptr;
  u32 ops_begin_ = 0, constants_begin_ = 0;
  bool fits_ = true, has_room_ = true;
  List<LoweredFunction> functions_;
  List<u32> worklist_;
  List<CallFixup> calls_;
  List<Cycle> cycles_;

  // Of the function at hand.
  u32 code_begin_ = 0, code_size_ = 0;
  u32 pc_ = 0, next_pc_ = 0;
  bool returns_early_ = false, is_reachable_ = true;
  u32 most_stack_ = 0;
  u32 stack_base_ = 0;  // cell of the operand stack's first position
  u32 cells_ = 0, places_ = 0, most_places_ = 0;
  // 1 + the operation that moves cells, while that is the last one and more may join it
  u32 moved_ = 0;
  List<Value> stack_;
  u32 kept_below_ = 0;      // no value of the stack below this position stands for a slot
  u32 in_accumulator_ = 0;  // 1 + the position of the value there; 0: none
  u32 producer_ = 0;        // 1 + the operation that made it, while that is the last operation
  // The accumulator is to be pushed by the next operation.
  bool pushes_ = false, pushes_wide_ = false;
  u32 push_cell_ = 0;
  const u8* slot_types_ = nullptr;
  List<Region> regions_;
  List<Scalar> arm_types_;  // of the values of open second arms and short circuits
};

template <class Storage>
HD_CALL Lowered Lowering<Storage>::run(const LoweringInput& code, u32 function,
                                       const LoweringOutput<Storage>& out, WarpProgram& program) {
  code_ = code;
  ops_ = out.ops;
  places_of_ops_ = out.places;
  constants_ = out.constants;
  fits_ = has_room_ = true;
  const Function& entry = code.functions[function];
  program.ops_begin = ops_begin_ = static_cast<u32>(ops_->size());
  program.constants_begin = constants_begin_ = static_cast<u32>(constants_->size());
  program.results = entry.result_cells;
  program.entry_place = entry.code_begin;
  program.entry_cycle = entry.cycle;

  calls_.clear();
  functions_.clear();
  if (!has_room(functions_, code.function_count)) return Lowered::NoRoom;
  functions_.assign(code.function_count, {});
  worklist_.assign(1, function);
  functions_[function].is_lowered = true;
  // The list grows while it is read.
  for (size_t next = 0; next < worklist_.size() && has_room_; ++next)
    lower_function(worklist_[next]);
  if (!has_room_) return Lowered::NoRoom;
  for (size_t k = 0; k < calls_.size(); ++k)
    op_at(calls_[k].op).d = functions_[calls_[k].function].first_op;
  return add_up(program) && fits_ ? Lowered::Done : Lowered::TooLarge;
}
// A function outside of all cycles is at most once in a chain of calls; of a cycle at most `rec` frames are live.
template <class Storage>
HD_CALL bool Lowering<Storage>::add_up(WarpProgram& program) {
  // So that a place in a warp's memory, in quads, is a u32.
  constexpr u64 kMost = u64{1} << 25;
  cycles_.clear();
  u64 cells = 0, words = kFuelWords;
  for (size_t k = 0; k < worklist_.size(); ++k) {
    const u32 number = worklist_[k];
    const Function& f = code_.functions[number];
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
  for (size_t k = 0; k < cycles_.size(); ++k) {
    cells += cycles_[k].cells;
    words += cycles_[k].words + 1;
  }
  program.cycles = static_cast<u16>(cycles_.size());
  program.cells = static_cast<u32>(cells);
  program.words = static_cast<u32>(words);
  return cells < kMost && words < kMost;
}

template <class Storage>
HD_CALL void Lowering<Storage>::lower_function(u32 number) {
  const Function& f = code_.functions[number];
  code_begin_ = f.code_begin;
  code_size_ = f.code_end - f.code_begin;
  slot_types_ = code_.slot_types + f.slots_begin;
  returns_early_ = false;
  for (u32 at = 0; at + 1 < code_size_; ++at)
    returns_early_ |= code_.instructions[code_begin_ + at].op == Op::Return;
  is_reachable_ = true;
  stack_base_ = f.slots + (returns_early_ ? f.result_cells : 0u);
  most_stack_ = f.max_stack;
  cells_ = std::max<u32>(stack_base_, f.result_cells);
  places_ = most_places_ = 1;
  in_accumulator_ = producer_ = moved_ = 0;
  pushes_ = false;
  shrink(0);
  regions_.clear();
  arm_types_.clear();
  pc_ = 0;
  has_room_ = has_room(stack_, most_stack_ + 1) && has_step_room();
  if (!has_room_) return;

  functions_[number].first_op = here();
  WarpOp& start = emit(WarpControl::Enter);
  start.a = f.cycle;
  start.b = f.rec;
  while (true) {
    close_merges();
    if (!has_room_ || pc_ >= code_size_) break;
    next_pc_ = pc_ + 1;
    has_room_ = has_step_room();
    if (!has_room_) return;
    lower_instruction(f, code_.instructions[code_begin_ + pc_]);
    pc_ = next_pc_;
  }
  if (!has_room_ || !has_step_room()) {
    has_room_ = false;
    return;
  }
  if (!is_reachable_) end_function(f);
  functions_[number].cells = cells_;
  functions_[number].words = most_places_ + 1;
  constexpr u32 kLargest = 0xFFFF;
  if (cells_ > kLargest || most_places_ >= kLargest) fits_ = false;
}

// Is there room for all that an instruction, or the end of a region or of a function, may add? It moves each value
// of the stack three times at most, and of what it adds each cell comes from an operation.
template <class Storage>
HD_CALL bool Lowering<Storage>::has_step_room() {
  const u32 stack = most_stack_ + 1, ops = 4 * stack + 16;
  return has_room(*ops_, ops) && has_room(*places_of_ops_, ops) && has_room(*constants_, stack) &&
         has_room(calls_, 1) && has_room(regions_, 1) && has_room(arm_types_, stack);
}

template <class Storage>
HD_CALL WarpOp& Lowering<Storage>::emit(WarpOpcode code) {
  ops_->push_back({});
  places_of_ops_->push_back(code_begin_ + pc_);
  WarpOp& op = ops_->back();
  op.code = code;
  if (pushes_) {
    op.flags = WarpOp::kPushes | (pushes_wide_ ? WarpOp::kPushesWide : 0);
    op.push = static_cast<u16>(push_cell_);
    pushes_ = false;
  }
  producer_ = 0;
  return op;
}

template <class Storage>
HD_CALL u32 Lowering<Storage>::home(u32 position) {
  const u32 cell = stack_base_ + position;
  cells_ = std::max(cells_, cell + 1);
  return cell;
}

template <class Storage>
HD_CALL void Lowering<Storage>::set_operand(WarpOp& op, bool is_right, u32 position) {
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

template <class Storage>
HD_CALL void Lowering<Storage>::set_store(WarpOp& op, u32 cell, Scalar type) {
  op.flags |= WarpOp::kStores;
  if (is_wide_cell(type)) op.flags |= WarpOp::kStoresWide;
  op.c = static_cast<u16>(cell);
}

// What is there goes home, with the next operation.
template <class Storage>
HD_CALL void Lowering<Storage>::free_accumulator() {
  if (in_accumulator_ == 0) return;
  const u32 position = in_accumulator_ - 1;
  stack_[position].where = Where::Home;
  push_cell_ = home(position);
  pushes_wide_ = is_wide_cell(stack_[position].type);
  pushes_ = true;
  in_accumulator_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::send_home(u32 position) {
  if (stack_[position].where == Where::Home) return;
  const bool is_there = stack_[position].where == Where::Accumulator;
  free_accumulator();
  if (is_there) return;
  move_to(position, home(position));
  stack_[position].where = Where::Home;
}

// Before control parts the cases: slots may change on one way and not on the other, and there is one accumulator.
template <class Storage>
HD_CALL void Lowering<Storage>::settle(u32 below) {
  for (u32 position = kept_below_; position < below; ++position)
    if (stack_[position].where == Where::Slot) send_home(position);
  kept_below_ = std::max(kept_below_, below);
  if (in_accumulator_ != 0 && in_accumulator_ <= below) free_accumulator();
}

template <class Storage>
HD_CALL void Lowering<Storage>::shrink(u32 to) {
  stack_.resize(to);
  kept_below_ = std::min(kept_below_, to);
  if (in_accumulator_ > to) in_accumulator_ = 0;
}

template <class Storage>
HD_CALL void Lowering<Storage>::lower_instruction(const Function& f, Instruction i) {
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

template <class Storage>
HD_CALL WarpOpcode Lowering<Storage>::opcode_of(Instruction i, OpForm form) {
  const WarpOpcode hot = lowering::hot_code(i.op, i.type);
  if (hot != 0) return hot;
  const bool has_second_type = form == OpForm::Shift || form == OpForm::Convert;
  return warp_opcode_of_any(i.op, i.type,
                            has_second_type ? static_cast<Scalar>(i.a) : Scalar::None);
}

template <class Storage>
HD_CALL void Lowering<Storage>::compute(Instruction i, OpForm form) {
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

template <class Storage>
HD_CALL void Lowering<Storage>::project(u32 taken, u32 first, u32 kept) {
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

#include "vm/cuda/lowering_cells.h"
#include "vm/cuda/lowering_control.h"
#include "vm/cuda/lowering_slots.h"
