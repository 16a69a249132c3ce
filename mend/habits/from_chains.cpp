// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_chains.h"

#include <algorithm>
#include <vector>

#include "mend/aliases.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_text.h"
#include "mend/habits/from_updates.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

bool names_index(std::string_view name) {
  return is_among(name, {"i", "j", "k", "idx", "index", "pos"});
}
// `reverse=True`
bool falls_by_argument(std::string_view argument) {
  return is_among(argument, {"reverse=True", "reverse = True", "reverse=true", "reverse = true"});
}
// The word that ends before a byte.
std::string_view word_before(std::string_view source, size_t end) {
  size_t begin = end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  return source.substr(begin, end - begin);
}

AliasEdit edit_of_function(std::string_view word) {
  const AliasRow* const row = find_function_alias(word);
  return row == nullptr ? AliasEdit::None : row->edit;
}
// `lambda a, x: e` to `(a, x) => e`; any other text stays.
std::string with_arrow(std::string_view text) {
  const size_t colon = text.starts_with("lambda ") ? text.find(':') : std::string_view::npos;
  const std::string head =
      colon == std::string_view::npos ? "" : head_of_lambda(text.substr(0, colon + 1));
  if (head.empty()) return std::string(text);
  const std::string_view body = trimmed(text.substr(colon + 1));
  return head + " " + quotients_of_python(body, text).value_or(std::string(body));
}
// The arguments of a call. Lambdas of Python among them contain commas between their names.
std::vector<std::string> arguments_in(std::string_view inside) {
  std::vector<std::string> arguments;
  bool is_open = false;  // the last one is a lambda whose `:` is still to come
  for (const std::string_view part : parts_of(inside)) {
    if (is_open)
      arguments.back() += ", " + std::string(part);
    else
      arguments.emplace_back(part);
    const std::string& last = arguments.back();
    is_open = last.starts_with("lambda ") && last.find(':') == std::string::npos;
  }
  for (std::string& argument : arguments) argument = with_arrow(argument);
  return arguments;
}
// `(x, a) => e` to `(a, x) => e`
std::string with_names_swapped(const std::string& lambda) {
  const size_t close = closing_bracket(lambda, 0);
  const std::vector<std::string_view> names =
      parts_of(std::string_view(lambda).substr(1, close - 1));
  return "(" + std::string(names[1]) + ", " + std::string(names[0]) + ")" +
         lambda.substr(close + 1);
}

// `(a, x) => …`
bool takes_two(std::string_view text) {
  const size_t close = text.starts_with('(') ? closing_bracket(text, 0) : std::string_view::npos;
  if (close == std::string_view::npos) return false;
  const std::vector<std::string_view> names = parts_of(text.substr(1, close - 1));
  return names.size() == 2 && is_name(names[0]) && is_name(names[1]) &&
         trimmed(text.substr(close + 1)).starts_with("=>");
}
// True if it can only be the start of a fold, and no list.
bool is_start(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return (!text.empty() && is_digit(text[0])) || is_among(text, {"true", "false", "INF"});
}

}  // namespace

std::string capacity_at(u32 type, std::string_view source) {
  const std::string_view name = word_at(source, type);
  const u32 bracket = type + static_cast<u32>(name.size());
  const size_t end = source_at(source, bracket, 1) == "[" ? closing_bracket(source, bracket)
                                                          : std::string_view::npos;
  if (end == std::string_view::npos) return "";
  const std::vector<std::string_view> parts =
      parts_of(source.substr(bracket + 1, end - bracket - 1));
  const bool is_list =
      (name == "List" && parts.size() == 2) || (name == "Bytes" && parts.size() == 1);
  return is_list ? std::string(parts.back()) : "";
}

std::optional<Edit> enumerate_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view pattern = between(source, begin, end);
  if (!pattern.starts_with('(') || !pattern.ends_with(')')) return std::nullopt;
  const std::vector<std::string_view> names = parts_of(pattern.substr(1, pattern.size() - 2));
  if (names.size() != 2 || names_index(names[0]) == names_index(names[1])) return std::nullopt;
  const u32 open = begin - 1;
  if (begin < 2 || source[open] != '(') return std::nullopt;
  const std::string_view operation = word_before(source, open);
  const u32 name = open - static_cast<u32>(operation.size());
  const bool keeps = operation == "filter";
  const bool is_known = keeps || is_among(operation, {"map", "all", "any", "count", "position"});
  if (!is_known || name == 0 || source[name - 1] != '.') return std::nullopt;
  const bool is_first = names_index(names[0]);
  const std::string index(names[is_first ? 0 : 1]), element(names[is_first ? 1 : 0]);
  const std::string head =
      "enumerate()." + std::string(operation) + "((" + index + ", " + element + ")";
  if (!keeps) return Edit{name, end, head};
  const size_t close = closing_bracket(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1;
  return Edit{name, stop,
              head + std::string(between(source, end, stop)) + ".map((_, " + element + ") => " +
                  element + ")"};
}

