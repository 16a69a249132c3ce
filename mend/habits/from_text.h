// SPDX-License-Identifier: Apache-2.0
// Rewrites texts of other languages: literals, slices, comprehensions, choices, lambdas and records.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"
#include "mend/mend.h"

namespace komuz {

// The number before a suffix of C: `5L`, `1.5f`, `0xFFu`; empty if there is none.
[[nodiscard]] std::string_view number_before_suffix(std::string_view text);
// A float with digits on both sides of its point: `1.0e5` for `1.e5`, `0.5` for `.5`, `1.0` for `1.`, `1.f` and
// `1._0`.
[[nodiscard]] std::string float_with_digits(std::string_view text);
// The same number in this language: `5f` is `5.0`.
[[nodiscard]] std::string number_without_suffix(std::string_view text);

// All of the following return an empty text if the intended text is not certain. `'abc'` as a string
[[nodiscard]] std::string string_of_quoted(std::string_view text);
// `b"abc"`, `f"abc"` without its prefix
[[nodiscard]] std::string string_without_prefix(std::string_view text);
// `0:2`, `1..` between the brackets behind `receiver`, which is empty if it is more than a name
[[nodiscard]] std::string slice_of(std::string_view text, std::string_view receiver);
// `[x * 2 for x in xs if c]`, with or without its brackets, as a chain. `is_folded`: the surroundings take elements
// without a list, as in `any(x > 3 for x in xs)`.
[[nodiscard]] std::string chain_of_comprehension(std::string_view text, bool is_folded);
// `P { x: 1.0, y, ..p }` to `P(..p, x: 1.0, y: y)`
[[nodiscard]] std::string record_text(std::string_view literal);
// `int x` to `x: i64`
[[nodiscard]] std::string declaration(std::string_view text);
// First argument of TypeBeforeName, beside kOfParameter: the type is behind the name, without the colon.
inline constexpr u32 kWithoutColon = 2;
// `a, b i64` in a function's head to `a: i64, b: i64`
[[nodiscard]] std::string parameters_with_colons(std::string_view text);
// `[]T`, `[]const T` to `[T]`, `[8]T` to `[T; 8]`; any other type is unchanged
[[nodiscard]] std::string type_behind_brackets(std::string_view type);
// The names between the bars of `|a, v| e` in the form of a lambda: `(a, v)`
[[nodiscard]] std::string parameters_of_bars(std::string_view names);
// `range(n)` to `0..n`, `range(a, b)` to `a..b`, `range(a, b, 2)` to `(a..b).step_by(2)`, `range(a, b, -1)` to
// `(b + 1..=a).reverse()`
[[nodiscard]] std::string range_text(std::string_view call);
// The source of a chain: `(0..n)` for `range(n)`, `(a..b)`, `xs.zip(ys)` for `zip(xs, ys)`, and values that have
// elements already
[[nodiscard]] std::string source_of_elements(std::string_view text, bool is_folded);
// `c ? a : b` and `a if c else b`, with the two marks at bytes `first` and `second`
[[nodiscard]] std::string choice_text(std::string_view choice, u32 first, u32 second);
// `if c then a else b`, given the `then`: ` { a } else { b }`
[[nodiscard]] std::optional<Edit> choice_of_then(u32 begin, std::string_view source);
// The parts between commas in parentheses, on both sides of an `=`: `a, b = t` to `(a, b) = t`
[[nodiscard]] std::string tuple_of_list(std::string_view list);
// `Option<i64>` to `Option[i64]`
[[nodiscard]] std::string bracketed_type(std::string_view type);
// `Vec<i64>`, `list[i64]` to `[i64]`
[[nodiscard]] std::string slice_type(std::string_view type);
// The arguments of `powi(x, n)` and `x.powi(n)` to a call of `pow`
[[nodiscard]] std::string power_call(std::string_view arguments);

}  // namespace komuz
