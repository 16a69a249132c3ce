// SPDX-License-Identifier: Apache-2.0
// Sorts rows of a large generation in short steps, so that a stop takes effect soon.
#pragma once
#include <algorithm>
#include <stop_token>
#include <vector>

namespace komuz::engine {

// After a stop the rows are in no order. No two rows are equal.
template <class Row, class Less>
void sort_unless_stopped(std::vector<Row>& rows, const Less& less, const std::stop_token& stop) {
  constexpr size_t kRun = 4096;
  const auto at = [&rows](size_t row) {
    return rows.begin() + static_cast<std::ptrdiff_t>(std::min(row, rows.size()));
  };
  for (size_t begin = 0; begin < rows.size(); begin += kRun) {
    if (stop.stop_requested()) return;
    std::sort(at(begin), at(begin + kRun), less);
  }
  std::vector<Row> merged(rows.size() > kRun ? rows.size() : 0);
  for (size_t run = kRun; run < rows.size(); run *= 2) {
    for (size_t begin = 0; begin < rows.size(); begin += 2 * run) {
      if (stop.stop_requested()) return;
      std::merge(at(begin), at(begin + run), at(begin + run), at(begin + 2 * run),
                 merged.begin() + static_cast<std::ptrdiff_t>(begin), less);
    }
    rows.swap(merged);
  }
}

}  // namespace komuz::engine
