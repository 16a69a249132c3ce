// SPDX-License-Identifier: Apache-2.0
// Where code is written: what the functions of ir_values.h append to.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include <string>
#include <vector>

#include "backend/ir/ir_values.h"
#include "backend/loaded_constants.h"

namespace komuz::backend::ir {

// What the code may use.
struct TargetTraits {
  bool fuses = false;     // an instruction for fma
  bool rounds = false;    // one for rounding to integral values
  bool converts = false;  // one between 64-bit integers and floats in lanes
  bool gathers = false;   // those that access a place for each lane
  // Budgets come in slices, and between two of them code looks whether a stop was requested; else a case has its budget
  // as a whole, and nothing stops it.
  bool slices = true;
};

// A mathematical function of floats as a function, for as many cases as the writer has lanes.
struct Kernel {
  std::string name;
  Op op;
  Scalar type;
};

// Constants that code loads from the table in its state.
class ConstantTable {
 public:
  ConstantTable() = default;
  ConstantTable(const LoadedConstants& loaded, const CodeView& code, u32 lanes)
      : of_case_(loaded.of == ConstantsOf::Case && lanes != 1),
        row_of_(code.constants.size(), kNone) {
    for (u32 k = 0; k < loaded.numbers.size(); ++k) row_of_[loaded.numbers[k]] = k;
  }
  [[nodiscard]] bool has(u32 constant) const {
    return !row_of_.empty() && row_of_[constant] != kNone;
  }
  [[nodiscard]] u32 row(u32 constant) const { return row_of_[constant]; }
  // Has each lane a number of its own?
  [[nodiscard]] bool of_case() const { return of_case_; }

 private:
  static constexpr u32 kNone = ~u32{0};
  bool of_case_ = false;
  std::vector<u32> row_of_;  // by the number of a constant
};

class DebugPlaces;

// While one exists, it is the writer of its thread.
class IrWriter {
 public:
  // Of code for `lanes` cases at a time: with more than one, a value is a vector.
  IrWriter(llvm::Module& module, TargetTraits traits, u32 lanes);
  ~IrWriter();
  IrWriter(const IrWriter&) = delete;
  IrWriter& operator=(const IrWriter&) = delete;
  [[nodiscard]] static IrWriter& current();

  [[nodiscard]] llvm::Type* type(Type t);
  [[nodiscard]] llvm::Type* type(Scalar scalar);
  [[nodiscard]] llvm::Type* mask_type() { return type(Type::Bool); }
  // Of one case, whatever the lanes.
  [[nodiscard]] llvm::Type* element_type(Type t);
  // Is any lane of a mask set? One bit.
  [[nodiscard]] llvm::Value* any(llvm::Value* mask);
  // The same value in each lane.
  [[nodiscard]] llvm::Value* splat(llvm::Value* one);
  // A new block at the end of the function in which code is written.
  [[nodiscard]] llvm::BasicBlock* block(const char* name);
  [[nodiscard]] llvm::Function* function() { return builder.GetInsertBlock()->getParent(); }

  llvm::Module& module;
  llvm::LLVMContext& context;
  llvm::IRBuilder<> builder;
  const TargetTraits traits;
  const u32 lanes;
  // True if mathematical functions are somewhere else. The module then declares them, and `kernels` is what it needs;
  // else they are written into it.
  bool shares_kernels = false;
  std::vector<Kernel> kernels;
  // Where instructions stand; null: it is not known.
  DebugPlaces* places = nullptr;
  ConstantTable constants;

 private:
  IrWriter* const around_;
};

// A loop: body(i) writes the code for an index i below `count`, which is an i64 and not 0.
template <class Body>
void write_loop(IrWriter& w, llvm::Value* count, Body body) {
  llvm::BasicBlock* const before = w.builder.GetInsertBlock();
  llvm::BasicBlock* const loop = w.block("loop");
  w.builder.CreateBr(loop);
  w.builder.SetInsertPoint(loop);
  llvm::PHINode* const i = w.builder.CreatePHI(w.builder.getInt64Ty(), 2);
  i->addIncoming(w.builder.getInt64(0), before);
  body(i);
  llvm::Value* const next = w.builder.CreateAdd(i, w.builder.getInt64(1));
  i->addIncoming(next, w.builder.GetInsertBlock());
  llvm::BasicBlock* const behind = w.block("behind_loop");
  w.builder.CreateCondBr(w.builder.CreateICmpULT(next, count), loop, behind);
  w.builder.SetInsertPoint(behind);
}

}  // namespace komuz::backend::ir
