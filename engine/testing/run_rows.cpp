// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/run_rows.h"

#include <algorithm>

#include "engine/cases/slice_entry.h"
#include "lang/layout.h"

namespace komuz::engine {

RowsRun::RowsRun(const CodeView& code, u32 function, const CaseArguments& suite, u64 fuel,
                 NativeTier* native)
    : code_(code),
      function_(function),
      suite_(suite),
      fuel_(suite.has_slices ? slice_entry_fuel(fuel) : fuel),
      machine_(native),
      cells_(count_cells(code.result_type(code.functions[function]))) {}

bool RowsRun::run(const Watch& watch, const Visit& visit) {
  constexpr u32 kRows = 1024;
  constexpr size_t kCells = size_t{1} << 20;
  const auto fitting = static_cast<u32>(kCells / std::max<size_t>(cells_, 1) / 64 * 64);
  const u32 most = std::clamp<u32>(fitting, 64, kRows);
  machine_.expect(code_, function_, suite_.count, &watch.stop());
  for (u32 begin = 0; begin < suite_.count;) {
    const u32 rows = std::min(most, suite_.count - begin);
    values_.resize(size_t{rows} * cells_);
    traps_.resize(rows);
    places_.resize(rows);
    depths_.resize(rows);
    ticks_.resize(rows);
    const OutcomesView outcomes{values_, traps_, places_, depths_, ticks_};
    machine_.run({code_, function_, suite_.view(begin, rows, columns_), fuel_, &watch.stop()},
                 suite_.count - begin - rows, outcomes);
    if (suite_.has_slices) hide_slice_entry(code_, function_, outcomes);
    visit(begin, outcomes);
    if (watch.is_stopped()) return false;
    watch.tell(begin += rows, suite_.count, "rows");
  }
  return true;
}

}  // namespace komuz::engine
