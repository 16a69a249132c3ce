// SPDX-License-Identifier: Apache-2.0
#include "services/fit/draw_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/random.h"

namespace komuz::services {

std::vector<u32> all_rows(u32 count) {
  std::vector<u32> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

std::vector<u32> draw_rows(std::vector<u32>& rows, size_t wanted, u64 seed) {
  std::vector<u32> drawn, others;
  Random random(seed);
  for (size_t k = 0; k < rows.size(); ++k) {
    const bool is_drawn = random.below(rows.size() - k) < wanted - drawn.size();
    (is_drawn ? drawn : others).push_back(rows[k]);
  }
  rows = std::move(others);
  return drawn;
}

std::vector<u32> draw_groups(std::vector<u32>& rows, size_t wanted, u64 seed,
                             std::span<const f64> groups, size_t groups_left) {
  std::map<f64, size_t> sizes;
  for (const u32 row : rows) ++sizes[groups[row]];
  std::vector<std::pair<f64, size_t>> order(sizes.begin(), sizes.end());
  Random random(seed);
  for (size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  std::set<f64> taken;
  size_t count = 0;
  for (const auto& [group, size] : order) {
    if (order.size() - taken.size() <= groups_left) break;
    // One that goes beyond what is wanted by more than half of itself stays.
    if (!taken.empty() && 2 * count + size > 2 * wanted) continue;
    taken.insert(group);
    count += size;
  }
  std::vector<u32> drawn, others;
  for (const u32 row : rows) (taken.contains(groups[row]) ? drawn : others).push_back(row);
  rows = std::move(others);
  return drawn;
}

std::vector<u32> at_most(std::vector<u32> rows, u32 most, u64 seed) {
  return rows.size() <= most ? std::move(rows) : draw_rows(rows, most, seed);
}

}  // namespace komuz::services
