// SPDX-License-Identifier: Apache-2.0
// The values that an expression of a sketch has on the first cases, as the best variant computes them.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "lang/library.h"
#include "services/variants/rank_sketch.h"

namespace komuz::services {

struct ValueOnCase {
  std::string arguments;  // "x = 1.5, n = 2"
  std::string value;      // or "trap DIV_ZERO"
};
// `begin`, `end`: bytes of the sketch's text. Nothing: this is no expression of a statement of the entry, it stands
// in a hole, or it names what is bound inside of the statement.
[[nodiscard]] std::vector<ValueOnCase> values_on_cases(const RankedSketch& ranked,
                                                       const Library& library, u32 begin, u32 end,
                                                       u32 most, const std::stop_token& stop);

}  // namespace komuz::services
