// SPDX-License-Identifier: Apache-2.0
// Where a column lies, for detectors that watch over its cells.
#pragma once
#include "base/ints.h"

namespace komuz {

struct ColumnExtent {
  const char* name;
  const u8* begin;
  size_t cells;
  u32 cell_bytes;
};

}  // namespace komuz
