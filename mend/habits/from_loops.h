// SPDX-License-Identifier: Apache-2.0
// Rewrites the heads of loops in other languages.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `for (int i = 0; i < n; i++)` to `for i in 0..n`, `for (const x of xs)` to `for x in xs`, given a byte at or right
// behind the `for`. Nothing if the loop changes what its head depends on, so that a range would behave differently.
[[nodiscard]] std::optional<Edit> for_head_edit(u32 begin, std::string_view source);

// `xs.forEach(x => { … });` to `for x in xs { … }`, given the name; nothing if it is no statement of its own.
[[nodiscard]] std::optional<Edit> for_of_each(u32 begin, u32 end, std::string_view source);
// `do { … } while (c);`, `repeat { … } while c` to `while true { …; if !(c) { break; } }`, given the word; nothing if
// a `continue` in the block would skip the condition
[[nodiscard]] std::optional<Edit> while_of_do(u32 begin, std::string_view source);
// `for i in 0..n step 2 {` to `for i in (0..n).step_by(2) {`, given the word. Kotlin's parentheses surround a range
// that includes its end.
[[nodiscard]] std::optional<Edit> step_edit(u32 begin, u32 end, std::string_view source);
// `for (i in 0 until n) {` to `for i in 0..n {`, `for i in n downTo 1` to `for i in (1..=n).reverse()`, given the
// word
[[nodiscard]] std::optional<Edit> until_edit(u32 begin, u32 end, std::string_view source);
// `repeat(n)` before a block to `for _ in 0..n`, given the word
[[nodiscard]] std::optional<Edit> repeat_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz
