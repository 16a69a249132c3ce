// SPDX-License-Identifier: Apache-2.0
#include "engine/equal_ids.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace komuz::engine {

EqualIds find_equal_ids(const Results& results) {
  // There are mostly none: hashes are sorted first, which takes eight bytes a row.
  const auto rows = static_cast<u32>(results.rows.size());
  const std::hash<std::string_view> hash;
  std::vector<u64> hashes(rows);
  for (u32 row = 0; row < rows; ++row) hashes[row] = hash(results.id(row));
  std::vector<u64> sorted = hashes;
  std::sort(sorted.begin(), sorted.end());
  EqualIds out;
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return out;
  std::unordered_map<std::string_view, u32> first;
  for (u32 row = 0; row < rows; ++row) {
    const auto end = std::upper_bound(sorted.begin(), sorted.end(), hashes[row]);
    if (end - sorted.begin() < 2 || *(end - 2) != hashes[row]) continue;
    const auto [known, is_new] = first.emplace(results.id(row), row);
    if (is_new) continue;
    if (out.repeated++ == 0) {
      out.first = known->second;
      out.next = row;
    }
  }
  return out;
}

}  // namespace komuz::engine
