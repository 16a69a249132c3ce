// SPDX-License-Identifier: Apache-2.0
// Finds names of holes that make a sketch larger without deciding more. A named hole is decided in every variant. If
// it stands in only one alternative, variants with other alternatives differ in a decision that they do not contain.
#pragma once
#include <string_view>
#include <vector>

#include "engine/sketch/variants.h"

namespace komuz::engine {

struct WastedName {
  std::vector<u32> holes;  // of the decision, in the order of the text
  u32 choice = 0;          // the innermost choice that has all of them in one alternative
  u32 kept = 0;            // a hole in that alternative, and in no choice inside of it
};
// In the order of their first holes. Excludes names that cannot be replaced by one value bound in the alternative,
// because all their holes stand in choices inside of it, or are not written alike.
[[nodiscard]] std::vector<WastedName> find_wasted_names(std::string_view source,
                                                        const VariantPlan& plan);

// The number of the sketch's variants if each of these is decided only within its alternative.
[[nodiscard]] VariantCount count_without(const std::vector<WastedName>& names,
                                         const Sketch& sketch);

}  // namespace komuz::engine
