// SPDX-License-Identifier: Apache-2.0
#include "lang/diagnostic_types.h"
#include "mend/edits.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_text.h"
#include "mend/name_edits.h"
#include "mend/type_edits.h"

namespace komuz {

namespace {

// True if a word or a closing bracket precedes byte `at`, apart from blanks.
bool stands_behind_operand(std::string_view source, u32 at) {
  const size_t last = source.substr(0, at).find_last_not_of(" \t");
  return last != std::string_view::npos &&
         (is_word(source[last]) || source[last] == ')' || source[last] == ']');
}
// True if the value of the block around byte `at` is not used, as for a loop or an `if` without `else`. `close` is
// the block's end.
bool is_block_of_statement(std::string_view source, size_t at, size_t close) {
  const size_t open = opening_brace_around(source, at);
  if (open == std::string_view::npos) return false;
  size_t head = open;
  while (head > 0 && std::string_view("\n;{}").find(source[head - 1]) == std::string_view::npos) {
    const size_t quote = is_quote(source[head - 1]) ? opening_quote(source, head - 1) : head - 1;
    if (quote == std::string_view::npos) return false;
    head = quote;
  }
  const std::string_view word = word_at(source, behind_gap(source, static_cast<u32>(head)));
  const std::string_view behind = word_at(source, behind_gap(source, static_cast<u32>(close) + 1));
  return word == "for" || word == "while" || word == "do" || (word == "if" && behind != "else");
}
// `k`, `p.x[f(i)]`: true if it may be assigned to. A text with a call outside of indices is no place.
bool is_assignable(std::string_view operand) {
  if (!is_postfix(operand)) return false;
  for (size_t k = operand.find_first_of("(["); k != std::string_view::npos;
       k = operand.find_first_of("([", closing_bracket(operand, k)))
    if (operand[k] == '(') return false;
  return true;
}
// True if `++` or `--` in bytes [begin, end) follows a place with which it forms a statement.
bool is_whole_step(u32 begin, u32 end, std::string_view source) {
  const u32 stop = behind_previous(source, begin), first = operand_start(source, stop);
  const std::string_view before = source.substr(0, first), last = trimmed(before);
  const bool starts = last.empty() ||
                      std::string_view("{};").find(last.back()) != std::string_view::npos ||
                      before.find_last_not_of(" \t") == before.rfind('\n');
  if (!starts || !is_assignable(between(source, first, stop))) return false;
  const size_t next = source.find_first_not_of(" \t\r", end), token = behind_gap(source, end);
  // The last expression of a block is its value.
  if (source_at(source, static_cast<u32>(token), 1) == "}")
    return is_block_of_statement(source, first, token);
  return next == std::string_view::npos || source[next] == ';' || source[next] == '\n' ||
         source.substr(next, 2) == "//";
}
// True if `a < b < c` means `a < b && b < c`. False if the middle is a hole, which would be duplicated, if it has
// operators of bits that are meant for truths, as in C, or if one of the comparisons may be of truths.
bool chains(u32 begin, u32 end, u32 middle, u32 length, std::string_view source) {
  const std::string_view before = source.substr(0, behind_previous(source, middle));
  const auto is_equality = [](std::string_view sign) { return sign == "==" || sign == "!="; };
  const bool first = before.size() >= 2 && is_equality(before.substr(before.size() - 2));
  return first == is_equality(between(source, begin, end)) &&
         !source_at(source, end, 1).starts_with('(') &&
         source_at(source, middle, length).find_first_of("?|&^") == std::string_view::npos;
}
// True if the operand is delimited: it follows a bracket, a separator, `=` or `return`, and a closing bracket or a
// separator follows it. An operator in its place is then no operand of another one.
bool stands_alone(u32 begin, u32 end, std::string_view source) {
  const u32 previous = behind_previous(source, begin);
  u32 stop = behind_gap(source, end);
  while (stop < source.size() && is_word(source[stop])) ++stop;
  const u32 next = behind_gap(source, stop);
  const auto is_one_of = [&](u32 at, std::string_view signs) {
    return at < source.size() && signs.find(source[at]) != std::string_view::npos;
  };
  return (previous == 0 || is_one_of(previous - 1, "=({[,;") ||
          source.substr(0, previous).ends_with("return")) &&
         is_one_of(next, ")}],;");
}
std::string in_parentheses(std::string_view operand) {
  const bool has_them =
      operand.starts_with('(') && closing_bracket(operand, 0) + 1 == operand.size();
  return has_them ? std::string(operand) : "(" + std::string(operand) + ")";
}
// `i64` of `static_cast<long int>`
std::string type_of_cast(std::string_view cast) {
  const size_t open = cast.find('<');
  const std::string_view type = trimmed(cast.substr(open + 1, cast.size() - open - 2));
  if (type.starts_with("unsigned ") && type != "unsigned char")
    return type.find("long") == std::string_view::npos ? "u32" : "u64";
  const size_t last = type.find_last_of(" :");
  return komuz_type(last == std::string_view::npos ? type : type.substr(last + 1));
}
// True if a place is in the length of a type or an array: `[i64; N]`, `List[T, N]`, `[0; N]`, `list(N)`,
// `tabulate(N, …)`. Such a length is a constant of any integer type.
bool stands_in_length(std::string_view source, u32 at) {
  u32 depth = 0;
  bool is_behind_mark = false, is_behind_comma = false;
  constexpr u32 kLongestLength = 1024;  // distance of a length from its bracket
  for (u32 k = at; k > 0 && at - k < kLongestLength; --k) {
    const char c = source[k - 1];
    if (c == '\'') {
      const size_t open = opening_quote(source, k - 1);
      if (open == std::string_view::npos) return false;
      k = static_cast<u32>(open) + 1;
      continue;
    }
    if (c == ')' || c == ']') ++depth;
    if (c == '{' || c == '}' || c == '"') return false;
    if (depth == 0 && c == ';') is_behind_mark = true;
    if (depth == 0 && c == ',') is_behind_comma = true;
    if (c != '(' && c != '[') continue;
    if (depth != 0) {
      --depth;
      continue;
    }
    const std::string_view before = source.substr(0, k - 1);
    size_t name = before.size();
    while (name > 0 && is_word(before[name - 1])) --name;
    const std::string_view word = before.substr(name);
    if (c == '(' && word == "list" && name > 0 && before[name - 1] == '.') return true;
    if (c == '(' && word == "tabulate") return !is_behind_comma;
    if (c == '(' && (is_behind_mark || (!before.empty() && is_word(before.back())))) return false;
    if (c == '[') return is_behind_mark || is_among(word, {"List", "Bytes"});
  }
  return false;
}
// The language has no types with fewer bits, whose conversions drop the others.
bool is_narrower(std::string_view type) { return type == "i8" || type == "i16" || type == "u16"; }

}  // namespace

// `a < b` of lists, `!xs` of a list
std::optional<Edit> fix_operator(const Fix& fix) {
  const u32 sign = fix.d.b;
  const std::string type = type_text(fix.d.a, fix.source);
  if (sign != 0) {
    // `cmp` orders NaN, `<` does not.
    if (type.find("f64") != std::string::npos || type.find("f32") != std::string::npos)
      return std::nullopt;
    const u32 sign_end = sign + (source_at(fix.source, sign + 1, 1) == "=" ? 2 : 1);
    return fix.replace("cmp(" + std::string(trimmed(between(fix.source, fix.begin, sign))) + ", " +
                       std::string(trimmed(between(fix.source, sign_end, fix.end))) + ") " +
                       std::string(between(fix.source, sign, sign_end)) + " 0");
  }
  const std::string_view list = word_at(fix.source, fix.end);
  const u32 stop = fix.end + static_cast<u32>(list.size());
  if (fix.at != "!" || list.empty() || !is_list_type(type) ||
      std::string_view(".([").find(source_at(fix.source, stop, 1)) != std::string_view::npos)
    return std::nullopt;
  return Edit{fix.begin, stop, std::string(list) + ".is_empty()"};
}

// `static_cast<int>(x)`, `(f64)n`, `n as f64`
std::optional<Edit> fix_conversion(const Fix& fix) {
  const u32 stop = fix.d.b;
  if (fix.at.starts_with("static_cast<"))
    return Edit{fix.begin, stop,
                type_of_cast(fix.at) + std::string(between(fix.source, fix.end, stop))};
  if (stop != 0) {
    const std::string_view type = trimmed(between(fix.source, fix.begin + 1, fix.end - 1));
    if (is_narrower(type)) return std::nullopt;
    if (stands_in_length(fix.source, fix.begin)) return fix.replace("");
    return Edit{fix.begin, stop,
                komuz_type(type) + in_parentheses(trimmed(between(fix.source, fix.end, stop)))};
  }
  const size_t gap = fix.source.find_first_not_of(' ', fix.end);
  if (fix.d.a == 0 || gap == std::string_view::npos) return std::nullopt;
  const u32 place = static_cast<u32>(gap), first = fix.d.a - 1;
  const std::string_view type = word_at(fix.source, place);
  if (type.empty() || is_narrower(type)) return std::nullopt;
  const std::string_view operand =
      between(fix.source, first, behind_previous(fix.source, fix.begin));
  if (stands_in_length(fix.source, first))
    return Edit{first, place + static_cast<u32>(type.size()), std::string(operand)};
  return Edit{first, place + static_cast<u32>(type.size()),
              komuz_type(type) + in_parentheses(operand)};
}

std::optional<Edit> fix_comparisons(const Fix& fix) {
  const Diagnostic& d = fix.d;
  if (d.b == 0 && d.a > fix.end) return Edit{behind_previous(fix.source, fix.begin), d.a, ""};
  if (d.b == 0 || !chains(fix.begin, fix.end, d.a, d.b, fix.source)) return std::nullopt;
  return Fix::insert(fix.begin, "&& " + std::string(source_at(fix.source, d.a, d.b)) + " ");
}

std::optional<Edit> fix_negated_unsigned(const Fix& fix) {
  return stands_alone(fix.begin, fix.end, fix.source) ? fix.replace("0 -% ") : std::nullopt;
}

std::optional<Edit> fix_step(const Fix& fix) {
  // `--k;`, with a line or a block of its own before it
  const std::string_view before = trimmed_end(fix.source.substr(0, fix.begin));
  const size_t length = operand_length(fix.source.substr(fix.end));
  const u32 stop = fix.end + static_cast<u32>(length), next = behind_gap(fix.source, stop);
  const bool starts = before.ends_with('{') || before.ends_with('}') || before.ends_with(';');
  if (length != 0 && starts && source_at(fix.source, next, 1) == ";")
    return Edit{
        fix.begin, stop,
        std::string(between(fix.source, fix.end, stop)) + (fix.at == "++" ? " += 1" : " -= 1")};
  // `++k`, `k++ + 1`
  if (!stands_behind_operand(fix.source, fix.begin) ||
      !is_whole_step(fix.begin, fix.end, fix.source))
    return std::nullopt;
  return fix.replace(fix.at == "++" ? " += 1" : " -= 1");
}

// `pow(n, 2)` of integers to `n ** 2`. An operator that binds more tightly would take only its power.
std::optional<Edit> fix_integer_power(const Fix& fix) {
  const std::string power = power_of_call(fix.at);
  if (power.empty()) return std::nullopt;
  const std::string_view next = source_at(fix.source, behind_gap(fix.source, fix.end), 2);
  const u32 previous = behind_previous(fix.source, fix.begin);
  const bool is_operand = next.starts_with('.') || next.starts_with('[') || next == "**" ||
                          fix.source.substr(0, previous).ends_with("**");
  return fix.replace(is_operand ? "(" + power + ")" : power);
}

std::optional<Edit> fix_in_test(const Fix& fix) {
  const u32 first = fix.d.a;
  if (fix.d.b == kNoEdit) return std::nullopt;
  // `in`, `not in`, `!in`
  const std::string_view sign = fix.source.substr(first, fix.source.find("in", first) + 2 - first);
  const std::string_view element = trimmed(between(fix.source, fix.begin, first)),
                         list = trimmed(
                             between(fix.source, first + static_cast<u32>(sign.size()), fix.end));
  const bool is_string = list.size() > 1 && list[0] == '"' && list.find('"', 1) + 1 == list.size();
  const bool is_list = is_string || (is_postfix(list) && !is_digit(list[0]));
  if (!is_postfix(element) || !is_list) return std::nullopt;
  return fix.replace((sign == "in" ? "" : "!") + std::string(list) + ".contains(" +
                     std::string(element) + ")");
}

std::optional<Edit> fix_number_suffix(const Fix& fix) {
  if (!number_before_suffix(fix.at).empty()) return fix.replace(number_without_suffix(fix.at));
  const size_t suffix = std::min(fix.at.find_first_of("iuf"), fix.at.size());
  return fix.replace(fix.at.substr(suffix) + "(" + fix.at.substr(0, suffix) + ")");
}

// `2x`, whose name starts at `d.b`, to `2 * x`
std::optional<Edit> fix_number_before_name(const Fix& fix) {
  if (fix.d.b <= fix.begin || fix.d.b >= fix.end) return std::nullopt;
  const std::string product = std::string(between(fix.source, fix.begin, fix.d.b)) + " * " +
                              std::string(between(fix.source, fix.d.b, fix.end));
  const std::string_view before = trimmed_end(fix.source.substr(0, fix.begin));
  const bool binds = before.ends_with('/') || before.ends_with('%') || before.ends_with("**");
  return fix.replace(binds ? "(" + product + ")" : product);
}

// `t._1`
std::optional<Edit> fix_tuple_field(const Fix& fix) {
  const std::string number = fix.at.starts_with('_') ? fix.at.substr(1) : "";
  if (!are_digits(number) || number.size() > 2) return std::nullopt;
  const unsigned long field = std::stoul(number);
  if (field == 0 || field > fix.d.a) return std::nullopt;
  return fix.replace(std::to_string(field - 1));
}

// `t[0]` of a tuple
std::optional<Edit> fix_tuple_index(const Fix& fix) {
  const size_t close =
      fix.at == "[" ? closing_bracket(fix.source, fix.begin) : std::string_view::npos;
  const std::string type = type_text(fix.d.a, fix.source);
  const bool is_tuple = type.starts_with('(') && type != "()";
  if (close == std::string_view::npos || !is_tuple) return std::nullopt;
  const u32 stop = static_cast<u32>(close);
  const std::string number(between(fix.source, fix.end, stop));
  if (!are_digits(number)) return std::nullopt;
  return Edit{fix.begin, stop + 1, "." + number};
}

std::optional<Edit> fix_character(const Fix& fix) {
  if (fix.d.b == kNoEdit) return std::nullopt;
  if (fix.at.size() == 2 && is_word(fix.at[1])) return fix.replace(fix.at + "'");  // `'a`
  return fix.replace_unless_empty(string_of_quoted(fix.at));
}

}  // namespace komuz
