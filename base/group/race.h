// SPDX-License-Identifier: Apache-2.0
// The race detector of the lockstep emulator. A shadow of each cell of the columns notes who wrote and who read it
// last, and between which barriers. It is a race if two lanes touch one cell between the same two barriers and one
// of them writes, unless both accesses are atomic. It is an error to read a cell that nobody has written, and to
// touch a cell outside of its column. The detector does not depend on the schedule: it finds a race whether or not
// it did harm.
#pragma once
#include <span>
#include <vector>

#include "base/group/column_extent.h"
#include "base/group/lockstep.h"

namespace komuz {

class RaceDetector {
 public:
  explicit RaceDetector(Lockstep& lockstep) : lockstep_(lockstep) {}

  // Forgets all columns.
  void clear();
  // Knows these columns from now on. None of their cells counts as written. Forgets columns that lay there before.
  void add(std::span<const ColumnExtent> extents);
  // Notes that the host wrote these cells.
  void mark_written(const void* cell, size_t cells);

  // Called on a lane, for cell `index` of the column that `base` points into. A race ends the run.
  void read(const void* base, i64 index) { touch(base, index, Access::Read); }
  void write(const void* base, i64 index) { touch(base, index, Access::Write); }
  void atomic(const void* base, i64 index) { touch(base, index, Access::Atomic); }

  // The detector whose lanes run on this thread. A checked column is as small as a pointer, so it cannot carry a
  // detector.
  static constinit thread_local RaceDetector* current;

 private:
  enum class Access : u8 { Read, Write, Atomic };
  static constexpr u8 kMany = 0xFF;  // more than one lane
  struct Shadow {
    u32 written = 0, read = 0;  // epochs, plus 1
    u8 writer = 0, reader = 0;
    bool by_atomic = false;
  };
  struct Column {
    ColumnExtent extent;
    std::vector<Shadow> shadows;
  };

  void touch(const void* base, i64 index, Access access);
  [[nodiscard]] Column* find(const void* base);
  [[noreturn]] void report(const Column& column, i64 cell, const std::string& what);

  Lockstep& lockstep_;
  std::vector<Column> columns_;  // by address
};

}  // namespace komuz
