// SPDX-License-Identifier: Apache-2.0
#include "base/group/race.h"

#include <algorithm>

namespace komuz {

constinit thread_local RaceDetector* RaceDetector::current = nullptr;

void RaceDetector::clear() { columns_.clear(); }

void RaceDetector::add(std::span<const ColumnExtent> extents) {
  for (const ColumnExtent& extent : extents) {
    if (extent.cells == 0) continue;  // another column may start where it does
    const auto end = [](const ColumnExtent& e) { return e.begin + e.cells * e.cell_bytes; };
    std::erase_if(columns_, [&](const Column& column) {
      return column.extent.begin < end(extent) && extent.begin < end(column.extent);
    });
    columns_.push_back({extent, std::vector<Shadow>(extent.cells)});
  }
  std::sort(columns_.begin(), columns_.end(),
            [](const Column& a, const Column& b) { return a.extent.begin < b.extent.begin; });
}

RaceDetector::Column* RaceDetector::find(const void* base) {
  const auto behind =
      std::upper_bound(columns_.begin(), columns_.end(), static_cast<const u8*>(base),
                       [](const u8* at, const Column& column) { return at < column.extent.begin; });
  return behind == columns_.begin() ? nullptr : &*(behind - 1);
}

void RaceDetector::mark_written(const void* cell, size_t cells) {
  Column* const column = find(cell);
  if (column == nullptr) return;
  const ColumnExtent& extent = column->extent;
  const auto first =
      static_cast<size_t>(static_cast<const u8*>(cell) - extent.begin) / extent.cell_bytes;
  for (size_t k = first; k < first + cells && k < extent.cells; ++k)
    column->shadows[k].written = lockstep_.epoch() + 1, column->shadows[k].writer = 0;
}

void RaceDetector::report(const Column& column, i64 cell, const std::string& what) {
  lockstep_.fail(std::string(column.extent.name) + "[" + std::to_string(cell) + "]: lane " +
                 std::to_string(lockstep_.lane()) + " " + what + ", behind " +
                 site_text(lockstep_.last_barrier()));
}

void RaceDetector::touch(const void* base, i64 index, Access access) {
  Column* const column = find(base);
  if (column == nullptr) lockstep_.fail("a lane goes through a pointer to no column");
  const ColumnExtent& extent = column->extent;
  // Cells are numbered as the passes number them, from `base` on. Sentinels lie before it.
  const i64 cell =
      index + (static_cast<const u8*>(base) - extent.begin) / static_cast<i64>(extent.cell_bytes);
  if (cell < 0 || cell >= static_cast<i64>(extent.cells))
    report(*column, index, "goes outside of the column");
  Shadow& s = column->shadows[static_cast<size_t>(cell)];
  const u32 now = lockstep_.epoch() + 1;
  const auto lane = static_cast<u8>(lockstep_.lane());
  const bool written_by_other = s.written == now && s.writer != lane;
  const bool read_by_other = s.read == now && s.reader != lane;
  const auto other = [](u8 who) {
    return who == kMany ? std::string("several lanes") : "lane " + std::to_string(who);
  };
  switch (access) {
    case Access::Read:
      if (s.written == 0) report(*column, index, "reads what none has written");
      if (written_by_other) report(*column, index, "reads what " + other(s.writer) + " writes");
      s.reader = read_by_other ? kMany : lane;
      s.read = now;
      return;
    case Access::Write:
      if (written_by_other) report(*column, index, "writes what " + other(s.writer) + " writes");
      if (read_by_other) report(*column, index, "writes what " + other(s.reader) + " reads");
      break;
    case Access::Atomic:
      if (written_by_other && !s.by_atomic)
        report(*column, index, "changes what " + other(s.writer) + " writes");
      if (read_by_other) report(*column, index, "changes what " + other(s.reader) + " reads");
      break;
  }
  s.writer = written_by_other ? kMany : lane;
  s.written = now;
  s.by_atomic = access == Access::Atomic;
}

}  // namespace komuz
