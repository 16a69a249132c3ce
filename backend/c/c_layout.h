// SPDX-License-Identifier: Apache-2.0
// Values as C lays them out: which cell of a value (lang/layout.h) lies where in the C object. Plain columns: they
// cross into komuz_backend.so (abi.h).
#pragma once
#include "base/ints.h"

namespace komuz::backend {

// Cells first, first + 1, …, of one scalar type, in a C object: `rows` rows of `count` cells each. Cell k of row r is
// number first + r · count + k, and lies at offset + r · row_stride + k · stride.
//
// A row with a guard is there only as far as the guard allows. The guard is a cell of the same value, guard + r ·
// guard_step, that is a length or the number of an alternative; the cell is there where it is above index + r ·
// row_index + k · index_step. Else C may have left it as it was, and the cell is 0. The guards of several rows are
// cells of one row, and their own guard is one.
struct CellRun {
  u32 first, count;
  u32 offset, stride;  // in bytes
  u32 guard;           // the number of a cell; kNoGuard: none
  u32 index, index_step;
  u32 most;  // the largest value that C may give; kNoLimit: any. Guards have a limit
  u32 rows = 1, row_stride = 0, guard_step = 0, row_index = 0;
};
inline constexpr u32 kNoGuard = ~u32{0}, kNoLimit = ~u32{0};

// A parameter, or the result.
struct CObject {
  const CellRun* runs;
  u32 run_count;
  u32 cells;        // of the value
  u32 bytes;        // of the C object; 0: C does not pass it at all
  u32 is_by_value;  // 1: a parameter of one cell
};

// A function that C calls.
struct CFunction {
  u32 function;
  u32 parameter_count;
  const CObject* parameters;
  CObject result;
  u64 fuel;        // of a call, or of a row; 0: C calls nothing but `_case`
  u32 has_limits;  // 1: there is a function for many that takes limits of the call
  u32 reserved;
  const char* symbol;  // of the function for one call; `_rows` behind it: for many. Ends with a 0
};

// What a call gives that is not a trap.
inline constexpr u32 kBadArgument = 64;  // a length or an alternative that the type does not have
inline constexpr u32 kNoMemory = 65;
inline constexpr u32 kStopped = 66;

// Goes up with each change of what headers say of objects: of CTrap, of CLimits and of how functions are called.
inline constexpr u32 kCInterface = 2;

// What a call tells of its end. `struct komuz_trap` of headers.
struct CTrap {
  u64 ticks;         // used
  u32 trap;          // 0: none; else its number, or kBadArgument or kStopped
  u32 depth;         // of calls
  u32 place;         // the instruction
  u32 line, column;  // of it in the source, from 1; 0: not known
  u32 file;          // that the line is in: a number of SourceMap::files
};

// What a call is held to. `struct komuz_limits` of headers.
struct CLimits {
  u64 fuel;  // of each row; 0: CFunction::fuel
  const u32*
      stop;  // null, or what another thread may set: rows that have not begun then are kStopped
};

}  // namespace komuz::backend
