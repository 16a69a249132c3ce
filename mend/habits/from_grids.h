// SPDX-License-Identifier: Apache-2.0
// Rewrites choices and grids behind holes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `{x, y}` behind a hole to `[x, y]`, `{1..3}` to `(1..3)`, `{0.0..1.0 by 0.1}` to `(0.0..1.0, steps: 10)`. Nothing
// if it is neither a list of alternatives nor the ends of a grid with a description of its points.
[[nodiscard]] std::optional<Edit> choice_of_braces(u32 begin, u32 end, std::string_view source);
// `0..=1` before a comma to `0.0..=1.0`, in a grid whose parentheses contain bytes [begin, end)
[[nodiscard]] std::optional<Edit> float_ends_edit(u32 begin, u32 end, std::string_view source);
// `1..=3` to `1.0..=3.0, steps: 3`: the same numbers
[[nodiscard]] std::string float_grid(std::string_view range);
// Words behind the ends of a grid, here or in other languages.
inline constexpr std::string_view kGridWords[] = {"by", "step", "steps", "log"};
// `0.0..1.0 by 0.1`, `0.0..1.0, step: 0.1` to `0.0..1.0, steps: 10`, `0.0..1.0 steps 8` to `0.0..1.0, steps: 8`,
// given the word and the ends of the grid's parentheses
[[nodiscard]] std::optional<Edit> grid_edit(u32 open, u32 begin, u32 close,
                                            std::string_view source);
// True if the ends of `0..=10 by 2` are integers, or bytes.
[[nodiscard]] bool has_integer_ends(std::string_view grid);
// A sentence with `2 * ?k(0..=5)` and `?k[0, 2, 4]` for `?k(0..=10 by 2)`, given the word and the ends of the
// parentheses; empty if the width of a step is unclear.
[[nodiscard]] std::string integer_grid_advice(u32 open, u32 begin, u32 close,
                                              std::string_view source);

}  // namespace komuz
