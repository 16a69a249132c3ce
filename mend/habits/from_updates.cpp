// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_updates.h"

#include <algorithm>
#include <map>
#include <string>

#include "mend/habits/from_formulas.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// The end of the statement that continues at a place: before its `;`, its line's end or the surrounding bracket; npos
// if it contains a block or a comment.
size_t statement_end(std::string_view source, size_t at) {
  for (size_t k = at; k < source.size(); ++k) {
    const char c = source[k];
    if (c == ';' || c == '\n' || c == ')' || c == ']' || c == '}' || c == ',') return k;
    if (c == '{' || c == '#' || source.substr(k, 2) == "//") break;
    if (c == '(' || c == '[') k = closing_bracket(source, k);
    if (c == '"' || c == '\'') k = closing_quote(source, k);
    if (k == std::string_view::npos) return k;
  }
  return std::string_view::npos;
}
u32 word_start(std::string_view text) {
  size_t at = text.size();
  while (at > 0 && is_word(text[at - 1])) --at;
  return static_cast<u32>(at);
}
// A word of Python between two operands.
bool is_between_operands(std::string_view word) {
  return is_among(
      word, {"and", "assert", "await", "case", "elif", "else", "for", "from", "if", "in", "is",
             "lambda", "not", "or", "raise", "return", "while", "with", "yield"});
}
bool ends_value(std::string_view text) {
  return !text.empty() && (is_word(text.back()) || text.back() == ')' || text.back() == ']') &&
         !is_between_operands(text.substr(word_start(text)));
}
size_t last_word(std::string_view text, std::string_view word) {
  for (size_t k = text.rfind(word); k != std::string_view::npos;
       k = k == 0 ? std::string_view::npos : text.rfind(word, k - 1)) {
    const size_t end = k + word.size();
    if ((k == 0 || !is_word(text[k - 1])) && (end >= text.size() || !is_word(text[end]))) return k;
  }
  return std::string_view::npos;
}
// The text before a place in its own function, from the head on.
std::string_view own_function(std::string_view source, size_t at) {
  const size_t near = at - std::min(at, kNearBracketed);
  const std::string_view before = source.substr(near, at - near);
  size_t first = 0;
  for (const std::string_view word : {"def", "fn"})
    if (const size_t k = last_word(before, word); k != std::string_view::npos)
      first = std::max(first, k);
  return before.substr(first);
}
// True if a place is in the parameters of a lambda, which have no types.
bool is_in_lambda_head(std::string_view before, size_t at) {
  const size_t head = last_word(before.substr(0, at), "lambda");
  return head != std::string_view::npos &&
         before.substr(head, at - head).find(':') == std::string_view::npos;
}
// True if a name stands for a float according to the type behind its last colon before a place.
bool is_declared_float(std::string_view name, std::string_view source, size_t at) {
  const std::string_view before = own_function(source, at);
  for (size_t k = before.rfind(name); k != std::string_view::npos;
       k = k == 0 ? std::string_view::npos : before.rfind(name, k - 1)) {
    const std::string_view rest = trimmed(before.substr(k + name.size()));
    const bool is_word_there = (k == 0 || !is_word(before[k - 1])) && !rest.empty() &&
                               !is_word(before[std::min(k + name.size(), before.size() - 1)]);
    if (is_word_there && is_in_lambda_head(before, k)) return false;
    if (!is_word_there || rest[0] != ':') continue;
    return is_among(word_at(trimmed(rest.substr(1)), 0), {"f64", "f32", "float", "double"});
  }
  return false;
}
// The names that stand for floats before a place, and how often words occur around it. The text is searched once for
// each.
class NamesBefore {
 public:
  NamesBefore(std::string_view source, size_t at) : source_(source), at_(at) {}

  bool is_float(std::string_view name) {
    const auto [known, is_new] = floats_.try_emplace(std::string(name), false);
    if (is_new) known->second = is_declared_float(name, source_, at_);
    return known->second;
  }
  u32 count(std::string_view word, std::string_view text) {
    const auto [known, is_new] = counts_.try_emplace(std::string(word), 0);
    if (is_new) known->second = count_word(text, word);
    return known->second;
  }

