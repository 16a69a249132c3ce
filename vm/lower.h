// SPDX-License-Identifier: Apache-2.0
// Lowers checked bytecode to lowered code (lowered.h), for one job. Knows no instruction set: handlers come in a
// table.
//
// Bytecode is for a stack machine. Run as such, it would copy each variable and constant to the stack, in all lanes,
// only to read it from there. Here the stack is *virtual*: it says where each value lies (Where), and loads of
// variables and constants emit no operations:
//
//   bytecode         the virtual stack behind it          lowered
//   LOAD_VAR 0       slot 0
//   LOAD_CONST 2.5   slot 0, constant 2.5
//   BINARY_MUL       cell 3                                MUL   cell 3 <- slot 0, constant 2.5
//   LOAD_VAR 1       cell 3, slot 1
//   BINARY_ADD       cell 3                                ADD   cell 3 <- cell 3, slot 1
//   STORE_VAR 0                                            (the ADD writes to slot 0 at once: note_producer)
//
// A value has a *home*, the cell of its height on the stack. It may lie elsewhere only while that makes no
// difference, which two rules ensure. Before a slot changes, values that stand for it move home (keep_values_of): in
// `x, x = x + 1` the first x is the old one. Where ways meet, at the ends of arms, loops and calls, all values are at
// home (settle), since both ways have to leave a value in one place.
//
// Lanes split at branches: each case takes its own way, under a mask. In a region, a write to a slot that is also
// used outside is masked (is_masked). A slot that is used only inside is written unmasked, since lanes outside never
// read it. This is the purpose of regions_ and of uses_ (slot_uses.h), which knows the first and last use of each
// slot.
//
// A loop over elements whose body no case leaves early is lowered a second time, with elements as lanes (ElementPart,
// element_parts.h): if there are fewer cases than lanes, elements fill the vectors.
#pragma once
#include "vm/element_parts.h"
#include "vm/lowered.h"
#include "vm/slot_uses.h"

namespace komuz::vm {

// Scratch of the lowering. Reused for one job after the other, so that it stops allocating.
class BatchLowering {
 public:
  // Lowers the job's function and all that it calls.
  void run(const Job& job, const HandlerTable& handlers, LoweredProgram& program);
  // Turns the program that run() made last into that of a job whose code differs only in the values of constants.
  // False if this is not possible, because operations depend on the values.
  [[nodiscard]] bool renew_constants(const Job& job);

 private:
  // The location of a value of the virtual stack.
  enum class Where : u8 { Cell, Slot, Column, Constant };
  struct Value {
    Operand at = 0;
    Where where = Where::Cell;
    Scalar type = Scalar::None;
    u16 slot = 0;  // of Slot and Column
  };
  enum class RegionKind : u8 { If, FirstArm, SecondArm, ShortCircuit, Loop };
  struct Region {
    RegionKind kind;
    bool first_arm_ends = false;  // SecondArm: lanes reach the end of the first one
    bool has_exit = false;        // Loop: some instruction leaves it
    u16 waiting = 0;              // its first waiting place
    u32 begin = 0, end = 0;       // instructions [begin, end) are inside; control goes on at `end`
    u32 height = 0;               // of the virtual stack below it
    u32 values = 0;               // SecondArm, ShortCircuit: cells that either way leaves
    u32 shift = 0;                // shift of home cells outside
    u32 op = 0;                   // the operation that opened it
    // 1 + the last test that leaves a loop and goes on at the end of this region, which holds the one before.
    u32 pending = 0;
    u32 elements = 0;  // Loop: 1 + its number in LoweredProgram::element_loops
  };
  // A part that has been lowered for elements, and is being lowered for cases.
  struct OpenPart {
    const ElementPart* part;
    u32 loop;    // in LoweredProgram::element_loops
    u32 bottom;  // height of the virtual stack below it
  };
  // False if the entry is not straight; the program must then be made from its start.
  [[nodiscard]] bool lower_straight_line(const Function& f);
  struct Straight;
  void start_straight_line(const Function& f);
  void lower_value(Straight& s, const Function& f, Instruction i, u32 at) const;
  [[nodiscard]] bool store_straight(Straight& s, u32 slot) const;
  void shorten_divisions(LoweredOp* end);
  void finish_straight_line(const Function& f, LoweredOp* next);

