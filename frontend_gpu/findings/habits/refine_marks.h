// SPDX-License-Identifier: Apache-2.0
// Marks of Markdown's fenced blocks on a line that may also hold code:
//
//   ```komuz
//   ```rust fn f() -> i64 { 1 }```
//
// Takes text; knows neither tokens nor findings.
#pragma once
#include <algorithm>
#include <optional>
#include <string_view>

#include "mend/source_text.h"

namespace komuz::frontend {

// Bytes [begin, end) of a line.
struct Marks {
  u32 begin, end;
};

// True if a line starts with the head of an item, and not with a sentence such as `use the following:`.
[[nodiscard]] inline bool starts_item(std::string_view line) {
  line = trimmed(line);
  const auto take_word = [&line] {
    const std::string_view word = word_at(line, 0);
    line = trimmed(line.substr(word.size()));
    return word;
  };
  std::string_view keyword = take_word();
  if (keyword == "pub") keyword = take_word();
  if (!is_among(keyword, {"use", "const", "type", "fn", "space", "test", "prop"})) return false;
  if (line.starts_with('"')) return keyword == "test" || keyword == "prop";
  if (!is_name(take_word()) || line.empty()) return false;
  if (keyword == "use") return line[0] == ';' || (line[0] == '.' && line.size() > 1);
  const std::string_view behind = keyword == "const"  ? ":="
                                  : keyword == "type" ? "=({"
                                  : keyword == "fn"   ? "(<["
                                                      : "(";
  return behind.find(line[0]) != std::string_view::npos;
}

inline constexpr std::string_view kMarks[] = {"```", "~~~"};

// The marks with which a line starts, the language behind them, and the blanks before the code that follows.
[[nodiscard]] inline std::optional<Marks> opening_marks(std::string_view line) {
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::string_view text = line.substr(first);
  if (std::ranges::none_of(kMarks, [&](std::string_view m) { return text.starts_with(m); }))
    return std::nullopt;
  const size_t end = std::min(line.find_first_not_of(text[0], first), line.size());
  const std::string_view behind = line.substr(end);
  const std::string_view language = word_at(trimmed(behind), 0);
  const auto place_of = [line](std::string_view part) {
    return static_cast<u32>(part.data() - line.data());
  };
  const auto begin = static_cast<u32>(first);
  if (starts_item(behind)) return Marks{begin, place_of(trimmed(behind))};
  const std::string_view code =
      trimmed(behind.substr(place_of(trimmed(behind)) + language.size() - end));
  if (starts_item(code) || code.starts_with("//")) return Marks{begin, place_of(code)};
  return Marks{begin, static_cast<u32>(trimmed_end(line).size())};
}

// The marks with which a line ends, behind code.
[[nodiscard]] inline std::optional<Marks> closing_marks(std::string_view line) {
  const std::string_view text = trimmed_end(line);
  if (std::ranges::none_of(kMarks, [&](std::string_view m) { return text.ends_with(m); }))
    return std::nullopt;
  const std::string_view code = trimmed_end(text.substr(0, text.find_last_not_of(text.back()) + 1));
  if (code.find("//") != std::string_view::npos) return std::nullopt;
  if (!code.ends_with('}') && !code.ends_with(';')) return std::nullopt;
  return Marks{static_cast<u32>(code.size()), static_cast<u32>(text.size())};
}

}  // namespace komuz::frontend