 private:
  std::string_view source_;
  size_t at_;
  std::map<std::string, bool> floats_;
  std::map<std::string, u32> counts_;
};
// True if an operand is a float as far as the text tells.
bool seems_float(std::string_view operand, NamesBefore& names) {
  for (size_t k = 0; k < operand.size();) {
    const std::string_view word = word_at(operand, static_cast<u32>(k));
    const size_t end = k + std::max<size_t>(word.size(), 1);
    const bool is_field = k > 0 && operand[k - 1] == '.';
    const bool is_called = operand.substr(end).starts_with('(');
    if (are_digits(word) && operand.substr(end).starts_with('.') &&
        !operand.substr(end).starts_with(".."))
      return true;
    if (is_called &&
        is_among(word, {"f64", "f32", "float", "sqrt", "exp", "log", "sin", "cos", "floor"}))
      return true;
    if (is_name(word) && !is_field && !is_called && names.is_float(word)) return true;
    k = end;
  }
  return false;
}
std::string floor_of_quotient(std::string_view left, std::string_view right, bool is_float) {
  const std::string call = "div_floor(" + std::string(left) + ", " + std::string(right) + ")";
  return is_float ? float_div_floor(call) : call;
}
std::string floor_of_remainder(std::string_view left, std::string_view right, bool is_float) {
  const std::string call = "mod_floor(" + std::string(left) + ", " + std::string(right) + ")";
  return is_float ? float_mod_floor(call) : call;
}
// The start of a quotient's left operand: factors and powers, which bind from the left, each with the signs before
// it.
u32 factors_start(std::string_view source, u32 stop) {
  u32 first = operand_start(source, stop);
  for (;;) {
    const std::string_view before = trimmed_end(source.substr(0, first));
    if (before.empty()) return first;
    const char c = before.back();
    const bool is_factor = c == '*' || c == '%' || (c == '/' && !before.ends_with("//"));
    if (is_factor) {
      const size_t length = before.size() - (before.ends_with("**") ? 2 : 1);
      const u32 end = static_cast<u32>(trimmed_end(before.substr(0, length)).size());
      const u32 next = operand_start(source, end);
      if (next == end) return first;
      first = next;
      continue;
    }
    const std::string_view further = trimmed_end(before.substr(0, before.size() - 1));
    const bool is_sign = c == '~' || ((c == '-' || c == '+') && !ends_value(further));
    if (!is_sign) return first;
    first = static_cast<u32>(before.size()) - 1;
  }
}
// True if the text behind a `//` reads like prose: a `#`, or a word after a word.
bool reads_like_comment(std::string_view rest) {
  rest = rest.substr(0, rest.find('\n'));
  const std::string_view text = trimmed(rest);
  const std::string_view first = word_at(text, 0);
  const std::string_view second = word_at(trimmed(text.substr(first.size())), 0);
  return text.starts_with('#') || (is_name(first) && is_name(second) &&
                                   !is_between_operands(first) && !is_between_operands(second));
}
// The length of a quotient's right operand, with its sign and its power; 0 if there is none.
size_t factor_length(std::string_view text) {
  size_t at = 0;
  for (;;) {
    at += text.substr(at).starts_with('-') ? 1 : 0;
    const size_t length = operand_length(text.substr(at));
    if (length == 0) return 0;
    at += length;
    const size_t behind = std::min(text.find_first_not_of(" \t", at), text.size());
    if (!text.substr(behind).starts_with("**")) return at;
    at = std::min(text.find_first_not_of(" \t", behind + 2), text.size());
  }
}

}  // namespace

std::optional<Edit> update_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view given = between(source, begin, end - 1);
  const std::string sign(given == "^" ? "**" : given);
  const u32 stop = behind_previous(source, begin), first = operand_start(source, stop);
  const std::string place(between(source, first, stop));
  const size_t last = statement_end(source, end);
  if (!is_place(place) || last == std::string_view::npos) return std::nullopt;
  const std::string_view value = trimmed(between(source, end, static_cast<u32>(last)));
  if (value.empty()) return std::nullopt;
  const bool is_whole = sign == "**"   ? operand_length(value) == value.size()
                        : sign == "&&" ? find_outside(value, "||") == std::string_view::npos
                                       : true;
  return Edit{first, behind_previous(source, static_cast<u32>(last)),
              place + " = " + place + " " + sign + " " +
                  (is_whole ? std::string(value) : "(" + std::string(value) + ")")};
}

std::optional<Edit> quotient_edit(u32 mark, std::string_view source) {
  const u32 stop = behind_previous(source, mark);
  if (source_at(source, mark, 3) == "//=") {
    const u32 first = operand_start(source, stop);
    const std::string left(between(source, first, stop));
    const size_t last = statement_end(source, mark + 3);
    if (!is_place(left) || last == std::string_view::npos) return std::nullopt;
    const std::string right(trimmed(between(source, mark + 3, static_cast<u32>(last))));
    if (right.empty()) return std::nullopt;
    NamesBefore names(source, first);
    const bool is_float = seems_float(left, names) || seems_float(right, names);
    const std::string value = floor_of_quotient(left, right, is_float);
    if (value.empty()) return std::nullopt;
    return Edit{first, behind_previous(source, static_cast<u32>(last)), left + " = " + value};
  }
  const u32 first = factors_start(source, stop);
  const std::string left(between(source, first, stop));
  const size_t blanks = source.find_first_not_of(" \t", mark + 2);
  if (left.empty() || blanks == std::string_view::npos) return std::nullopt;
  const std::string_view rest = source.substr(blanks);
  const size_t length = factor_length(rest.substr(0, rest.find('\n')));
  if (length == 0) return std::nullopt;
  const std::string_view right = rest.substr(0, length);
  NamesBefore names(source, first);
  const bool is_float = seems_float(left, names) || seems_float(right, names);
  const std::string value = floor_of_quotient(left, right, is_float);
  if (value.empty()) return std::nullopt;
  return Edit{first, static_cast<u32>(blanks + length), value};
}

