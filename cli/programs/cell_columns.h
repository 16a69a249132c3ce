// SPDX-License-Identifier: Apache-2.0
// Which part of a value each cell is (lang/layout.h), for people who write columns.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "lang/types.h"

namespace komuz::cli {

// Cells of one scalar type, one behind the other.
struct CellColumns {
  // "b.at.x", "grid[0..2][0..3]", "xs.len()". Where there are more than one, each element of the array round them has
  // theirs, one behind the other.
  std::string path;
  Scalar scalar = Scalar::None;
  u64 cells = 0;
};

// Those of the type with these codes, whose value is called `name`. It has no slices.
[[nodiscard]] std::vector<CellColumns> cell_columns(std::string_view codes,
                                                    const std::string& name);

}  // namespace komuz::cli
