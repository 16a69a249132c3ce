// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "mend/name_edits.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

constexpr std::string_view kWordBytes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_, ";
std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}
bool is_hexadecimal(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

// An end of a slice: `-1` counts from the receiver's end. Nothing if the receiver would have to be named, or for
// `-n`, which does not count from the end if n is 0.
std::optional<std::string> slice_end(std::string_view end, std::string_view receiver) {
  if (!end.starts_with('-')) return std::string(end);
  const std::string_view number = trimmed(end.substr(1));
  if (receiver.empty() || !are_digits(number) ||
      number.find_first_not_of('0') == std::string_view::npos)
    return std::nullopt;
  return std::string(receiver) + ".len() - " + std::string(number);
}

}  // namespace

std::string source_of_elements(std::string_view text, bool is_folded) {
  if (text.starts_with("range(") && text.ends_with(')')) {
    const std::string range = is_folded ? range_text(text) : "";
    return range.empty() || range.starts_with('(') ? range : "(" + range + ")";
  }
  if (find_outside(text, "..") != std::string_view::npos)
    return is_folded ? "(" + std::string(text) + ")" : "";
  // `zip(a, b)`, `enumerate(xs)`
  for (const std::string_view pairs : {"zip(", "enumerate("}) {
    if (!is_folded || !text.starts_with(pairs) || !text.ends_with(')')) continue;
    const std::vector<std::string_view> lists =
        parts_of(text.substr(pairs.size(), text.size() - pairs.size() - 1));
    const bool are_names = std::ranges::all_of(lists, is_name);
    if (!are_names || lists.size() != (pairs == "zip(" ? 2 : 1)) return "";
    return std::string(lists[0]) + "." + std::string(pairs) +
           (lists.size() == 2 ? std::string(lists[1]) : "") + ")";
  }
  const bool is_array = text.starts_with('[') && text.ends_with(']');
  return is_name(text) || is_array ? std::string(text) : "";
}

std::string_view number_before_suffix(std::string_view text) {
  const std::string_view letters = is_hexadecimal(text) ? "lLuUn" : "fFdDlLuUn";
  const size_t last = text.find_last_not_of(letters);
  if (last == std::string_view::npos || !is_digit(text[0])) return {};
  const std::string_view number = text.substr(0, last + 1);
  std::string suffix(text.substr(last + 1));
  for (char& c : suffix) c = static_cast<char>(c | 0x20);
  if (!is_among(suffix, {"f", "d", "l", "n", "u", "ul", "lu", "ll", "ull", "llu"})) return {};
  if (is_hexadecimal(number))
    return std::ranges::all_of(number.substr(2), is_word) ? number : std::string_view{};
  // No language has such a float.
  if (number.find('.') != std::string_view::npos && suffix.find_first_of("nu") != suffix.npos)
    return {};
  const bool is_plain = std::ranges::all_of(number, [](char c) {
    return is_digit(c) || c == '_' || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
  });
  return is_plain && is_digit(number.back()) ? number : std::string_view{};
}

std::string float_with_digits(std::string_view text) {
  if (text.starts_with('.')) return "0" + std::string(text);
  const size_t point = text.find('.');
  const std::string whole(text.substr(0, point + 1));
  std::string_view rest = text.substr(point + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of('_'), rest.size()));
  if (!rest.empty() && is_digit(rest.front())) return whole + std::string(rest);
  const bool has_exponent = rest.size() > 1 && is_among(rest.substr(0, 1), {"e", "E", "d", "D"});
  return whole + "0" + (has_exponent ? "e" + std::string(rest.substr(1)) : "");
}

std::string number_without_suffix(std::string_view text) {
  const std::string_view number = number_before_suffix(text);
  const char suffix = text[number.size()];
  const bool is_float =
      !is_hexadecimal(text) && (suffix == 'f' || suffix == 'F' || suffix == 'd' || suffix == 'D');
  const bool has_point = number.find_first_of(".eE") != std::string_view::npos;
  return std::string(number) + (is_float && !has_point ? ".0" : "");
}

std::string string_of_quoted(std::string_view text) {
  if (text.size() < 4 || text[0] != '\'' || text.back() != '\'') return "";
  const std::string_view inside = text.substr(1, text.size() - 2);
  const bool is_plain = std::ranges::all_of(
      inside, [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '\''; });
  return is_plain ? "\"" + std::string(inside) + "\"" : "";
}

std::string string_without_prefix(std::string_view text) {
  const size_t quote = text.find_first_of("\"'");
  if (quote == std::string_view::npos) return "";
  const std::string_view prefix = text.substr(0, quote), string = text.substr(quote);
  const auto has = [prefix](std::string_view letters) {
    return prefix.find_first_of(letters) != std::string_view::npos;
  };
  if (has("rR") && string.find('\\') != std::string_view::npos) return "";
  if (has("fF") && string.find_first_of("{}") != std::string_view::npos) return "";
  return std::string(string);
}

