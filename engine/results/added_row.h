// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

// A candidate whose result is known.
struct AddedRow {
  u32 number = 0;             // of the candidate, in input order
  u32 row = 0;                // in the results; valid until the next candidate is added
  std::string_view first_id;  // for a duplicate, the id of the first candidate with its program
};

}  // namespace komuz::engine
