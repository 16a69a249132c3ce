// SPDX-License-Identifier: Apache-2.0
#include "backend/c/cell_runs.h"

#include <algorithm>

namespace komuz::backend {
namespace {

// Does `next` go on as the run does?
bool goes_on(const CellRun& run, const CellRun& next) {
  if (next.most != run.most || next.guard != run.guard) return false;
  if (run.count == 1) return next.offset > run.offset && next.index >= run.index;
  return next.offset == run.offset + run.count * run.stride &&
         next.index == run.index + run.count * run.index_step;
}

// The cells of all blocks in runs of one row.
struct Rows {
  std::vector<CellRun> runs;
  std::vector<bool> has_guards;  // is a cell of the run the guard of others?
  std::vector<u32> block;        // the number of its block
  u32 cells = 0;
};

Rows rows_of(const std::vector<CellBlock>& blocks) {
  Rows rows;
  u32 guards = 0;
  for (const CellBlock& block : blocks)
    for (const CellPlace& place : block.places) guards = std::max(guards, place.own);
  std::vector<u32> guard_cells(guards + 1, kNoGuard);
  for (const CellBlock& block : blocks)
    for (const CellPlace& place : block.places) {
      if (place.own != 0) guard_cells[place.own] = rows.cells;
      ++rows.cells;
    }
  u32 cell = 0;
  for (const CellBlock& block : blocks) {
    const size_t first_run = rows.runs.size();
    for (const CellPlace& place : block.places) {
      const CellRun next = {cell++,      1, place.offset, 0, guard_cells[place.guard],
                            place.index, 0, place.most};
      if (rows.runs.size() == first_run || !goes_on(rows.runs.back(), next)) {
        rows.runs.push_back(next);
        rows.has_guards.push_back(place.own != 0);
        rows.block.push_back(static_cast<u32>(&block - blocks.data()));
        continue;
      }
      CellRun& run = rows.runs.back();
      if (run.count == 1)
        run.stride = next.offset - run.offset, run.index_step = next.index - run.index;
      ++run.count;
      rows.has_guards.back() = rows.has_guards.back() || place.own != 0;
    }
  }
  return rows;
}

// Are the cells of one run?
bool are_of_one(const std::vector<CellRun>& runs, u32 first, u32 last) {
  const CellRun& run = *(std::ranges::upper_bound(runs, first, {}, &CellRun::first) - 1);
  return last - run.first < run.count;
}

// Is `next` a further row of the run? `runs` has all rows as they were.
bool is_next_row(const CellRun& run, const CellRun& next, const std::vector<CellRun>& runs) {
  const bool has_guard = run.guard != kNoGuard;
  if (next.count != run.count || next.stride != run.stride || next.index < run.index ||
      next.index_step != run.index_step || next.most != run.most || next.offset <= run.offset ||
      (next.guard != kNoGuard) != has_guard)
    return false;
  const u32 stride = (next.offset - run.offset) / run.rows;
  if (run.offset + run.rows * stride != next.offset) return false;
  if (run.rows > 1 && stride != run.row_stride) return false;
  if (!has_guard) return true;
  if (run.rows > 1 && run.index + run.rows * run.row_index != next.index) return false;
  if (next.guard < run.guard) return false;
  const u32 step = (next.guard - run.guard) / run.rows;
  return run.guard + run.rows * step == next.guard && (run.rows == 1 || step == run.guard_step) &&
         (step == 0 || are_of_one(runs, run.guard, next.guard));
}

}  // namespace

std::vector<CellRun> runs_of(const std::vector<CellBlock>& blocks, u32& cells) {
  const Rows rows = rows_of(blocks);
  cells = rows.cells;
  std::vector<CellRun> runs;
  size_t last = 0;  // of the rows: the one that runs.back() ends with
  for (size_t k = 0; k < rows.runs.size(); ++k) {
    const CellRun& next = rows.runs[k];
    if (k == 0 || rows.has_guards[k] || rows.has_guards[last] ||
        rows.block[k] != rows.block[last] || !is_next_row(runs.back(), next, rows.runs)) {
      runs.push_back(next);
    } else {
      CellRun& run = runs.back();
      if (run.rows == 1)
        run.row_stride = next.offset - run.offset, run.row_index = next.index - run.index,
        run.guard_step = run.guard == kNoGuard ? 0 : next.guard - run.guard;
      ++run.rows;
    }
    last = k;
  }
  return runs;
}

}  // namespace komuz::backend
