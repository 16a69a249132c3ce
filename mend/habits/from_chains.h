// SPDX-License-Identifier: Apache-2.0
// Chains and their lambdas as other languages write them, in the words of this one. Each function gives nothing where
// no one text is certainly meant.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `xs.map((b, i) => …)`, of the pattern in bytes [begin, end): `.enumerate().map((i, b)`, and behind a `filter` what
// takes the elements out of their pairs again.
[[nodiscard]] std::optional<Edit> enumerate_edit(u32 begin, u32 end, std::string_view source);
// The room of the list whose type stands at a byte; empty: it is no list.
[[nodiscard]] std::string capacity_at(u32 type, std::string_view source);
// Do other languages call `fold` so, or by its own name?
[[nodiscard]] bool is_fold_word(std::string_view word);
// `reduce((a, x) => a + x, 0)` to `fold(0, (a, x) => a + x)`, of the function's name in bytes [begin, end). Without a
// dot before it also of `foldl(f, 0, xs)`, `reduce(f, xs, 0)` and `functools.reduce(lambda a, x: a + x, xs, 0)`. What
// folds from the right: `reverse().fold(…)`.
[[nodiscard]] std::optional<Edit> fold_edit(u32 begin, u32 end, std::string_view source);
// `sorted(xs)` to `xs.sort_by(x => x)`, with `reverse=True` and a `.reverse()` behind it,
// `sorted(xs, key=lambda x: -x)` to `xs.sort_by(x => -x)`, `max(xs, key=lambda x: f(x))` to
// `xs.max(x => f(x))`, of the function's name
[[nodiscard]] std::optional<Edit> keyed_edit(u32 begin, u32 end, std::string_view source);
// `xs.minBy(x => -x)`, `xs.maxBy { -it }`, `xs.min_by_key(|x| -x).unwrap()`, `xs.max_by((a, b) => cmp(a, b))` to
// `xs.min(x => -x)` and the like, `xs.sumOf { it * it }` to `xs.map(it => it * it).sum()`, of the name
[[nodiscard]] std::optional<Edit> element_by_edit(u32 begin, u32 end, std::string_view source);
// `xs.sum(x => x * x)` to `xs.map(x => x * x).sum()`; empty: it is something else.
[[nodiscard]] std::string sum_of_map(std::string_view call);
// `lambda a, x:`, `fun x ->`, `\x ->` to `(a, x) =>`, `x =>`
[[nodiscard]] std::string head_of_lambda(std::string_view text);
// `xs.sort();` to `xs = xs.sort_by(x => x);`, of the name; with a lambda that compares, by its key
[[nodiscard]] std::optional<Edit> sort_edit(u32 begin, u32 end, std::string_view source);
// `.list(8)` behind a chain whose last `(` is at a byte, or before its last operation where that takes a list; the
// type at byte `type` says how many elements there may be.
[[nodiscard]] std::optional<Edit> list_edit(u32 open, u32 type, std::string_view source);
// `.collect()` to `.list(8)`, of the name
[[nodiscard]] std::optional<Edit> collect_edit(u32 begin, u32 end, u32 type,
                                               std::string_view source);
// `max(...xs)` to `xs.max()`, of the dots
[[nodiscard]] std::optional<Edit> spread_edit(u32 begin, u32 end, std::string_view source);
// `map(x => x + 1, xs)` to `xs.map(x => x + 1)`, of the name
[[nodiscard]] std::optional<Edit> chain_edit(u32 begin, u32 end, std::string_view source);
// `Array.from({length: 8}, (_, i) => i)` to `tabulate(8, i => i)`, `Array.from(xs, f)` to `xs.map(f)`, of the name
[[nodiscard]] std::optional<Edit> array_from_edit(u32 begin, u32 end, std::string_view source);
// `x => { return x + 1; }` to `x => { x + 1 }`, of the `return`
[[nodiscard]] std::optional<Edit> value_of_return(u32 begin, u32 end, std::string_view source);
// `function(x) { return x + 1; }`, `fn(x) { x + 1 }`, `fn(x) => x + 1` to `x => x + 1`
[[nodiscard]] std::optional<Edit> lambda_of_function(u32 begin, std::string_view source);
// `{ it + 1 }`, `it + 1` to `it => it + 1`, `{ acc, x -> acc + x }` to `(acc, x) => acc + x`, `_ + 1` to `x => x + 1`
[[nodiscard]] std::string lambda_of_block(std::string_view text);
// … of a block that stands behind the operation, `map { it + 1 }` or `fold(0) { … }`: the parentheses of the call, too.
[[nodiscard]] std::optional<Edit> lambda_edit_of_block(u32 begin, u32 end, std::string_view source);

// `i, x` of the lambda `(sum, i, x) => …` of a `fold` over pairs to `(i, x)`, of bytes [begin, end); nothing of none.
[[nodiscard]] std::optional<Edit> pairs_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz
