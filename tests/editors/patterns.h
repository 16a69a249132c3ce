// SPDX-License-Identifier: Apache-2.0
// Regular expressions that several of the grammars share, in the dialect that Oniguruma, QRegularExpression and
// JavaScript have in common. They match inside of one line: no token spans a line end.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::editors {

// A number as frontend_gpu/text/lex_block.h takes it: `0x1F`, `1_000`, `1.5e-3`.
inline constexpr const char* kRadixNumber = R"(\b0[xXbBoO][0-9A-Za-z_]*)";
inline constexpr const char* kFloatNumber =
    R"(\b[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9])?|[eE][+-]?[0-9])[0-9A-Za-z_]*)";
inline constexpr const char* kWholeNumber = R"(\b[0-9][0-9A-Za-z_]*)";
// `pair.0`: behind a dot there are digits only, so that `pair.0.1` has no float in it.
inline constexpr const char* kPartNumber = R"((?<=[^.]\.)[0-9][0-9_]*)";
// A hole, with its name if it has one.
inline constexpr const char* kHole = R"(\?(?:[A-Za-z_][0-9A-Za-z_]*)?)";
// To the closing quote, or to the end of the line.
inline constexpr const char* kCharacter = R"('(?:\\.|[^'\\])*(?:'|$))";
inline constexpr const char* kTypeName = R"(\b[A-Z][0-9A-Za-z_]*)";
inline constexpr const char* kCalledName = R"(\b[a-z_][0-9A-Za-z_]*(?=\s*\())";

// A choice of words: `\b(?:a|b)\b`.
[[nodiscard]] std::string any_word(const std::vector<std::string_view>& list);
// Words that are keywords in some places only.
[[nodiscard]] std::string bound_word();     // `limit depth rec`
[[nodiscard]] std::string in_word();        // `in`
[[nodiscard]] std::string naming_word();    // `space`
[[nodiscard]] std::string claiming_word();  // `test prop`

}  // namespace komuz::editors
