// SPDX-License-Identifier: Apache-2.0
// The walk through a function's instructions, and what does not depend on how many cases code is for. The operand stack
// of bytecode is known at each instruction, so its cells are values of the intermediate representation, and moving them
// is no code. Slots are variables in memory, of which LLVM makes registers.
//
// Regions of the bytecode nest, and where they merge is read off the code (docs/bytecode.md). Code behind a RETURN, a
// BREAK or a TRAP is never reached, but has to be walked: it is written into blocks that nothing leads to, and these
// are taken away at the end.
#pragma once
#include <llvm/ADT/SmallVector.h>

#include "backend/ir/module_functions.h"
#include "backend/ir/pure_operations.h"

namespace komuz::backend::ir {

// A cell of the operand stack: a value, or a cell of a stretch (frame_plan.h), which is read where it is used.
struct Cell {
  llvm::Value* value = nullptr;
  Scalar type = Scalar::None;
  llvm::Value* stretch = nullptr;
  u32 index = 0;
  bool is_constant = false;  // the stretch is a table of constants, with 8 bytes for each
  // The one number, an i64, that all lanes that run have; null: not known.
  llvm::Value* common = nullptr;
};

enum class RegionKind : u8 { FirstArm, Merge, Loop };

// A way to the end of an arm, with the cells that it leaves; without them where no lane comes this way.
struct ArmWay {
  llvm::BasicBlock* from;
  std::vector<llvm::Value*> cells;
};

class FunctionWalk {
 public:
  FunctionWalk(const ProgramModule& module, u32 number);
  virtual ~FunctionWalk() = default;
  FunctionWalk(const FunctionWalk&) = delete;
  FunctionWalk& operator=(const FunctionWalk&) = delete;
  void write();

 protected:
  // The frame, and its end.
  virtual void open_frame() = 0;
  virtual void finish() = 0;

  // Memory: a cell is 8 bytes for each case. Code for one case has its own ways there.
  virtual llvm::Value* load_cell(Scalar type, llvm::Value* address) = 0;
  virtual void store_cell(llvm::Value* value, llvm::Value* address) = 0;
  virtual llvm::Value* constant_in_table(const Cell& cell) = 0;
  // Cells of a stretch, and of a table of constants, to memory.
  virtual void move_cells(llvm::Value* to, llvm::Value* from, u32 count) = 0;
  virtual void copy_constants(llvm::Value* to, llvm::Value* from, u32 count) = 0;
  virtual void store_slot(u32 slot, llvm::Value* value) = 0;
  // Slots of an area, from the stack, and from memory that is the arguments.
  virtual void pop_slots(u32 first, u32 count) { pop_cells(slot_address(first), count); }
  virtual void copy_slots(u32 first, llvm::Value* from, u32 count) {
    copy_cells(slot_address(first), from, count);
  }
  virtual void access(Instruction i) = 0;
  // Pushes the cells of the scratch memory from cell `first` on, which lanes have each their own number of.
  virtual void load_referred(llvm::Value* memory, llvm::Value* first, u32 count, Scalar type) = 0;

  // Numbers that all lanes have (lane_common.cpp); of a single case nothing needs to be known.
  virtual llvm::Value* common_of(u32 /*slot*/) { return nullptr; }
  virtual void set_common(u32 /*slot*/, llvm::Value* /*number*/) {}
  virtual llvm::Value* common_result(Instruction /*i*/, const Cell* /*operands*/) {
    return nullptr;
  }

  // Control.
  virtual void close_merges() = 0;
  virtual void branch(Instruction i) = 0;
  virtual void end_first_arm(Instruction i) = 0;
  virtual void short_circuit(Instruction i) = 0;
  virtual void open_loop(Instruction i) = 0;
  virtual void end_loop() = 0;
  virtual void leave_loop_unless(llvm::Value* condition) = 0;
  virtual void exit_loop(Instruction i) = 0;
  virtual void tick() = 0;
  virtual void ticks() = 0;
  virtual void return_results() = 0;
  virtual void trap_if(llvm::Value* condition, Trap trap) = 0;
  // The same of all cases that run: `condition` is one bit.
  virtual void trap_all_if(llvm::Value* condition, Trap trap) { trap_if(condition, trap); }
  // A trap of the first mask goes before one of the second.
  virtual void trap_if_trapped(const EvaluatedCode& made) = 0;
  virtual void trap_always(Trap trap) = 0;

  // Calls. Before anything else of it:
  virtual void open_call() {}
  // The ticks that are left, and what else goes before the other arguments, but for the state.
  virtual void give_counts(const CallShape& shape, llvm::SmallVectorImpl<llvm::Value*>& given) = 0;
  // What a call has given back: its ticks, and traps, which end here, too.
  virtual void take_back(const CallShape& shape, llvm::CallInst* called) = 0;
  virtual llvm::Value* result_of(const CallShape& shape, llvm::CallInst* called, u32 k) = 0;

