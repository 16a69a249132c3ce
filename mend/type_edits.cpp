// SPDX-License-Identifier: Apache-2.0
#include "mend/type_edits.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lang/diagnostic_types.h"
#include "mend/builtin_words.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_formulas.h"
#include "mend/name_edits.h"
#include "mend/source_text.h"

namespace komuz {

namespace {

// `max` in `xs.fold(0.0, max)`, or a name that the program defines as a function.
bool is_function_name(std::string_view name, std::string_view source) {
  if (!is_name(name)) return false;
  return names_builtin_function(name) ||
         source.find("fn " + std::string(name) + "(") != std::string_view::npos;
}

// True for a sum or product, perhaps in parentheses, of operands that is_postfix accepts. Integers are divided
// differently from floats.
bool is_sum(std::string_view text) {
  if (text.empty() || text.find("..") != std::string_view::npos) return false;
  const bool is_arithmetic = std::ranges::all_of(text, [](char c) {
    return is_word(c) || std::string_view(" +-*().,[]").find(c) != std::string_view::npos;
  });
  if (!is_arithmetic || std::string_view("+*-").find(text.back()) != std::string_view::npos)
    return false;
  if (text.starts_with('(') && closing_bracket(text, 0) + 1 != text.size()) return false;
  for (size_t k = 1; k + 1 < text.size(); ++k)  // `return n` is none
    if (text[k] == ' ' && is_word(text[k - 1]) && is_word(text[k + 1])) return false;
  return true;
}
// `floor(x)`, `x.round()`
bool is_rounded(std::string_view text) {
  for (const std::string_view function : {"floor", "ceil", "round", "trunc"}) {
    const std::string call = std::string(function) + "(", method = "." + call + ")";
    const bool is_call =
        text.starts_with(call) && closing_bracket(text, call.size() - 1) + 1 == text.size();
    if (is_call || (text.ends_with(method) && is_postfix(text))) return true;
  }
  return false;
}
// True for a literal that an Option of a type may hold: `-3` for `i64`, `0.5` for `f64`.
bool holds_literal(std::string_view text, std::string_view type) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::string_view first = first_value(type);
  if (first == "0") return are_digits(text);
  const size_t point = text.find('.');
  return first == "0.0" && point != std::string_view::npos && are_digits(text.substr(0, point)) &&
         are_digits(text.substr(point + 1));
}
// True if it consists of operators of numbers and bits, all of which bind more tightly than `!=`: `n & 1`, `a % b`.
bool is_arithmetic(std::string_view text) {
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k], next = k + 1 < text.size() ? text[k + 1] : ' ';
    const bool shifts = (c == '<' || c == '>') && next == c;
    const bool joins = (c == '&' || c == '|') && next == c;
    if (joins || (!is_word(c) && !shifts &&
                  std::string_view(" +-*/%&|^().,[]").find(c) == std::string_view::npos))
      return false;
    if (c == ' ' && k > 0 && is_word(text[k - 1]) && is_word(next)) return false;
    k += shifts;
  }
  return is_word(text[0]) && text.find("..") == std::string_view::npos;
}
// `n` to `n != 0`, `!n` to `n == 0`, where other languages take a number for a truth
std::optional<Edit> truth_edit(const Diagnostic& d, std::string_view operand,
                               std::string_view source) {
  const bool is_opposite = operand.starts_with('!');
  const std::string_view number = operand.substr(is_opposite ? 1 : 0);
  const bool is_group =
      is_opposite && number.starts_with('(') && closing_bracket(number, 0) + 1 == number.size();
  const bool is_sum = !is_opposite && is_arithmetic(number);
  if (!is_group && !is_sum && !is_postfix(number)) return std::nullopt;
  if (is_digit(number[0]) && are_digits(number)) return std::nullopt;
  // In an assertion, the other side of a comparison is more likely missing.
  const size_t before = source.substr(0, d.begin).find_last_not_of(" (");
  const std::string_view head = source.substr(0, before == std::string_view::npos ? 0 : before + 1);
  if (head.ends_with("assert") || head.ends_with(">>>")) return std::nullopt;
  return Edit{d.begin, d.end(), std::string(number) + (is_opposite ? " == 0" : " != 0")};
}
// `c - '0'`, perhaps in parentheses: a difference of bytes that is not below zero.
bool is_digit_of_character(std::string_view text) {
  if (text.starts_with('(') && closing_bracket(text, 0) + 1 == text.size())
    text = trimmed(text.substr(1, text.size() - 2));
  const size_t minus = find_outside(text, "-");
  if (minus == std::string_view::npos) return false;
  const std::string_view left = trimmed(text.substr(0, minus)),
                         right = trimmed(text.substr(minus + 1));
  return is_postfix(left) && right.starts_with('\'') && right.size() > 2 &&
         closing_quote(right, 0) + 1 == right.size();
}
// `x: f64` of a record, `f64` of a tuple
std::string_view type_of_part(std::string_view part) {
  const size_t colon = part.find(':');
  return colon == std::string_view::npos ? part : trimmed(part.substr(colon + 1));
}
bool takes_part(std::string_view field, std::string_view part) {
  const std::string_view wanted = type_of_part(field), first = first_value(wanted);
  return wanted == part || (part == "integer literal" && first == "0") ||
         (part == "float literal" && first == "0.0");
}
// `(1.0, 2.0)` or `t` to `V(1.0, 2.0)` or `V(t.0, t.1)`, if the record V has the tuple's types; empty if it has not.
std::string record_of_tuple(std::string_view operand, const std::string& record,
                            const std::string& tuple, std::string_view source) {
  if (!is_name(record) || !tuple.starts_with('(')) return "";
  const std::string head = "type " + record + " = " + record + "(";
  const size_t item = source.find(head);
  if (item == std::string_view::npos) return "";
  const size_t open = item + head.size() - 1, close = closing_bracket(source, open);
  if (close == std::string_view::npos) return "";
  const std::vector<std::string_view> fields = parts_of(source.substr(open + 1, close - open - 1));
  const std::vector<std::string_view> parts =
      parts_of(std::string_view(tuple).substr(1, tuple.size() - 2));
  if (!std::ranges::equal(fields, parts, takes_part)) return "";
  if (operand.starts_with('(') && operand.ends_with(')')) return record + std::string(operand);
  if (!is_name(operand)) return "";
  std::string values;
  for (size_t k = 0; k < parts.size(); ++k)
    values += (k == 0 ? "" : ", ") + std::string(operand) + "." + std::to_string(k);
  return record + "(" + values + ")";
}

}  // namespace

