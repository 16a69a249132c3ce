// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_patterns.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "mend/source_text.h"

namespace komuz {
namespace {

constexpr u32 kMostSteps = 4;  // from a variable back to its origin

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
// `k >= 1 && k <= 5` for `1..=5`; empty if there is no such comparison.
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
// The end of the pattern behind an `@`.
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
// True if a `|` may join the part of a pattern that starts at a place to others before it.
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
    if (is_in_comment(source, at)) continue;
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
// The only integer type that a text names, or `f64` for floats; empty if there is none, or several.
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
// The value of the match; empty if unknown.
std::string_view value_of(const MatchAround& around, std::string_view source) {
  constexpr u32 kLength = 5;  // of `match`
  return around.arms == 0 ? "" : trimmed(between(source, around.begin + kLength, around.arms - 1));
}
// The type of the matched value at a pattern: that of the variable with which the text of its `match` begins.
std::string_view type_of_matched(const MatchAround& around, std::string_view source) {
  const size_t match = around.begin;
  std::string_view value = value_of(around, source);
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

// The byte behind the string, the comment, the bracket with its content, or the byte at a place; npos if it does not
// end.
size_t behind_part(std::string_view source, size_t at) {
  u32 depth = 0;
  do {
    const char c = source[at];
    if (source.substr(at, 2) == "//") {
      at = std::min(source.find('\n', at), source.size());
      continue;
    }
    if (c == '"' || c == '\'') at = closing_quote(source, at);
    if (at == std::string_view::npos) return at;
    depth += c == '(' || c == '[' || c == '{';
    depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
    ++at;
  } while (depth != 0 && at < source.size());
  return depth == 0 ? at : std::string_view::npos;
}

struct Arm {
  u32 begin, pattern_end, body_end;
  bool has_guard;
};
// The arms up to the end of the text; nothing if a part is no arm.
std::vector<Arm> arms_of(std::string_view source, size_t begin) {
  std::vector<Arm> arms;
  size_t at = behind_gap(source, static_cast<u32>(begin));
  while (at < source.size() && source[at] != '}') {
    size_t k = at, guard = 0;
    for (;; k = behind_part(source, k)) {
      if (k >= source.size()) return arms;
      if (source.substr(k, 2) == "=>") break;
      if (closes_bracket(source[k]) || source[k] == ';') return {};
      const bool is_guard = source.substr(k, 3) == "if " && k > at && !is_word(source[k - 1]);
      if (is_guard && guard == 0) guard = k;
    }
    const std::string_view pattern = trimmed_end(source.substr(0, guard == 0 ? k : guard));
    size_t end = behind_gap(source, static_cast<u32>(k) + 2);
    const bool has_braces = source_at(source, static_cast<u32>(end), 1) == "{";
    if (has_braces)
      end = behind_part(source, end);
    else
      while (end < source.size() && source[end] != ',' && !closes_bracket(source[end]))
        end = behind_part(source, end);
    if (end >= source.size()) return arms;
    if (!has_braces && closes_bracket(source[end]) && source[end] != '}') return {};
    const u32 body_end = static_cast<u32>(trimmed_end(source.substr(0, end)).size());
    arms.push_back({static_cast<u32>(at), static_cast<u32>(pattern.size()), body_end, guard != 0});
    at = behind_gap(source, static_cast<u32>(end));
    if (source_at(source, static_cast<u32>(at), 1) == ",")
      at = behind_gap(source, static_cast<u32>(at) + 1);
  }
  return arms;
}
// `Some(_)` for `Some( k )`: a pattern without blanks and names, which match like `_`.
std::string without_names(std::string_view pattern) {
  std::string text;
  for (size_t k = 0; k < pattern.size();) {
    const std::string_view word = word_at(pattern, static_cast<u32>(k));
    const size_t end = k + std::max<size_t>(word.size(), 1);
    const std::string_view rest = trimmed(pattern.substr(end));
    const bool is_bound = is_name(word) && word[0] >= 'a' && word[0] <= 'z' && word != "true" &&
                          word != "false" && !rest.starts_with('(') && !rest.starts_with(':');
    if (is_bound)
      text += '_';
    else if (std::string_view(" \t\r\n").find(pattern[k]) == std::string_view::npos)
      text += pattern.substr(k, end - k);
    k = end;
  }
  return text;
}
std::vector<std::string_view> alternatives(std::string_view pattern) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t bar = std::min(find_outside(pattern, "|", begin), pattern.size());
    parts.push_back(trimmed(pattern.substr(begin, bar - begin)));
    begin = bar + 1;
  }
  return parts;
}
// True if an arm without a guard takes all that an earlier arm with this pattern, given without names, leaves.
bool has_rest(const std::vector<Arm>& arms, size_t own, const std::string& pattern,
              std::string_view source) {
  for (size_t k = own + 1; k < arms.size(); ++k) {
    if (arms[k].has_guard) continue;
    for (const std::string_view one :
         alternatives(between(source, arms[k].begin, arms[k].pattern_end))) {
      const std::string other = without_names(one);
      if (other == "_" || other == pattern) return true;
    }
  }
  return false;
}
// Replaces a name by another one; fields stay.
std::string with_name(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (size_t k = 0; k < text.size();) {
    const std::string_view word = word_at(text, static_cast<u32>(k));
    const bool is_field = k > 0 && text[k - 1] == '.' && (k == 1 || text[k - 2] != '.');
    out += word == from && !is_field ? to : word.empty() ? text.substr(k, 1) : word;
    k += std::max<size_t>(word.size(), 1);
  }
  return out;
}
// True if a binding can be replaced by the name of the matched value in the guard and the body of an arm. Nothing
// there may change that value, or rebind its name.
bool may_rename(std::string_view text, std::string_view from, std::string_view to) {
  const bool is_plain = text.find('"') == std::string_view::npos &&
                        text.find("//") == std::string_view::npos &&
                        text.find("'" + std::string(from) + "'") == std::string_view::npos;
  for (size_t at = text.find(from); at != std::string_view::npos; at = text.find(from, at + 1))
    if (trimmed(text.substr(at + from.size(), 8)).starts_with(':')) return false;
  return is_plain && !has_word(text, to);
}
// The pattern of `name @ pattern`, with both ends of its ranges; empty if the ends are unknown.
std::string closed_pattern(std::string_view pattern, const MatchAround& around,
                           std::string_view source) {
  const size_t dots = find_outside(pattern, "..");
  const bool is_open = pattern.starts_with("..") || pattern.ends_with("..");
  if (dots == std::string_view::npos || !is_open) return std::string(pattern);
  const u32 begin = static_cast<u32>(pattern.data() - source.data());
  const auto edit = closed_range(begin, begin + static_cast<u32>(pattern.size()), around, source);
  return edit ? edit->text : "";
}
// A whole pattern without the `name @` in its alternatives; empty if an open range would remain.
std::string without_bound(std::string_view pattern, std::string_view name,
                          const MatchAround& around, std::string_view source) {
  const std::vector<std::string_view> parts = alternatives(pattern);
  std::string text;
  for (std::string_view part : parts) {
    const std::string_view behind = trimmed(part.substr(std::min(name.size(), part.size())));
    const bool is_bound = word_at(part, 0) == name && behind.starts_with('@');
    const std::string one =
        closed_pattern(is_bound ? trimmed(behind.substr(1)) : part, around, source);
    if (one.empty() || one == "_") return "";
    const bool is_range = one[0] != '(' && find_outside(one, "..") != std::string_view::npos;
    text += (text.empty() ? "" : " | ") + (is_range && parts.size() > 1 ? "(" + one + ")" : one);
  }
  return text;
}

// `k @ 1..=5` in an arm of a `match`.
struct Bound {
  u32 begin, end;  // the whole
  std::string_view name, pattern;
};
// For alternatives of the whole pattern: `1..=5`, with the matched value's name in place of k.
std::optional<Edit> pattern_alone(const Bound& bound, const Arm& arm, const MatchAround& around,
                                  std::string_view source) {
  const std::string_view value = value_of(around, source);
  const std::string_view rest = between(source, arm.pattern_end, arm.body_end);
  const bool is_used = has_word(rest, bound.name);
  const std::string_view before = trimmed_end(source.substr(0, bound.begin));
  // Not `Some(1 | k @ 2)`, whose bar stands in brackets.
  const bool is_whole = bound.begin == arm.begin || before.ends_with('|');
  if (is_whole &&
      find_outside(between(source, arm.begin, arm.pattern_end), "@") != std::string_view::npos) {
    const std::string pattern =
        without_bound(between(source, arm.begin, arm.pattern_end), bound.name, around, source);
    if (pattern.empty()) return std::nullopt;
    if (!is_used || bound.name == value) return Edit{arm.begin, arm.pattern_end, pattern};
    if (!is_name(value) || !may_rename(rest, bound.name, value)) return std::nullopt;
    return Edit{arm.begin, arm.body_end, pattern + with_name(rest, bound.name, value)};
  }
  const std::string pattern = is_used ? "" : closed_pattern(bound.pattern, around, source);
  if (pattern.empty()) return std::nullopt;
  return Edit{bound.begin, bound.end, pattern};
}
// `1 | 2` for `k @ 1 | k @ 2`; empty if another alternative binds nothing.
std::string bound_alternatives(std::string_view pattern, std::string_view name) {
  std::string text;
  for (const std::string_view part : alternatives(pattern)) {
    const std::string_view behind = trimmed(part.substr(std::min(name.size(), part.size())));
    if (word_at(part, 0) != name || !behind.starts_with('@')) return "";
    text += (text.empty() ? "" : " | ") + std::string(trimmed(behind.substr(1)));
  }
  return text;
}
// `k if k >= 1 && k <= 5`, before the arm's own guard.
std::optional<Edit> guard_of(const Bound& given, const Arm& arm, std::string_view source) {
  Bound bound = given;
  const std::string_view whole = between(source, arm.begin, arm.pattern_end);
  const std::string joined = bound_alternatives(whole, bound.name);
  if (!joined.empty()) bound = {arm.begin, arm.pattern_end, given.name, joined};
  const size_t gap = find_outside(between(source, arm.pattern_end, arm.body_end), "=>");
  if (gap == std::string_view::npos ||
      (joined.empty() && may_stand_behind_bar(source, bound.begin)))
    return std::nullopt;
  const u32 arrow = arm.pattern_end + static_cast<u32>(gap);
  const std::string name(bound.name);
  std::string condition = condition_of(name, bound.pattern);
  if (condition.empty()) return std::nullopt;
  const std::string_view behind = between(source, bound.end, arm.pattern_end);
  const std::string_view guard = trimmed(between(source, arm.pattern_end, arrow));
  if (!guard.empty()) {
    const bool is_choice = condition.find("||") != std::string::npos;
    const std::string_view asked = trimmed(guard.substr(2));
    const bool is_joined = asked.find("||") != std::string_view::npos;
    condition = (is_choice ? "(" + condition + ")" : condition) + " && " +
                (is_joined ? "(" + std::string(asked) + ")" : std::string(asked));
  }
  return Edit{bound.begin, static_cast<u32>(trimmed_end(source.substr(0, arrow)).size()),
              name + std::string(behind) + " if " + condition};
}

}  // namespace

