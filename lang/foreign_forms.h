// SPDX-License-Identifier: Apache-2.0
// Whole expressions and items of other languages, written as Komuz writes them. Each function gives an empty text where no
// one text is certainly meant.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lang/diagnostics.h"

namespace komuz {

// `pow(n, 2)`, `n.pow(2)` to `n ** 2`
[[nodiscard]] std::string power_of_call(std::string_view call);
// `(a, b) => a - b` to `a => a`, `(a, b) => b - a` to `a => -a`
[[nodiscard]] std::string key_of_comparison(std::string_view lambda);
// `[0] * 10`, `10 * [0]` to `[0; 10]`
[[nodiscard]] std::string repeated_array(std::string_view product);
// `1..=3` to `1.0..=3.0, steps: 3`: the same numbers
[[nodiscard]] std::string float_grid(std::string_view range);
// `floor(a / b)` of integers to `div_floor(a, b)`, `floor(n)` to `n`
[[nodiscard]] std::string whole_of_integer(std::string_view call);
// `struct P { x: f64, y: f64 }` to `type P = P(x: f64, y: f64);`, `enum C { Red, Green }` to `type C = Red | Green;`, from
// the word in bytes [begin, …) on
[[nodiscard]] std::optional<Edit> type_item_edit(u32 begin, std::string_view source);
// `{ x: f64 }` or `P { x: f64 }` to `P(x: f64)`, at byte `begin` behind `type P =`
[[nodiscard]] std::string record_of_braces(u32 begin, std::string_view braces,
                                           std::string_view source);
// `xs.filter(p).count()` to `xs.count(p)`
[[nodiscard]] std::string count_of_filter(std::string_view call);
// … of `filter(p).len()` and `filter(p).length`, whose `(` is at a byte
[[nodiscard]] std::optional<Edit> count_edit(u32 open, std::string_view source);
// The type of the literal behind the `=` at or behind a byte, up to the `;`; empty: it is something else.
[[nodiscard]] std::string_view type_of_literal(std::string_view source, u32 at);
// `if let Some(x) = o { … } else { … }` to `match o { Some(x) => { … }, _ => { … } }`
[[nodiscard]] std::optional<Edit> match_of_if_let(u32 begin, std::string_view source);
// `while let Some(x) = o { … }` to `while true { match o { Some(x) => { … }, _ => break } }`
[[nodiscard]] std::optional<Edit> match_of_while_let(u32 begin, std::string_view source);
// `let Some(x) = o else { return 0; };` to `let x = match o { Some(x) => x, _ => { return 0; } };`
[[nodiscard]] std::optional<Edit> match_of_let_else(u32 begin, std::string_view source);
// `double f(double x) {` to `fn f(x: f64) -> f64 {`
[[nodiscard]] std::optional<Edit> function_edit(u32 begin, std::string_view source);
// `= n + 1` behind the head of a function, on its line, to `{ n + 1 }`
[[nodiscard]] std::optional<Edit> block_of_value(u32 begin, std::string_view source);
// `n.add(4)` to `(n + 4)`: the receiver starts at `first`, the name is in bytes [begin, end).
[[nodiscard]] std::optional<Edit> operator_edit(u32 first, u32 begin, u32 end,
                                                std::string_view source);
// The operator that does what the method of a number does in other languages; empty: none does.
[[nodiscard]] std::string_view operator_of_method(std::string_view name);
// `var out = [];` of what a function gives in the end: the type of its result behind the name. The `[` is at a byte.
[[nodiscard]] std::optional<Edit> result_type_edit(u32 open, std::string_view source);
// `import math`, `#include <math.h>`: the line, which says nothing that is needed.
[[nodiscard]] std::optional<Edit> idle_import_edit(u32 begin, std::string_view source);

}  // namespace komuz
