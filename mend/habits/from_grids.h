// SPDX-License-Identifier: Apache-2.0
// Choices and grids behind holes that are written otherwise.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `{x, y}` behind a hole to `[x, y]`, `{1..3}` to `(1..3)`, `{0.0..1.0 by 0.1}` to `(0.0..1.0, steps: 10)`.
// Nothing where it is neither a list of alternatives nor the ends of a grid and what is said of its points.
[[nodiscard]] std::optional<Edit> choice_of_braces(u32 begin, u32 end, std::string_view source);
// `0..=1` before a comma to `0.0..=1.0`, of a grid whose parentheses hold bytes [begin, end)
[[nodiscard]] std::optional<Edit> float_ends_edit(u32 begin, u32 end, std::string_view source);
// `1..=3` to `1.0..=3.0, steps: 3`: the same numbers
[[nodiscard]] std::string float_grid(std::string_view range);
// What stands behind the ends of a grid here or elsewhere.
inline constexpr std::string_view kGridWords[] = {"by", "step", "steps", "log"};
// `0.0..1.0 by 0.1`, `0.0..1.0, step: 0.1` to `0.0..1.0, steps: 10`, `0.0..1.0 steps 8` to `0.0..1.0, steps: 8`, of the
// word between the ends of the grid's parentheses
[[nodiscard]] std::optional<Edit> grid_edit(u32 open, u32 begin, u32 close,
                                            std::string_view source);
// Are the ends of `0..=10 by 2` integers, or bytes?
[[nodiscard]] bool has_integer_ends(std::string_view grid);
// `2 * ?k(0..=5)` and `?k[0, 2, 4]` in one sentence, of the word between the ends of the parentheses of `?k(0..=10 by 2)`;
// empty: nobody sees how wide a step is
[[nodiscard]] std::string integer_grid_advice(u32 open, u32 begin, u32 close,
                                              std::string_view source);

}  // namespace komuz