std::string slice_of(std::string_view text, std::string_view receiver) {
  size_t mark = find_outside(text, ":"), length = 1;
  if (mark == std::string_view::npos) {
    mark = find_outside(text, "..");
    length = text.substr(mark == std::string_view::npos ? 0 : mark).starts_with("..=") ? 3 : 2;
  }
  if (mark == std::string_view::npos) return "";
  const std::string_view first = trimmed(text.substr(0, mark)),
                         last = trimmed(text.substr(mark + length));
  if (last.empty() && (receiver.empty() || length == 3)) return "";
  const std::optional<std::string> lower = slice_end(first.empty() ? "0" : first, receiver);
  const std::optional<std::string> upper =
      last.empty() ? std::string(receiver) + ".len()" : slice_end(last, receiver);
  if (!lower || !upper) return "";
  return *lower + (length == 3 ? "..=" : "..") + *upper;
}

std::string chain_of_comprehension(std::string_view text, bool is_folded) {
  for (const std::string_view test : {"any", "all"}) {
    if (!text.starts_with(std::string(test) + "(")) continue;
    const std::string chain = chain_of_comprehension(text.substr(4, text.size() - 5), true);
    const size_t map = chain.rfind(".map(");
    if (map == std::string::npos) return "";
    return chain.substr(0, map) + "." + std::string(test) + chain.substr(map + 4);
  }
  const bool has_brackets = text.starts_with('[') && text.ends_with(']');
  const std::string_view inside = has_brackets ? text.substr(1, text.size() - 2) : text;
  const size_t head = find_outside(inside, " for ");
  const size_t in = find_outside(inside, " in ", head);
  if (head == std::string_view::npos || in == std::string_view::npos || in < head + 5) return "";
  // A choice as the element, or a comprehension with two `for`.
  if (find_outside(inside, " for ", head + 5) != std::string_view::npos ||
      find_outside(inside, " if ") < head ||
      find_outside(inside, " else ") != std::string_view::npos)
    return "";
  const size_t condition = find_outside(inside, " if ", in);
  const bool filters = condition != std::string_view::npos;
  if (filters && find_outside(inside, " if ", condition + 4) != std::string_view::npos) return "";
  std::string element(trimmed(inside.substr(0, head)));
  std::string name(trimmed(inside.substr(head + 5, in - head - 5)));
  bool are_names = is_name(name);
  if (const std::vector<std::string_view> names = parts_of(name); names.size() == 2) {
    are_names = is_name(names[0]) && is_name(names[1]);
    name = "(" + std::string(names[0]) + ", " + std::string(names[1]) + ")";
  }
  const size_t source_end = filters ? condition : inside.size();
  const std::string source =
      source_of_elements(trimmed(inside.substr(in + 4, source_end - in - 4)), is_folded);
  const std::string_view numbers = trimmed(inside.substr(in + 4, source_end - in - 4));
  const bool is_counted = has_brackets && !filters && numbers.starts_with("range(") &&
                          are_digits(trimmed(numbers.substr(6, numbers.size() - 7)));
  if (is_counted && are_names && !element.empty()) {
    if (const std::string row = chain_of_comprehension(element, false); !row.empty()) element = row;
    return "tabulate(" + std::string(trimmed(numbers.substr(6, numbers.size() - 7))) + ", " + name +
           " => " + element + ")";
  }
  if (element.empty() || !are_names || source.empty()) return "";
  std::string chain = source;
  if (filters)
    chain += ".filter(" + name + " => " + std::string(trimmed(inside.substr(condition + 4))) + ")";
  if (element != name) chain += ".map(" + name + " => " + element + ")";
  return chain;
}

std::string declaration(std::string_view text) {
  const size_t first_end = text.find(' '), last = text.rfind(' ');
  if (first_end == std::string_view::npos) return std::string(text);
  const bool is_wide =
      text.starts_with("unsigned ") && text.find(" long ") != std::string_view::npos;
  const std::string type = is_wide ? "u64" : komuz_type(text.substr(0, first_end));
  return std::string(text.substr(last + 1)) + ": " + type;
}

std::string parameters_with_colons(std::string_view text) {
  std::vector<std::string_view> names = parts_of(text);
  if (names.empty()) return "";
  const std::string_view last = names.back();
  names.back() = word_at(last, 0);
  const std::string type = type_behind_brackets(trimmed(last.substr(names.back().size())));
  std::string parameters;
  for (const std::string_view name : names)
    parameters += (parameters.empty() ? "" : ", ") + std::string(name) + ": " + type;
  return type.empty() ? "" : parameters;
}

