// SPDX-License-Identifier: Apache-2.0
// One function for one case at a time.
#pragma once
#include "backend/ir/function_walk.h"

namespace komuz::backend::ir {

class FunctionLowering final : public FunctionWalk {
 public:
  using FunctionWalk::FunctionWalk;

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
  void open_frame() override;
  void take_arguments() override;
  llvm::Value* scratch(u32 offset);
  llvm::Value* memory(const MemoryPlan& plan, const char* name);
  llvm::Value* slot_address(u32 slot);
  llvm::Value* element_address(u32 slot, llvm::Value* offset);
  void finish() override;
  llvm::Value* load_cell(Scalar type, llvm::Value* address) override;
  void store_cell(llvm::Value* value, llvm::Value* address) override;
  llvm::Value* constant_in_table(const Cell& cell) override;
  void move_cells(llvm::Value* to, llvm::Value* from, u32 count) override;
  void copy_constants(llvm::Value* to, llvm::Value* from, u32 count) override;

  // lower_steps.cpp: slots, areas and references
  void trap_if_trapped(const EvaluatedCode& made) override;
  llvm::Value* load_slot(u32 slot) override;
  void store_slot(u32 slot, llvm::Value* value) override;
  void load_slots(u32 first, u32 count) override;
  void store_slots(u32 first, u32 count) override;
  void access(Instruction i) override;
  void reference(Instruction i) override;

  // lower_control.cpp: regions, calls, ticks and traps
  void close_merges() override;
  void branch(Instruction i) override;
  void end_first_arm(Instruction i) override;
  void short_circuit(Instruction i) override;
  void open_loop(Instruction i) override;
  void end_loop() override;
  Region& loop_outwards(u32 out);
  void leave_loop_unless(llvm::Value* condition) override;
  void exit_loop(Instruction i) override;
  void tick() override;
  void ticks() override;
  void call(Instruction i) override;
  void return_results() override;
  void trap_if(llvm::Value* condition, Trap trap) override;
  void trap_if(llvm::Value* condition, llvm::Value* word);
  void trap_always(Trap trap) override;
  void go_to(llvm::BasicBlock* block);
  llvm::BasicBlock* callee_trapped();
  void return_failure();

  llvm::Value* state_ = nullptr;
  llvm::Value* left_ = nullptr;     // the variable that holds the ticks that are left
  llvm::Value* top_ = nullptr;      // of the scratch memory that callers use
  llvm::Value* live_ = nullptr;     // frames of its cycle, this one included
  llvm::Value* results_ = nullptr;  // memory for results
  llvm::Value* frame_scratch_ = nullptr;
  llvm::Value *passed_ = nullptr,
              *returned_ = nullptr;  // memory for arguments and results of calls
  std::vector<llvm::Value*> slots_;  // the variable of each slot outside of areas

  llvm::BasicBlock* trapped_ = nullptr;  // stores how and with what was left
  llvm::PHINode* trap_words_ = nullptr;
  llvm::BasicBlock* callee_trapped_ = nullptr;

  std::vector<Region> regions_;
};

}  // namespace komuz::backend::ir
