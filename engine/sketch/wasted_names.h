// SPDX-License-Identifier: Apache-2.0
// Names of holes that make a sketch larger and decide nothing more. What has a name is decided in every variant, so where it stands
// in one alternative alone, the variants that take another one differ in what they do not have.
#pragma once
#include <string_view>
#include <vector>

#include "engine/sketch/variants.h"

namespace komuz::engine {

struct WastedName {
  std::vector<u32> holes;  // of the decision, in the order of the text
  u32 choice = 0;          // the innermost choice that has all of them in one alternative
  u32 kept = 0;            // one that stands in that alternative, and in no choice inside of it
};
// In the order of their first holes. Without names that could not be given up for one value that is bound in the alternative, as
// all of their holes stand in choices inside of it, or are not written alike.
[[nodiscard]] std::vector<WastedName> find_wasted_names(std::string_view source,
                                                        const VariantPlan& plan);

// How many variants the sketch has where each of these is decided in its alternative alone.
[[nodiscard]] VariantCount count_without(const std::vector<WastedName>& names,
                                         const Sketch& sketch);

}  // namespace komuz::engine
