// SPDX-License-Identifier: Apache-2.0
#include "lang/foreign_forms.h"

#include <algorithm>
#include <vector>

#include "lang/name_edits.h"
#include "lang/type_edits.h"
#include "lang/words.h"

namespace komuz {
namespace {

constexpr u32 kMostDigits = 9;

// The arguments of `f(…)`, all of the text.
std::vector<std::string_view> arguments_of(std::string_view call, std::string_view function) {
  const size_t open = function.size();
  if (!call.starts_with(function) || call.substr(open, 1) != "(" ||
      closing_bracket(call, open) + 1 != call.size())
    return {};
  return parts_of(call.substr(open + 1, call.size() - open - 2));
}
// … with what stands before the dot of `x.f(…)`.
std::vector<std::string_view> operands_of(std::string_view call, std::string_view function) {
  if (std::vector<std::string_view> all = arguments_of(call, function); !all.empty()) return all;
  const size_t dot = call.rfind("." + std::string(function) + "(");
  if (dot == std::string_view::npos) return {};
  std::vector<std::string_view> all = arguments_of(call.substr(dot + 1), function);
  if (!all.empty()) all.insert(all.begin(), call.substr(0, dot));
  return all;
}
// A number that is small enough to be counted with; false: it is none.
bool read_number(std::string_view text, i64& number) {
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  if (!are_digits(digits) || digits.size() > kMostDigits) return false;
  number = std::stoll(std::string(digits)) * (is_negative ? -1 : 1);
  return true;
}

// `pub x: float` to `x: f64`; empty: it is no field.
std::string field_of(std::string_view text) {
  if (text.starts_with("pub ")) text = trimmed(text.substr(4));
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return "";
  const std::string_view name = trimmed(text.substr(0, colon)),
                         type = trimmed(text.substr(colon + 1));
  const bool is_plain = is_name(name) && name[0] >= 'a' && name[0] <= 'z' && !type.empty() &&
                        type.find_first_of("<&{\"'=\n/") == std::string_view::npos;
  if (!is_plain) return "";
  return std::string(name) + ": " + (is_name(type) ? komuz_type(type) : std::string(type));
}
// `(x: f64, y: f64)`
std::string fields_of(std::string_view braces) {
  std::string_view inside = trimmed(braces);
  if (inside.ends_with(',')) inside.remove_suffix(1);
  std::string fields;
  for (const std::string_view part : parts_of(inside)) {
    const std::string field = field_of(part);
    if (field.empty()) return "";
    fields += (fields.empty() ? "" : ", ") + field;
  }
  return fields.empty() ? "" : "(" + fields + ")";
}
// `Red | Circle(r: f64)`
std::string alternatives_of(std::string_view braces) {
  std::string_view inside = trimmed(braces);
  if (inside.ends_with(',')) inside.remove_suffix(1);
  std::string alternatives;
  for (const std::string_view part : parts_of(inside)) {
    const std::string_view name = word_at(part, 0), rest = trimmed(part.substr(name.size()));
    const bool has_fields = rest.starts_with('{') && rest.ends_with('}');
    const std::string fields = has_fields ? fields_of(rest.substr(1, rest.size() - 2)) : "";
    const bool is_whole =
        is_name(name) && name[0] >= 'A' && name[0] <= 'Z' && (rest.empty() || !fields.empty());
    if (!is_whole) return "";
    alternatives += (alternatives.empty() ? "" : " | ") + std::string(name) + fields;
  }
  return alternatives;
}
// The `{` outside of brackets, from a byte on.
size_t find_block(std::string_view text, size_t at) {
  u32 depth = 0;
  for (size_t k = at; k < text.size() && text[k] != ';'; ++k) {
    if (text[k] == '{' && depth == 0) return k;
    depth += text[k] == '(' || text[k] == '[' || text[k] == '{';
    if ((text[k] == ')' || text[k] == ']' || text[k] == '}') && depth-- == 0) break;
  }
  return std::string_view::npos;
}
// `Some(x)` and `o` of `if let Some(x) = o {`, and where its brace stands.
struct PatternHead {
  std::string pattern, value;
  size_t end;
};
std::optional<PatternHead> pattern_head(std::string_view text, std::string_view words) {
  const size_t mark = text.find('='), open = find_block(text, 0), line = text.find('\n');
  if (!text.starts_with(words) || open == std::string_view::npos || mark > open || line < open)
    return std::nullopt;
  const std::string_view pattern = trimmed(text.substr(words.size(), mark - words.size()));
  const std::string_view value = trimmed(text.substr(mark + 1, open - mark - 1));
  const size_t paren = pattern.find('(');
  const bool is_plain = paren != std::string_view::npos && !value.empty() && value[0] != '=' &&
                        closing_bracket(pattern, paren) + 1 == pattern.size() &&
                        is_name(pattern.substr(0, paren)) &&
                        pattern.find_first_of("&:{") == std::string_view::npos;
  if (!is_plain) return std::nullopt;
  return PatternHead{std::string(pattern), std::string(value), open};
}
// The `}` that closes a brace, lines apart.
size_t closing_brace(std::string_view source, size_t open) {
  u32 depth = 0;
  for (size_t k = open; k < source.size(); ++k) {
    if (source.substr(k, 2) == "//") return std::string_view::npos;
    depth += source[k] == '{';
    if (source[k] == '}' && --depth == 0) return k;
  }
  return std::string_view::npos;
}

// The end of a block, or of `if c { … } else { … }`; npos: it is none.
size_t end_of_else(std::string_view source, size_t at) {
  while (true) {
    const size_t open = source.substr(at).starts_with('{') ? at : find_block(source, at);
    const bool is_choice = word_at(source, static_cast<u32>(at)) == "if";
    if (open == std::string_view::npos || (open != at && !is_choice)) return std::string_view::npos;
    const size_t close = closing_brace(source, open);
    if (close == std::string_view::npos || open == at)
      return close == std::string_view::npos ? close : close + 1;
    const u32 behind = behind_gap(source, static_cast<u32>(close) + 1);
    if (word_at(source, behind) != "else") return close + 1;
    at = behind_gap(source, behind + 4);
  }
}

}  // namespace

std::string power_of_call(std::string_view call) {
  const std::vector<std::string_view> operands = operands_of(call, "pow");
  if (operands.size() != 2 || !is_postfix(operands[0]) || !is_postfix(operands[1])) return "";
  return std::string(operands[0]) + " ** " + std::string(operands[1]);
}

std::string key_of_comparison(std::string_view lambda) {
  const size_t arrow = lambda.find("=>");
  if (arrow == std::string_view::npos) return "";
  const std::string_view head = trimmed(lambda.substr(0, arrow));
  const std::string_view body = trimmed(lambda.substr(arrow + 2));
  const std::vector<std::string_view> names = head.starts_with('(') && head.ends_with(')')
                                                  ? parts_of(head.substr(1, head.size() - 2))
                                                  : std::vector<std::string_view>();
  if (names.size() != 2 || !is_name(names[0]) || !is_name(names[1])) return "";
  const std::string a(names[0]), b(names[1]);
  // What is compared, and whether it may be subtracted, so that it has a sign.
  std::string_view left, right;
  bool has_sign = true;
  if (const size_t minus = body.find(" - "); minus != std::string_view::npos) {
    left = body.substr(0, minus);
    right = body.substr(minus + 3);
  } else {
    const std::string_view call =
        body.ends_with(".unwrap()") ? body.substr(0, body.size() - 9) : body;
    has_sign = call.find("partial_cmp(") != std::string_view::npos;
    const std::vector<std::string_view> operands =
        operands_of(call, has_sign ? "partial_cmp" : "cmp");
    if (operands.size() != 2) return "";
    left = operands[0];
    right = operands[1];
  }
  if (!is_postfix(left) || !is_postfix(right)) return "";
  if (word_at(left, 0) == a && word_at(right, 0) == b &&
      left.substr(a.size()) == right.substr(b.size()))
    return a + " => " + std::string(left);
  const bool falls = has_sign && word_at(left, 0) == b && word_at(right, 0) == a &&
                     left.substr(b.size()) == right.substr(a.size());
  return falls ? a + " => -" + std::string(right) : "";
}

std::string repeated_array(std::string_view product) {
  const size_t star = product.starts_with('[') ? product.rfind('*') : product.find('*');
  if (star == std::string_view::npos) return "";
  std::string_view array = trimmed(product.substr(0, star)),
                   count = trimmed(product.substr(star + 1));
  if (!array.starts_with('[')) std::swap(array, count);
  const bool is_constant =
      is_name(count) && std::ranges::none_of(count, [](char c) { return c >= 'a' && c <= 'z'; });
  if (array.size() < 3 || closing_bracket(array, 0) + 1 != array.size() ||
      (!are_digits(count) && !is_constant))
    return "";
  const std::vector<std::string_view> elements = parts_of(array.substr(1, array.size() - 2));
  if (elements.size() != 1 || elements[0].find(';') != std::string_view::npos) return "";
  return "[" + std::string(elements[0]) + "; " + std::string(count) + "]";
}

std::string float_grid(std::string_view range) {
  const size_t dots = range.find("..");
  if (dots == std::string_view::npos) return "";
  const bool is_inclusive = range.substr(dots).starts_with("..=");
  const std::string_view low = trimmed(range.substr(0, dots)),
                         high = trimmed(range.substr(dots + (is_inclusive ? 3 : 2)));
  i64 first = 0, last = 0;
  if (!read_number(low, first) || !read_number(high, last) || first >= last) return "";
  return std::string(low) + ".0" + (is_inclusive ? "..=" : "..") + std::string(high) +
         ".0, steps: " + std::to_string(last - first + (is_inclusive ? 1 : 0));
}

std::string whole_of_integer(std::string_view call) {
  for (const std::string_view function : {"floor", "ceil", "round", "trunc"}) {
    const std::vector<std::string_view> operands = operands_of(call, function);
    if (operands.size() != 1 && !call.ends_with("." + std::string(function) + "()")) continue;
    const std::string_view operand =
        operands.empty() ? call.substr(0, call.rfind('.')) : operands[0];
    if (is_postfix(operand)) return std::string(operand);
    const size_t slash = operand.find(" / ");
    if (slash == std::string_view::npos) return "";
    const std::string_view above = operand.substr(0, slash), below = operand.substr(slash + 3);
    if (!is_postfix(above) || !is_postfix(below)) return "";
    if (function == "floor")
      return "div_floor(" + std::string(above) + ", " + std::string(below) + ")";
    return function == "trunc" ? std::string(operand) : "";
  }
  return "";
}

std::optional<Edit> type_item_edit(u32 begin, std::string_view source) {
  const std::string_view word = word_at(source, begin);
  const u32 at = behind_gap(source, begin + static_cast<u32>(word.size()));
  const std::string_view name = word_at(source, at);
  const u32 open = behind_gap(source, at + static_cast<u32>(name.size()));
  if (name.empty() || source_at(source, open, 1) != "{") return std::nullopt;
  const size_t close = closing_brace(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = source.substr(open + 1, close - open - 1);
  const bool is_sum = word == "enum";
  const std::string right = is_sum ? alternatives_of(inside) : fields_of(inside);
  if (right.empty()) return std::nullopt;
  u32 end = static_cast<u32>(close) + 1;
  if (source_at(source, end, 1) == ";") ++end;
  return Edit{
      begin, end,
      "type " + std::string(name) + " = " + (is_sum ? "" : std::string(name)) + right + ";"};
}

std::string record_of_braces(u32 begin, std::string_view braces, std::string_view source) {
  const size_t open = braces.find('{');
  if (open == std::string_view::npos || !braces.ends_with('}')) return "";
  std::string_view name = trimmed(braces.substr(0, open));
  if (name.empty()) {  // the one before the `=`
    const size_t item = source.substr(0, begin).rfind("type ");
    if (item != std::string_view::npos)
      name = word_at(source, behind_gap(source, static_cast<u32>(item) + 5));
  }
  const std::string fields = fields_of(braces.substr(open + 1, braces.size() - open - 2));
  return fields.empty() || !is_name(name) ? "" : std::string(name) + fields;
}

std::string count_of_filter(std::string_view call) {
  constexpr std::string_view kCount = ".count()", kFilter = ".filter(";
  if (!call.ends_with(kCount)) return "";
  const std::string_view receiver = call.substr(0, call.size() - kCount.size());
  if (is_name(receiver)) return std::string(receiver) + ".len()";
  for (size_t at = receiver.find(kFilter); at != std::string_view::npos;
       at = receiver.find(kFilter, at + 1)) {
    const size_t open = at + kFilter.size() - 1;
    if (closing_bracket(receiver, open) + 1 != receiver.size()) continue;
    return std::string(receiver.substr(0, at)) + ".count" + std::string(receiver.substr(open));
  }
  return "";
}

std::optional<Edit> count_edit(u32 open, std::string_view source) {
  constexpr std::string_view kFilter = "filter";
  const size_t close =
      source_at(source, open, 1) == "(" ? closing_bracket(source, open) : std::string_view::npos;
  if (close == std::string_view::npos ||
      !source.substr(0, open).ends_with("." + std::string(kFilter)))
    return std::nullopt;
  const std::string_view behind = source.substr(close + 1);
  const u32 begin = open - static_cast<u32>(kFilter.size());
  for (const std::string_view length : {".len()", ".length()", ".length", ".size"}) {
    const bool is_whole =
        behind.starts_with(length) && !behind.substr(length.size()).starts_with('(');
    if (!is_whole) continue;
    return Edit{begin, static_cast<u32>(close + 1 + length.size()),
                "count" + std::string(source.substr(open, close + 1 - open))};
  }
  return std::nullopt;
}
std::string_view type_of_literal(std::string_view source, u32 at) {
  const u32 assign = behind_gap(source, at);
  const size_t end = source.find(';', assign);
  if (source_at(source, assign, 1) != "=" || end == std::string_view::npos) return "";
  std::string_view value = trimmed(source.substr(assign + 1, end - assign - 1));
  if (value == "true" || value == "false") return "bool";
  if (value.starts_with('-')) value.remove_prefix(1);
  if (are_digits(value)) return "i64";
  const size_t point = value.find('.');
  const bool is_float = point != std::string_view::npos && are_digits(value.substr(0, point)) &&
                        are_digits(value.substr(point + 1));
  return is_float ? "f64" : "";
}

std::optional<Edit> match_of_if_let(u32 begin, std::string_view source) {
  const std::optional<PatternHead> head = pattern_head(source.substr(begin), "if let ");
  if (!head) return std::nullopt;
  const size_t open = begin + head->end, close = closing_brace(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 behind = behind_gap(source, static_cast<u32>(close) + 1);
  std::string other = "{ }";
  size_t end = close + 1;
  if (word_at(source, behind) == "else") {
    const u32 begin_other = behind_gap(source, behind + 4);
    end = end_of_else(source, begin_other);
    if (end == std::string_view::npos) return std::nullopt;
    other = source.substr(begin_other, end - begin_other);
    if (!other.starts_with('{')) other = "{ " + other + " }";
  }
  return Edit{begin, static_cast<u32>(end),
              "match " + head->value + " { " + head->pattern + " => " +
                  std::string(source.substr(open, close + 1 - open)) + ", _ => " + other + " }"};
}
std::optional<Edit> match_of_while_let(u32 begin, std::string_view source) {
  const std::optional<PatternHead> head = pattern_head(source.substr(begin), "while let ");
  if (!head) return std::nullopt;
  const size_t open = begin + head->end, close = closing_brace(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  return Edit{begin, static_cast<u32>(close) + 1,
              "while true { match " + head->value + " { " + head->pattern + " => " +
                  std::string(source.substr(open, close + 1 - open)) + ", _ => break } }"};
}
std::optional<Edit> match_of_let_else(u32 begin, std::string_view source) {
  std::optional<PatternHead> head = pattern_head(source.substr(begin), "let ");
  if (!head || !head->value.ends_with(" else")) return std::nullopt;
  const std::string value = head->value.substr(0, head->value.size() - 5);
  const size_t open = begin + head->end, close = closing_brace(source, open);
  const size_t name = head->pattern.find('(') + 1;  // the one that it binds
  const std::string bound = head->pattern.substr(name, head->pattern.size() - 1 - name);
  if (close == std::string_view::npos || !is_name(bound)) return std::nullopt;
  return Edit{begin, static_cast<u32>(close) + 1,
              "let " + bound + " = match " + value + " { " + head->pattern + " => " + bound +
                  ", _ => " + std::string(source.substr(open, close + 1 - open)) + " }"};
}

std::optional<Edit> function_edit(u32 begin, std::string_view source) {
  const std::string result = komuz_type(word_at(source, begin));
  const u32 name_begin =
      behind_gap(source, begin + static_cast<u32>(word_at(source, begin).size()));
  const std::string_view name = word_at(source, name_begin);
  const u32 open = name_begin + static_cast<u32>(name.size());
  const size_t close =
      source_at(source, open, 1) == "(" ? closing_bracket(source, open) : std::string_view::npos;
  if (close == std::string_view::npos || !is_scalar_name(result) || !is_name(name))
    return std::nullopt;
  const u32 end = static_cast<u32>(close) + 1;
  if (source_at(source, behind_gap(source, end), 1) != "{") return std::nullopt;
  std::string parameters;
  for (const std::string_view part : parts_of(between(source, open + 1, end - 1))) {
    const std::string_view type = word_at(part, 0), parameter = trimmed(part.substr(type.size()));
    if (!is_scalar_name(komuz_type(type)) || !is_name(parameter)) return std::nullopt;
    parameters +=
        (parameters.empty() ? "" : ", ") + std::string(parameter) + ": " + komuz_type(type);
  }
  if (parameters.empty() && end != open + 2) return std::nullopt;
  return Edit{begin, end, "fn " + std::string(name) + "(" + parameters + ") -> " + result};
}
std::optional<Edit> block_of_value(u32 begin, std::string_view source) {
  const size_t line_end = std::min(source.find('\n', begin), source.size());
  std::string_view value = trimmed(source.substr(begin + 1, line_end - begin - 1));
  if (value.ends_with(';')) value.remove_suffix(1);
  const bool is_whole = !value.empty() && value.find_first_of("{};\"'") == std::string_view::npos &&
                        value.find("//") == std::string_view::npos && !parts_of(value).empty();
  if (!is_whole || !(is_word(value.back()) || value.back() == ')' || value.back() == ']'))
    return std::nullopt;
  return Edit{begin, static_cast<u32>(line_end), "{ " + std::string(value) + " }"};
}

std::string_view operator_of_method(std::string_view name) {
  struct Row {
    std::string_view method, sign;
  };
  constexpr Row kRows[] = {{"add", "+"},          {"sub", "-"},           {"mul", "*"},
                           {"div", "/"},          {"plus", "+"},          {"minus", "-"},
                           {"times", "*"},        {"wrapping_add", "+%"}, {"wrapping_sub", "-%"},
                           {"wrapping_mul", "*%"}};
  for (const Row& row : kRows)
    if (row.method == name) return row.sign;
  return {};
}
std::optional<Edit> operator_edit(u32 first, u32 begin, u32 end, std::string_view source) {
  const std::string_view sign = operator_of_method(between(source, begin, end));
  const size_t close =
      source_at(source, end, 1) == "(" ? closing_bracket(source, end) : std::string_view::npos;
  if (sign.empty() || close == std::string_view::npos || begin <= first) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1;
  const std::string_view receiver = between(source, first, begin - 1);
  const std::string_view argument = trimmed(between(source, end + 1, stop - 1));
  const bool is_group =
      receiver.starts_with('(') && closing_bracket(receiver, 0) + 1 == receiver.size();
  if ((!is_postfix(receiver) && !is_group) || !is_postfix(argument)) return std::nullopt;
  const std::string value =
      std::string(receiver) + " " + std::string(sign) + " " + std::string(argument);
  // Where an assignment or a bracket holds it, it needs no parentheses.
  const size_t before = source.substr(0, first).find_last_not_of(" \t\n");
  const size_t behind = source.find_first_not_of(" \t\n", stop);
  const bool stands_alone =
      before != std::string_view::npos && behind != std::string_view::npos &&
      std::string_view("=({[,;").find(source[before]) != std::string_view::npos &&
      std::string_view(")}],;").find(source[behind]) != std::string_view::npos;
  return Edit{first, stop, stands_alone ? value : "(" + value + ")"};
}

std::optional<Edit> result_type_edit(u32 open, std::string_view source) {
  const std::string_view before = source.substr(0, open);
  const size_t line = before.find_last_of("\n{;") + 1;  // 0: there is none
  const std::string_view head = trimmed(before.substr(line));
  if (!head.starts_with("var ") || !head.ends_with('=')) return std::nullopt;
  const std::string name(trimmed(head.substr(4, head.size() - 5)));
  const size_t function = before.rfind("fn "), arrow = before.find("->", function);
  if (!is_name(name) || !source.substr(open).starts_with("[]") || arrow > open) return std::nullopt;
  const size_t body = source.find('{', arrow);
  const size_t close = body < open ? closing_brace(source, body) : std::string_view::npos;
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view type = trimmed(source.substr(arrow + 2, body - arrow - 2));
  type = trimmed(type.substr(0, type.find(" rec ")));
  std::string_view last = trimmed(source.substr(open, close - open));
  if (last.ends_with(';')) last.remove_suffix(1);
  const bool is_given = last.ends_with("return " + name) || last.ends_with("} " + name) ||
                        last.ends_with("; " + name) || last.ends_with("\n" + name) ||
                        last.ends_with("    " + name);
  if (!is_given || !type.starts_with("List[")) return std::nullopt;
  const u32 at = static_cast<u32>(before.rfind(name)) + static_cast<u32>(name.size());
  return Edit{at, at, ": " + std::string(type)};
}

std::optional<Edit> idle_import_edit(u32 begin, std::string_view source) {
  const size_t line_end = std::min(source.find('\n', begin), source.size());
  std::string_view line = trimmed(source.substr(begin, line_end - begin));
  if (line.ends_with(';')) line.remove_suffix(1);
  const bool is_header = line.starts_with("#include");
  std::string_view module =
      line.starts_with("import ") ? trimmed(line.substr(7)) : std::string_view();
  module = module.substr(0, module.find(" as "));
  constexpr std::string_view kModules[] = {"math",  "numpy",  "sys",
                                           "cmath", "typing", "kotlin.math"};
  if (!is_header && std::ranges::count(kModules, module) == 0) return std::nullopt;
  const u32 end = static_cast<u32>(std::min(line_end + 1, source.size()));
  return Edit{begin, end, ""};
}

}  // namespace komuz
