// SPDX-License-Identifier: Apache-2.0
// Rewrites items, blocks and heads of other languages. Each function returns nothing if the intended text is not
// certain.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// Second argument of MisspeltKeyword: the keyword and the text behind it form one word.
inline constexpr u32 kGluedKeyword = 2;
// Second argument of ForeignFunction: only the word `fn` is missing.
inline constexpr u32 kWithoutFn = 2;

// `struct P { x: f64, y: f64 }` to `type P = P(x: f64, y: f64);`, `enum C { Red, Green }` to `type C = Red | Green;`,
// given the beginning of the word
[[nodiscard]] std::optional<Edit> type_item_edit(u32 begin, std::string_view source);
// `Add(i64, i64)` in a sum to `Add(a: i64, b: i64)`, given the place of a type
[[nodiscard]] std::optional<Edit> field_name_edit(u32 type, std::string_view source);
// `{ x: f64 }` or `P { x: f64 }` to `P(x: f64)`, at byte `begin` behind `type P =`
[[nodiscard]] std::string record_of_braces(u32 begin, std::string_view braces,
                                           std::string_view source);
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
// Adds the result type to the name in `var out = [];`, if `out` is the function's result. The `[` is at a byte.
[[nodiscard]] std::optional<Edit> result_type_edit(u32 open, std::string_view source);
// Removes the line of a place.
[[nodiscard]] Edit line_edit(u32 begin, std::string_view source);
// Removes `import math` or `#include <math.h>`: the line has no effect here.
[[nodiscard]] std::optional<Edit> idle_import_edit(u32 begin, std::string_view source);

// True if a text such as `m = n + 1` follows a `where`.
[[nodiscard]] bool starts_definition(u32 where_end, std::string_view source);
// True if such definitions continue to the end of a block.
[[nodiscard]] bool defines_names_behind(u32 where_end, std::string_view source);
// `m * 2 where m = n + 1` at the end of a block to `let m = n + 1; m * 2`, given the `where`, the start of the
// statement before it, and the block's `}`
[[nodiscard]] std::optional<Edit> let_of_where(u32 begin, u32 first, u32 close,
                                               std::string_view source);

}  // namespace komuz
