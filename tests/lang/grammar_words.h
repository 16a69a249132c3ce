// SPDX-License-Identifier: Apache-2.0
// The common part of the grammars over characters: words, names and literals.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::grammar {

[[nodiscard]] std::string in_quotes(std::string_view text);
// Names of rules consist of letters, digits and `-`.
[[nodiscard]] std::string dashed(std::string_view name);
// The operations of chains, the types with brackets, and the words of grids.
[[nodiscard]] std::string word_rules();
// Words that are never names, and those that are never called.
[[nodiscard]] std::vector<std::string_view> reserved_words();
[[nodiscard]] std::vector<std::string_view> uncalled_words();
// A rule for names other than `words`, and the rules that it needs, except `tail`; `behind` is written at the end of
// each.
[[nodiscard]] std::string other_words(std::string_view name, std::vector<std::string_view> words,
                                      std::string_view behind);
[[nodiscard]] std::string literal_rules();

}  // namespace komuz::grammar