bool is_list_type(std::string_view type) {
  return type.starts_with('[') || type.starts_with("List[") || type.starts_with("Bytes[");
}
std::string_view first_value(std::string_view type) {
  if (type == "bool") return "false";
  if (type == "f32" || type == "f64") return "0.0";
  for (const std::string_view integer : {"i32", "i64", "u8", "u32", "u64"})
    if (type == integer) return "0";
  return {};
}
bool is_postfix(std::string_view text) {
  if (text.empty() || !is_word(text[0]) || text.find("..") != std::string_view::npos) return false;
  u32 depth = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\n') return false;
    if (depth != 0 && is_quote(c)) {
      k = closing_quote(text, k);
      if (k == std::string_view::npos) return false;
      continue;
    }
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth-- == 0) return false;
    const bool binds = is_word(c) || c == '.' || c == ')' || c == ']';
    if (depth == 0 && !binds) return false;
  }
  return depth == 0;
}
bool is_place(std::string_view text) {
  return is_postfix(text) && text.find('(') == std::string_view::npos;
}

namespace {

bool names_quotient(std::string_view name, u32 place, std::string_view source) {
  if (!is_name(name)) return false;
  constexpr u32 kLongestLookBack = 16'384;  // since each of many errors may ask
  u32 first = place - std::min(place, kLongestLookBack);
  while (first > 0 && first < place && is_word(source[first - 1])) ++first;
  const std::string_view before = source.substr(first, place - first);
  const size_t item = before.rfind("fn ");
  const std::string_view body = before.substr(item == std::string_view::npos ? 0 : item);
  for (size_t at = body.find(name); at != std::string_view::npos; at = body.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && (is_word(body[at - 1]) || body[at - 1] == '.')) ||
        (end < body.size() && is_word(body[end])))
      continue;
    const std::string_view rest = trimmed(body.substr(end, body.find_first_of(";}\n", end) - end));
    const bool is_given =
        (rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>")) ||
        (rest.size() > 1 && rest[1] == '=' &&
         std::string_view("+-*/").find(rest[0]) != std::string_view::npos);
    const size_t mark = rest.find('/', is_given ? rest.find('=') : 0);
    if (rest.starts_with("/=") ||
        (is_given && mark != std::string_view::npos && rest.substr(mark, 2) != "//"))
      return true;
  }
  return false;
}

}  // namespace

bool is_of_quotient(std::string_view operand, u32 place, std::string_view source) {
  // `xs.map(x => x / 2).sum()`
  if (const size_t lambda = operand.find("=>");
      lambda != std::string_view::npos && operand.find('/', lambda) != std::string_view::npos)
    return true;
  for (size_t k = 0; k < operand.size(); ++k) {
    const bool starts = is_word(operand[k]) && (k == 0 || !is_word(operand[k - 1]));
    if (starts && names_quotient(word_at(operand, static_cast<u32>(k)), place, source)) return true;
  }
  return false;
}

bool gives_element(std::string_view method) {
  return is_among(method, {"min", "max", "argmin", "argmax"});
}

