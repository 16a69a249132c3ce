// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

// A candidate whose result is known.
struct AddedRow {
  u32 number = 0;             // of the candidate, in input order
  u32 row = 0;                // of the results, where it is until the next candidate is added
  std::string_view first_id;  // of a duplicate: that of the first candidate that has its program
};

}  // namespace komuz::engine
