// SPDX-License-Identifier: Apache-2.0
// A sketch's code, cut into *pieces*. Binding a variant is a walk from piece to piece that copies each:
//
//   piece 0       test 0 JUMP  piece 1  JUMP end  test 1 JUMP  piece 2  JUMP end  piece 3        piece 4
//   ───────────                ───────            ───────────  ───────            (last)  end:   ───────
//   then 1, 2, 3               then 4                          then 4             then 4         …
//
// Tests, and the jumps around alternatives, belong to no piece. A piece also starts at each target of a jump that
// stays.
//
// A space is a function of the sketch's code, whose alternatives are cut likewise. Bound code has no such function.
// Where a space is called, or its name stands among its alternatives, the pieces of the chosen alternative are copied
// instead, with slots of their own (bound_functions.h), and the walk goes on behind it.
#pragma once
#include <vector>

#include "engine/sketch/bound_functions.h"
#include "engine/sketch/grid/grid_points.h"
#include "lang/code.h"
#include "lang/sketch.h"

namespace komuz::engine {

struct BindPlan {
  static constexpr u32 kNone = ~0u;

  struct Piece {
    u32 begin = 0, end = 0;  // in `instructions`
    // Where the walk goes on: a piece, or kNone at the end of a function and of an expression from a space; for a
    // choice, the row of `ways` of its first alternative.
    u32 next = kNone;
    u32 hole = kNone;  // of that choice
    // The hole of an expression from a space that comes before `next`.
    u32 enters = kNone;
    // If the expression's arguments are variables that stand for its parameters: the first row of `arguments`.
    u32 first_argument = kNone;
    u32 first_patch = 0, behind_patches = 0;
    u32 max_stack = 0,
        end_stack = 0;  // cells of its function's operand stack: the most, and behind the piece
  };
  // The part of an instruction that differs between its copies.
  enum class PatchKind : u8 {
    Target,  // a jump to the piece `value`
    Slot,    // in a space: a is one of its slots
    Stored,  // in a space: a is a slot of the parameters of the space `value`
    Grid,    // in a space: it loads a number of the grid `value`
  };
  struct Patch {
    PatchKind kind = PatchKind::Target;
    u32 instruction = 0, value = 0;
  };
  // A grid's number, which is a constant of the code.
  struct GridConstant {
    u32 hole = 0, constant = 0;
    u32 first_value = kNone;  // in `values`, all points; kNone: they are too many, and in `points`
  };
  // The pieces of the alternatives of a space.
  struct SpacePieces {
    u32 first_way = 0;               // in `ways`
    u32 first_piece = 0, count = 0;  // all pieces
  };

  std::vector<Piece> pieces;      // in the order of the code
  std::vector<u32> first_pieces;  // by function of bound code
  std::vector<u32> ways;          // pieces
  std::vector<Patch> patches;     // by piece
  // Slots of the function, or of the space, in which the expression stands.
  std::vector<u16> arguments;
  std::vector<SpacePieces> spaces;  // as in the sketch
  // Grids of the program are constants of bound code from the start. Grids of spaces become constants as often as
  // their expressions are bound.
  std::vector<GridConstant> grids, space_grids;
  std::vector<u64> values;
  std::vector<GridPoints> points;    // by hole; empty if no grid needs them
  std::vector<HoleForm> hole_forms;  // by hole
  BoundFunctions functions;
  // Instructions of the sketch's code, with grids as constants, calls by numbers of functions in bound code, and
  // stores for the parameters of spaces. The list is kCopied longer than its content, so that pieces can be copied in
  // steps of kCopied.
  static constexpr u32 kCopied = 4;
  std::vector<Instruction> instructions;
  std::vector<u32> places;
};

// By instruction of a sketch's code. The hole, for a LOAD_HOLE, for the CALL of a space, and for the TRAP that stands
// for a space's name among its alternatives. The number of holes + s, for a test for an alternative of space s. Else
// kNoHole.
inline constexpr u32 kNoHole = ~0u;
[[nodiscard]] std::vector<u32> find_code_holes(const Code& code, const Sketch& sketch,
                                               const BoundFunctions& functions);

// Makes the plan of checked code whose spaces neither take nor give arrays or lists. Its functions have been
// numbered. If they do not fit, nothing else of the plan is sound.
[[nodiscard]] BindPlan make_bind_plan(const Code& code, const Sketch& sketch, u32 stack_limit,
                                      const std::vector<u32>& hole_at, BoundFunctions functions);

// True for the test for an alternative, followed by the jump past it; otherwise the instruction loads a number of a
// grid.
[[nodiscard]] inline bool is_alternative_test(const Instruction& i) {
  return i.op == Op::LoadHole && i.type == Scalar::Bool;
}

}  // namespace komuz::engine
