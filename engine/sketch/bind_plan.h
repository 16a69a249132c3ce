// SPDX-License-Identifier: Apache-2.0
// A sketch's code cut into *pieces*, so that binding a variant is a walk from piece to piece that copies each:
//
//   piece 0       test 0 JUMP  piece 1  JUMP end  test 1 JUMP  piece 2  JUMP end  piece 3        piece 4
//   ───────────                ───────            ───────────  ───────            (last)  end:   ───────
//   then 1, 2, 3               then 4                          then 4             then 4         …
//
// Tests and the jumps around alternatives are in none. A piece starts wherever a jump that stays goes to, too.
//
// A space is a function of the sketch's code, whose alternatives are cut likewise. Bound code has no such function:
// where one is called, or its name stands among its alternatives, the pieces of the alternative that was chosen are
// copied instead, with slots of their own (bound_functions.h), and the walk goes on behind it.
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
    // Where it goes on: a piece, kNone at the end of a function and of an expression from a space; or, where there
    // is a choice, the row of `ways` of its first alternative.
    u32 next = kNone;
    u32 hole = kNone;  // of that choice
    // An expression from a space that comes before `next`: the hole that it stands in.
    u32 enters = kNone;
    // Of the expression's arguments, if they are variables that stand for its parameters: the first row of `arguments`.
    u32 first_argument = kNone;
    u32 first_patch = 0, behind_patches = 0;
    u32 max_stack = 0,
        end_stack = 0;  // cells of its function's operand stack: the most, and behind it
  };
  // What is not the same in each copy of an instruction.
  enum class PatchKind : u8 {
    Target,  // it goes to the piece `value`
    Slot,    // of a space: a is one of its slots
    Stored,  // of a space: a is a slot of the parameters of the space `value`
    Grid,    // of a space: it loads a number of the grid `value`
  };
  struct Patch {
    PatchKind kind = PatchKind::Target;
    u32 instruction = 0, value = 0;
  };
  // The number of a grid, which is a constant of the code.
  struct GridConstant {
    u32 hole = 0, constant = 0;
    u32 first_value = kNone;  // in `values`, all points; kNone: they are too many, and in `points`
  };
  // Of the alternatives of a space.
  struct SpacePieces {
    u32 first_way = 0;               // in `ways`
    u32 first_piece = 0, count = 0;  // all pieces
  };

  std::vector<Piece> pieces;      // in the order of the code
  std::vector<u32> first_pieces;  // by function of bound code
  std::vector<u32> ways;          // pieces
  std::vector<Patch> patches;     // by piece
  // Slots of the function, or of the space, that the expression stands in.
  std::vector<u16> arguments;
  std::vector<SpacePieces> spaces;  // as in the sketch
  // Those of the program are constants of bound code from the start; those of spaces become some as often as they
  // are bound.
  std::vector<GridConstant> grids, space_grids;
  std::vector<u64> values;
  std::vector<GridPoints> points;    // by hole; there are none if no grid needs them
  std::vector<HoleForm> hole_forms;  // by hole
  BoundFunctions functions;
  // Of the sketch's code, with grids as constants and calls of functions by their numbers in bound code, and what
  // is stored for the parameters of spaces. kCopied more than there are, so that pieces are copied so many at a
  // time.
  static constexpr u32 kCopied = 4;
  std::vector<Instruction> instructions;
  std::vector<u32> places;
};

// By instruction of a sketch's code: of a LOAD_HOLE, of the CALL of a space and of the TRAP that stands for its
// name among its alternatives, the hole; of a test for an alternative of space s the number of holes + s; else
// kNoHole.
inline constexpr u32 kNoHole = ~0u;
[[nodiscard]] std::vector<u32> find_code_holes(const Code& code, const Sketch& sketch,
                                               const BoundFunctions& functions);

// Of checked code, whose spaces take and give neither arrays nor lists. Its functions have been numbered. Where
// they do not fit nothing else is sound.
[[nodiscard]] BindPlan make_bind_plan(const Code& code, const Sketch& sketch, u32 stack_limit,
                                      const std::vector<u32>& hole_at, BoundFunctions functions);

// The test for an alternative, with the jump past it behind it; else it is a number of a grid.
[[nodiscard]] inline bool is_alternative_test(const Instruction& i) {
  return i.op == Op::LoadHole && i.type == Scalar::Bool;
}

}  // namespace komuz::engine
