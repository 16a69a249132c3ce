// SPDX-License-Identifier: Apache-2.0
// A sketch's code cut into *pieces*, so that binding a variant is a walk from piece to piece that copies each:
//
//   piece 0       test 0 JUMP  piece 1  JUMP end  test 1 JUMP  piece 2  JUMP end  piece 3        piece 4
//   ───────────                ───────            ───────────  ───────            (last)  end:   ───────
//   then 1, 2, 3               then 4                          then 4             then 4         …
//
// Tests and the jumps around alternatives are in none. A piece starts wherever a jump that stays goes to, too.
#pragma once
#include <vector>

#include "lang/code.h"
#include "lang/sketch.h"

namespace komuz::engine {

struct BindPlan {
  static constexpr u32 kNone = ~0u;

  struct Piece {
    u32 begin = 0, end = 0;  // in the sketch's code
    // Where it goes on: a piece, kNone behind the last one of a function; or, where there is a hole, the row of `ways` of its
    // first alternative.
    u32 next = kNone;
    u32 hole = kNone;
    u32 first_target = 0, behind_targets = 0;
  };
  // A jump in a piece, and the piece that it goes to.
  struct Target {
    u32 instruction, piece;
  };
  // The number of a grid, which is a constant of the code.
  struct GridConstant {
    u32 hole, constant;
    u32 first_value;  // in `values`, all points; kNone: they are too many
  };

  std::vector<Piece> pieces;      // in the order of the code
  std::vector<u32> first_pieces;  // by function
  std::vector<u32> ways;          // pieces
  std::vector<Target> targets;    // by piece
  std::vector<GridConstant> grids;
  std::vector<u64> values;
  // Of the code, with grids as constants; kCopied more than there are, so that pieces are copied so many at a time.
  static constexpr u32 kCopied = 4;
  std::vector<Instruction> instructions;
  std::vector<u32> places;
};

inline constexpr u32 kNoHole = ~0u;

// `hole_at`: by instruction, of a LOAD_HOLE the hole, else kNoHole.
[[nodiscard]] BindPlan make_bind_plan(const Code& code, const Sketch& sketch,
                                      const std::vector<u32>& hole_at);

// The test for an alternative, with the jump past it behind it; else it is a number of a grid.
[[nodiscard]] inline bool is_alternative_test(const Instruction& i) {
  return i.op == Op::LoadHole && i.type == Scalar::Bool;
}

}  // namespace komuz::engine
