// SPDX-License-Identifier: Apache-2.0
// Rewrites patterns of other languages: `k @ 1..=5`, `10..`, `..=9`.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// The `match` around a pattern: the beginning of its word, and the first byte behind the `{` of its arms; 0: unknown.
struct MatchAround {
  u32 begin, arms;
};

// `k @ 1..=5`, given the sign. If a later arm takes the rest: to `k if k >= 1 && k <= 5`, combined with an existing
// guard. Otherwise to `1..=5`, if k is not used, or if the matched value has a name, which then replaces k. `k @ _`
// becomes k.
[[nodiscard]] std::optional<Edit> pattern_of_bound(u32 sign, const MatchAround& around,
                                                   std::string_view source);

// `10..` to `10..=9223372036854775807`, `..=9` to `-9223372036854775808..=9`, with the limits of the integer type
// that the text gives for the matched value; beside a `|` in parentheses. Nothing for floats.
[[nodiscard]] std::optional<Edit> closed_range(u32 begin, u32 end, const MatchAround& around,
                                               std::string_view source);

}  // namespace komuz