std::optional<Edit> type_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view operand = source_at(source, d.begin, d.length);
  const std::string wanted = type_text(d.a, source), found = type_text(d.b, source);
  const auto wrap = [&](const std::string& function) {
    const bool has_parentheses = operand.starts_with('(');
    return Edit{d.begin, d.end(),
                function + (has_parentheses ? "" : "(") + std::string(operand) +
                    (has_parentheses ? "" : ")")};
  };
  if (operand.empty() || is_function_name(operand, source)) return std::nullopt;
  if (const std::string record = record_of_tuple(operand, wanted, found, source); !record.empty())
    return Edit{d.begin, d.end(), record};
  if (wanted.starts_with("Option[")) {
    // Without elements these trap, where others give nothing.
    if (const size_t dot = operand.rfind('.');
        operand.ends_with("()") && dot != std::string_view::npos &&
        gives_element(operand.substr(dot + 1, operand.size() - dot - 3)))
      return std::nullopt;
    const std::string held = wanted.substr(7, wanted.size() - 8);
    if (holds_literal(operand, held)) return wrap("Some");
    if (first_value(held) == "0.0" && are_digits(operand))
      return Edit{d.begin, d.end(), "Some(" + std::string(operand) + ".0)"};
    return held == found && (is_postfix(operand) || is_sum(operand)) ? std::optional(wrap("Some"))
                                                                     : std::nullopt;
  }
  if (wanted == "bool" && first_value(found) == "0") return truth_edit(d, operand, source);
  const bool is_character = operand.size() == 3 && operand[0] == '\'' && operand[1] != '"';
  if (is_character && found == "u8" && (wanted == "[u8]" || wanted.starts_with("Bytes[")))
    return Edit{d.begin, d.end(), "\"" + std::string(operand.substr(1, 1)) + "\""};
  if (wanted == "bool" && is_list_type(found) && is_postfix(operand))
    return Edit{d.begin, d.end(), "!" + std::string(operand) + ".is_empty()"};
  const bool is_float = wanted == "f64" || wanted == "f32";
  if (is_float && is_of_quotient(operand, d.begin, source)) return std::nullopt;
  const bool is_narrow = found == "i32" || found == "u8" || found == "u32";
  const bool is_wide = found == "i64" || found == "u64";
  if (is_float && is_wide && is_sum(operand)) return wrap(wanted);
  const bool is_integer = first_value(wanted) == "0";
  if (is_integer && (found == "f64" || found == "f32") && is_rounded(operand)) return wrap(wanted);
  const bool widens = (found == "i32" && wanted == "i64") ||
                      (found == "u32" && (wanted == "i64" || wanted == "u64")) ||
                      (found == "u8" && is_scalar_name(wanted) && wanted != "bool");
  // `c - '0'` and `'a'`, meant as a place among the bytes
  if (found == "u8" && widens && (is_digit_of_character(operand) || is_character))
    return wrap(wanted);
  if (!is_postfix(operand) || (!widens && !(is_float && (is_narrow || is_wide))))
    return std::nullopt;
  return wrap(wanted);
}
std::optional<Edit> byte_edit(const Diagnostic& d, std::string_view source) {
  const size_t quote = closing_quote(source, d.b);
  if (source_at(source, d.b, 1) != "'" || quote == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(quote) + 1;
  const std::string type = type_text(d.a, source);
  const std::string byte = type + "(" + std::string(between(source, d.b, stop)) + ")";
  const std::string integer(source_at(source, d.begin, d.length));
  if (d.b < d.begin)
    return Edit{d.b, d.end(),
                "u8(" + byte + std::string(between(source, stop, d.begin)) + integer + ")"};
  return Edit{d.begin, stop,
              "u8(" + integer + std::string(between(source, d.end(), d.b)) + byte + ")"};
}
std::optional<Edit> capacity_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view operand = source_at(source, d.begin, d.length);
  const std::string capacity = capacity_of_type(d.a, source);
  const bool is_number = are_digits(capacity);
  const bool is_block = operand.starts_with("if ") || operand.starts_with("match ");
  if (!is_number || is_block) return std::nullopt;
  return Edit{d.end(), d.end(), ".list(" + capacity + ")"};
}

std::optional<Edit> float_argument_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view call = source_at(source, d.begin, d.length);
  if (first_value(type_text(d.a, source)) == "0")
    if (const std::string rest = integer_remainder(call); !rest.empty())
      return Edit{d.begin, d.end(), rest};
  if (first_value(type_text(d.a, source)) == "0.0") {
    if (const std::string rest = float_mod_floor(call); !rest.empty())
      return Edit{d.begin, d.end(), rest};
    if (const std::string quotient = float_div_floor(call); !quotient.empty())
      return Edit{d.begin, d.end(), quotient};
  }
  if (d.b == 0 && first_value(type_text(d.a, source)) == "0") {
    const std::string whole = whole_of_integer(call);
    if (!whole.empty()) return Edit{d.begin, d.end(), whole};
  }
  if (d.b == 0 || d.b == kNoEdit) return std::nullopt;
  const bool is_method = call.ends_with("()");
  const size_t first = is_method ? 0 : call.find('(') + 1;
  const size_t last = is_method ? call.rfind('.') : call.size() - 1;
  if (last == std::string_view::npos || last < first) return std::nullopt;
  const std::string_view operand = call.substr(first, last - first);
  if (!is_postfix(operand) || is_of_quotient(operand, d.begin, source)) return std::nullopt;
  const u32 begin = d.begin + static_cast<u32>(first);
  return Edit{begin, begin + static_cast<u32>(operand.size()),
              type_text(d.b, source) + "(" + std::string(operand) + ")"};
}

}  // namespace komuz
