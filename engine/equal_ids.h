// SPDX-License-Identifier: Apache-2.0
// Candidates that go by one name: what a report says of it may be said of either.
#pragma once
#include "engine/results.h"

namespace komuz::engine {

struct EqualIds {
  u64 repeated = 0;                 // rows whose id an earlier one has
  u32 next = kNone, first = kNone;  // the first of these, and the row that had its id before
};
[[nodiscard]] EqualIds find_equal_ids(const Results& results);

}  // namespace komuz::engine
