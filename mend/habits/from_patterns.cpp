// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_patterns.h"

#include <algorithm>
#include <limits>

#include "mend/source_text.h"

namespace komuz {
namespace {

constexpr u32 kMostSteps = 4;  // from a variable to what it was made of

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text = trimmed(text.substr(1));
  return !text.empty() && is_digit(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == '.'; });
}
bool is_literal(std::string_view text) {
  const bool is_character =
      text.starts_with('\'') && text.size() > 2 && closing_quote(text, 0) + 1 == text.size();
  return is_character || text == "true" || text == "false" ||
         (is_number(text) && text.find("..") == std::string_view::npos);
}
// `k >= 1 && k <= 5` of `1..=5`; empty: no comparison says it.
std::string condition_of_range(const std::string& name, std::string_view pattern, size_t dots) {
  const bool has_last = pattern.substr(dots, 3) == "..=";
  const std::string_view first = trimmed(pattern.substr(0, dots)),
                         last = trimmed(pattern.substr(dots + (has_last ? 3 : 2)));
  if ((!first.empty() && !is_literal(first)) || (!last.empty() && !is_literal(last))) return "";
  std::string text;
  if (!first.empty()) text = name + " >= " + std::string(first);
  if (!first.empty() && !last.empty()) text += " && ";
  if (!last.empty()) text += name + (has_last ? " <= " : " < ") + std::string(last);
  return text;
}
std::string condition_of(const std::string& name, std::string_view pattern) {
  pattern = trimmed(pattern);
  if (pattern.starts_with('(') && closing_bracket(pattern, 0) + 1 == pattern.size())
    pattern = trimmed(pattern.substr(1, pattern.size() - 2));
  std::string text;
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t bar = std::min(find_outside(pattern, "|", begin), pattern.size());
    const std::string_view one = trimmed(pattern.substr(begin, bar - begin));
    const size_t dots = find_outside(one, "..");
    std::string condition;
    if (dots != std::string_view::npos)
      condition = condition_of_range(name, one, dots);
    else if (is_literal(one))
      condition = name + " == " + std::string(one);
    if (condition.empty()) return "";
    text += (text.empty() ? "" : " || ") + condition;
    begin = bar + 1;
  }
  return text;
}
// Where the pattern behind an `@` ends: before what is no part of it.
size_t pattern_end(std::string_view source, size_t at) {
  for (size_t k = at; k < source.size(); ++k) {
    const char c = source[k];
    if (c == ',' || c == ')' || c == ']' || c == '}' || c == '|' || c == '\n' ||
        source.substr(k, 2) == "=>" || source.substr(k, 4) == " if ")
      return k;
    if (c == '\'' || c == '"') k = closing_quote(source, k);
    if (c == '(') k = closing_bracket(source, k);
    if (k == std::string_view::npos) break;
  }
  return std::string_view::npos;
}
// The arm's `=>` behind a part of its pattern; npos: there is none on its line, or a `|` before it.
size_t arrow_behind(std::string_view source, size_t at) {
  for (size_t k = at; k < source.size() && source[k] != '\n'; ++k) {
    if (source.substr(k, 2) == "=>") return k;
    if (source.substr(k, 4) == " if ") return source.substr(0, source.find('\n', k)).find("=>", k);
    if (source[k] == '|' || source[k] == '{' || source[k] == '}') break;
    if (source[k] == '\'' || source[k] == '"') k = closing_quote(source, k);
    if (k == std::string_view::npos) break;
  }
  return std::string_view::npos;
}
// May a `|` join the part of a pattern that starts at a place to others before it?
bool may_stand_behind_bar(std::string_view source, size_t at) {
  const std::string_view before = source.substr(0, at);
  size_t first = before.find_last_of("\n{") + 1;
  if (const size_t arrow = before.rfind("=>"); arrow != std::string_view::npos && arrow > first)
    first = arrow;
  return before.find('|', first) != std::string_view::npos;
}