bool is_fold_word(std::string_view word) {
  const AliasEdit edit = edit_of_function(word);
  return word == "fold" || edit == AliasEdit::Fold || edit == AliasEdit::FoldRight;
}

std::optional<Edit> fold_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  u32 stop = static_cast<u32>(close) + 1;
  std::vector<std::string> parts = arguments_in(between(source, end + 1, stop - 1));
  // `foldLeft(0)((a, x) => …)`
  if (parts.size() == 1 && source_at(source, stop, 1) == "(") {
    const size_t second = closing_bracket(source, stop);
    if (second == std::string_view::npos) return std::nullopt;
    const std::string_view lambda = trimmed(source.substr(stop + 1, second - stop - 1));
    if (!takes_two(lambda)) return std::nullopt;
    parts.emplace_back(lambda);
    stop = static_cast<u32>(second) + 1;
  }
  const std::string_view word = between(source, begin, end);
  const auto folds = [word](const std::string& start, const std::string& lambda) {
    if (edit_of_function(word) != AliasEdit::FoldRight)
      return "fold(" + start + ", " + lambda + ")";
    // Some languages put the accumulator behind the element.
    const bool is_last = word != "rfold" && word != "reduceRight";
    return "reverse().fold(" + start + ", " + (is_last ? with_names_swapped(lambda) : lambda) + ")";
  };
  constexpr std::string_view kModule = "functools.";
  if (source.substr(0, begin).ends_with(kModule)) begin -= static_cast<u32>(kModule.size());
  const bool is_method = begin > 0 && source[begin - 1] == '.';
  // `reduce(0, +)`
  if (is_method && parts.size() == 2 &&
      is_among(parts[1], {"+", "-", "*", "&&", "||", "&", "|", "^"}))
    parts[1] = "(a, x) => a " + parts[1] + " x";
  if (is_method && parts.size() == 2 && takes_two(parts[0]) != takes_two(parts[1])) {
    const bool is_last = takes_two(parts[1]);
    if (is_last && stop == close + 1 && word == "fold") return std::nullopt;
    return Edit{begin, stop, folds(parts[is_last ? 0 : 1], parts[is_last ? 1 : 0])};
  }
  if (is_method || parts.size() != 3 || !takes_two(parts[0]) ||
      is_start(parts[1]) == is_start(parts[2]))
    return std::nullopt;
  const bool is_second = is_start(parts[1]);
  const std::string &list = parts[is_second ? 2 : 1], &start = parts[is_second ? 1 : 2];
  const std::string chain = source_of_elements(list, true);
  if (chain.empty() && (!is_postfix(list) || list.starts_with("range("))) return std::nullopt;
  return Edit{begin, stop, (chain.empty() ? list : chain) + "." + folds(start, parts[0])};
}

namespace {

// `x => e` for `key=lambda x: e`, `|x| e`, `x => e`; empty if it is no lambda with one name.
std::string key_lambda(std::string_view text) {
  if (text.starts_with("key")) {
    text = trimmed(text.substr(3));
    if (!text.starts_with('=') || text.starts_with("=>")) return "";
    text = trimmed(text.substr(1));
  }
  std::string lambda = with_arrow(text);
  if (const size_t bar = text.starts_with('|') ? text.find('|', 1) : std::string_view::npos;
      bar != std::string_view::npos) {
    const std::string names = parameters_of_bars(text.substr(1, bar - 1));
    lambda = names + " => " + std::string(trimmed(text.substr(bar + 1)));
  }
  const size_t arrow = lambda.find("=>");
  return arrow != std::string::npos && is_name(trimmed(std::string_view(lambda).substr(0, arrow)))
             ? lambda
             : "";
}
// The same for the name of a function, `key=f`, and for a comparison of two elements by a key: `|a, b|
// a.x.cmp(&b.x)`.
std::string key_of(std::string_view text) {
  if (const std::string lambda = key_lambda(text); !lambda.empty()) return lambda;
  if (text.starts_with("key")) text = trimmed(text.substr(3));
  if (text.starts_with('=') && !text.starts_with("=>")) text = trimmed(text.substr(1));
  if (text == "len") return "x => x.len()";
  if (is_name(text)) return std::string(text);
  std::string lambda(text);
  if (const size_t bar = text.starts_with('|') ? text.find('|', 1) : std::string_view::npos;
      bar != std::string_view::npos)
    lambda = parameters_of_bars(text.substr(1, bar - 1)) + " => " +
             std::string(trimmed(text.substr(bar + 1)));
  std::erase(lambda, '&');
  return key_of_comparison(lambda);
}
// `x => x` means a comparison without a key.
bool is_identity(std::string_view lambda) {
  const size_t arrow = lambda.find(" => ");
  return arrow != std::string_view::npos && lambda.substr(0, arrow) == lambda.substr(arrow + 4);
}

}  // namespace