  // function_walk.cpp: instructions
  void step(Instruction i);
  void compute(Instruction i);
  void compare_cells(Instruction i);
  void project(Instruction i);
  void for_next(Instruction i);
  void limit(Instruction i);

  // walk_memory.cpp: the frame's memory, slots and references
  // Names the arguments from number `argument` on that functions of all kinds have, and finds the memory of the frame.
  void open_memory(u32 argument);
  void take_arguments();
  llvm::Value* memory(const MemoryPlan& plan, const char* name);
  // The scratch memory of all frames.
  llvm::Value* scratch_memory();
  llvm::Value* slot_address(u32 slot);
  llvm::Value* load_slot(u32 slot);
  void load_slots(u32 first, u32 count);
  void store_slots(u32 first, u32 count);
  void reference(Instruction i);

  // walk_calls.cpp
  void call(Instruction i);

  // walk_stretches.cpp: many cells at once
  llvm::Value* value_of(const Cell& cell);
  llvm::Value* cell_address(llvm::Value* memory, u64 index);
  void copy_cells(llvm::Value* to, llvm::Value* from, u64 count);
  // Pushes the `count` cells at `from`, whose types the function gives.
  template <class TypeOf>
  void push_cells(llvm::Value* from, u32 count, TypeOf type_of);
  // Pops `count` cells and stores them.
  void pop_cells(llvm::Value* to, u32 count);
  [[nodiscard]] u32 run_length(const Cell* cells, u32 count) const;
  void repeat(u32 group, u32 times);

  // walk_constants.cpp: constants, which are written into the code or loaded
  [[nodiscard]] Cell constant_of(u32 number, Scalar type);
  void push_constants(Scalar type, u32 first, u32 count);
  // The cell, or the row of cells, of a constant that is loaded.
  llvm::Value* loaded_at(u32 number);

  // A variable of the function, in its first block.
  llvm::Value* variable(llvm::Type* type, const char* name);
  [[nodiscard]] Scalar slot_type(u32 slot) const;
  void push(llvm::Value* value, Scalar type) { stack_.push_back({value, type}); }
  llvm::Value* pop() {
    llvm::Value* const value = value_of(stack_.back());
    stack_.pop_back();
    return value;
  }
  llvm::Value* integer(u64 n) { return w_.builder.getInt64(n); }
  // Blocks that are hardly ever run lie behind all others.
  void branch_rarely(llvm::Value* condition, llvm::BasicBlock* rare, llvm::BasicBlock* common);
  [[nodiscard]] u64 trap_word(Trap trap) const {
    return static_cast<u64>(trap) | u64{1} << 8 | u64{f_.code_begin + at_} << 32;
  }
  // The code that follows is of this instruction.
  void stand_at(u32 at);
  // From here on nothing is reached.
  void end_reach();
  // Leads to the block, if this is reached.
  void go_to(llvm::BasicBlock* block);

  const ProgramModule& module_;
  IrWriter& w_;
  const CodeView& code_;
  const u32 number_;
  const Function& f_;
  const FramePlan& frame_;
  const CallShape shape_;
  llvm::Function* const function_;
  const u64 cell_bytes_;  // of a cell of memory

  llvm::Value* state_ = nullptr;
  llvm::Value* top_ = nullptr;      // of the scratch memory that callers use, in bytes
  llvm::Value* frames_ = nullptr;   // of its cycle, this one included
  llvm::Value* results_ = nullptr;  // memory for results
  llvm::Value* frame_scratch_ = nullptr;
  llvm::Value *passed_ = nullptr, *given_back_ = nullptr;  // for arguments and results of calls
  std::vector<llvm::Value*> slots_;  // the variable of each slot outside of areas
  std::vector<llvm::Value*> stretches_;
  std::vector<llvm::Value*> areas_;  // the first cell of each
  std::vector<Cell> stack_;
  u32 at_ = 0;         // the instruction, from the function's first one on
  bool lives_ = true;  // is it reached?
};

template <class TypeOf>
void FunctionWalk::push_cells(llvm::Value* from, u32 count, TypeOf type_of) {
  if (count < kStretch) {
    for (u32 k = 0; k < count; ++k) push(load_cell(type_of(k), cell_address(from, k)), type_of(k));
    return;
  }
  llvm::Value* const stretch = stretches_[frame_.stretch_of[at_]];
  copy_cells(stretch, from, count);
  for (u32 k = 0; k < count; ++k) stack_.push_back({nullptr, type_of(k), stretch, k});
}

// The loop round `out` others, of the regions round an instruction.
template <class Region>
Region& loop_outwards(std::vector<Region>& regions, u32 out) {
  size_t k = regions.size() - 1;
  for (;; --k)
    if (regions[k].kind == RegionKind::Loop && out-- == 0) return regions[k];
}

// The code of a constant.
[[nodiscard]] llvm::Value* constant_cell(Scalar type, u64 cell);

}  // namespace komuz::backend::ir
