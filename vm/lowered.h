// SPDX-License-Identifier: Apache-2.0
// Lowered code: the code that the batch machine runs. The lowering (lower.h) makes it from checked bytecode for one
// job. The handlers of an instruction set (lane_machine.h) execute it on a tile of lanes.
//
// A stack cell and a slot have a fixed place in the frame, so an operation names its operands instead of popping
// them:
//
//   bytecode          lowered
//   LOAD_VAR 0
//   LOAD_CONST 2.5
//   BINARY_MUL f64    MUL.f64  cell 3 <- argument 0, constant
//   LOAD_VAR 1
//   BINARY_ADD f64    ADD.f64  cell 3 <- cell 3, argument 1
//   STORE_VAR 2                          (written to slot 2 at once)
//
// A frame of a tile is `cells` columns of kCellBytes · lanes bytes. The lanes of a cell lie one behind the other,
// each as wide as its type. The cells of a frame are the slots, then result cells if the function returns early, then
// the operand stack.
#pragma once
#include <vector>

#include "vm/broadcast_values.h"
#include "vm/element_parts.h"
#include "vm/vm.h"

namespace komuz::vm {

struct Tile;
struct LoweredOp;

// Executes one operation on a tile. Returns the next one; null when the tile is done.
using Handler = const LoweredOp* (*)(const LoweredOp*, Tile&);

inline constexpr u32 kMaxTileLanes = 256;
inline constexpr u32 kLanesOfWord = 64;  // a set of lanes has a bit for each, in words of u64
inline constexpr u32 kCellBytes = 8;

// The place of a value, in one word: an address, or an offset in the frame. Both are multiples of kBroadcastBytes,
// and the low bits tell which it is.
using Operand = i64;
inline constexpr i64 kForAllLanes = 0;  // an address: one vector for all lanes
inline constexpr i64 kForEachLane = 1;  // a bit: there is a value for each lane
inline constexpr i64 kFromFrame = 2;    // a bit: an offset, not an address
inline constexpr i64 kInColumn = kForEachLane;
inline constexpr i64 kInFrame = kForEachLane | kFromFrame;
inline constexpr i64 kOperandBits = kBroadcastBytes - 1;

struct LoweredOp {
  Handler run = nullptr;
  Operand a = 0, b = 0;
  i64 c = 0;    // the third operand; for control: the operations to jump by, or a function's number
  u32 dst = 0;  // in the frame: the result, or the callee's frame
  u32 place = 0;  // its instruction
  u16 region =
      0;  // for control: the first of its waiting places in the function's part of Tile::regions
  bool masked = false;  // the result is stored for active lanes only
  u8 flag = 0;          // for control: see Control
  // For BreakIfFalse, Limit and FOR_NEXT: lanes that go on take the tick of the instruction behind it.
  bool ticks = false;
};

// Operations beside those of op_eval.h. `test` is operand a, a bool.
enum class Control : u8 {
  Enter,  // start of a function with regions
  If,  // lanes whose test is false (flag 1: true) wait for the merge; with none left go by c, behind it
  IfElse,  // lanes whose test is false wait for the second arm; with none left go there, by c
  Else,    // the arms change places; with no lane waiting go by c, behind the merge
  Merge,   // the waiting lanes go on
  Loop,    // start; with no lane active go by c, behind its end
  BreakIfFalse,  // lanes whose test is false wait for the loop's end; with none left go there, by c. May take a tick
  LoopEnd,  // with lanes left go by c, to the body; else lanes that left the loop go on. a, b: live cells at the start
  Break,    // all active lanes wait for the loop's end
  Continue,  // all active lanes wait for the next iteration
  Limit,     // the cell dst counts down, LIMIT if it is not positive. May take a tick
  Tick,      // one tick of fuel
  Ticks,     // as many as operand a, an i64, says; none if it is not positive
  Call,  // of function c, with its frame at dst. a, b: live cells during the call, without arguments
  ReturnEarly,  // all active lanes wait for the function's end
  Rejoin,       // those lanes go on
  FunctionEnd,  // back behind the call; flag 1: of the entry, goes on if no call is live
  Require,      // trap number c where the test is false
  TrapNow,      // trap number c for all active lanes
  ElementsStart,  // no lanes have values for later iterations, in the element loop whose block is at dst
  Elements,       // element loop c, start of an iteration: see lane_elements.h
  ElementsEnd,  // element loop c: the lanes have run its part for many iterations
  Finish,       // the tile's outcomes are complete, except columns of traps and results
};
inline constexpr u32 kControlCount = static_cast<u32>(Control::Finish) + 1;

// Operations on floats that run in pairs, the second on the first one's result.
inline constexpr Op kPairedOp[] = {Op::Add, Op::Sub, Op::Mul};
inline constexpr u8 kPairedOps = 3;

// Divisions of integers that are shorter by a constant power of two: b is the constant less 1, c its logarithm.
inline constexpr Op kDivision[] = {Op::Div, Op::Rem, Op::DivFloor, Op::ModFloor, Op::Div0};
inline constexpr u8 kDivisions = 5;
constexpr u8 division_of(Op op) {
  for (u8 k = 0; k < kDivisions; ++k)
    if (kDivision[k] == op) return k;
  return kDivisions;
}

// Field c of an operation on many cells: their number, and the bytes from one to the next of operands a and b, or a
// and dst.
struct CellSteps {
  static constexpr i64 kMostStep = (1 << 23) - 1;  // it has 24 bits
  static constexpr u32 kMostCells = 0xFFFF;
  u32 cells;
  i64 a, b;
  [[nodiscard]] static constexpr bool fits(i64 step) {
    return -kMostStep <= step && step <= kMostStep;
  }
  [[nodiscard]] constexpr i64 packed() const {
    return static_cast<i64>(static_cast<u64>(b) << 40 | (static_cast<u64>(a) & 0xFF'FFFF) << 16 |
                            cells);
  }
  [[nodiscard]] static constexpr CellSteps of(i64 c) {
    return {static_cast<u32>(c & 0xFFFF), static_cast<i64>(static_cast<u64>(c) << 24) >> 40,
            c >> 40};
  }
};

// Does the rest (Rest) of `count` elements, given their values and the variable, without those whose bit in `skipped`
// is set. Returns how many it has completed: it stops before an element that needs more, and before one that traps.
using RestHandler = u32 (*)(char* variable, const char* values, u32 count, u64 skipped);

// Handlers that split the lanes of a tile, or join them again.
struct PartingHandlers {
  // If, IfElse (the same) and BreakIfFalse for the comparison of a and b; by comparison and scalar type.
  Handler if_compared[kComparisons][kScalarCount];
  Handler break_compared[kComparisons][kScalarCount];
  // By scalar type and field `b`.
  Handler for_next[kScalarCount][2];
  Handler control[kControlCount];
};

// The handlers of one instruction set.
struct HandlerTable {
  // By operation, field `type`, and field `a` if it is a type, else 0. Without FOR_NEXT, which splits lanes. LOAD_AT
  // and STORE_AT for one cell of an access: see lane_areas.h. LOAD_REF for one cell; for more, [1] is the reference
  // to them, and [2] the load of each: see lane_references.h.
  Handler pure[kOpCount][kScalarCount][kScalarCount];
  // By f32 or f64, first and second operation. The second's operands are first(a, b) and c or, with last index 1, c
  // and first(a, b).
  Handler pair[2][kPairedOps][kPairedOps][2];
  // By division and scalar type.
  Handler by_power_of_two[kDivisions][kScalarCount];
  // dst = whether the CellSteps::cells pairs at a and b are equal; with flag 1, whether dst was also true. By scalar
  // type.
  Handler compare_cells[kScalarCount];
  // dst = a, by scalar type; and the same for CellSteps::cells cells, one after the other.
  Handler move[kScalarCount];
  // LOAD_AT, and LOAD_REF as in `pure`, from the lane of the case whose element a lane has.
  Handler load_at_home[kScalarCount];
  Handler load_ref_home[kScalarCount][2];
  Handler move_cells[kScalarCount];
  // Writes a, which is result c of the entry, into the outcomes; by scalar type.
  Handler result[kScalarCount];
  // By kFoldingOp, by comparison, and by MIN or MAX; then by type. [1]: the variable is the left operand.
  RestHandler fold[kFoldingOps][kScalarCount][2];
  RestHandler pass[kComparisons][kScalarCount][2];
  RestHandler best[2][kScalarCount];
  // For tiles of up to kLanesOfWord lanes, and for all.
  PartingHandlers one_word, all_words;
};

struct LoweredFunction {
  u32 first_op = 0;
  u32 cells = 0;    // of a frame, without its callees'
  u32 regions = 0;  // waiting places
  u16 rec = 0, cycle = 0;
  bool is_lowered = false;
};

// A cell of a frame, `bytes` for each lane.
struct LiveCell {
  u32 offset;
  u32 bytes;
};
// A copy of a cell to another one, `bytes` for each lane.
struct CellCopy {
  u32 from, to;
  u32 bytes;
};

// Lanes take elements only with at most so many cases: each then has room for four elements or more.
inline constexpr u32 kMostSpreadCases = 8;

// A loop with a part that lanes run for many of its iterations at once (lane_elements.h). Operations are numbers in
// LoweredProgram::ops, cells are offsets in the frame.
struct ElementLoop {
  u32 each_op = 0;   // the part, for one iteration of each case
  u32 join_op = 0;   // behind it
  u32 end_op = 0;    // LoopEnd
  u32 counter = 0;   // cell `next` of FOR_NEXT; bound and variable are the next ones
  u32 variable = 0;  // the cell of the elements' own numbers
  u32 block = 0;     // the cell with an ElementBlock
  u32 ticks = 0;     // the cell of the ticks that each element took
  bool is_inclusive = false;
  bool has_ticks = false;
  bool skips = false;  // some elements may go on with the next iteration at once
  u32 test = 0;        // if `tests_rest`: the cell of the bools that elements leave
  bool tests_rest = false;
  RestHandler rest = nullptr;  // null: the rest needs more than a RestHandler
  u32 values = 0;              // the cell of the elements' values, for `rest`
  u32 rest_variable = 0, value_bytes = 0;
  bool counts = false;  // each element is counted, in the cell `count`
  u32 count = 0;
  u16 region = 0;      // the loop's waiting places
  u16 own_region = 0;  // used in their place while lanes have elements
  // In LoweredProgram::cell_copies: from the lane of a case to those of its elements; from an element to its case;
  // within a case after it has taken an element.
  u32 shared = 0, left = 0, left_end = 0;
  u32 kept = 0, kept_end = 0;
};

inline constexpr u32 kMaxLiveCells = 64;  // of one list
inline constexpr i64 kLiveCellsUnknown = -1;

struct LoweredProgram {
  std::vector<LoweredOp> ops;
  std::vector<LoweredFunction> functions;
  // Cells whose values may still be needed: an operation of control has [a, b) of them. See lane_order.h.
  std::vector<LiveCell> live_cells;
  std::vector<ElementLoop> element_loops;
  std::vector<CellCopy> cell_copies;
  // Operands that lie in the case columns, and the bytes to add for each lane when the next tile starts. Only for a
  // job with several tiles.
  struct ColumnUse {
    u32 op;
    u8 operand;  // 0, 1, 2: a, b, c
    u8 bytes;
  };
  std::vector<ColumnUse> column_uses;
  BroadcastValues constants;

  u32 first_op = 0;                // of the entry
  u32 tile_lanes = kMaxTileLanes;  // a multiple of 64
  u32 frame_cells = 0;             // of all frames that can be live at once
  u32 live_frames = 0;
  u32 regions = 0;
  u32 cycles = 0;  // largest number of a cycle
  bool copies_arguments =
      false;                 // into the entry's frame, at a tile's start, since lanes change places
  bool is_straight = false;  // an entry without control, by itself

  // For code for one lane (one_lane.h): where the entry writes its results and, for each operation, the handler for
  // lanes.
  u32 entry_end = 0;
  std::vector<Handler> of_lanes;
  std::vector<u32> region_ends;  // scratch
};

}  // namespace komuz::vm