std::optional<Edit> keyed_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  // `xs.sorted()`
  if (begin > 0 && source[begin - 1] == '.' && close == end + 1)
    return Edit{begin, end + 2, "sort_by(x => x)"};
  const std::vector<std::string> parts =
      arguments_in(between(source, end + 1, static_cast<u32>(close)));
  // For whole elements, the order of two equal ones is invisible.
  const bool falls = parts.size() == 2 && falls_by_argument(parts[1]);
  const std::string behind = falls ? ".reverse()" : "";
  const bool has_key = parts.size() == 2 && !falls;
  const std::string lambda = has_key                      ? key_of(parts[1])
                             : parts.size() == 1 || falls ? "x => x"
                                                          : "";
  if (lambda.empty() || !is_postfix(parts[0])) return std::nullopt;
  const std::string_view word = between(source, begin, end);
  const u32 stop = static_cast<u32>(close) + 1;
  const bool is_method = begin > 0 && source[begin - 1] == '.';
  if (is_method) return std::nullopt;
  if (word == "sorted") return Edit{begin, stop, parts[0] + ".sort_by(" + lambda + ")" + behind};
  if (!has_key) return std::nullopt;
  return Edit{begin, stop, parts[0] + "." + std::string(word) + "(" + lambda + ")"};
}

std::optional<Edit> element_by_edit(u32 begin, u32 end, std::string_view source) {
  if (begin == 0 || source[begin - 1] != '.') return std::nullopt;
  const u32 open = behind_gap(source, end), first = operand_start(source, begin - 1);
  const std::string_view list = between(source, first, begin - 1);
  const size_t close = closing_bracket(source, open);
  if (close == std::string_view::npos || !is_postfix(list)) return std::nullopt;
  const std::string_view inside = trimmed(source.substr(open + 1, close - open - 1));
  const bool is_block = source[open] == '{';
  const std::string lambda =
      is_block ? lambda_of_block(source.substr(open, close + 1 - open)) : key_of(inside);
  if (key_of(lambda).empty()) return std::nullopt;
  const std::string_view word = between(source, begin, end);
  u32 stop = static_cast<u32>(close) + 1;
  constexpr std::string_view kUnwrap = ".unwrap()";
  if (source.substr(stop).starts_with(kUnwrap)) stop += static_cast<u32>(kUnwrap.size());
  if (word == "maxOf" || word == "minOf")
    return Edit{
        first, stop,
        std::string(list) + ".map(" + lambda + ")." + std::string(word.substr(0, 3)) + "()"};
  if (word.starts_with("sum"))
    return Edit{first, stop, std::string(list) + ".map(" + lambda + ").sum()"};
  const size_t length = word.starts_with("arg") ? 6 : 3;
  return Edit{begin, stop,
              std::string(word.substr(0, length)) + "(" +
                  (is_identity(lambda) ? std::string() : lambda) + ")"};
}

std::string sum_of_map(std::string_view call) {
  constexpr std::string_view kSum = ".sum(";
  const size_t at = call.rfind(kSum);
  if (at == std::string_view::npos ||
      closing_bracket(call, at + kSum.size() - 1) + 1 != call.size())
    return "";
  const std::string_view inside = call.substr(at + kSum.size(), call.size() - at - kSum.size() - 1);
  const std::string lambda = key_lambda(inside);
  return lambda.empty() ? "" : std::string(call.substr(0, at)) + ".map(" + lambda + ").sum()";
}

