// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_matches.h"

#include <string>
#include <vector>

#include "mend/habits/from_forms.h"
#include "mend/source_text.h"

namespace komuz {
namespace {

// The parts between marks outside of brackets and quotes, without empty parts.
std::vector<std::string_view> split(std::string_view text, std::string_view marks) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t k = 0; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : marks[0];
    if (c == '(' || c == '[' || c == '{') {
      const size_t close = closing_bracket_of_lines(text, k);
      if (close != std::string_view::npos) k = close;
    } else if (c == '"' || c == '\'') {
      const size_t close = closing_quote(text, k);
      if (close != std::string_view::npos) k = close;
    } else if (marks.find(c) != std::string_view::npos) {
      const std::string_view part = trimmed(text.substr(begin, k - begin));
      if (!part.empty()) parts.push_back(part);
      begin = k + 1;
    }
  }
  return parts;
}
bool is_literal(std::string_view text) {
  const bool is_character = text.size() >= 3 && text[0] == '\'' && text.back() == '\'';
  const bool is_string = text.size() >= 2 && text[0] == '"' && text.find('"', 1) + 1 == text.size();
  return is_character || is_string || text == "true" || text == "false" ||
         are_digits(text.substr(text.starts_with('-') ? 1 : 0));
}
// `1 | 2` for `1, 2`, `3..=5` for `in 3..5`; empty if there is no such pattern.
std::string pattern_of(std::string_view cases) {
  if (cases == "else") return "_";
  const std::vector<std::string_view> all = split(cases, ",");
  std::string pattern;
  for (std::string_view one : all) {
    std::string text(one);
    if (one.starts_with("in ")) {
      one = trimmed(one.substr(3));
      const bool excludes = one.find(" until ") != std::string_view::npos;
      const size_t mark = excludes ? one.find(" until ") : one.find("..");
      if (mark == std::string_view::npos) return "";
      const std::string_view first = trimmed(one.substr(0, mark)),
                             last = trimmed(one.substr(mark + (excludes ? 7 : 2)));
      if (!is_literal(first) || !is_literal(last)) return "";
      text = std::string(first) + (excludes ? ".." : "..=") + std::string(last);
      if (all.size() > 1) text = "(" + text + ")";
    } else if (!is_literal(one)) {
      return "";
    }
    pattern += (pattern.empty() ? "" : " | ") + text;
  }
  return pattern;
}
// `Some(n)` for `Just n`; empty if there is no such pattern.
std::string pattern_of_haskell(std::string_view text) {
  constexpr std::string_view kJust = "Just ";
  if (text == "Nothing") return "None";
  if (is_literal(text) || is_name(text)) return std::string(text);
  const std::string_view held = text.starts_with(kJust) ? trimmed(text.substr(kJust.size())) : "";
  return is_literal(held) || is_name(held) ? "Some(" + std::string(held) + ")" : "";
}
// True if an expression in bytes [begin, end) is no operand, and no condition before a block.
bool stands_free(u32 begin, u32 end, std::string_view source) {
  const std::string_view before = trimmed(source.substr(0, begin));
  const std::string_view next = source_at(source, behind_gap(source, end), 1);
  const bool compares = before.ends_with("==") || before.ends_with("!=") ||
                        before.ends_with("<=") || before.ends_with(">=");
  const bool starts = before.empty() || before.ends_with("return") || before.ends_with("=>") ||
                      std::string_view("=({[,;}").find(before.back()) != std::string_view::npos;
  return starts && !compares &&
         (next.empty() || std::string_view(",;)]}").find(next) != std::string_view::npos);
}
std::string block_of(std::string_view value) {
  return value.starts_with('{') ? std::string(value) : "{ " + std::string(value) + " }";
}

}  // namespace

std::optional<Edit> joined_patterns(u32 begin, std::string_view source) {
  const size_t line = std::min(source.find('\n', begin), source.size());
  const size_t arrow = source.find("=>", begin);
  if (arrow > line) return std::nullopt;
  const std::string_view cases = source.substr(begin, arrow - begin);
  const std::string pattern = pattern_of(trimmed(cases));
  if (pattern.empty() || pattern == "_" || pattern.find("..") != std::string::npos)
    return std::nullopt;
  return Edit{begin, begin + static_cast<u32>(cases.find_last_not_of(' ')) + 1, pattern};
}