std::optional<Edit> pattern_of_bound(u32 sign, const MatchAround& around, std::string_view source) {
  const u32 name_end = behind_previous(source, sign);
  u32 begin = name_end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  const size_t stop = pattern_end(source, sign + 1);
  if (stop == std::string_view::npos) return std::nullopt;
  const std::string_view pattern = trimmed(between(source, sign + 1, static_cast<u32>(stop)));
  const Bound bound{begin, static_cast<u32>(trimmed_end(source.substr(0, stop)).size()),
                    between(source, begin, name_end), pattern};
  if (!is_name(bound.name) || pattern.empty()) return std::nullopt;
  if (around.arms == 0) return std::nullopt;
  const std::vector<Arm> arms =
      arms_of(source.substr(0, around.arms + kNearBracketed), around.arms);
  const auto arm = std::ranges::find_if(
      arms, [&](const Arm& one) { return one.begin <= begin && bound.end <= one.pattern_end; });
  if (arm == arms.end()) return std::nullopt;
  if (pattern == "_" || (is_name(pattern) && pattern == bound.name)) {
    const bool is_alone =
        find_outside(between(source, arm->begin, arm->pattern_end), "|") == std::string_view::npos;
    return is_alone ? std::optional(Edit{begin, bound.end, std::string(bound.name)}) : std::nullopt;
  }
  const std::string others =
      without_names(std::string(between(source, arm->begin, begin)) + "_" +
                    std::string(between(source, bound.end, arm->pattern_end)));
  const bool is_used = has_word(between(source, arm->pattern_end, arm->body_end), bound.name);
  const std::string_view whole = between(source, arm->begin, arm->pattern_end);
  const bool is_joined = !bound_alternatives(whole, bound.name).empty();
  std::optional<Edit> alone = pattern_alone(bound, *arm, around, source);
  const bool is_better =
      bound.name == value_of(around, source) || find_outside(whole, "|") != std::string_view::npos;
  if (!is_used || (alone && is_better) ||
      !has_rest(arms, static_cast<size_t>(arm - arms.begin()), is_joined ? "_" : others, source))
    return alone;
  std::optional<Edit> guard = guard_of(bound, *arm, source);
  return guard ? guard : alone;
}

std::optional<Edit> closed_range(u32 begin, u32 end, const MatchAround& around,
                                 std::string_view source) {
  const std::string_view range = between(source, begin, end);
  const size_t dots = find_outside(range, "..");
  if (dots == std::string_view::npos) return std::nullopt;
  const bool has_last = range.substr(dots, 3) == "..=";
  const std::string_view first = trimmed(range.substr(0, dots)),
                         last = trimmed(range.substr(dots + (has_last ? 3 : 2)));
  const std::string_view literal = first.empty() ? last : first;
  const bool is_character = literal.starts_with('\'');
  const std::string_view type = is_character ? "u8" : type_of_matched(around, source);
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
