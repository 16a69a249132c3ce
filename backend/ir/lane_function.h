// SPDX-License-Identifier: Apache-2.0
// One function for many cases at a time, a case a lane. Each value is a vector, and each lane is in just one mask: that
// of the lanes that run here, or one of those that wait, for their arm, for the end of their region or of the function.
// What has trapped is in none. So no lane has to be taken out of a mask that it has left already.
//
// Values of lanes that do not run are meaningless, but they are numbers: never what LLVM calls poison, as a division
// or a branch by such would be undefined. So slots begin as zeros, and so do cells that an arm did not write.
//
// A region that no lane runs may be passed by. Where that pays (long arms, loops, calls) code looks whether any lane is
// left, and goes to the region's `skip` if none is. In short arms it does not look.
#pragma once
#include "backend/ir/function_walk.h"
#include "backend/ir/lane_rows.h"

namespace komuz::backend::ir {

class LaneLowering final : public FunctionWalk {
 public:
  LaneLowering(const ProgramModule& module, u32 number);

 private:
  struct Region {
    RegionKind kind;
    u32 end;                   // the JUMP, the merge, or the END
    size_t height;             // of the stack, below what arms leave
    llvm::BasicBlock* skip;    // where it goes on: the second arm, the merge, the END
    bool is_entered;           // does any way lead to it?
    bool has_leavers = false;  // may lanes have left it, so that it is worth to look?
    // Arms. The lanes of the second arm; in it, those that have done with the first one.
    llvm::Value* waiting = nullptr;
    std::vector<ArmWay> ways = {};
    std::vector<Scalar> types = {};
    std::vector<llvm::Value*> first_cells = {};
    bool first_lives = false;
    // Loops. The lanes that have left it, and those that wait for its END.
    llvm::Value *exited = nullptr, *continued = nullptr;
    llvm::BasicBlock *begin = nullptr, *exit = nullptr;
    bool is_tested = false, has_continue = false, is_left = false;
  };

  // lane_frame.cpp: the frame, and its end
  void open_frame() override;
  void finish() override;
  llvm::Value* out_member(u32 k);

  // The address of a cell: of one row, where all running lanes mean it, or of a place in each lane.
  struct Target {
    llvm::Value* row;     // of the row; null if lanes have places of their own
    llvm::Value* is_row;  // one bit, where that shows only as code runs; else null
    LanePlaces places;
  };

  // lane_memory.cpp: slots, areas, references
  llvm::Value* load_cell(Scalar type, llvm::Value* address) override;
  void store_cell(llvm::Value* value, llvm::Value* address) override;
  llvm::Value* constant_in_table(const Cell& cell) override;
  void move_cells(llvm::Value* to, llvm::Value* from, u32 count) override;
  void copy_constants(llvm::Value* to, llvm::Value* from, u32 count) override;
  void store_slot(u32 slot, llvm::Value* value) override;
  void pop_slots(u32 first, u32 count) override;
  void copy_slots(u32 first, llvm::Value* from, u32 count) override;
  void access(Instruction i) override;
  void load_referred(llvm::Value* memory, llvm::Value* first, u32 count, Scalar type) override;
  // Is the slot of use only for lanes that run here? Then others need not keep it.
  bool is_own(u32 slot);
  void forget_inner_slots();
  void load_at(const Target& at, u32 count, Scalar type);
  void store_at(const Target& at, u32 count);
  Target target(llvm::Value* first, llvm::Value* offsets);
  llvm::Value* row_of(llvm::Value* first, llvm::Value* offset);
  // Writes code for either, as far as it can be.
  template <class OfRow, class OfPlaces>
  void at_target(const Target& at, OfRow of_row, OfPlaces of_places);

  // lane_common.cpp: numbers that all lanes have
  void find_stores();
  bool is_step(u32 at, u32 slot, u32 loop) const;
  void forget_changing(u32 loop, u32 end);
  void forget_inner_commons();
  llvm::Value* common_of(u32 slot) override;
  void set_common(u32 slot, llvm::Value* number) override;
  llvm::Value* common_result(Instruction i, const Cell* operands) override;

  // lane_control.cpp: regions
  void close_merges() override;
  void branch(Instruction i) override;
  void end_first_arm(Instruction i) override;
  void short_circuit(Instruction i) override;
  void open_loop(Instruction i) override;
  void end_loop() override;
  void leave_loop_unless(llvm::Value* condition) override;
  void exit_loop(Instruction i) override;
  llvm::BasicBlock* skip_from(llvm::BasicBlock* from);
  void skip_if_none();
  void leave_if_none(llvm::BasicBlock* from, llvm::BasicBlock* on);
  void skip_all();
  void end_way(Region& region, u32 count);
  std::vector<llvm::Value*> merged_cells(const Region& region);
  [[nodiscard]] bool is_long(u32 first, u32 end) const;

  // lane_calls.cpp: calls, ticks, traps
  void tick() override;
  void ticks() override;
  void open_call() override { skip_if_none(); }
  void give_counts(const CallShape& shape, llvm::SmallVectorImpl<llvm::Value*>& given) override;
  void take_back(const CallShape& shape, llvm::CallInst* called) override;
  llvm::Value* result_of(const CallShape& shape, llvm::CallInst* called, u32 k) override;
  // A member of what a call gives back (module_functions.h).
  llvm::Value* given_back(const CallShape& shape, llvm::CallInst* called, llvm::Type* type, u32 k);
  void return_results() override;
  void trap_if(llvm::Value* condition, Trap trap) override;
  void trap_if_trapped(const EvaluatedCode& made) override;
  void trap_always(Trap trap) override;
  void trap_all_if(llvm::Value* condition, Trap trap) override;
  void synchronise(llvm::Value* wanted);
  void end_lanes(llvm::Value* lanes, llvm::Value* words);

  llvm::Value* mask_variable(const char* name);
  llvm::Value* load_mask(llvm::Value* variable) {
    return w_.builder.CreateLoad(w_.mask_type(), variable);
  }
  llvm::Value* live() { return load_mask(live_); }
  llvm::Value* none() { return constant(Type::Bool, 0); }
  llvm::Value* state_rows(size_t offset);

  llvm::Value* out_ = nullptr;         // what is given back (module_functions.h)
  llvm::Value* live_ = nullptr;        // the lanes that run
  llvm::Value* returned_ = nullptr;    // those that have returned
  llvm::Value* slice_ = nullptr;       // ticks until budgets have to be looked at
  llvm::Value* used_ = nullptr;        // ticks of each lane since then
  llvm::BasicBlock* end_ = nullptr;    // of the function
  llvm::Value* write_mask_ = nullptr;  // pop_cells writes these lanes alone; null: all
  bool has_returned_ = false;
  std::vector<llvm::Value*> result_slots_;
  // Of each slot the number of regions round its first store; kNowhere: none yet.
  std::vector<u32> born_in_;
  std::vector<u32> births_;   // slots in the order of their first stores
  std::vector<u32> weights_;  // of the instructions before each
  std::vector<Region> regions_;
  // A slot's number as one number, stored in that many regions.
  struct Common {
    llvm::Value* variable = nullptr;
    bool is_known = false;
    u32 level = 0;
  };
  std::vector<Common> commons_;
  std::vector<u32> common_slots_;  // those that are known, and some that were
  // Slots outside of areas, and instructions that store to them.
  std::vector<std::pair<u32, u32>> stores_;
  std::vector<u32> around_;     // each instruction's region: its first instruction
  std::vector<u32> continues_;  // the CONTINUE instructions
};

}  // namespace komuz::backend::ir