namespace {

// `|a: f64, b: f64| -> f64`: the types of a lambda are those of the elements.
std::string head_of_typed_bars(std::string_view text) {
  const size_t close = text.find('|', 1);
  if (close == std::string_view::npos) return "";
  std::string names;
  const std::vector<std::string_view> parts = parts_of(text.substr(1, close - 1));
  for (const std::string_view part : parts) {
    const std::string_view name = trimmed(part.substr(0, part.find(':')));
    if (!is_name(name)) return "";
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (parts.empty()) return "";
  return (parts.size() == 1 ? names : "(" + names + ")") + " =>";
}

// True for a slice, whose elements cannot be changed: a parameter of the last function in a text, without a variable
// of that name behind it.
bool is_slice_parameter(std::string_view name, std::string_view before) {
  const size_t function = before.rfind("fn ");
  if (function == std::string_view::npos) return false;
  const std::string_view text = before.substr(function);
  const std::string declared = std::string(name) + ": [";
  const size_t at = text.find(declared);
  if (at == std::string_view::npos || is_word(text[at - 1])) return false;
  const size_t first = at + declared.size(), close = closing_bracket(text, first - 1);
  const std::string_view body = text.substr(first);
  const bool is_shadowed =
      has_word(body, "var " + std::string(name)) || has_word(body, "let " + std::string(name));
  return close != std::string_view::npos && !is_shadowed &&
         find_outside(text.substr(first, close - first), ";") == std::string_view::npos;
}

}  // namespace

std::string head_of_lambda(std::string_view text) {
  if (text.starts_with('|')) return head_of_typed_bars(text);
  for (const std::string_view word : {"lambda ", "fun ", "function", "\\"})
    if (text.starts_with(word)) {
      text = trimmed(text.substr(word.size()));
      const std::string_view mark = text.ends_with(':') ? ":" : "->";
      if (!text.ends_with(mark)) return "";
      std::string names(trimmed(text.substr(0, text.size() - mark.size())));
      const bool is_apart = names.find(',') == std::string::npos;
      if (is_apart) std::ranges::replace(names, ' ', ',');  // `\x y ->`
      const std::vector<std::string_view> parts = parts_of(names);
      if (parts.empty() || !std::ranges::all_of(parts, is_name)) return "";
      std::string head;
      for (const std::string_view part : parts)
        head += (head.empty() ? "" : ", ") + std::string(part);
      return (parts.size() == 1 ? head : "(" + head + ")") + " =>";
    }
  return "";
}

std::optional<Edit> sort_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  if (close == std::string_view::npos || begin < 2 || source[begin - 1] != '.') return std::nullopt;
  const std::string_view name = word_before(source, begin - 1);
  const u32 first = begin - 1 - static_cast<u32>(name.size());
  const std::string_view compares = trimmed(between(source, end + 1, static_cast<u32>(close)));
  std::string key = compares.empty()              ? "x => x"
                    : compares.starts_with("key") ? key_lambda(compares)
                                                  : key_of_comparison(compares);
  const bool falls = falls_by_argument(compares);
  if (falls) key = "x => x";
  const std::string sorted = "sort_by(" + key + ")" + (falls ? ".reverse()" : "");
  const u32 stop = static_cast<u32>(close) + 1;
  if (key.empty() || !is_name(name) || is_slice_parameter(name, source.substr(0, first)))
    return std::nullopt;
  const size_t before = source.substr(0, first).find_last_not_of(" \t\r");
  const size_t behind = source.find_first_not_of(" \t\r", stop);
  const bool is_statement =
      before != std::string_view::npos && behind != std::string_view::npos &&
      std::string_view("{};\n").find(source[before]) != std::string_view::npos &&
      (source[behind] == ';' || (source[behind] == '\n' && source[before] == '\n'));
  if (is_statement)
    return Edit{first, stop, std::string(name) + " = " + std::string(name) + "." + sorted};
  if (compares.empty()) return std::nullopt;
  return Edit{begin, stop, sorted};
}

std::optional<Edit> collect_edit(u32 begin, u32 end, u32 type, std::string_view source) {
  const std::string capacity = capacity_at(type, source);
  if (capacity.empty() || source_at(source, end, 2) != "()") return std::nullopt;
  return Edit{begin, end + 2, "list(" + capacity + ")"};
}