bool is_quotient(std::string_view text, size_t mark) {
  const size_t begin = text.find_first_not_of(" \t", mark + 2);
  if (!ends_value(trimmed_end(text.substr(0, mark))) || begin == std::string_view::npos)
    return false;
  const size_t line = text.substr(0, mark).rfind('\n') + 1;
  if (trimmed(text.substr(line, mark - line)).empty()) return false;
  const std::string_view rest = text.substr(begin, text.find('\n', begin) - begin);
  if (rest.starts_with('=')) return true;
  const size_t length = factor_length(rest);
  const std::string_view behind = trimmed(rest.substr(length));
  const std::string_view word = word_at(behind, 0);
  return length != 0 && (word.empty() || is_between_operands(word));
}

std::optional<std::string> quotients_of_python(std::string_view text, std::string_view source) {
  const bool has_none =
      text.find("//") == std::string_view::npos && text.find('%') == std::string_view::npos;
  if (has_none) return std::string(text);
  const size_t place = static_cast<size_t>(text.data() - source.data());
  const size_t near = place - std::min(place, kNearBracketed);
  const std::string_view around = source.substr(near, place - near + text.size());
  NamesBefore names(source, place);
  std::string out(text);
  for (size_t at = 0; at < out.size();) {
    if (out.size() > kNearBracketed) return std::nullopt;
    const std::string_view all = out;
    const char c = all[at];
    if (is_quote(c)) {
      const size_t close = closing_python_quote(all, at);
      if (close == std::string_view::npos && all.substr(at + 1, 2) == std::string{c, c})
        return std::nullopt;
      at = close == std::string_view::npos ? at + 1 : close + 1;
      continue;
    }
    if (c == '#') {
      at = std::min(all.find('\n', at), all.size());
      continue;
    }
    const bool divides = all.substr(at, 2) == "//";
    if (!divides && c != '%') {
      ++at;
      continue;
    }
    if (divides && !is_quotient(all, at)) {
      const size_t line = all.substr(0, at).rfind('\n') + 1;
      const bool is_comment = !ends_value(trimmed_end(all.substr(line, at - line))) ||
                              reads_like_comment(all.substr(at + 2));
      if (!is_comment) return std::nullopt;  // `//=` of words, or a quotient of something else
      at = std::min(all.find('\n', at), all.size());
      continue;
    }
    const u32 sign = static_cast<u32>(at), behind = sign + (divides ? 2 : 1);
    const u32 stop = behind_previous(all, sign);
    const bool updates = source_at(all, behind, 1) == "=";
    const u32 first = updates ? operand_start(all, stop) : factors_start(all, stop);
    const std::string left(between(all, first, stop));
    const size_t begin = all.find_first_not_of(" \t", behind + (updates ? 1 : 0));
    if (left.empty() || begin == std::string_view::npos || (updates && !is_place(left)))
      return std::nullopt;
    const std::string_view line = all.substr(begin, all.find('\n', begin) - begin);
    const size_t length = updates ? trimmed_end(line.substr(0, line.find_first_of(";#"))).size()
                                  : factor_length(line);
    if (length == 0) return std::nullopt;
    // Whether a remainder is 0 does not depend on signs.
    const std::string_view test = trimmed(line.substr(length));
    const bool asks_for_zero = (test.starts_with("== 0") || test.starts_with("!= 0")) &&
                               (test.size() == 4 || (!is_word(test[4]) && test[4] != '.'));
    if (!divides && !updates && asks_for_zero) {
      at = behind;
      continue;
    }
    const std::string right(line.substr(0, length));
    // `// done` is a comment.
    if (divides && is_name(right) && names.count(right, around) < 2) return std::nullopt;
    const bool is_float = seems_float(left, names) || seems_float(right, names);
    const std::string value = divides ? floor_of_quotient(left, right, is_float)
                                      : floor_of_remainder(left, right, is_float);
    if (value.empty()) return std::nullopt;
    // The right side may contain further ones, which are next.
    out.replace(first, begin + length - first, (updates ? left + " = " : "") + value);
    at = first;
  }
  return out;
}
u32 lambda_end(u32 begin, std::string_view source) {
  size_t at = begin;
  while (at < source.size() &&
         std::string_view(",)]};\n#").find(source[at]) == std::string_view::npos) {
    if (source[at] == '(' || source[at] == '[' || source[at] == '{') {
      const size_t close = closing_bracket_of_lines(source, at);
      if (close == std::string_view::npos) return begin;
      at = close;
    }
    if (source[at] == '"' || source[at] == '\'') {
      const size_t close = closing_quote(source, at);
      if (close != std::string_view::npos) at = close;
    }
    ++at;
  }
  return static_cast<u32>(at);
}

}  // namespace komuz
