// SPDX-License-Identifier: Apache-2.0
// Rewrites other languages' choices between many cases as `match` and `if`.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `when (n) { 1, 2 -> a; in 3..5 -> b; else -> c }` to `match n { 1 | 2 => a, 3..=5 => b, _ => c }`, `when { c -> a;
// else -> b }` to `if c { a } else { b }`, given the `when`. Nothing if a case is no literal, since a name would be
// taken for a binding.
[[nodiscard]] std::optional<Edit> match_of_when(u32 begin, std::string_view source);

// `case n of`, with arms in braces or on the lines below to the end of the block, to `match n { … }`, given the
// `case`. Nothing if a pattern is more than a literal, a name, `Just n` or `Nothing`.
[[nodiscard]] std::optional<Edit> match_of_case(u32 begin, std::string_view source);

// `1, 2, 3` before a `=>` to `1 | 2 | 3`, from a byte on
[[nodiscard]] std::optional<Edit> joined_patterns(u32 begin, std::string_view source);

// `o.map(x => x + 1).or(0)`, whose `map` ends at a byte, to `match o { Some(x) => x + 1, None => 0 }`; without the
// `or` to `match o { Some(x) => Some(x + 1), None => None }`.
[[nodiscard]] std::optional<Edit> match_of_option_map(u32 begin, u32 end, std::string_view source);

// `matches!(x, 1 | 2)` to `match x { 1 | 2 => true, _ => false }`, given the word
[[nodiscard]] std::optional<Edit> match_of_macro(u32 begin, std::string_view source);

}  // namespace komuz