std::optional<Edit> spread_edit(u32 begin, u32 end, std::string_view source) {
  if (begin == 0 || source[begin - 1] != '(') return std::nullopt;
  const std::string_view name = word_before(source, begin - 1);
  const size_t close = closing_bracket(source, begin - 1);
  if (!is_among(name, {"max", "min"}) || close == std::string_view::npos) return std::nullopt;
  const std::string_view list = between(source, end, static_cast<u32>(close));
  if (!is_postfix(list)) return std::nullopt;
  return Edit{begin - 1 - static_cast<u32>(name.size()), static_cast<u32>(close) + 1,
              std::string(list) + "." + std::string(name) + "()"};
}

std::optional<Edit> array_from_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(close);
  const std::vector<std::string_view> parts = parts_of(between(source, end + 1, stop));
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  const std::string from(parts[0]);
  const std::string_view lambda = parts.back();
  if (is_digit(from[0])) return std::nullopt;
  if (is_postfix(from)) {
    if (parts.size() == 1) return Edit{begin, stop + 1, from};
    // With two parameters, the second is the index.
    if (lambda.starts_with('(') && lambda.find(',') < lambda.find("=>")) return std::nullopt;
    return Edit{begin, stop + 1, from + ".map(" + std::string(lambda) + ")"};
  }
  constexpr std::string_view kLength = "length:", kIndexed = "(_,";
  if (parts.size() == 1 || !from.starts_with('{') || !from.ends_with('}')) return std::nullopt;
  const std::string_view length = trimmed(std::string_view(from).substr(1, from.size() - 2));
  const size_t arrow = lambda.find("=>");
  const size_t paren = lambda.find(')');
  if (!length.starts_with(kLength) || !are_digits(trimmed(length.substr(kLength.size()))) ||
      !lambda.starts_with(kIndexed) || arrow == std::string_view::npos || paren > arrow)
    return std::nullopt;
  const std::string_view index = trimmed(lambda.substr(kIndexed.size(), paren - kIndexed.size()));
  if (!is_name(index)) return std::nullopt;
  return Edit{begin, stop + 1,
              "tabulate(" + std::string(trimmed(length.substr(kLength.size()))) + ", " +
                  std::string(index) + " " + std::string(lambda.substr(arrow)) + ")"};
}

std::optional<Edit> list_edit(u32 open, u32 type, std::string_view source) {
  const size_t close = closing_bracket(source, open);
  const std::string capacity = capacity_at(type, source);
  if (close == std::string_view::npos || capacity.empty()) return std::nullopt;
  const std::string_view operation = word_before(source, open);
  const bool takes_list = is_among(operation, {"sort_by", "reverse"});
  const u32 at =
      takes_list ? open - static_cast<u32>(operation.size()) - 1 : static_cast<u32>(close) + 1;
  return Edit{at, at, ".list(" + capacity + ")"};
}

std::optional<Edit> chain_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close = end_of_call(source, end);
  const std::string_view operation = between(source, begin, end);
  const bool is_known =
      is_among(operation, {"map", "filter", "all", "any", "count", "find", "position"});
  if (close == std::string_view::npos || !is_known || (begin > 0 && source[begin - 1] == '.'))
    return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1;
  const std::vector<std::string_view> parts = parts_of(between(source, end + 1, stop - 1));
  if (parts.size() != 2 || parts[0].find("=>") == std::string_view::npos || !is_postfix(parts[1]))
    return std::nullopt;
  return Edit{
      begin, stop,
      std::string(parts[1]) + "." + std::string(operation) + "(" + std::string(parts[0]) + ")"};
}

std::optional<Edit> value_of_return(u32 begin, u32 end, std::string_view source) {
  const size_t open = source.substr(0, begin).find_last_not_of(" \t\r\n");
  if (between(source, begin, end) != "return" || open == std::string_view::npos ||
      source[open] != '{' || !trimmed(source.substr(0, open)).ends_with("=>"))
    return std::nullopt;
  const size_t close = source.find_first_of("{}", end);
  if (close == std::string_view::npos || source[close] == '{') return std::nullopt;
  std::string_view value = trimmed(between(source, end, static_cast<u32>(close)));
  const bool is_ended = value.ends_with(';');
  if (is_ended) value.remove_suffix(1);
  if (value.empty() || value.find(';') != std::string_view::npos) return std::nullopt;
  const auto stop =
      static_cast<u32>(value.data() - source.data() + static_cast<std::ptrdiff_t>(value.size()));
  return Edit{begin, stop + is_ended, std::string(value)};
}

