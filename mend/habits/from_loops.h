// SPDX-License-Identifier: Apache-2.0
// Heads of loops as other languages write them.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `for (int i = 0; i < n; i++)` to `for i in 0..n`, `for (const x of xs)` to `for x in xs`, of the `for` that stands
// at or right before a byte. Nothing where the loop changes what its head asks, so that a range would do something
// else.
[[nodiscard]] std::optional<Edit> for_head_edit(u32 begin, std::string_view source);

// `xs.forEach(x => { … });` to `for x in xs { … }`, of the name; nothing where it is no statement of its own.
[[nodiscard]] std::optional<Edit> for_of_each(u32 begin, u32 end, std::string_view source);
// `do { … } while (c);`, `repeat { … } while c` to `while true { …; if !(c) { break; } }`, of the word; nothing where a
// `continue` in the block would leave out the question
[[nodiscard]] std::optional<Edit> while_of_do(u32 begin, std::string_view source);
// `for i in 0..n step 2 {` to `for i in (0..n).step_by(2) {`, of the word; the parentheses of Kotlin stand around a
// range that holds its end.
[[nodiscard]] std::optional<Edit> step_edit(u32 begin, u32 end, std::string_view source);
// `for (i in 0 until n) {` to `for i in 0..n {`, `for i in n downTo 1` to `for i in (1..=n).reverse()`, of the word
[[nodiscard]] std::optional<Edit> until_edit(u32 begin, u32 end, std::string_view source);
// `repeat(n)` before a block to `for _ in 0..n`, of the word
[[nodiscard]] std::optional<Edit> repeat_edit(u32 begin, u32 end, std::string_view source);

}  // namespace komuz
