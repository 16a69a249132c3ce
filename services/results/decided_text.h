// SPDX-License-Identifier: Apache-2.0
// What a variant of a sketch decides: what stands in its holes, for the tables that show variants.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/fill.h"

namespace komuz::services {

struct Decided {
  std::string name;  // of the hole, or of the space that it expands; empty: it has none
  std::string text;
};
// Which holes are not listed, by their numbers in the sketch: a decision that stands in one is shown there.
using IsShownElsewhere = std::function<bool(u32 hole)>;
// Each decision once, in the order of the source. `program`: what `fill` has written last. No more follow where their texts have more
// than `most` bytes.
[[nodiscard]] std::vector<Decided> list_decided(const engine::VariantPlan& plan,
                                                const engine::Fill& fill, std::string_view program,
                                                const IsShownElsewhere& is_shown = {},
                                                size_t most = ~size_t{0});
// "k = 1.5, ? = sin(x)"
[[nodiscard]] std::string decided_text(std::span<const Decided> decided);

// Statements, formatted as the body of a function, on one line and without comments.
[[nodiscard]] std::string statements_on_one_line(std::string_view statements);

}  // namespace komuz::services
