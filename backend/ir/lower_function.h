// SPDX-License-Identifier: Apache-2.0
// One function. The operand stack of bytecode is known at each instruction, so its cells are values of the
// intermediate representation, and moving them is no code. Slots are variables in memory, of which LLVM makes registers.
//
// Regions of the bytecode nest, and where they merge is read off the code (docs/bytecode.md). Code behind a RETURN, a
// BREAK or a TRAP is never reached, but has to be walked: it is written into blocks that nothing leads to, and these are
// taken away at the end.
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
};

class FunctionLowering {
 public:
  FunctionLowering(const ProgramModule& module, u32 number);
  void write();

 private:
  enum class Kind : u8 { FirstArm, Merge, Loop };
  // A way into a merge, with the cells that its arm leaves.
  struct Way {
    llvm::BasicBlock* from;
    std::vector<llvm::Value*> cells;
  };
  struct Region {
    Kind kind;
    u32 end;                                 // the JUMP, the merge, or the END
    size_t height;                           // of the stack, below what arms leave
    llvm::BasicBlock* begin = nullptr;       // FirstArm: the second arm. Loop: behind its LOOP
    llvm::BasicBlock* end_block = nullptr;   // the merge; Loop: its END
    llvm::BasicBlock* exit = nullptr;        // Loop: behind its END
    bool is_ended = false, is_left = false;  // Loop: is its END reached, is its exit?
    bool second_arm_lives = false;
    std::vector<Scalar> types = {};  // of the cells that arms leave
    std::vector<Way> ways = {};
  };

  // lower_function.cpp: the frame, and its end
  void open_frame();
  void take_arguments();
  llvm::Value* variable(llvm::Type* type, const char* name);
  llvm::Value* scratch(u32 offset);
  llvm::Value* memory(const MemoryPlan& plan, const char* name);
  llvm::Value* slot_address(u32 slot);
  Scalar slot_type(u32 slot) const;
  llvm::Value* element_address(u32 slot, llvm::Value* offset);
  void finish();

  // lower_stretches.cpp: many cells at once
  llvm::Value* value_of(const Cell& cell);
  llvm::Value* cell_address(llvm::Value* memory, u64 index);
  void copy_cells(llvm::Value* to, llvm::Value* from, u64 count);
  // Pushes the `count` cells at `from`, whose types the function gives.
  template <class TypeOf>
  void push_cells(llvm::Value* from, u32 count, TypeOf type_of);
  // Pops `count` cells and stores them.
  void pop_cells(llvm::Value* to, u32 count);
  u32 run_length(const Cell* cells, u32 count) const;
  void push_constants(Scalar type, u32 first, u32 count);
  void repeat(u32 group, u32 times);

  // lower_steps.cpp: instructions
  void step(Instruction i);
  void compute(Instruction i);
  void trap_if_trapped(const EvaluatedCode& made);
  void load_slots(u32 first, u32 count);
  void store_slots(u32 first, u32 count);
  void access(Instruction i);
  void reference(Instruction i);
  void compare_cells(Instruction i);
  void project(Instruction i);
  void for_next(Instruction i);
  void limit(Instruction i);

  // lower_control.cpp: regions, calls, ticks and traps
  void close_merges();
  void branch(Instruction i);
  void end_first_arm(Instruction i);
  void short_circuit(Instruction i);
  void open_loop(Instruction i);
  void end_loop();
  Region& loop_outwards(u32 out);
  void leave_loop_unless(llvm::Value* condition);
  void exit_loop(Instruction i);
  void tick();
  void ticks();
  void call(Instruction i);
  void return_results();
  void trap_if(llvm::Value* condition, Trap trap);
  void trap_if(llvm::Value* condition, llvm::Value* word);
  void trap_always(Trap trap);
  // From here on nothing is reached.
  void end_reach();
  void go_to(llvm::BasicBlock* block);
  void branch_rarely(llvm::Value* condition, llvm::BasicBlock* rare, llvm::BasicBlock* common);
  llvm::Value* trap_word(Trap trap);
  llvm::BasicBlock* callee_trapped();
  void return_failure();

  void push(llvm::Value* value, Scalar type) { stack_.push_back({value, type}); }
  llvm::Value* pop() {
    llvm::Value* const value = value_of(stack_.back());
    stack_.pop_back();
    return value;
  }
  llvm::Value* integer(u64 n) { return w_.builder.getInt64(n); }

  const ProgramModule& module_;
  IrWriter& w_;
  const CodeView& code_;
  const u32 number_;
  const Function& f_;
  const FramePlan& frame_;
  const CallShape shape_;
  llvm::Function* const function_;

  llvm::Value* state_ = nullptr;
  llvm::Value* left_ = nullptr;     // the variable that holds the ticks that are left
  llvm::Value* top_ = nullptr;      // of the scratch memory that callers use
  llvm::Value* live_ = nullptr;     // frames of its cycle, this one included
  llvm::Value* results_ = nullptr;  // memory for results
  llvm::Value* frame_scratch_ = nullptr;
  llvm::Value *passed_ = nullptr,
              *returned_ = nullptr;  // memory for arguments and results of calls
  std::vector<llvm::Value*> stretches_;
  std::vector<llvm::Value*> slots_;  // the variable of each slot outside of areas
  std::vector<llvm::Value*> areas_;  // the first cell of each

  llvm::BasicBlock* trapped_ = nullptr;  // stores how and with what was left
  llvm::PHINode* trap_words_ = nullptr;
  llvm::BasicBlock* callee_trapped_ = nullptr;

  std::vector<Cell> stack_;
  std::vector<Region> regions_;
  u32 at_ = 0;         // the instruction, from the function's first one on
  bool lives_ = true;  // is it reached?
};

template <class TypeOf>
void FunctionLowering::push_cells(llvm::Value* from, u32 count, TypeOf type_of) {
  if (count < kStretch) {
    for (u32 k = 0; k < count; ++k)
      push(w_.builder.CreateLoad(w_.type(type_of(k)), cell_address(from, k)), type_of(k));
    return;
  }
  llvm::Value* const stretch = stretches_[frame_.stretch_of[at_]];
  copy_cells(stretch, from, count);
  for (u32 k = 0; k < count; ++k) stack_.push_back({nullptr, type_of(k), stretch, k});
}

// The code of a constant.
[[nodiscard]] llvm::Value* constant_cell(Scalar type, u64 cell);

}  // namespace komuz::backend::ir