std::string type_behind_brackets(std::string_view type) {
  const auto without_const = [](std::string_view part) {
    constexpr std::string_view kConst = "const ";
    return part.starts_with(kConst) ? trimmed(part.substr(kConst.size())) : part;
  };
  std::vector<std::string_view> counts;  // the outermost first
  std::string_view element = type;
  for (size_t close = element.find(']');
       element.starts_with('[') && close != std::string_view::npos && close + 1 != element.size();
       close = element.find(']')) {
    counts.push_back(trimmed(element.substr(1, close - 1)));
    element = trimmed(element.substr(close + 1));
  }
  if (counts.empty() && element.starts_with('['))
    return "[" + std::string(without_const(trimmed(element.substr(1))));
  std::string text(without_const(element));
  for (size_t k = counts.size(); k-- > 0;) {
    if (text.empty() || (k != 0 && counts[k].empty())) return "";  // a slice is no element
    text = "[" + text + (counts[k].empty() ? "" : "; " + std::string(counts[k])) + "]";
  }
  return text;
}

std::string parameters_of_bars(std::string_view names) {
  // `&x`, `&&(i, x)`
  std::string plain(trimmed(names));
  std::erase(plain, '&');
  const std::string_view inside = trimmed(plain);
  const bool are_names = !inside.empty() && std::ranges::all_of(inside, [](char c) {
    return is_word(c) || c == ',' || c == ' ' || c == '(' || c == ')';
  });
  if (!are_names) return "";
  const bool many = inside.find(',') != std::string_view::npos;
  const bool apart = many && (inside[0] != '(' || inside.find(')') + 1 != inside.size());
  return apart ? "(" + std::string(inside) + ")" : std::string(inside);
}

std::string range_text(std::string_view call) {
  const size_t open = call.find('(');
  if (open == std::string_view::npos || !call.ends_with(')')) return "";
  const std::vector<std::string_view> parts =
      parts_of(call.substr(open + 1, call.size() - open - 2));
  if (parts.empty() || parts.size() > 3) return "";
  const std::string first(parts.size() == 1 ? "0" : parts[0]);
  const std::string end(parts.size() == 1 ? parts[0] : parts[1]);
  if (parts.size() < 3) return first + ".." + end;
  const std::string step(parts[2]);
  const bool is_count = are_digits(step) && step.find_first_not_of('0') != std::string::npos;
  if (is_count || is_name(step))  // one below 1 traps
    return "(" + first + ".." + end + ").step_by(" + step + ")";
  if (step != "-1") return "";
  // The end itself is excluded.
  const bool is_small = are_digits(end) && end.size() < 9;
  const std::string last = end == "-1"       ? "0"
                           : is_small        ? std::to_string(std::stoll(end) + 1)
                           : is_postfix(end) ? end + " + 1"
                                             : "";
  if (last.empty()) return "";
  if (first.ends_with(" - 1") && is_postfix(std::string_view(first).substr(0, first.size() - 4)))
    return "(" + last + ".." + first.substr(0, first.size() - 4) + ").reverse()";
  return "(" + last + "..=" + first + ").reverse()";
}

std::string choice_text(std::string_view choice, u32 first, u32 second) {
  const bool ternary = choice[first] == '?';
  const std::string before(trimmed(choice.substr(0, first)));
  const std::string middle(trimmed(between(choice, first + (ternary ? 1 : 2), second)));
  const std::string last(trimmed(choice.substr(second + (ternary ? 1 : 4))));
  const std::string& condition = ternary ? before : middle;
  const std::string& value = ternary ? middle : before;
  return "if " + condition + " { " + value + " } else { " + last + " }";
}

