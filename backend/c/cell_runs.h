// SPDX-License-Identifier: Apache-2.0
// The cells of a C object, as few runs (c_layout.h).
#pragma once
#include <vector>

#include "backend/c/c_layout.h"
#include "lang/types.h"

namespace komuz::backend {

// Where a cell lies, and when it is there.
struct CellPlace {
  u32 offset = 0;
  u32 guard = 0;  // the `own` of its guard; 0: none
  u32 index = 0;  // its guard must be above that
  u32 most = kNoLimit;
  u32 own = 0;  // not 0: the cell is a guard
};
// Cells of one scalar type, as in lang/layout.h.
struct CellBlock {
  Scalar scalar;
  std::vector<CellPlace> places;
};

// The runs of the blocks' cells, in their order. `cells` gets their number.
[[nodiscard]] std::vector<CellRun> runs_of(const std::vector<CellBlock>& blocks, u32& cells);

}  // namespace komuz::backend
