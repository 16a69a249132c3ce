// SPDX-License-Identifier: Apache-2.0
// Checked bytecode to warp code (warp_code.h), for one entry. Runs on the host; knows no device.
#pragma once
#include <vector>

#include "vm/cuda/warp_code.h"

namespace komuz::vm {

// Programs of a batch, one behind the other. `clear` keeps the memory.
struct WarpBatch {
  std::vector<WarpProgram> programs;
  std::vector<WarpOp> ops;
  std::vector<u32> places;  // of each operation: the instruction it stands for
  std::vector<u64> constants;
  std::vector<u8> types;  // Scalar

  void clear();
  // Adds program `number` of another batch.
  void append(const WarpBatch& from, u32 number);
};

// Scratch of the lowering; kept from program to program so that it stops allocating.
class WarpLowering {
 public:
  // Appends `function` and all that it calls. False, with nothing appended, if a frame has more cells or a program more
  // waiting places than the fields of warp code can number: then only the machines of the host run it.
  [[nodiscard]] bool add(const CodeView& code, u32 function, WarpBatch& batch);

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
    u32 pending =
        0;  // Loop: 1 + the last operation that goes to its end; its `d` holds the one before
  };
  struct LoweredFunction {
    u32 first_op = 0, cells = 0, words = 0;
    bool is_lowered = false;
  };

  void lower_function(u32 number);
  void lower_instruction(const Function& f, Instruction i);
  void compute(Instruction i, OpForm form);
  void store(u32 slot);
  void store_slots(u32 first, u32 count);
  void load_at(Instruction i);
  void store_at(Instruction i);
  void refer(Instruction i);
  void part_reference();
  void load_referred(Instruction i);
  void push_result(Scalar type);
  void require(Trap trap);
  void project(u32 taken, u32 first, u32 kept);
  void copy(u32 position);
  void push_again(u32 first, u32 count);
  void load_constants(Instruction i);
  void compare_cells(Instruction i);
  void push_constant(Scalar type, u32 number);
  [[nodiscard]] u32 cells_in_order(u32 first, u32 count);
  void load_slots(u32 first, u32 count);
  [[nodiscard]] bool add_up(WarpProgram& program);

  void open_branch(Instruction i);
  void open_short_circuit(Instruction i);
  void end_first_arm(Instruction i);
  void open_loop(Instruction i);
  void close_merges();
  void close_merge();
  void close_loop();
  void break_if(Instruction i);
  void exit_loop(Instruction i);
  void call(Instruction i);
  void return_values(const Function& f);
  void end_function(const Function& f);
  void unreachable_from_here();
  Region& open(RegionKind kind, u32 places);
  Region& innermost_loop(u32 out);

  WarpOp& emit(WarpOpcode code);
  WarpOp& emit(WarpControl control) { return emit(warp_opcode(control)); }
  WarpOp& emit_test(WarpControl control);
  void set_operand(WarpOp& op, bool is_right, u32 position);
  void set_store(WarpOp& op, u32 cell, Scalar type);
  void move_to(u32 position, u32 cell);
  [[nodiscard]] bool extend_move(u32 position, u32 cell);
  void move_results(u32 results, u32 first);
  void free_accumulator();
  void send_home(u32 position);
  void keep_values_of(u32 first, u32 count, u32 below);
  void settle(u32 below);
  void shrink(u32 to);
  [[nodiscard]] u32 home(u32 position);
  [[nodiscard]] u32 height() const { return static_cast<u32>(stack_.size()); }
  // Operations of the program so far.
  [[nodiscard]] u32 here() const { return static_cast<u32>(batch_->ops.size()) - ops_begin_; }
  [[nodiscard]] WarpOp& op_at(u32 number) { return batch_->ops[ops_begin_ + number]; }

  const CodeView* code_ = nullptr;
  WarpBatch* batch_ = nullptr;
  u32 ops_begin_ = 0, constants_begin_ = 0;
  bool fits_ = true;
  std::vector<LoweredFunction> functions_;
  std::vector<u32> worklist_;
  struct CallFixup {
    u32 op, function;
  };
  std::vector<CallFixup> calls_;
  struct Cycle {
    u64 cells = 0, words = 0;
  };
  std::vector<Cycle> cycles_;

  // Of the function at hand.
  u32 code_begin_ = 0, code_size_ = 0;
  u32 pc_ = 0, next_pc_ = 0;
  bool returns_early_ = false, is_reachable_ = true;
  u32 stack_base_ = 0;  // cell of the operand stack's first position
  u32 cells_ = 0, places_ = 0, most_places_ = 0;
  u32 moved_ =
      0;  // 1 + the operation that moves cells, while that is the last one and more may join it
  std::vector<Value> stack_;
  u32 kept_below_ = 0;      // no value of the stack below this position stands for a slot
  u32 in_accumulator_ = 0;  // 1 + the position of the value there; 0: none
  u32 producer_ = 0;        // 1 + the operation that made it, while that is the last operation
  // The accumulator is to be pushed by the next operation.
  bool pushes_ = false, pushes_wide_ = false;
  u32 push_cell_ = 0;
  const u8* slot_types_ = nullptr;
  std::vector<Region> regions_;
  std::vector<Scalar> arm_types_;  // of the values of open second arms and short circuits
  std::vector<u8> result_types_;
};

// Does a cell of the type take the high halves, too?
[[nodiscard]] inline bool is_wide_cell(Scalar type) { return scalar_bytes(type) == 8; }

// The scalars of a type, in order.
void append_scalars(std::string_view type_codes, std::vector<u8>& out);

}  // namespace komuz::vm