  void choose_lanes(u32 lanes);
  void find_constant_columns();
  void lower_function(u32 number);
  void start_function(const Function& f, u32 number);
  void lower_instruction(const Function& f, Instruction i);
  void compute(Instruction i, OpForm form, Scalar second_type);
  void forget_constants();
  Operand broadcast(Scalar type, u64 cell);
  static void write_broadcast(Operand at, Scalar type, u64 cell);
  [[nodiscard]] Value constant(Scalar type, u32 number);
  void shorten_division(LoweredOp& op, Instruction i);
  void store(Instruction i);
  void store_slots(u32 first, u32 count);
  void load_at(Instruction i);
  void store_at(Instruction i);
  void refer(Instruction i);
  void part_reference(Instruction i);
  void load_referred(Instruction i);
  void keep_values_of(u32 first, u32 count, u32 below);
  void require(Trap trap);
  void project(Instruction i);
  void push_again(u32 first, u32 count);
  void load_constants(Instruction i);
  void compare_cells(Instruction i);
  [[nodiscard]] u32 cells_in_steps(u32 first, u32 most, i64& step) const;

  void open_region(RegionKind kind, u32 end, u32 places);
  void open_branch(Instruction i);
  void open_short_circuit(Instruction i);
  void open_loop(Instruction i);
  void end_first_arm(Instruction i);
  void end_exits(Region& region, u32 op);
  void close_region();
  void close_loop();
  void break_if(Instruction i);
  void tick();
  void exit_loop(Instruction i);
  void call(Instruction i);
  void return_values(const Function& f);
  void return_to_caller(const Function& f);
  void finish_entry(const Function& f);
  void unreachable_from_here();
  void close_regions();

  [[nodiscard]] static u32 cells_of(const ElementPart& part);
  [[nodiscard]] u32 first_cell_of(const ElementPart& part) const;
  [[nodiscard]] bool is_at_home(u32 slot) const;
  void start_elements();
  void lower_elements(const Function& f);
  void enter_part(const ElementPart& part, ElementLoop& loop);
  [[nodiscard]] bool lower_instructions(const Function& f, const ElementPart& part);
  void leave_part(const ElementPart& part, u32 bottom, ElementLoop& loop);
  [[nodiscard]] RestHandler rest_handler(const RestOfBody& rest) const;
  [[nodiscard]] bool lower_on_elements(const Function& f, const ElementPart& part,
                                       ElementLoop& loop);
  void join_elements();

  LoweredOp& emit(Handler handler);
  LoweredOp& emit(Instruction i, u32 variant) {
    return emit(handlers_->pure[static_cast<u32>(i.op)][static_cast<u32>(i.type)][variant]);
  }
  LoweredOp& emit(Control control) { return emit(parting_->control[static_cast<u32>(control)]); }
  void emit_test(Control control, const Value& test);
  // The operation emitted last made the topmost value.
  void note_producer(Instruction i) {
    producer_ = static_cast<u32>(program_->ops.size());
    produced_by_ = i;
  }
  void set_operand(u32 which, const Value& v);
  void move(const Value& from, u32 cell, bool masked);
  void place(const Value& top, u32 cell, bool masked);
  void place_values(u32 count, u32 cell, bool masked);
  [[nodiscard]] bool extend_move(const Value& from, u32 cell, bool masked);
  void move_home(u32 position);
  void settle();
  void note_live_cells(LoweredOp& op, u32 height);
  [[nodiscard]] bool is_needed(const SlotUse& use) const;
  Region& innermost_loop(u32 out);
  void note_result_types(const Function& f);

