// SPDX-License-Identifier: Apache-2.0
// How many ways there are to fill in each hole of a text.
#pragma once
#include <string>
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

struct HoleHint {
  u32 begin = 0, end = 0;  // the hole with its brackets, bytes of the text
  std::string name;        // without the `?`; empty: none
  std::string count;       // "12", "about 2^81.3"
  // The text itself says so: a short list of alternatives, a grid of so many steps.
  bool is_obvious = false;
};
// For the holes that are decided, in the order of the text. None: the text does not compile.
[[nodiscard]] std::vector<HoleHint> list_hole_hints(const Analysis& analysis);

}  // namespace komuz::services
