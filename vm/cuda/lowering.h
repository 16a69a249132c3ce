// SPDX-License-Identifier: Apache-2.0
// Lowers bytecode to warp code, the straight part. A virtual stack takes the place of the operand stack: LOAD_VAR and
// LOAD_CONST only push where a value is, and an operation takes its operands from there. At most one value of the
// virtual stack is in the accumulator. When another operation needs the accumulator, that value goes to the home cell
// of its stack position.
//
// Written over a Storage (base/rows.h): the host lowers programs that come from text (lower_warp.h), and a device
// lowers the variants of a sketch that it binds itself.
#pragma once
#include <algorithm>

#include "base/rows.h"
#include "lang/layout.h"
#include "lang/ops/eval_cells.h"
#include "vm/cuda/warp_code.h"

namespace komuz::vm {

// The parts of checked code that lowering reads. `result_types` holds the scalars of the functions' results; those of
// function f begin at result_begins[f].
struct LoweringInput {
  const Instruction* instructions;
  const u64* constants;
  const Function* functions;
  const u8* slot_types;
  const u8* result_types;
  const u32* result_begins;
  u32 function_count;
};

// The destination of warp code.
template <class Storage>
struct LoweringOutput {
  typename Storage::template List<WarpOp>* ops;
  typename Storage::template List<u32>* places;  // of each operation: its instruction
  typename Storage::template List<u64>* constants;
};

enum class Lowered : u8 {
  Done,
  TooLarge,  // a frame has more cells, or a program more waiting places, than warp code can number
  NoRoom,    // some list is too short
};

// True if a cell of the type takes the high halves, too.
[[nodiscard]] HD constexpr bool is_wide_cell(Scalar type) { return scalar_bytes(type) == 8; }

namespace lowering {

// By operation and type; 0 if there is none, since 0 is a control's.
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

// Scratch of the lowering. Reused for one program after the other, so that it stops allocating.
template <class Storage>
class Lowering {
 public:
  Lowering() = default;
  // Limits on the lengths of its lists.
  struct Room {
    u32 functions = 0, calls = 0, stack = 0, regions = 0;
    u32 arms = 0;  // values of open second arms, which nest like the arms of a match
  };
  HD Lowering(RowsMemory& memory, const Room& room)
      : functions_(memory.take<LoweredFunction>(room.functions)),
        worklist_(memory.take<u32>(room.functions)),
        calls_(memory.take<CallFixup>(room.calls)),
        cycles_(memory.take<Cycle>(room.functions)),
        stack_(memory.take<Value>(room.stack)),
        regions_(memory.take<Region>(room.regions)),
        arm_types_(memory.take<Scalar>(room.arms)) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<LoweredFunction>(room.functions) +
           RowsMemory::bytes<u32>(room.functions) + RowsMemory::bytes<CallFixup>(room.calls) +
           RowsMemory::bytes<Cycle>(room.functions) + RowsMemory::bytes<Value>(room.stack) +
           RowsMemory::bytes<Region>(room.regions) + RowsMemory::bytes<Scalar>(room.arms);
  }

  // Appends `function` and all that it calls. Fills in `program`, except types_begin. The appended code is meaningful
  // only if the result is Done.
  [[nodiscard]] HD_CALL Lowered run(const LoweringInput& code, u32 function,
                                    const LoweringOutput<Storage>& out, WarpProgram& program);

 private:
  // The location of a value of the virtual operand stack.
  enum class Where : u8 { Accumulator, Home, Slot, Constant };
  struct Value {
    Where where = Where::Home;
    Scalar type = Scalar::None;
    u32 number = 0;  // of the slot or constant
  };
  enum class RegionKind : u8 { If, FirstArm, SecondArm, ShortCircuit, Loop };
  struct Region {
    RegionKind kind = RegionKind::If;
    bool first_arm_ends = false;  // SecondArm: cases reach the end of the first one
    bool has_exit = false;        // Loop: some instruction leaves it
    u32 place = 0;                // its first waiting place
    u32 end = 0;                  // the instruction where control goes on
    u32 height = 0;               // of the stack below it
    u32 values = 0;               // that either way leaves
    u32 op = 0;                   // the operation that opened it
    // 1 + the last test that leaves a loop and goes on at the end of this region. Its `d` holds the one before.
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
  HD_CALL void end_exits(Region& region);
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
  // The number of the program's operations so far.
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

  // The function being lowered:
  u32 code_begin_ = 0, code_size_ = 0;
  u32 pc_ = 0, next_pc_ = 0;
  bool returns_early_ = false, is_reachable_ = true;
  u32 most_stack_ = 0;
  u32 stack_base_ = 0;  // cell of the operand stack's first position
  u32 cells_ = 0, places_ = 0, most_places_ = 0;
  // 1 + the operation that moves cells, while it is the last one and more cells may join it
  u32 moved_ = 0;
  List<Value> stack_;
  u32 kept_below_ = 0;      // no value below this stack position stands for a slot
  u32 in_accumulator_ = 0;  // 1 + the position of the value there; 0: none
  u32 producer_ = 0;        // 1 + the operation that made it, while that is the last operation
  // The next operation pushes the accumulator.
  bool pushes_ = false, pushes_wide_ = false;
  u32 push_cell_ = 0;
  const u8* slot_types_ = nullptr;
  List<Region> regions_;
  List<Scalar> arm_types_;  // values of open second arms and short circuits
};

}  // namespace komuz::vm

#include "vm/cuda/lowering_cells.h"
#include "vm/cuda/lowering_control.h"
#include "vm/cuda/lowering_slots.h"
#include "vm/cuda/lowering_straight.h"