  [[nodiscard]] u32 height() const { return static_cast<u32>(stack_.size()); }
  void shrink(u32 to) {
    stack_.resize(to);
    if (kept_below_ > to) kept_below_ = to;
  }
  Value pop() {
    const Value top = stack_.back();
    shrink(height() - 1);
    return top;
  }
  [[nodiscard]] u32 home(u32 position) {
    const u32 cell = stack_base_ + position + shift_;
    if (cell >= cells_) cells_ = cell + 1;
    return cell;
  }
  [[nodiscard]] u32 offset_of(u32 cell) const { return cell * cell_pitch_; }
  [[nodiscard]] Operand in_frame(u32 cell) const { return offset_of(cell) | kInFrame; }
  [[nodiscard]] Value cell_value(u32 cell, Scalar type) const {
    return {in_frame(cell), Where::Cell, type, 0};
  }
  // Lanes outside of the innermost region need a slot's old value only if the slot is used outside.
  [[nodiscard]] bool is_masked(u32 slot) const {
    return !regions_.empty() &&
           !uses_.of(slot).is_inside(regions_.back().begin, regions_.back().end);
  }

  const Job* job_ = nullptr;
  const HandlerTable* handlers_ = nullptr;
  const PartingHandlers* parting_ = nullptr;  // those for as many lanes as a tile has
  LoweredProgram* program_ = nullptr;
  u32 cell_pitch_ = 0;
  bool has_tiles_ = false;  // more than one
  std::vector<u32> worklist_;
  // By row of the code's constants, if cases have their own: the column, or null. Empty if none has.
  std::vector<const void*> constant_columns_;
  // Constants of the code that were broadcast, and their places.
  struct Broadcast {
    Operand at;
    u32 constant;
    Scalar type;
  };
  std::vector<Broadcast> broadcasts_;
  // Properties of constants on which operations depend: for single constants, and for any.
  struct Assumed {
    u32 constant;
    u64 value;
  };
  std::vector<Assumed> assumed_;
  bool depends_on_constants_ = false;
  // For straight code: the stack, and the value of each slot.
  std::vector<Operand> operands_, variables_;

  // The function being lowered:
  u32 number_ = 0;
  u32 code_begin_ = 0, code_size_ = 0;
  u32 pc_ = 0, next_pc_ = 0;
  bool is_entry_ = false, is_reachable_ = true;
  u32 stack_base_ = 0;  // cell of the operand stack's first position
  u32 shift_ = 0;       // cells by which second arms have moved the stack up
  u32 cells_ = 0;
  u32 waiting_ = 0, most_waiting_ = 0;
  u32 producer_ = 0;  // 1 + the operation that made the topmost value, while it is the last one
  // The last operation includes the tick of this instruction, which is right behind its own. 0: none.
  u32 tick_at_ = 0;
  Instruction produced_by_ = {};  // the instruction of that operation
  // The cells that the last operation moves, if it is operation `op` and moves cells: the sources and destinations of
  // the next ones.
  struct Moved {
    size_t op = 0;
    u32 bytes = 0, next_dst = 0;
    CellSteps steps{};
  };
  Moved moved_;
  std::vector<Value> stack_;
  u32 kept_below_ = 0;  // no value below this stack position stands for a slot
  std::vector<Value> slots_;
  SlotUses uses_;
  ElementParts parts_;
  std::vector<u32> part_cells_;  // for each part: its first cell
  std::vector<OpenPart> open_parts_;
  const ElementPart* on_elements_ = nullptr;      // the part that is being lowered for elements
  std::vector<Value> saved_stack_, saved_slots_;  // meanwhile
  std::vector<Region> regions_;
  std::vector<Scalar> arm_types_;  // values of open second arms and short circuits
  std::vector<Scalar> result_types_;
};

}  // namespace komuz::vm
