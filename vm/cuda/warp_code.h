// SPDX-License-Identifier: Apache-2.0
// Warp code: the code that a warp executes. lower_warp.h makes it from checked bytecode. The interpreter in warp_vm.h
// runs it.
//
// A warp runs one program on 32 · kCasesPerLane cases. Every cell of the operand stack and every slot has a fixed
// place in the frame (heights are static). The value computed last is in registers: the accumulator. An operation
// takes each operand from the accumulator, from a cell or from the pool of constants. Its result becomes the
// accumulator. If the old accumulator is still needed, the same operation pushes it first.
//
//   bytecode          warp code
//   LOAD_VAR 0
//   LOAD_CONST 2.5
//   BINARY_MUL f64    MUL f64   cell 0, constant
//   LOAD_VAR 1
//   BINARY_ADD f64    ADD f64   accumulator, cell 1
//   STORE_VAR 2                 (stored to cell 2 by the ADD)
//
// The memory of a warp consists of cells, with a frame's behind its caller's, and then words, with 32 lanes a word:
//
//   cell: | low halves of cases 0 … 3 of each lane | high halves of cases 0 … 3 of each lane |   16 bytes a lane each
//         narrower types have no high halves; a case's bytes do not depend on the type that other cases have there
//   words: fuel, live frames of each recursion cycle, then for each frame the call that made it and its waiting places
//
// A lane touches only its own cases' bytes and its own words, so no barrier is needed.
#pragma once
#include "lang/code.h"

namespace komuz::vm {

inline constexpr u32 kWarpLanes = 32;
inline constexpr u32 kCasesPerLane = 4;
inline constexpr u32 kWarpCases = kWarpLanes * kCasesPerLane;
inline constexpr u32 kWarpCellBytes = 8 * kWarpCases;
inline constexpr u32 kWarpWordBytes = 4 * kWarpLanes;

// Operations beside the pure ones of ops.def. `test` is the left operand, a bool. Jumps have their target in `d`.
// Operations that split lanes have a waiting place in `c`: a word of the frame, whose bit k is for the lane's case k.
enum class WarpControl : u8 {
  Move,       // the accumulator becomes the left operand
  MoveCells,  // the b cells c, c + 1, … become the cells a, a + d, …, one after the other; of 8 bytes if kLeftWide
  MoveConstants,  // the same with the constants d, d + a, …
  Enter,   // start of a function in the cycle a with its `rec` b: clears place 0, for early returns
  If,      // cases whose test is false wait in c; with none left they go on at d
  IfTrue,  // the same with those whose test is true
  Else,  // the cases in c and the active ones change places; with none in c go to d, behind the merge
  Merge,  // the cases in c go on
  Loop,  // clears places c (for BREAK) and c + 1 (for CONTINUE); with no active case go to d, behind it
  BreakIfFalse,  // cases whose test is false wait in c; with none left go to d, the end of the innermost region
  ForNext,  // FOR_NEXT of the type b on slots a, a + 1, a + 2; cases that have reached the bound wait in c, as above
  LoopEnd,  // the cases in c + 1 go on; with any active go to d, the body; else those in c go on
  Wait,     // all active cases wait in c
  Limit,    // the cell a counts down: LIMIT
  Tick,     // one tick of fuel
  Ticks,    // as many ticks as the left operand says; none if it is not positive
  Call,     // the function whose Enter is at d; its frame starts at cell a and word b of this one
  FunctionEnd,  // back behind the call; at the entry: the end
  Require,      // trap number d where the test is false
  TrapNow,      // trap a
  LoadAt,  // the left operand is an offset: INDEX unless it is below d; the accumulator becomes the cell b + offset
  StoreAt,  // INDEX likewise; the right operand to the cell c + offset, of active cases
  Refer,  // a reference to the first cells from b on, as many as the left operand says: INDEX above d
  PartOfReference,  // the left operand's cells from the right operand up to cell c's value, exclusive: INDEX
  RestOfReference,  // the right operand's cells from the left one on: INDEX unless d cells remain
  LoadRef,          // the same for one cell, which becomes the accumulator
  EqCells,  // the accumulator becomes whether the d & FFFFh cells from a on, of type d >> 16, equal those from b on
  LoadReferred,  // the accumulator becomes the cell at offset a, which exists, in what the right operand refers to
};

// The source of an operand.
enum class WarpSource : u8 { Accumulator, Cell, Constant };

// An operation, as one number. Control and the operations of hot_operations.def are numbered densely, for a jump
// table. The others are kAnyOperation with the operation, its type and a second type (a shift's amount, a
// conversion's operand) in the bits.
using WarpOpcode = u16;
inline constexpr WarpOpcode kAnyOperation = 0x8000;
inline constexpr u32 kWarpControls = static_cast<u32>(WarpControl::LoadReferred) + 1;

enum class Hot : u8 {
#define HOT(Name, form, type) Name##type,
#include "vm/cuda/hot_operations.def"
};
HD constexpr WarpOpcode warp_opcode(WarpControl control) {
  return static_cast<WarpOpcode>(control);
}
HD constexpr WarpOpcode warp_opcode(Hot operation) {
  return static_cast<WarpOpcode>(kWarpControls + static_cast<u32>(operation));
}
HD constexpr WarpOpcode warp_opcode_of_any(Op op, Scalar type, Scalar second) {
  return static_cast<WarpOpcode>(kAnyOperation | static_cast<u32>(op) << 8 |
                                 static_cast<u32>(type) << 4 | static_cast<u32>(second));
}
static_assert(kOpCount <= 0x80 && kScalarCount <= 0x10);
// The instruction for such a number.
HD constexpr Instruction operation_of(WarpOpcode code) {
  return {static_cast<Op>(code >> 8 & 0x7F), static_cast<Scalar>(code >> 4 & 0xF),
          static_cast<u16>(code & 0xF), 0};
}

struct alignas(16) WarpOp {
  static constexpr u8 kLeftWide = 1, kRightWide = 2;   // the operand has an 8-byte type
  static constexpr u8 kPushes = 4, kPushesWide = 8;    // first action: accumulator to cell `push`
  static constexpr u8 kStores = 16, kStoresWide = 32;  // last action: accumulator to cell `c`
  static constexpr u8 kInclusive = 64;                 // for ForNext
  static constexpr u8 kHasThird = 128;                 // a third operand, in cell `c`

