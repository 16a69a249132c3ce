// SPDX-License-Identifier: Apache-2.0
// Rewrites chains and ranges, where a value with a length of its own is wanted, as chains that need none. Each
// function returns nothing if the intended text is not certain.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `xs.zip(ys.reverse())` to `(0..min(xs.len(), ys.len())).map(i => (xs[i], ys[ys.len() - 1 - i]))`, `xs.zip(ys.map(y
// => e))` to `xs.zip(ys).map((a, y) => (a, e))`. `open`: the last `(` of the argument of `zip`.
[[nodiscard]] std::optional<Edit> zip_edit(u32 open, std::string_view source);
// `let ys = xs.map(f); ys.sum()` to `xs.map(f).sum()`. `open`: the last `(` of the chain.
[[nodiscard]] std::optional<Edit> inlined_edit(u32 open, std::string_view source);
// `for x in s.map(v => e) {` to `for v in s { let x = e;`, `for x in s.reverse() {` to `for i in 0..s.len() { let x =
// s[s.len() - 1 - i];`. Also if a `let` binds the chain for this loop alone. `open`: the last `(` of the chain.
[[nodiscard]] std::optional<Edit> gone_through_edit(u32 open, std::string_view source);
// `xs.zip(0..n)` to `(0..n).zip(xs).map((i, x) => (x, i))`, `xs.extend(0..n)` to `xs.extend((0..n).map(i => i))`,
// `(0..n).len()` to `(0..n).count()`. `dots`: the place of the dots.
[[nodiscard]] std::optional<Edit> range_edit(u32 dots, std::string_view source);

}  // namespace komuz
