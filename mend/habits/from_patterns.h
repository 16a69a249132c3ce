// SPDX-License-Identifier: Apache-2.0
// Patterns of other languages: `k @ 1..=5`, `10..`, `..=9`, as patterns of the language write them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// The `match` around a pattern: where its word begins, and the first byte behind the `{` of its arms; 0: it is not known.
struct MatchAround {
  u32 begin, arms;
};

// `k @ 1..=5`, of the sign: to `k if k >= 1 && k <= 5`, which asks a guard that is there as well, where an arm behind takes what
// is left; else to `1..=5`, where nobody asks for k, or what is matched has a name, which stands for k from then on. `k @ _` is k.
[[nodiscard]] std::optional<Edit> pattern_of_bound(u32 sign, const MatchAround& around,
                                                   std::string_view source);

// `10..` to `10..=9223372036854775807`, `..=9` to `-9223372036854775808..=9`, with the ends of the integer that the text says is
// matched; beside a `|` in parentheses. Nothing of floats.
[[nodiscard]] std::optional<Edit> closed_range(u32 begin, u32 end, const MatchAround& around,
                                               std::string_view source);

}  // namespace komuz
