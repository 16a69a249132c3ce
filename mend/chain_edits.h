// SPDX-License-Identifier: Apache-2.0
// Chains and ranges where a value is wanted that has a length of its own, as chains that need none. Each function gives
// nothing where no one text is certainly meant.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `xs.zip(ys.reverse())` to `(0..min(xs.len(), ys.len())).map(i => (xs[i], ys[ys.len() - 1 - i]))`,
// `xs.zip(ys.map(y => e))` to `xs.zip(ys).map((a, y) => (a, e))`, of the last `(` of what is zipped with
[[nodiscard]] std::optional<Edit> zip_edit(u32 open, std::string_view source);
// `let ys = xs.map(f); ys.sum()` to `xs.map(f).sum()`, of the last `(` of the chain
[[nodiscard]] std::optional<Edit> inlined_edit(u32 open, std::string_view source);
// `for x in s.map(v => e) {` to `for v in s { let x = e;`, `for x in s.reverse() {` to `for i in 0..s.len() { let x = s[s.len() - 1 - i];`, also
// where the chain is bound by a `let` that is gone through alone; of the last `(` of the chain
[[nodiscard]] std::optional<Edit> gone_through_edit(u32 open, std::string_view source);
// `xs.zip(0..n)` to `(0..n).zip(xs).map((i, x) => (x, i))`, `xs.extend(0..n)` to `xs.extend((0..n).map(i => i))`,
// `(0..n).len()` to `(0..n).count()`, of the dots
[[nodiscard]] std::optional<Edit> range_edit(u32 dots, std::string_view source);

}  // namespace komuz
