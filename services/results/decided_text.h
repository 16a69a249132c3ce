// SPDX-License-Identifier: Apache-2.0
// The decisions of a variant of a sketch, as the contents of its holes, for tables of variants.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/fill.h"

namespace komuz::services {

// A hole of the program that stands in no other hole, and what is written in its place: bytes of the text that a Fill wrote last.
struct FilledHole {
  u32 hole = 0;  // its number in the sketch
  u32 begin = 0, end = 0;
};
// In the order of the text. Free holes, and those of spaces, are left out.
[[nodiscard]] std::vector<FilledHole> list_filled(const engine::VariantPlan& plan,
                                                  const engine::Fill& fill);

struct Decided {
  std::string name;  // of the hole, or of the space that it expands; empty: none
  std::string text;
  u32 hole = 0;  // the first of its holes: a number in the sketch
};
// Holes that are not listed, by their numbers in the sketch: a decision nested in one is shown there.
using IsShownElsewhere = std::function<bool(u32 hole)>;
// Each decision once, in the order of the source. `program`: the text that `fill` wrote last. The list ends once its
// texts have more than `most` bytes.
[[nodiscard]] std::vector<Decided> list_decided(const engine::VariantPlan& plan,
                                                const engine::Fill& fill, std::string_view program,
                                                const IsShownElsewhere& is_shown = {},
                                                size_t most = ~size_t{0});
// "k = 1.5, ? = sin(x)"
[[nodiscard]] std::string decided_text(std::span<const Decided> decided);

// Statements, formatted as the body of a function, on one line and without comments.
[[nodiscard]] std::string statements_on_one_line(std::string_view statements);
// The same as people read it alone: parameters of spaces are the names that they stand for, and parentheses that only group go, also
// those around all of it.
[[nodiscard]] std::string shown_on_one_line(std::string_view statements);

}  // namespace komuz::services