std::optional<Edit> lambda_of_function(u32 begin, std::string_view source) {
  const u32 open = behind_gap(source, begin + static_cast<u32>(word_at(source, begin).size()));
  const size_t close = end_of_call(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  std::string names;
  for (const std::string_view part : parts_of(source.substr(open + 1, close - open - 1)))
    names += (names.empty() ? "" : ", ") + std::string(trimmed(part.substr(0, part.find(':'))));
  const std::string head = head_of_lambda("function " + names + "->");
  u32 block = behind_gap(source, static_cast<u32>(close) + 1);
  if (source_at(source, block, 2) == "->")  // the type of its result
    block = static_cast<u32>(std::min(source.find_first_of("{\n", block), source.size()));
  if (head.empty()) return std::nullopt;
  if (source_at(source, block, 2) == "=>") return Edit{begin, block + 2, head};
  const size_t end =
      source_at(source, block, 1) == "{" ? closing_bracket(source, block) : std::string_view::npos;
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view value = trimmed(source.substr(block + 1, end - block - 1));
  const bool returns = value.starts_with("return ");
  if (returns && value.ends_with(';')) value.remove_suffix(1);
  if (returns) value = trimmed(value.substr(7));
  if (value.empty() || value.find_first_of(";{") != std::string_view::npos) return std::nullopt;
  return Edit{begin, static_cast<u32>(end) + 1, head + " " + std::string(value)};
}

std::string lambda_of_block(std::string_view text) {
  std::string_view body = trimmed(text);
  if (body.starts_with('{') && body.ends_with('}')) body = trimmed(body.substr(1, body.size() - 2));
  if (body.empty() || body.find_first_of(";\n\"'{") != std::string_view::npos) return "";
  const bool has_bars = body.starts_with('|');
  if (const size_t arrow = has_bars ? body.find('|', 1) : body.find("->");
      arrow != std::string_view::npos) {
    std::string_view head = trimmed(body.substr(has_bars, arrow - has_bars));
    if (head.starts_with('(') && head.ends_with(')')) head = head.substr(1, head.size() - 2);
    const std::vector<std::string_view> names = parts_of(head);
    if (names.empty() || !std::ranges::all_of(names, is_name)) return "";
    const bool is_one = names.size() == 1;
    return (is_one ? "" : "(") + std::string(head) + (is_one ? "" : ")") + " => " +
           std::string(trimmed(body.substr(arrow + (has_bars ? 1 : 2))));
  }
  if (body.find('$') != std::string_view::npos) {  // `$0 + $1`
    if (count_word(body, "x") != 0 || count_word(body, "y") != 0) return "";
    std::string value(body);
    bool has_second = false;
    for (size_t at = value.find('$'); at != std::string::npos; at = value.find('$')) {
      const std::string_view number = word_at(value, static_cast<u32>(at) + 1);
      if (number != "0" && number != "1") return "";
      has_second |= number == "1";
      value.replace(at, 2, number == "0" ? "x" : "y");
    }
    return (has_second ? "(x, y) => " : "x => ") + value;
  }
  if (count_word(body, "it") != 0) return "it => " + std::string(body);
  if (count_word(body, "_") != 1 || count_word(body, "x") != 0) return "";
  size_t at = body.find('_');
  while ((at > 0 && is_word(body[at - 1])) || (at + 1 < body.size() && is_word(body[at + 1])))
    at = body.find('_', at + 1);
  return "x => " + std::string(body.substr(0, at)) + "x" + std::string(body.substr(at + 1));
}

std::optional<Edit> lambda_edit_of_block(u32 begin, u32 end, std::string_view source) {
  const std::string lambda = lambda_of_block(between(source, begin, end));
  const u32 before = behind_previous(source, begin);
  if (lambda.empty() || before == 0) return std::nullopt;
  if (source[before - 1] == ')') return Edit{before - 1, end, ", " + lambda + ")"};
  if (is_word(source[before - 1])) return Edit{before, end, "(" + lambda + ")"};
  return Edit{begin, end, lambda};
}

std::optional<Edit> pairs_edit(u32 begin, u32 end, std::string_view source) {
  if (end <= begin) return std::nullopt;
  return Edit{begin, end, "(" + std::string(between(source, begin, end)) + ")"};
}

}  // namespace komuz
