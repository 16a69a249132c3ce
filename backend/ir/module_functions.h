// SPDX-License-Identifier: Apache-2.0
// The functions of a module that are no program's: what ticks call when a slice is used up.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include "backend/ir/frame_plan.h"
#include "backend/ir/ir_writer.h"

namespace komuz::backend::ir {

// What functions of one program have in common.
struct ProgramModule {
  IrWriter& writer;
  const CodeView& code;
  const ProgramPlan& plan;
  // By number; null for those that the entry does not reach.
  std::vector<llvm::Function*> functions;
  // i64 (ptr state): takes a slice from the reserve; 0 if there is none, or a stop was requested.
  llvm::Function* refill = nullptr;
  // i64 (ptr state, i64 left, i64 ticks): what is left after so many ticks; −1 if they are more than there are.
  llvm::Function* take = nullptr;
  // Of code for many cases: looks at their budgets (lane_program.cpp).
  llvm::Function* synchronise = nullptr;
};

void write_tick_functions(ProgramModule& module);

// Was a stop requested? `offset` is that of `stop` in the state.
[[nodiscard]] llvm::Value* stop_requested(IrWriter& writer, llvm::Value* state, size_t offset);

// The address of a member of a state, by its offset.
[[nodiscard]] llvm::Value* state_member(IrWriter& writer, llvm::Value* state, size_t offset);

// What a function takes and gives.
class CallShape {
 public:
  CallShape(const CodeView& code, const ProgramPlan& plan, u32 function);

  std::vector<Scalar> parameters, results;
  bool has_live, has_top;  // the frames of its cycle; the place of its scratch memory
  bool parameters_in_memory, results_in_memory;
  [[nodiscard]] llvm::FunctionType* type(IrWriter& writer) const;
  // For many cases: what is given back is in memory of the caller. It is the slice, the ticks of each lane in it, the
  // lanes that have returned, and results.
  [[nodiscard]] llvm::FunctionType* lanes_type(IrWriter& writer) const;
  [[nodiscard]] llvm::StructType* lanes_out(IrWriter& writer) const;

 private:
  void add_arguments(IrWriter& writer, llvm::SmallVectorImpl<llvm::Type*>& takes) const;
};

}  // namespace komuz::backend::ir
