// SPDX-License-Identifier: Apache-2.0
// Cells of a value in few bytes: zeros, which stand where a list has no elements, are counted, and the others take no more
// bytes each than the largest of their neighbours.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::engine {

// Appends them.
void pack_cells(std::span<const u64> cells, std::string& out);
// What pack_cells() has written.
[[nodiscard]] std::vector<u64> unpack_cells(std::string_view packed);

}  // namespace komuz::engine