// The last place before `end` where a variable is bound: behind its name.
size_t binder_of(std::string_view name, std::string_view source, size_t end) {
  for (size_t at = source.substr(0, end).rfind(name); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : source.rfind(name, at - 1)) {
    const size_t behind = at + name.size();
    if ((at > 0 && is_word(source[at - 1])) || (behind < source.size() && is_word(source[behind])))
      continue;
    const std::string_view rest = trimmed(source.substr(behind, 16));
    const std::string_view before = trimmed_end(source.substr(0, at));
    const bool is_declared = rest.starts_with(':') && !rest.starts_with("::");
    if (is_declared || before.ends_with("let") || before.ends_with("var") ||
        before.ends_with("for") || rest.starts_with("in "))
      return behind;
  }
  return std::string_view::npos;
}
constexpr std::string_view kIntegers[] = {"i64", "i32", "u64", "u32", "u8"};
// The one type of integers that is named in a text; empty: none is, or several are. `f64` where floats are.
std::string_view integer_in(std::string_view type) {
  if (has_word(type, "f64") || has_word(type, "f32")) return "f64";
  if (has_word(type, "Bytes")) return "u8";
  std::string_view found;
  for (const std::string_view one : kIntegers) {
    if (!has_word(type, one)) continue;
    if (!found.empty()) return "";
    found = one;
  }
  return found;
}
// What is matched where a pattern stands: the type of the variable that the text of its `match` begins with.
std::string_view type_of_matched(std::string_view source, size_t at) {
  u32 depth = 0;
  while (at > 0 && (source[at - 1] != '{' || depth != 0)) {
    --at;
    depth += source[at] == '}';
    if (source[at] == '{') --depth;
  }
  const std::string_view before = source.substr(0, at == 0 ? 0 : at - 1);
  const size_t match = before.rfind("match ");
  if (match == std::string_view::npos) return "";
  std::string_view value = trimmed(before.substr(match + 6));
  for (u32 step = 0; step < kMostSteps; ++step) {
    if (value.starts_with('\'')) return "u8";
    const size_t first = value.find_first_not_of(" (");
    if (first == std::string_view::npos) return "";
    const std::string_view name = word_at(value, static_cast<u32>(first));
    if (std::ranges::find(kIntegers, name) != std::end(kIntegers)) return name;  // `u8(n)`
    if (value.find(".len()") != std::string_view::npos) return "i64";
    if (!is_name(name)) return "";
    const size_t binder = binder_of(name, source, match);
    if (binder == std::string_view::npos) return "";
    const u32 behind = behind_gap(source, static_cast<u32>(binder));
    const std::string_view rest = source.substr(behind);
    if (rest.starts_with(':')) {
      size_t end = 1, open = 0;
      for (; end < rest.size(); ++end) {
        open += rest[end] == '[' || rest[end] == '(';
        const bool ends = rest[end] == ',' || rest[end] == ')' || rest[end] == '=' ||
                          rest[end] == ';' || rest[end] == '\n' || rest[end] == '{';
        if (open == 0 && ends) break;
        open -= open != 0 && (rest[end] == ']' || rest[end] == ')');
      }
      return integer_in(rest.substr(0, end));
    }
    const bool loops = rest.starts_with("in ");
    if (!loops && !rest.starts_with('=')) return "";
    const size_t mark = loops ? 3 : 1;
    value = trimmed(rest.substr(mark, rest.find_first_of(";{\n", mark) - mark));
  }
  return "";
}
struct Ends {
  std::string least, most;
};
template <class T>
Ends ends_of() {
  return {std::to_string(std::numeric_limits<T>::min()),
          std::to_string(std::numeric_limits<T>::max())};
}
Ends ends_of_type(std::string_view type) {
  if (type == "i32") return ends_of<i32>();
  if (type == "u64") return ends_of<u64>();
  if (type == "u32") return ends_of<u32>();
  if (type == "u8") return ends_of<u8>();
  return ends_of<i64>();
}

}  // namespace

std::optional<Edit> guard_of_bound(u32 sign, std::string_view source) {
  const u32 name_end = behind_previous(source, sign);
  u32 begin = name_end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  const std::string name(between(source, begin, name_end));
  const size_t stop = pattern_end(source, sign + 1);
  if (!is_name(name) || stop == std::string_view::npos || may_stand_behind_bar(source, begin))
    return std::nullopt;
  const size_t arrow = arrow_behind(source, stop);
  if (arrow == std::string_view::npos) return std::nullopt;
  std::string condition = condition_of(name, between(source, sign + 1, static_cast<u32>(stop)));
  if (condition.empty()) return std::nullopt;
  const std::string_view rest =
      trimmed(between(source, static_cast<u32>(stop), static_cast<u32>(arrow)));
  const size_t guard = rest.starts_with("if ") ? 0 : rest.find(" if ");
  std::string text = name + std::string(trimmed_end(rest.substr(0, guard)));
  if (guard != std::string_view::npos) {
    const bool is_choice = condition.find("||") != std::string::npos;
    const std::string_view asked = trimmed(rest.substr(rest.find("if ", guard) + 3));
    const bool is_joined = asked.find("||") != std::string_view::npos;
    condition = (is_choice ? "(" + condition + ")" : condition) + " && " +
                (is_joined ? "(" + std::string(asked) + ")" : std::string(asked));
  }
  text += " if " + condition;
  return Edit{begin, static_cast<u32>(trimmed_end(source.substr(0, arrow)).size()), text};
}

std::optional<Edit> closed_range(u32 begin, u32 end, std::string_view source) {
  const std::string_view range = between(source, begin, end);
  const size_t dots = find_outside(range, "..");
  if (dots == std::string_view::npos) return std::nullopt;
  const bool has_last = range.substr(dots, 3) == "..=";
  const std::string_view first = trimmed(range.substr(0, dots)),
                         last = trimmed(range.substr(dots + (has_last ? 3 : 2)));
  const std::string_view literal = first.empty() ? last : first;
  const bool is_character = literal.starts_with('\'');
  const std::string_view type = is_character ? "u8" : type_of_matched(source, begin);
  if (type.empty() || type == "f64" || !is_literal(literal) ||
      literal.find('.') != std::string_view::npos)
    return std::nullopt;
  const Ends ends = ends_of_type(type);
  std::string text = first.empty() ? ends.least + (has_last ? "..=" : "..") + std::string(last)
                                   : std::string(first) + "..=" + ends.most;
  const std::string_view before = trimmed_end(source.substr(0, begin)),
                         behind = source.substr(behind_gap(source, end));
  const bool is_beside_bar = before.ends_with('|') || behind.starts_with('|');
  if (is_beside_bar) text = "(" + text + ")";
  return Edit{begin, end, text};
}

}  // namespace komuz
