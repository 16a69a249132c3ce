// SPDX-License-Identifier: Apache-2.0
// From the decisions of a variant to its bound code: bind_plan.h.
#pragma once
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

// A workspace for one thread; reused from variant to variant, it stops allocating.
class Binder {
 public:
  explicit Binder(const SketchProgram& sketch) : sketch_(sketch), plan_(sketch.bind_plan) {}

  // `out` becomes the code of the variant. It may be that of another variant of the sketch, to which something was added.
  // False: these are no decisions of the sketch. There is no obstacle.
  [[nodiscard]] bool bind(const Decisions& decisions, Code& out);

 private:
  // The program itself, or an expression from a space: where its pieces find what is its own.
  struct Frame {
    u32 instance = 0;  // of variant_
    u32 space = kNoSpace;
    u32 stack = 0;            // cells below it
    u32 first_parameter = 0;  // of the space, in parameter_slots_
    u32 first_variable = 0;   // of the space: a slot
    u32 first_moved = 0;      // of piece 0, in moved_to_
  };
  struct Jump {
    u32 instruction, moved;  // in bound code, and the row of moved_to_ of where it goes to
  };

  void copy_columns(Code& out) const;
  void bind_function(u32 number, Code& out);
  // From the piece on to the end of the function, or of the expression.
  void copy_from(u32 piece, const Frame& frame, Code& out);
  void copy_piece(const BindPlan::Piece& piece, const Frame& frame, Code& out);
  void enter(const BindPlan::Piece& piece, const Frame& around, Code& out);
  void patch(const BindPlan::Patch& patch, u32 instruction, const Frame& frame, Code& out);
  [[nodiscard]] u32 slot(u32 own, const Frame& frame) const;
  [[nodiscard]] u64 grid_number(const BindPlan::GridConstant& grid, u32 instance) const;

  const SketchProgram& sketch_;
  const BindPlan& plan_;
  DecodedVariant variant_;
  std::vector<u32> parameter_slots_;  // of the expressions of the function
  std::vector<u32> moved_to_;         // by piece: where it begins in the bound function
  std::vector<Jump> jumps_;
  u32 function_ = 0, begin_ = 0, end_ = 0;  // in bound code
  u32 most_stack_ = 0;
};

}  // namespace komuz::engine