std::optional<Edit> choice_of_then(u32 begin, std::string_view source) {
  u32 depth = 0;
  size_t end = begin;
  for (; end < source.size() && source[end] != '\n' && source.substr(end, 2) != "//"; ++end) {
    const char c = source[end];
    if (is_quote(c)) {
      const size_t close = closing_quote(source, end);
      if (close == std::string_view::npos) return std::nullopt;
      end = close;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
    if (depth == 0 && (c == ';' || c == ',')) break;
  }
  std::string_view rest = trimmed(source.substr(begin, end - begin));
  const auto stop =
      static_cast<u32>(rest.data() - source.data() + static_cast<std::ptrdiff_t>(rest.size()));
  std::string text;
  while (true) {  // `then a else if c then …`
    const size_t last = find_outside(rest, " else ");
    if (!rest.starts_with("then ") || last == std::string_view::npos) return std::nullopt;
    text += " { " + std::string(trimmed(rest.substr(5, last - 5))) + " } else";
    rest = trimmed(rest.substr(last + 6));
    if (!rest.starts_with("if ")) break;
    const size_t then = find_outside(rest, " then ");
    if (then == std::string_view::npos) return std::nullopt;
    text += " " + std::string(rest.substr(0, then));
    rest = rest.substr(then + 1);
  }
  if (rest.empty()) return std::nullopt;
  return Edit{behind_previous(source, begin), stop, text + " { " + std::string(rest) + " }"};
}

std::string record_text(std::string_view literal) {
  const size_t open = literal.find('{');
  const std::string_view name = trimmed(literal.substr(0, open));
  std::string fields, rest;
  u32 depth = 0;
  for (size_t begin = open + 1, k = begin; k < literal.size(); ++k) {
    const char c = literal[k];
    if (c == '"' || c == '\'' || c == ';' || literal.substr(k, 2) == "//") return "";
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool is_last = k + 1 == literal.size();
    if (depth == 0 && (c == ',' || is_last)) {
      const std::string_view field = trimmed(literal.substr(begin, k - begin));
      begin = k + 1;
      const bool is_name = std::ranges::all_of(field, is_word);
      if (field.empty() && !is_last) return "";
      if (field.starts_with("..")) {
        rest = std::string(field);
      } else if (!field.empty()) {
        if (!is_name && field.find(':') == std::string_view::npos) return "";
        fields += (fields.empty() ? "" : ", ") + std::string(field);
        if (is_name) fields += ": " + std::string(field);
      }
    }
    if ((c == ')' || c == ']' || c == '}') && !is_last && depth-- == 0) return "";
  }
  if (!rest.empty() && !fields.empty()) rest += ", ";
  return rest.empty() && fields.empty() ? "" : std::string(name) + "(" + rest + fields + ")";
}

std::string tuple_of_list(std::string_view list) {
  // `i, x in xs` numbers the elements.
  if (const size_t in = list.find(" in "); in != std::string_view::npos)
    return "(" + std::string(trimmed(list.substr(0, in))) + ") in " +
           std::string(trimmed(list.substr(in + 4))) + ".enumerate()";
  const size_t mark = find_outside(list, "=");
  const bool assigns = mark != std::string_view::npos && mark > 0 && list.substr(mark, 2) != "==" &&
                       list.substr(mark, 2) != "=>" &&
                       std::string_view("<>!").find(list[mark - 1]) == std::string_view::npos;
  if (!assigns) return "(" + std::string(list) + ")";
  const std::string_view values = trimmed(list.substr(mark + 1));
  const bool many = find_outside(values, ",") != std::string_view::npos;
  return "(" + std::string(trimmed(list.substr(0, mark))) + ") = " + (many ? "(" : "") +
         std::string(values) + (many ? ")" : "");
}

std::string bracketed_type(std::string_view type) {
  std::string out(type);
  u32 depth = 0;
  std::vector<bool> needs_length;  // for each open bracket
  for (size_t k = 0; k < type.size(); ++k) {
    const char c = type[k];
    if (c == '-' || c == '&') return "";
    if (c == ',' && !needs_length.empty() && depth == 0) needs_length.back() = false;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth-- == 0) return "";
    if (c == '<') {
      const std::string_view name = last_word(type.substr(0, k));
      if (name != "List" && name != "Bytes" && name != "Option") return "";
      needs_length.push_back(name == "List");
      out[k] = '[';
    } else if (c == '>') {
      if (needs_length.empty() || needs_length.back()) return "";
      needs_length.pop_back();
      out[k] = ']';
    }
  }
  return needs_length.empty() ? out : "";
}

std::string slice_type(std::string_view type) {
  if (type == "str" || type == "String" || type == "string") return "[u8]";
  const size_t open = type.find_first_of("<[");
  if (open == std::string_view::npos) return "";
  const std::string_view element = trimmed(type.substr(open + 1, type.size() - open - 2));
  const bool is_one = !element.empty() && find_outside(element, ",") == std::string_view::npos;
  return is_one && element.find('<') == std::string_view::npos ? "[" + std::string(element) + "]"
                                                               : "";
}

std::string power_call(std::string_view arguments) {
  const size_t comma = find_outside(arguments, ",");
  const bool has_base = comma != std::string_view::npos;
  const std::string_view base = has_base ? arguments.substr(0, comma + 1) : std::string_view{};
  const std::string_view power = trimmed(has_base ? arguments.substr(comma + 1) : arguments);
  const bool is_number = are_digits(power.substr(power.starts_with('-') ? 1 : 0));
  if (power.empty() || find_outside(power, ",") != std::string_view::npos) return "";
  return "pow(" + std::string(base) + (has_base ? " " : "") +
         (is_number ? std::string(power) + ".0" : "f64(" + std::string(power) + ")") + ")";
}

}  // namespace komuz
