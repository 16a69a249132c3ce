// SPDX-License-Identifier: Apache-2.0
#include "lang/foreign_chains.h"

#include <algorithm>
#include <vector>

#include "lang/foreign_forms.h"
#include "lang/type_edits.h"
#include "lang/words.h"

namespace komuz {
namespace {

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}
bool names_index(std::string_view name) {
  return is_among(name, {"i", "j", "k", "idx", "index", "pos"});
}
// The word that ends before a byte.
std::string_view word_before(std::string_view source, size_t end) {
  size_t begin = end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  return source.substr(begin, end - begin);
}
// How often a word stands in a text.
u32 count_word(std::string_view text, std::string_view word) {
  u32 count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool starts = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
    count += starts && (end == text.size() || !is_word(text[end]));
  }
  return count;
}

// `(a, x) => …`
bool takes_two(std::string_view text) {
  const size_t close = text.starts_with('(') ? closing_bracket(text, 0) : std::string_view::npos;
  if (close == std::string_view::npos) return false;
  const std::vector<std::string_view> names = parts_of(text.substr(1, close - 1));
  return names.size() == 2 && is_name(names[0]) && is_name(names[1]) &&
         trimmed(text.substr(close + 1)).starts_with("=>");
}
// Can it only be what is folded from, and no list?
bool is_start(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return (!text.empty() && is_digit(text[0])) || is_among(text, {"true", "false", "INF"});
}

// The room of the list whose type stands at a byte; empty: it is no list.
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

}  // namespace

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
  return is_among(word, {"fold", "reduce", "foldl", "foldLeft", "fold_left", "inject"});
}

std::optional<Edit> fold_edit(u32 begin, u32 end, std::string_view source) {
  const size_t close =
      source_at(source, end, 1) == "(" ? closing_bracket(source, end) : std::string_view::npos;
  if (close == std::string_view::npos) return std::nullopt;
  u32 stop = static_cast<u32>(close) + 1;
  std::vector<std::string_view> parts = parts_of(between(source, end + 1, stop - 1));
  // `foldLeft(0)((a, x) => …)`
  if (parts.size() == 1 && source_at(source, stop, 1) == "(") {
    const size_t second = closing_bracket(source, stop);
    if (second == std::string_view::npos) return std::nullopt;
    const std::string_view lambda = trimmed(source.substr(stop + 1, second - stop - 1));
    if (!takes_two(lambda)) return std::nullopt;
    parts.push_back(lambda);
    stop = static_cast<u32>(second) + 1;
  }
  const auto folds = [&](std::string_view start, std::string_view lambda) {
    return "fold(" + std::string(start) + ", " + std::string(lambda) + ")";
  };
  const bool is_method = begin > 0 && source[begin - 1] == '.';
  if (is_method && parts.size() == 2 && takes_two(parts[0]) != takes_two(parts[1])) {
    const bool is_last = takes_two(parts[1]);
    if (is_last && stop == close + 1 && between(source, begin, end) == "fold") return std::nullopt;
    return Edit{begin, stop, folds(parts[is_last ? 0 : 1], parts[is_last ? 1 : 0])};
  }
  if (is_method || parts.size() != 3 || !takes_two(parts[0]) ||
      is_start(parts[1]) == is_start(parts[2]))
    return std::nullopt;
  const bool is_second = is_start(parts[1]);
  const std::string_view list = parts[is_second ? 2 : 1], start = parts[is_second ? 1 : 2];
  if (!is_postfix(list)) return std::nullopt;
  return Edit{begin, stop, std::string(list) + "." + folds(start, parts[0])};
}

std::string head_of_lambda(std::string_view text) {
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
  const size_t close =
      source_at(source, end, 1) == "(" ? closing_bracket(source, end) : std::string_view::npos;
  if (close == std::string_view::npos || begin < 2 || source[begin - 1] != '.') return std::nullopt;
  const std::string_view name = word_before(source, begin - 1);
  const u32 first = begin - 1 - static_cast<u32>(name.size());
  const std::string_view compares = trimmed(between(source, end + 1, static_cast<u32>(close)));
  const std::string key = compares.empty() ? "x => x" : key_of_comparison(compares);
  const std::string sorted = "sort_by(" + key + ")";
  const u32 stop = static_cast<u32>(close) + 1;
  if (key.empty() || !is_name(name)) return std::nullopt;
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
  const size_t close =
      source_at(source, end, 1) == "(" ? closing_bracket(source, end) : std::string_view::npos;
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
  const size_t open = source.find('(', begin), block = source.find('{', begin);
  const size_t close = open < block ? closing_bracket(source, open) : std::string_view::npos;
  const size_t end = close < block && block < source.size() ? closing_bracket(source, block)
                                                            : std::string_view::npos;
  if (end == std::string_view::npos) return std::nullopt;
  const std::string head =
      head_of_lambda("function" + std::string(source.substr(open + 1, close - open - 1)) + "->");
  std::string_view value = trimmed(source.substr(block + 1, end - block - 1));
  if (value.ends_with(';')) value.remove_suffix(1);
  const bool is_value =
      value.starts_with("return ") && value.find_first_of(";{") == std::string_view::npos;
  if (head.empty() || !is_value) return std::nullopt;
  return Edit{begin, static_cast<u32>(end) + 1, head + " " + std::string(trimmed(value.substr(7)))};
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

}  // namespace komuz
