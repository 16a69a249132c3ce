// SPDX-License-Identifier: Apache-2.0
// What other languages write, in the words of this one: literals, parts of lists and comprehensions, from their text.
#pragma once
#include <string>
#include <string_view>

namespace komuz {

// Of `5L`, `1.5f`, `0xFFu`: the number before a suffix of C; empty where there is none.
[[nodiscard]] std::string_view number_before_suffix(std::string_view text);
// The same number as this language writes it: `5f` is `5.0`.
[[nodiscard]] std::string number_without_suffix(std::string_view text);

// All of these are empty where no one text is certainly meant.
// `'abc'` as a string
[[nodiscard]] std::string string_of_quoted(std::string_view text);
// `b"abc"`, `f"abc"` without its prefix
[[nodiscard]] std::string string_without_prefix(std::string_view text);
// `0:2`, `1..` between the brackets behind `receiver`, which is empty where it is more than a name
[[nodiscard]] std::string slice_of(std::string_view text, std::string_view receiver);
// `[x * 2 for x in xs if c]`, with its brackets or without them. `is_folded`: what stands around it takes elements that no
// list holds.
[[nodiscard]] std::string chain_of_comprehension(std::string_view text, bool is_folded);

}  // namespace komuz
