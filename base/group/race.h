// SPDX-License-Identifier: Apache-2.0
// The race detector of the lockstep emulator: a shadow of each cell of the columns says who wrote and who read it last, and
// between which barriers. Two lanes that touch one cell between the same two barriers, one of them writing, are a race,
// unless both accesses are atomic; so are cells read that none has written, and cells outside their column.
// It does not depend on the schedule: a race is found whether or not it did harm.
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
  // Knows these columns from now on, none of their cells written yet; forgets those that lay there.
  void add(std::span<const ColumnExtent> extents);
  // The host wrote these.
  void mark_written(const void* cell, size_t cells);

  // Called on a lane, for cell `index` of the column that `base` points into. On a race the run ends.
  void read(const void* base, i64 index) { touch(base, index, Access::Read); }
  void write(const void* base, i64 index) { touch(base, index, Access::Write); }
  void atomic(const void* base, i64 index) { touch(base, index, Access::Atomic); }

  // The detector whose lanes run on this thread: a checked column is as small as a pointer, so it cannot carry one.
  static constinit thread_local RaceDetector* current;

 private:
  enum class Access : u8 { Read, Write, Atomic };
  static constexpr u8 kMany = 0xFF;  // more than one lane
  struct Shadow {
    u32 written = 0, read = 0;  // epochs + 1
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
