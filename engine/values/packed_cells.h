// SPDX-License-Identifier: Apache-2.0
// Cells of a value in few bytes. Zeros, which fill a list behind its elements, are counted; other cells take no more
// bytes than the largest of their neighbours.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::engine {

// Appends them.
void pack_cells(std::span<const u64> cells, std::string& out);
// Reads the output of pack_cells().
[[nodiscard]] std::vector<u64> unpack_cells(std::string_view packed);

}  // namespace komuz::engine