  WarpOpcode code = 0;
  u8 sources = 0;  // WarpSource of the left operand, and << 4 of the right one
  u8 flags = 0;
  u16 a = 0, b = 0;  // cells of the left and the right operand
  u16 push = 0;
  u16 c = 0;  // cell of a third operand
  u32 d = 0;  // number of a constant
};
static_assert(sizeof(WarpOp) == 16);

// A program, and the memory that a warp needs for it. Offsets are into columns that the programs of a batch share.
struct WarpProgram {
  u32 ops_begin =
      0;  // the entry's first; `d` counts from there; operation i is for instruction places[ops_begin + i]
  u32 constants_begin = 0;  // `d` counts from there
  u32 types_begin = 0;      // scalar types of the results
  u32 results = 0;
  u32 entry_place = 0;  // the entry's first instruction
  u32 cells = 0;        // of all frames that can be live at once
  u32 words = 0;        // fuel and live frames included
  u16 cycles = 0;       // largest number of a recursion cycle
  u16 entry_cycle = 0;  // the entry's; 0: none
};

// The words of a program: first the fuel of a lane's cases, low halves and high halves, then live frames by cycle,
// then the entry's frame, and so on.
inline constexpr u32 kFuelWords = 2 * kCasesPerLane;

[[nodiscard]] HD constexpr u64 warp_bytes(u32 cells, u32 words) {
  return u64{cells} * kWarpCellBytes + u64{words} * kWarpWordBytes;
}

}  // namespace komuz::vm
