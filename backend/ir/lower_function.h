// SPDX-License-Identifier: Apache-2.0
// One function for one case at a time.
#pragma once
#include "backend/ir/function_walk.h"

namespace komuz::backend::ir {

class FunctionLowering final : public FunctionWalk {
 public:
  using FunctionWalk::FunctionWalk;

 private:
  struct Region {
    RegionKind kind;
    u32 end;                                 // the JUMP, the merge, or the END
    size_t height;                           // of the stack, below what arms leave
    llvm::BasicBlock* begin = nullptr;       // FirstArm: the second arm. Loop: behind its LOOP
    llvm::BasicBlock* end_block = nullptr;   // the merge; Loop: its END
    llvm::BasicBlock* exit = nullptr;        // Loop: behind its END
    bool is_ended = false, is_left = false;  // Loop: is its END reached, is its exit?
    bool second_arm_lives = false;
    std::vector<Scalar> types = {};  // of the cells that arms leave
    std::vector<ArmWay> ways = {};
  };

  // lower_function.cpp: the frame, and its end
  void open_frame() override;
  llvm::Value* element_address(u32 slot, llvm::Value* offset);
  void finish() override;
  llvm::Value* load_cell(Scalar type, llvm::Value* address) override;
  void store_cell(llvm::Value* value, llvm::Value* address) override;
  llvm::Value* constant_in_table(const Cell& cell) override;
  void move_cells(llvm::Value* to, llvm::Value* from, u32 count) override;
  void copy_constants(llvm::Value* to, llvm::Value* from, u32 count) override;

  void store_slot(u32 slot, llvm::Value* value) override;
  void access(Instruction i) override;
  void load_referred(llvm::Value* memory, llvm::Value* first, u32 count, Scalar type) override;

  // lower_control.cpp: regions
  void close_merges() override;
  void branch(Instruction i) override;
  void end_first_arm(Instruction i) override;
  void short_circuit(Instruction i) override;
  void open_loop(Instruction i) override;
  void end_loop() override;
  void leave_loop_unless(llvm::Value* condition) override;
  void exit_loop(Instruction i) override;

  // lower_calls.cpp: calls, ticks and traps
  void tick() override;
  void ticks() override;
  void give_counts(const CallShape& shape, llvm::SmallVectorImpl<llvm::Value*>& given) override;
  void take_back(const CallShape& shape, llvm::CallInst* called) override;
  llvm::Value* result_of(const CallShape& shape, llvm::CallInst* called, u32 k) override;
  void return_results() override;
  void trap_if(llvm::Value* condition, Trap trap) override;
  void trap_if(llvm::Value* condition, llvm::Value* word);
  void trap_if_trapped(const EvaluatedCode& made) override;
  void trap_always(Trap trap) override;
  llvm::BasicBlock* callee_trapped();
  void return_failure();

  llvm::Value* left_ = nullptr;  // the variable that holds the ticks that are left

  llvm::BasicBlock* trapped_ = nullptr;  // stores how and with what was left
  llvm::PHINode* trap_words_ = nullptr;
  llvm::BasicBlock* callee_trapped_ = nullptr;

  std::vector<Region> regions_;
};

}  // namespace komuz::backend::ir
