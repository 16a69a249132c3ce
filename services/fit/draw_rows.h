// SPDX-License-Identifier: Apache-2.0
// Draws rows that a search does not look at.
#pragma once
#include <span>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

[[nodiscard]] std::vector<u32> all_rows(u32 count);

// Draws so many of the rows, in their order; the others stay.
std::vector<u32> draw_rows(std::vector<u32>& rows, size_t wanted, u64 seed);
// The same for whole groups, about as many rows as are wanted: one group at least, and `groups_left` of them stay.
// `groups`: of each row of the table.
std::vector<u32> draw_groups(std::vector<u32>& rows, size_t wanted, u64 seed,
                             std::span<const f64> groups, size_t groups_left);
// So many of the rows, if there are more.
[[nodiscard]] std::vector<u32> at_most(std::vector<u32> rows, u32 most, u64 seed);

}  // namespace komuz::services
