// SPDX-License-Identifier: Apache-2.0
// What other languages write, in the words of this one: literals, parts of lists, comprehensions, choices, lambdas and
// records, from their text.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"
#include "mend/mend.h"

namespace komuz {

// Of `5L`, `1.5f`, `0xFFu`: the number before a suffix of C; empty where there is none.
[[nodiscard]] std::string_view number_before_suffix(std::string_view text);
// `1.0e5` of `1.e5`, `0.5` of `.5`, `1.0` of `1.`, `1.f` and `1._0`: a float with digits on both sides of its point.
[[nodiscard]] std::string float_with_digits(std::string_view text);
// The same number as this language writes it: `5f` is `5.0`.
[[nodiscard]] std::string number_without_suffix(std::string_view text);

// All of these are empty where no one text is certainly meant.
// `'abc'` as a string
[[nodiscard]] std::string string_of_quoted(std::string_view text);
// `b"abc"`, `f"abc"` without its prefix
[[nodiscard]] std::string string_without_prefix(std::string_view text);
// `0:2`, `1..` between the brackets behind `receiver`, which is empty where it is more than a name
[[nodiscard]] std::string slice_of(std::string_view text, std::string_view receiver);
// `[x * 2 for x in xs if c]`, with its brackets or without them. `is_folded`: what stands around it takes elements
// that no list holds. `any(x > 3 for x in xs)`
[[nodiscard]] std::string chain_of_comprehension(std::string_view text, bool is_folded);
// `P { x: 1.0, y, ..p }` to `P(..p, x: 1.0, y: y)`
[[nodiscard]] std::string record_text(std::string_view literal);
// `int x` to `x: i64`
[[nodiscard]] std::string declaration(std::string_view text);
// As the first argument of TypeBeforeName, beside kOfParameter: the type stands behind the name, without the colon.
inline constexpr u32 kWithoutColon = 2;
// `a, b i64` of a function's head to `a: i64, b: i64`
[[nodiscard]] std::string parameters_with_colons(std::string_view text);
// `[]T`, `[]const T` to `[T]`, `[8]T` to `[T; 8]`; any other type as it is
[[nodiscard]] std::string type_behind_brackets(std::string_view type);
// The names between the bars of `|a, v| e`, as a lambda has them: `(a, v)`
[[nodiscard]] std::string parameters_of_bars(std::string_view names);
// `range(n)` to `0..n`, `range(a, b)` to `a..b`, `range(a, b, 2)` to `(a..b).step_by(2)`, `range(a, b, -1)` to
// `(b + 1..=a).reverse()`
[[nodiscard]] std::string range_text(std::string_view call);
// What a chain starts from: `(0..n)` of `range(n)`, `(a..b)`, `xs.zip(ys)` of `zip(xs, ys)`, and what has elements
// already
[[nodiscard]] std::string source_of_elements(std::string_view text, bool is_folded);
// `c ? a : b` and `a if c else b`, whose two marks are at bytes `first` and `second`
[[nodiscard]] std::string choice_text(std::string_view choice, u32 first, u32 second);
// `if c then a else b`, of the `then`: ` { a } else { b }`
[[nodiscard]] std::optional<Edit> choice_of_then(u32 begin, std::string_view source);
// What stands between commas in parentheses, on both sides of the `=` behind names: `a, b = t` to `(a, b) = t`
[[nodiscard]] std::string tuple_of_list(std::string_view list);
// `Option<i64>` to `Option[i64]`
[[nodiscard]] std::string bracketed_type(std::string_view type);
// `Vec<i64>`, `list[i64]` to `[i64]`
[[nodiscard]] std::string slice_type(std::string_view type);
// What stands in the parentheses of `powi(x, n)` and `x.powi(n)`, to the call of `pow`
[[nodiscard]] std::string power_call(std::string_view arguments);

}  // namespace komuz