std::optional<Edit> match_of_macro(u32 begin, std::string_view source) {
  constexpr std::string_view kMacro = "matches!";
  const u32 open = begin + static_cast<u32>(kMacro.size());
  if (!source.substr(begin).starts_with(kMacro) || source_at(source, open, 1) != "(")
    return std::nullopt;
  const size_t close = closing_bracket_of_lines(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> parts = split(source.substr(open + 1, close - open - 1), ",");
  if (parts.size() != 2) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1;
  const std::string match =
      "match " + std::string(parts[0]) + " { " + std::string(parts[1]) + " => true, _ => false }";
  return Edit{begin, stop, stands_free(begin, stop, source) ? match : "(" + match + ")"};
}

std::optional<Edit> match_of_when(u32 begin, std::string_view source) {
  constexpr std::string_view kWhen = "when", kArrow = "->";
  if (word_at(source, begin) != kWhen) return std::nullopt;
  u32 open = behind_gap(source, begin + static_cast<u32>(kWhen.size()));
  std::string subject;
  if (source_at(source, open, 1) == "(") {
    const size_t close = closing_bracket_of_lines(source, open);
    if (close == std::string_view::npos) return std::nullopt;
    subject = trimmed(source.substr(open + 1, close - open - 1));
    if (subject.empty() || subject.find('=') != std::string::npos) return std::nullopt;
    open = behind_gap(source, static_cast<u32>(close) + 1);
  }
  const size_t close = source_at(source, open, 1) == "{" ? closing_bracket_of_lines(source, open)
                                                         : std::string_view::npos;
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = source.substr(open + 1, close - open - 1);
  const bool has_lines = inside.find('\n') != std::string_view::npos;
  const size_t line = source.substr(0, begin).rfind('\n') + 1;
  const std::string indent(
      source.substr(line, std::min(source.find_first_not_of(" \t", line), size_t{begin}) - line));
  const std::string gap = has_lines ? "\n    " + indent : " ";
  std::string text = subject.empty() ? "" : "match " + subject + " {";
  bool has_rest = false;
  for (const std::string_view arm : split(inside, "\n;")) {
    const size_t arrow = arm.find(kArrow);
    if (arrow == std::string_view::npos || has_rest) return std::nullopt;
    const std::string_view cases = trimmed(arm.substr(0, arrow)),
                           value = trimmed(arm.substr(arrow + kArrow.size()));
    has_rest = cases == "else";
    if (cases.empty() || value.empty()) return std::nullopt;
    if (subject.empty()) {
      if (has_rest && text.empty()) return std::nullopt;
      if (!text.empty()) text += " else ";
      text += (has_rest ? "" : "if " + std::string(cases) + " ") + block_of(value);
      continue;
    }
    const std::string pattern = pattern_of(cases);
    if (pattern.empty()) return std::nullopt;
    text += gap + pattern + " => " + std::string(value) + ",";
  }
  if (!has_rest) return std::nullopt;
  if (!subject.empty()) {
    if (!has_lines) text.pop_back();
    text += has_lines ? "\n" + indent + "}" : " }";
  }
  return Edit{begin, static_cast<u32>(close) + 1, text};
}

std::optional<Edit> match_of_case(u32 begin, std::string_view source) {
  constexpr std::string_view kCase = "case ", kOf = " of", kArrow = "->", kComment = "--";
  const size_t behind_case = begin + kCase.size() - 1;
  size_t of = source.find(kOf, behind_case);
  while (of < source.size() && !word_at(source, static_cast<u32>(of + kOf.size())).empty())
    of = source.find(kOf, of + 1);
  const size_t brace = source.find('{', begin);
  if (brace < of && brace < source.find('\n', begin))
    return Edit{begin, static_cast<u32>(behind_case), "match"};
  if (of >= source.find('\n', begin)) return std::nullopt;
  const std::string subject(trimmed(source.substr(behind_case, of - behind_case)));
  if (subject.empty()) return std::nullopt;
  const u32 first = behind_gap(source, static_cast<u32>(of + kOf.size()));
  const bool has_braces = source_at(source, first, 1) == "{";
  const size_t close =
      has_braces ? closing_bracket_of_lines(source, first) : closing_bracket_around(source, first);
  if (close == std::string_view::npos) return std::nullopt;
  std::string arms;
  for (const std::string_view arm :
       split(between(source, first + (has_braces ? 1 : 0), static_cast<u32>(close)), "\n;")) {
    const size_t arrow = arm.find(kArrow);
    if (arrow == std::string_view::npos) return std::nullopt;
    const std::string pattern = pattern_of_haskell(trimmed(arm.substr(0, arrow)));
    const std::string_view value = trimmed(arm.substr(arrow + kArrow.size()));
    // A lambda, or a text that is not wholly an expression.
    const bool is_plain = value.find(kArrow) == std::string_view::npos &&
                          value.find(kComment) == std::string_view::npos;
    if (pattern.empty() || value.empty() || !is_plain) return std::nullopt;
    arms += (arms.empty() ? " " : ", ") + pattern + " => " + std::string(value);
  }
  const size_t last = trimmed_end(source.substr(0, close)).size();
  return Edit{begin, static_cast<u32>(has_braces ? close + 1 : last),
              "match " + subject + " {" + arms + " }"};
}

std::optional<Edit> match_of_option_map(u32 begin, u32 end, std::string_view source) {
  constexpr std::string_view kMap = ".map(", kOr = ".or(";
  const std::string_view call = between(source, begin, end);
  const size_t at = call.rfind(kMap);
  if (at == std::string_view::npos || at == 0 ||
      closing_bracket(call, at + kMap.size() - 1) + 1 != call.size())
    return std::nullopt;
  const std::string option(call.substr(0, at));
  const std::string_view lambda =
      trimmed(call.substr(at + kMap.size(), call.size() - at - kMap.size() - 1));
  const size_t arrow = find_outside(lambda, "=>");
  if (arrow == std::string_view::npos || !is_name(trimmed(lambda.substr(0, arrow))))
    return std::nullopt;
  const std::string name(trimmed(lambda.substr(0, arrow))),
      value(trimmed(lambda.substr(arrow + 2)));
  if (value.empty() || value.starts_with('{')) return std::nullopt;
  const std::string some = "match " + option + " { Some(" + name + ") => ";
  u32 stop = end;
  std::string text = some + "Some(" + value + "), None => None }";
  if (source.substr(end).starts_with(kOr)) {
    const size_t close = closing_bracket(source, end + kOr.size() - 1);
    if (close == std::string_view::npos) return std::nullopt;
    stop = static_cast<u32>(close) + 1;
    text = some + value + ", None => " +
           std::string(between(source, end + static_cast<u32>(kOr.size()), stop - 1)) + " }";
  }
  return Edit{begin, stop, stands_in_brackets(begin, stop, source) ? text : "(" + text + ")"};
}

}  // namespace komuz
