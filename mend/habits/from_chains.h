// SPDX-License-Identifier: Apache-2.0
// Rewrites chains and lambdas of other languages. Each function returns nothing if the intended text is not certain.
// "Given the name" means that the bytes [begin, end) are the function's name.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `xs.map((b, i) => …)` to `xs.enumerate().map((i, b) => …)`, given the pattern in bytes [begin, end). Behind a
// `filter`, the elements are taken out of their pairs again.
[[nodiscard]] std::optional<Edit> enumerate_edit(u32 begin, u32 end, std::string_view source);
// The capacity of the list whose type is at a byte; empty if it is no list.
[[nodiscard]] std::string capacity_at(u32 type, std::string_view source);
// True if this is `fold`, or its name in other languages.
[[nodiscard]] bool is_fold_word(std::string_view word);
// `reduce((a, x) => a + x, 0)` to `fold(0, (a, x) => a + x)`, given the name. Without a dot before the name also
// `foldl(f, 0, xs)`, `reduce(f, xs, 0)` and `functools.reduce(lambda a, x: a + x, xs, 0)`. Folds from the right
// become `reverse().fold(…)`.
[[nodiscard]] std::optional<Edit> fold_edit(u32 begin, u32 end, std::string_view source);
// `sorted(xs)` to `xs.sort_by(x => x)`, with `reverse=True` and a `.reverse()` behind it, `sorted(xs, key=lambda x:
// -x)` to `xs.sort_by(x => -x)`, `max(xs, key=lambda x: f(x))` to `xs.max(x => f(x))`, given the name
[[nodiscard]] std::optional<Edit> keyed_edit(u32 begin, u32 end, std::string_view source);
// `xs.minBy(x => -x)`, `xs.maxBy { -it }`, `xs.min_by_key(|x| -x).unwrap()`, `xs.max_by((a, b) => cmp(a, b))` to
// `xs.min(x => -x)` and the like, `xs.sumOf { it * it }` to `xs.map(it => it * it).sum()`, given the name
[[nodiscard]] std::optional<Edit> element_by_edit(u32 begin, u32 end, std::string_view source);
// `xs.sum(x => x * x)` to `xs.map(x => x * x).sum()`; empty if it is something else.
[[nodiscard]] std::string sum_of_map(std::string_view call);
// `lambda a, x:`, `fun x ->`, `\x ->` to `(a, x) =>`, `x =>`
[[nodiscard]] std::string head_of_lambda(std::string_view text);
// `xs.sort();` to `xs = xs.sort_by(x => x);`, given the name; a lambda that compares becomes a key
[[nodiscard]] std::optional<Edit> sort_edit(u32 begin, u32 end, std::string_view source);
// Adds `.list(8)` to a chain whose last `(` is at a byte, or before its last operation if that takes a list. The
// capacity comes from the type at byte `type`.
[[nodiscard]] std::optional<Edit> list_edit(u32 open, u32 type, std::string_view source);
// `.collect()` to `.list(8)`, given the name
[[nodiscard]] std::optional<Edit> collect_edit(u32 begin, u32 end, u32 type,
                                               std::string_view source);
// `max(...xs)` to `xs.max()`, given the dots
[[nodiscard]] std::optional<Edit> spread_edit(u32 begin, u32 end, std::string_view source);
// `map(x => x + 1, xs)` to `xs.map(x => x + 1)`, given the name
[[nodiscard]] std::optional<Edit> chain_edit(u32 begin, u32 end, std::string_view source);
// `Array.from({length: 8}, (_, i) => i)` to `tabulate(8, i => i)`, `Array.from(xs, f)` to `xs.map(f)`, given the name
[[nodiscard]] std::optional<Edit> array_from_edit(u32 begin, u32 end, std::string_view source);
// `x => { return x + 1; }` to `x => { x + 1 }`, given the `return`
[[nodiscard]] std::optional<Edit> value_of_return(u32 begin, u32 end, std::string_view source);
// `function(x) { return x + 1; }`, `fn(x) { x + 1 }`, `fn(x) => x + 1` to `x => x + 1`
[[nodiscard]] std::optional<Edit> lambda_of_function(u32 begin, std::string_view source);
// `{ it + 1 }`, `it + 1` to `it => it + 1`, `{ acc, x -> acc + x }` to `(acc, x) => acc + x`, `_ + 1` to `x => x + 1`
[[nodiscard]] std::string lambda_of_block(std::string_view text);
// The same for a block behind the operation, `map { it + 1 }` or `fold(0) { … }`; adds the parentheses of the call.
[[nodiscard]] std::optional<Edit> lambda_edit_of_block(u32 begin, u32 end, std::string_view source);

// `i, x` in the lambda `(sum, i, x) => …` of a `fold` over pairs to `(i, x)`, given bytes [begin, end); nothing if
// there are no pairs.
[[nodiscard]] std::optional<Edit> pairs_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz
