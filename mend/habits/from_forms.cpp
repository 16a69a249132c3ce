// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_forms.h"

#include <algorithm>
#include <vector>

#include "lang/diagnostic_types.h"
#include "mend/name_edits.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// The arguments of `f(…)`, if that is the whole text.
std::vector<std::string_view> arguments_of(std::string_view call, std::string_view function) {
  const size_t open = function.size();
  if (!call.starts_with(function) || call.substr(open, 1) != "(" ||
      closing_bracket(call, open) + 1 != call.size())
    return {};
  return parts_of(call.substr(open + 1, call.size() - open - 2));
}
// The same, including the receiver in `x.f(…)`.
std::vector<std::string_view> operands_of(std::string_view call, std::string_view function) {
  if (std::vector<std::string_view> all = arguments_of(call, function); !all.empty()) return all;
  const size_t dot = call.rfind("." + std::string(function) + "(");
  if (dot == std::string_view::npos) return {};
  std::vector<std::string_view> all = arguments_of(call.substr(dot + 1), function);
  if (!all.empty()) all.insert(all.begin(), call.substr(0, dot));
  return all;
}
// `[1, 2]`, `"ab"`
bool is_spelled_list(std::string_view text) {
  if (text.size() < 2) return false;
  if (text[0] == '[') return closing_bracket(text, 0) + 1 == text.size();
  return text[0] == '"' && text.find('"', 1) + 1 == text.size();
}
// `'a'`
bool is_character(std::string_view text) {
  return text.size() == 3 && text[0] == '\'' && text[2] == '\'';
}
// `c` in `[c]`; empty if it is something else.
std::string_view only_element(std::string_view text) {
  if (!text.starts_with('[') || !is_spelled_list(text)) return "";
  const std::vector<std::string_view> parts = parts_of(text.substr(1, text.size() - 2));
  return parts.size() == 1 && parts[0].find(';') == std::string_view::npos ? parts[0] : "";
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
  // The compared parts, and whether they may be subtracted, so that a sign is possible.
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

std::optional<Edit> or_edit(u32 begin, u32 end, std::string_view source) {
  const u32 last = behind_previous(source, begin);
  const u32 first = operand_start(source, last);
  const std::string_view before = trimmed(source.substr(0, first));
  const size_t stop = source.find_first_of(",;)}]\n", end);
  if (stop == std::string_view::npos) return std::nullopt;
  const std::string_view option = between(source, first, last),
                         other = trimmed(between(source, end, static_cast<u32>(stop)));
  // `or` takes a computed value, so a value that could trap cannot be its argument.
  const bool is_plain = is_postfix(other.substr(other.starts_with('-') ? 1 : 0)) &&
                        other.find_first_of("([") == std::string_view::npos;
  const bool starts =
      before.ends_with("return") || before.ends_with("=>") ||
      (!before.empty() && std::string_view("=({[,;").find(before.back()) != std::string_view::npos);
  if (!starts || !is_postfix(option) || !is_plain) return std::nullopt;
  return Edit{first, behind_previous(source, static_cast<u32>(stop)),
              std::string(option) + ".or(" + std::string(other) + ")"};
}

std::optional<Edit> call_of_infix(u32 begin, u32 end, std::string_view source) {
  const std::string_view name = between(source, begin + 1, end - 1);
  const bool is_own = has_function(name, source);
  const std::string_view sign = is_own ? "" : name == "rem" ? "%" : name == "quot" ? "/" : "";
  const u32 last = behind_previous(source, begin), first = operand_start(source, last);
  const std::string_view before = trimmed_end(source.substr(0, first));
  const u32 right = behind_gap(source, end);
  const u32 stop =
      right +
      static_cast<u32>(operand_length(source.substr(std::min<size_t>(right, source.size()))));
  const std::string_view next = source_at(source, behind_gap(source, stop), 2);
  // Other operators of the same precedence, and an argument in Haskell's form.
  const std::string_view word =
      word_at(source, operand_start(source, static_cast<u32>(before.size())));
  const bool follows_word = !before.empty() && is_word(before.back());
  const std::string_view tighter = sign.empty() ? "*/%.^`" : ".^`";
  const bool starts =
      !before.empty() && tighter.find(before.back()) == std::string_view::npos &&
      !before.ends_with("**") &&
      (!follows_word || word == "return" || word == "if" || word == "while" || word == "in");
  const bool ends =
      right != stop && !next.starts_with('`') && next != "**" && !next.starts_with('^');
  if (first == last || !starts || !ends) return std::nullopt;
  if (!sign.empty()) return Edit{begin, end, std::string(sign)};
  const std::string function(is_own          ? name
                             : name == "mod" ? "mod_floor"
                             : name == "div" ? "div_floor"
                                             : name);
  return Edit{first, stop,
              function + "(" + std::string(between(source, first, last)) + ", " +
                  std::string(between(source, right, stop)) + ")"};
}

std::optional<Edit> text_edit(u32 first, u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1;
  const bool is_method = first < begin;
  const std::string_view number =
      is_method ? between(source, first, begin - 1) : trimmed(between(source, end + 1, stop - 1));
  const bool is_whole = is_postfix(number) || (number.starts_with('(') &&
                                               closing_bracket(number, 0) + 1 == number.size());
  if (!is_whole) return std::nullopt;
  return Edit{is_method ? first : begin, stop, "bytes.from_i64(" + std::string(number) + ")"};
}

std::optional<Edit> array_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view word = between(source, begin, end);
  const size_t close = end_of_call(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string inside(trimmed(between(source, end + 1, static_cast<u32>(close))));
  const u32 stop = static_cast<u32>(close) + 1;
  const auto repeated = [&](std::string_view element, std::string_view count, u32 last) {
    const std::string text = "[" + std::string(element) + "; " + std::string(count) + "]";
    return are_digits(count) ? std::optional(Edit{begin, last, text}) : std::nullopt;
  };
  if (word == "listOf" || word == "arrayOf" || word == "intArrayOf")
    return inside.empty() ? std::nullopt : std::optional(Edit{begin, stop, "[" + inside + "]"});
  const bool has_block = source_at(source, behind_gap(source, stop), 1) == "{";
  if (has_block) return std::nullopt;
  if (word == "IntArray" || word == "LongArray") return repeated("0", inside, stop);
  if (word == "DoubleArray") return repeated("0.0", inside, stop);
  if (word == "BooleanArray") return repeated("false", inside, stop);
  if (word != "Array") return std::nullopt;
  constexpr std::string_view kElement = "repeating: ", kCount = "count: ", kFill = ".fill(";
  const std::vector<std::string_view> parts = parts_of(inside);
  if (parts.size() == 2 && parts[0].starts_with(kElement) && parts[1].starts_with(kCount))
    return repeated(parts[0].substr(kElement.size()), parts[1].substr(kCount.size()), stop);
  const u32 open = stop + static_cast<u32>(kFill.size()) - 1;
  const size_t filled = source.substr(stop).starts_with(kFill) ? closing_bracket(source, open)
                                                               : std::string_view::npos;
  if (filled == std::string_view::npos) return std::nullopt;
  const auto last = static_cast<u32>(filled);
  return repeated(between(source, open + 1, last), inside, last + 1);
}

std::optional<Edit> part_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  if (begin == 0 || source[begin - 1] != '.' || close == std::string_view::npos)
    return std::nullopt;
  u32 first = begin - 1;
  while (first > 0 && is_word(source[first - 1])) --first;
  const std::string list(between(source, first, begin - 1));
  const std::string count(trimmed(between(source, end + 1, static_cast<u32>(close))));
  // A negative count means 0 in some languages, and is an error in others.
  if (!is_name(list) || !are_digits(count)) return std::nullopt;
  const std::string bound = "min(" + count + ", " + list + ".len())";
  const bool takes = between(source, begin, end) == "take";
  return Edit{first, static_cast<u32>(close) + 1,
              list + "[" + (takes ? "0.." + bound : bound + ".." + list + ".len()") + "]"};
}

std::optional<Edit> length_of_shape(u32 begin, u32 end, std::string_view source) {
  if (begin == 0 || source[begin - 1] != '.') return std::nullopt;
  const u32 open = source_at(source, end, 2) == "()" ? end + 2 : end;
  const std::string_view index = source_at(source, open, 3);
  if (index.size() != 3 || index[0] != '[' || !is_digit(index[1]) || index[2] != ']')
    return std::nullopt;
  if (index[1] == '0') return Edit{begin, open + 3, "len()"};
  std::string rows;
  for (char k = '0'; k < index[1]; ++k) rows += "[0]";
  return Edit{begin - 1, open + 3, rows + ".len()"};
}

std::string value_of_property(std::string_view field, u32 begin, std::string_view source) {
  const size_t dot = field.rfind('.');
  if (dot == std::string_view::npos) return "";
  const std::string receiver(trimmed(field.substr(0, dot)));
  const std::string_view name = trimmed(field.substr(dot + 1));
  const std::string_view before = trimmed(source.substr(0, begin));
  if (name == "code") return "i64(" + receiver + ")";
  if (!is_postfix(receiver)) return "";
  if (name == "indices" && before.ends_with(" in")) return "0.." + receiver + ".len()";
  if (name == "lastIndex") {
    const u32 behind = behind_gap(source, begin + static_cast<u32>(field.size()));
    const bool is_index = before.ends_with('[') && source_at(source, behind, 1) == "]";
    return is_index ? receiver + ".len() - 1" : "(" + receiver + ".len() - 1)";
  }
  return "";
}

std::optional<Edit> if_of_guard(u32 begin, std::string_view source) {
  constexpr std::string_view kGuard = "guard ", kElse = " else ";
  const size_t line = std::min(source.find('\n', begin), source.size());
  const size_t otherwise = source.find(kElse, begin);
  if (!source.substr(begin).starts_with(kGuard) || otherwise > line) return std::nullopt;
  const std::string_view condition =
      trimmed(source.substr(begin + kGuard.size(), otherwise - begin - kGuard.size()));
  const auto block = static_cast<u32>(otherwise + kElse.size());
  const bool binds = condition.starts_with("let ") || condition.starts_with("var ") ||
                     condition.find_first_of(",{") != std::string_view::npos;
  if (condition.empty() || binds || source_at(source, block, 1) != "{") return std::nullopt;
  return Edit{begin, block, "if !(" + std::string(condition) + ") "};
}

std::string nested_call(std::string_view call) {
  for (const std::string function : {"min", "max"}) {
    const std::vector<std::string_view> arguments = arguments_of(call, function);
    if (arguments.size() < 3) continue;
    std::string text(arguments[0]);
    for (size_t k = 1; k < arguments.size(); ++k)
      text = function + "(" + text + ", " + std::string(arguments[k]) + ")";
    return text;
  }
  return "";
}

std::optional<Edit> assignments_edit(u32 mark, std::string_view source) {
  const auto first = static_cast<u32>(source.substr(0, mark).find_last_of("\n;{}") + 1);
  const auto end = static_cast<u32>(std::min(source.find_first_of("\n;}", mark), source.size()));
  const std::string_view places = between(source, first, mark);
  const size_t own = places.find('=');
  if (own == std::string_view::npos) return std::nullopt;
  const std::string_view left = trimmed(places.substr(0, own)),
                         right = trimmed(places.substr(own + 1)),
                         value = trimmed(between(source, mark + 1, end));
  // One of the places may depend on the other.
  const std::string_view root = word_at(left, 0), other = word_at(right, 0);
  const auto has_in_index = [](std::string_view place, std::string_view name) {
    const size_t open = place.find('[');
    return open != std::string_view::npos && place.find(name, open) != std::string_view::npos;
  };
  const bool are_apart = left != right && !has_in_index(left, other) && !has_in_index(right, root);
  const bool is_plain = is_name(value) || are_digits(value);
  if (!are_apart || !is_plain || !is_place(left) || !is_place(right)) return std::nullopt;
  const std::string given = " = " + std::string(value);
  return Edit{behind_gap(source, first), behind_previous(source, end),
              std::string(right) + given + "; " + std::string(left) + given};
}

std::string falling_name(std::string_view lambda) {
  const size_t arrow = lambda.find("=>");
  if (arrow == std::string_view::npos) return "";
  const std::string_view head = trimmed(lambda.substr(0, arrow));
  const std::vector<std::string_view> names = head.starts_with('(') && head.ends_with(')')
                                                  ? parts_of(head.substr(1, head.size() - 2))
                                                  : std::vector<std::string_view>();
  const std::vector<std::string_view> operands =
      operands_of(trimmed(lambda.substr(arrow + 2)), "cmp");
  const bool falls = names.size() == 2 && operands.size() == 2 && is_name(names[0]) &&
                     operands[0] == names[1] && operands[1] == names[0];
  return falls ? std::string(names[0]) : "";
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

std::optional<Edit> count_edit(u32 open, std::string_view source) {
  const size_t close = end_of_call(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view behind = source.substr(close + 1);
  for (const std::string_view length : {".len()", ".length()", ".length", ".size"}) {
    const bool is_whole =
        behind.starts_with(length) && !behind.substr(length.size()).starts_with('(');
    if (!is_whole) continue;
    constexpr std::string_view kFilter = "filter";
    const u32 stop = static_cast<u32>(close + 1 + length.size());
    if (!source.substr(0, open).ends_with("." + std::string(kFilter)))
      return Edit{static_cast<u32>(close) + 1, stop, ".count()"};
    return Edit{open - static_cast<u32>(kFilter.size()), stop,
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

std::optional<Edit> list_sum_edit(const Diagnostic& d, std::string_view source) {
  const std::string type = type_text(d.a, source);
  if (!type.starts_with("List[") && !type.starts_with("Bytes[")) return std::nullopt;
  const u32 begin =
      behind_gap(source, static_cast<u32>(source.substr(0, d.begin).find_last_of("\n;{}") + 1));
  const u32 end = static_cast<u32>(std::min(source.find_first_of("\n;}", d.end()), source.size()));
  const bool updates = source_at(source, d.begin, d.length) == "+=";
  const std::string_view left = trimmed(between(source, begin, d.begin)),
                         right = trimmed(between(source, d.end(), end));
  const size_t mark = left.find('=');
  const std::string_view list = trimmed(left.substr(0, mark));
  const std::string_view first =
      updates ? list : trimmed(mark == std::string_view::npos ? "" : left.substr(mark + 1));
  if (!is_postfix(list)) return std::nullopt;
  const std::string name(list);
  const u32 stop = behind_previous(source, end);
  if (first == list) {
    const std::string_view element = only_element(right);
    const bool is_element = d.b == kElementRight || !element.empty() || is_character(right);
    const bool is_known = is_postfix(right) || is_spelled_list(right) || is_character(right);
    // A number may be meant for each element.
    const bool is_number = !right.empty() && is_digit(right[0]);
    if (!is_known || is_number || (updates && d.b == 0 && is_postfix(right))) return std::nullopt;
    return Edit{begin, stop,
                name + (is_element ? ".push(" : ".extend(") +
                    std::string(element.empty() ? right : element) + ")"};
  }
  const bool is_element = d.b == kElementLeft && (is_postfix(first) || is_character(first));
  const bool is_before = right == list && (is_element || is_spelled_list(first));
  if (!is_before || source.find("joined") != std::string_view::npos) return std::nullopt;
  const std::string start = is_element ? "[" + std::string(first) + "]" : std::string(first);
  return Edit{begin, stop,
              "var joined: " + type + " = " + start + "; joined.extend(" + name + "); " + name +
                  " = joined"};
}

std::string_view operator_of_method(std::string_view name) {
  struct Row {
    std::string_view method, sign;
  };
  constexpr Row kRows[] = {{"add", "+"},           {"sub", "-"},           {"mul", "*"},
                           {"div", "/"},           {"plus", "+"},          {"minus", "-"},
                           {"times", "*"},         {"wrapping_add", "+%"}, {"wrapping_sub", "-%"},
                           {"wrapping_mul", "*%"}, {"shl", "<<"},          {"shr", ">>"}};
  for (const Row& row : kRows)
    if (row.method == name) return row.sign;
  return {};
}
std::optional<Edit> operator_edit(u32 first, u32 begin, u32 end, std::string_view source) {
  const std::string_view sign = operator_of_method(between(source, begin, end));
  const size_t close = end_of_call(source, end);
  if (sign.empty() || close == std::string_view::npos || begin <= first) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1;
  const std::string_view receiver = between(source, first, begin - 1);
  const std::string_view argument = trimmed(between(source, end + 1, stop - 1));
  const bool is_group =
      receiver.starts_with('(') && closing_bracket(receiver, 0) + 1 == receiver.size();
  if ((!is_postfix(receiver) && !is_group) || !is_postfix(argument)) return std::nullopt;
  const std::string value =
      std::string(receiver) + " " + std::string(sign) + " " + std::string(argument);
  return Edit{first, stop, stands_in_brackets(first, stop, source) ? value : "(" + value + ")"};
}

bool stands_in_brackets(u32 begin, u32 end, std::string_view source) {
  const size_t before = source.substr(0, begin).find_last_not_of(" \t\n");
  const size_t behind = source.find_first_not_of(" \t\n", end);
  return before != std::string_view::npos && behind != std::string_view::npos &&
         std::string_view("=({[,;").find(source[before]) != std::string_view::npos &&
         std::string_view(")}],;").find(source[behind]) != std::string_view::npos;
}

}  // namespace komuz
