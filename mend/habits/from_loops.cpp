// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_loops.h"

#include <algorithm>
#include <string>
#include <vector>

#include "mend/habits/from_text.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// The three clauses between `;`. Nothing if their number differs.
std::vector<std::string_view> clauses_of(std::string_view head) {
  std::vector<std::string_view> clauses;
  for (size_t begin = 0; begin <= head.size();) {
    const size_t end = std::min(head.find(';', begin), head.size());
    clauses.push_back(trimmed(head.substr(begin, end - begin)));
    begin = end + 1;
  }
  return clauses.size() == 3 ? clauses : std::vector<std::string_view>();
}
// The name that `int i`, `let i` and `i: i64` declare; empty for other texts.
std::string_view declared_name(std::string_view text) {
  text = trimmed(text.substr(0, text.find(':')));
  const size_t space = text.rfind(' ');
  const std::string_view type =
      trimmed(text.substr(0, space == std::string_view::npos ? 0 : space));
  const std::string_view name = space == std::string_view::npos ? text : text.substr(space + 1);
  const bool is_plain = std::ranges::all_of(type, [](char c) { return is_word(c) || c == ' '; });
  return is_plain && is_name(name) ? name : std::string_view();
}

// True if a statement changes the value of a variable, or the length of a list.
bool changes(std::string_view body, std::string_view name) {
  for (size_t at = body.find(name); at != std::string_view::npos; at = body.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_whole =
        (at == 0 || !is_word(body[at - 1])) && (end == body.size() || !is_word(body[end]));
    if (!is_whole) continue;
    const std::string_view behind = trimmed(body.substr(end));
    const bool assigns =
        behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>");
    const bool updates = behind.size() > 1 && behind[1] == '=' &&
                         std::string_view("+-*/%&|^").find(behind[0]) != std::string_view::npos;
    const bool steps =
        behind.starts_with("++") || behind.starts_with("--") ||
        (at > 1 && (body.substr(at - 2, 2) == "++" || body.substr(at - 2, 2) == "--"));
    bool resizes = false;
    for (const std::string_view method : {".p", ".append", ".extend", ".remove", ".insert", ".add"})
      resizes |= behind.starts_with(method);
    if (assigns || updates || steps || resizes) return true;
  }
  return false;
}
bool changes_any(std::string_view body, std::string_view text) {
  for (size_t k = 0; k < text.size(); ++k) {
    const bool starts = is_word(text[k]) && (k == 0 || !is_word(text[k - 1]));
    if (starts && changes(body, word_at(text, static_cast<u32>(k)))) return true;
  }
  return false;
}

// The step of a clause: `i++`, `i -= 2`, `i = i + 1`; 0 if it is none.
i64 step_of(std::string_view clause, const std::string& name) {
  if (clause == name + "++" || clause == "++" + name) return 1;
  if (clause == name + "--" || clause == "--" + name) return -1;
  for (const std::string_view sign : {"+", "-"}) {
    for (const std::string& head : {name + " " + std::string(sign) + "= ",
                                    name + " = " + name + " " + std::string(sign) + " "}) {
      const std::string_view number = clause.starts_with(head) ? clause.substr(head.size()) : "";
      if (!are_digits(number) || number.size() > 4) continue;
      const i64 step = std::stoll(std::string(number));
      return sign == "+" ? step : -step;
    }
  }
  return 0;
}
// `0..n` for `i < n` from 0 on; empty if there is no such range.
std::string range_of(std::string_view first, std::string_view condition, i64 step,
                     const std::string& name) {
  if (!condition.starts_with(name + " ") || step == 0) return "";
  std::string_view last = trimmed(condition.substr(name.size()));
  const bool has_end = last.substr(1, 1) == "=", rises = last.starts_with('<');
  if ((!rises && !last.starts_with('>')) || rises != (step > 0)) return "";
  last = trimmed(last.substr(has_end ? 2 : 1));
  if (last.empty() || first.empty() || last.find_first_of("<>=&|?,") != std::string_view::npos ||
      first.find_first_of("<>=&|?,") != std::string_view::npos)
    return "";
  const std::string low(first), high(last);
  if (step == 1) return low + (has_end ? "..=" : "..") + high;
  if (step > 1)
    return "(" + low + (has_end ? "..=" : "..") + high + ").step_by(" + std::to_string(step) + ")";
  if (step != -1) return "";
  const bool is_small = are_digits(high) && high.size() < 9;
  const std::string end = has_end    ? high
                          : is_small ? std::to_string(std::stoll(high) + 1)
                                     : high + " + 1";
  return "(" + end + "..=" + low + ").reverse()";
}

// The byte behind the block that starts at a byte; npos if it does not end.
size_t end_of_block(std::string_view source, size_t at) {
  u32 depth = 0;
  for (size_t k = at; k < source.size(); ++k) {
    if (source.substr(k, 2) == "//") k = std::min(source.find('\n', k), source.size() - 1);
    if (source[k] == '"' || source[k] == '\'')
      if (const size_t close = closing_quote(source, k); close != std::string_view::npos) k = close;
    depth += source[k] == '{';
    if (source[k] == '}' && --depth == 0) return k + 1;
  }
  return std::string_view::npos;
}
// The byte behind the block or the statement that starts at a byte; npos if unknown.
size_t end_of_body(std::string_view source, size_t at) {
  if (source.substr(at, 1) == "{") return end_of_block(source, at);
  const size_t mark = source.find_first_of(";\n{", at);
  if (mark == std::string_view::npos || source[mark] == '\n') return std::string_view::npos;
  const std::string_view word = word_at(source, static_cast<u32>(at));
  const bool has_head = word == "for" || word == "if" || word == "while";
  if (has_head != (source[mark] == '{')) return std::string_view::npos;
  if (!has_head) return mark + 1;
  const size_t end = end_of_block(source, mark);
  const bool goes_on = end != std::string_view::npos &&
                       word_at(source, behind_gap(source, static_cast<u32>(end))) == "else";
  return goes_on ? std::string_view::npos : end;
}

// True if the name occurs in a function outside of a loop in it.
bool is_named_outside(std::string_view source, size_t begin, size_t end, std::string_view name) {
  const size_t item = source.rfind("fn ", begin);
  const size_t next = end_of_block(source, std::min(source.find('{', item), source.size()));
  for (size_t at = source.find(name, item); at < next; at = source.find(name, at + 1)) {
    const size_t stop = at + name.size();
    const bool is_whole =
        !is_word(source[at - 1]) && (stop == source.size() || !is_word(source[stop]));
    if (is_whole && (at < begin || at >= end)) return true;
  }
  return false;
}

// The names and the body of `x => e`, `(x, i) => { … }`, `|x| e`, `x -> e`; in `s += it` the name is `it`. Nothing
// for other texts.
struct EachLambda {
  std::string names;
  std::string_view body;
  bool takes_apart = false;  // `|(a, b)|`, `{ (a, b) -> … }`: two names for one element
};
std::optional<EachLambda> lambda_of_each(std::string_view text, bool is_block) {
  if (text.starts_with('|')) {
    const size_t bar = text.find('|', 1);
    if (bar == std::string_view::npos) return std::nullopt;
    const std::string names = parameters_of_bars(text.substr(1, bar - 1));
    return EachLambda{names, trimmed(text.substr(bar + 1)),
                      text.substr(1, bar - 1).find('(') != std::string_view::npos};
  }
  const size_t arrow = text.find(is_block ? "->" : "=>");
  std::string_view head = trimmed(text.substr(0, arrow));
  const bool has_parentheses = head.starts_with('(') && head.ends_with(')');
  if (arrow != std::string_view::npos && has_parentheses)
    head = trimmed(head.substr(1, head.size() - 2));
  const std::vector<std::string_view> names = parts_of(head);
  if (arrow != std::string_view::npos && !names.empty() && names.size() < 3 &&
      std::ranges::all_of(names, is_name)) {
    std::string text_of_names(names[0]);
    if (names.size() == 2) text_of_names = "(" + text_of_names + ", " + std::string(names[1]) + ")";
    return EachLambda{text_of_names, trimmed(text.substr(arrow + 2)), is_block && has_parentheses};
  }
  if (is_block && has_word(text, "it")) return EachLambda{"it", text};
  return std::nullopt;
}
// True if the last operation of a chain gives pairs.
bool gives_pairs(std::string_view chain) {
  constexpr std::string_view kZip = ".zip(";
  const size_t zip = chain.rfind(kZip);
  return chain.ends_with(".enumerate()") ||
         (zip != std::string_view::npos &&
          closing_bracket(chain, zip + kZip.size() - 1) + 1 == chain.size());
}

}  // namespace

std::optional<Edit> for_of_each(u32 begin, u32 end, std::string_view source) {
  if (begin == 0 || source[begin - 1] != '.') return std::nullopt;
  const u32 first =
      behind_gap(source, static_cast<u32>(source.substr(0, begin).find_last_of("\n;{}") + 1));
  std::string elements(trimmed(between(source, first, begin - 1)));
  const u32 open = behind_gap(source, end);
  const bool is_block = source_at(source, open, 1) == "{";
  const size_t close = is_block || source_at(source, open, 1) == "("
                           ? closing_bracket_of_lines(source, open)
                           : std::string_view::npos;
  if (close == std::string_view::npos || !is_postfix(elements)) return std::nullopt;
  std::optional<EachLambda> each =
      lambda_of_each(trimmed(source.substr(open + 1, close - open - 1)), is_block);
  // A `return` in the lambda would leave the function.
  if (!each || each->names.empty() || each->body.empty() || has_word(each->body, "return"))
    return std::nullopt;
  u32 stop = static_cast<u32>(close) + 1;
  const u32 behind =
      static_cast<u32>(std::min(source.find_first_not_of(" \t\r", stop), source.size()));
  if (behind < source.size() &&
      std::string_view(";}\n").find(source[behind]) == std::string_view::npos)
    return std::nullopt;
  if (source_at(source, behind, 1) == ";") stop = behind + 1;
  // `xs.forEach((x, i) => …)`: the index comes last.
  const bool has_pairs = each->takes_apart || gives_pairs(elements);
  if (each->names.starts_with('(') && !has_pairs) {
    const std::vector<std::string_view> names =
        parts_of(std::string_view(each->names).substr(1, each->names.size() - 2));
    if (between(source, begin, end) != "forEach" || names.size() != 2) return std::nullopt;
    each->names = "(" + std::string(names[1]) + ", " + std::string(names[0]) + ")";
    elements += ".enumerate()";
  }
  const bool has_braces = each->body.starts_with('{') &&
                          closing_bracket_of_lines(each->body, 0) + 1 == each->body.size();
  const std::string body(each->body);
  // A mere value would be unused.
  if (!has_braces && body.find('=') == std::string::npos && body.find('(') == std::string::npos)
    return std::nullopt;
  const bool is_ended = body.ends_with(';') || body.ends_with('}');
  return Edit{first, stop,
              "for " + each->names + " in " + elements + " " +
                  (has_braces ? body : "{ " + body + (is_ended ? " }" : "; }"))};
}

std::optional<Edit> while_of_do(u32 begin, std::string_view source) {
  const u32 open = behind_gap(source, begin + static_cast<u32>(word_at(source, begin).size()));
  const size_t block_end =
      source_at(source, open, 1) == "{" ? end_of_block(source, open) : std::string_view::npos;
  if (block_end == std::string_view::npos) return std::nullopt;
  const u32 word = behind_gap(source, static_cast<u32>(block_end));
  const size_t end = std::min(source.find_first_of(";\n", word), source.size());
  if (word_at(source, word) != "while") return std::nullopt;
  std::string_view condition = trimmed(source.substr(word + 5, end - word - 5));
  const bool is_group =
      condition.starts_with('(') && closing_bracket(condition, 0) + 1 == condition.size();
  if (is_group) condition = trimmed(condition.substr(1, condition.size() - 2));
  std::string_view body = source.substr(open + 1, block_end - open - 2);
  if (condition.empty() || condition.find_first_of("{}") != std::string_view::npos ||
      has_word(body, "continue") || body.find("//") != std::string_view::npos)
    return std::nullopt;
  const size_t last = body.find_last_not_of(" \t\r\n");
  const std::string gap(body.substr(last == std::string_view::npos ? 0 : last + 1));
  body = body.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const bool is_ended = body.empty() || body.ends_with(';') || body.ends_with('}');
  const u32 stop = static_cast<u32>(end) + (source_at(source, static_cast<u32>(end), 1) == ";");
  return Edit{begin, stop,
              "while true {" + std::string(body) + (is_ended ? " if !(" : "; if !(") +
                  std::string(condition) + ") { break; }" + (gap.empty() ? " " : gap) + "}"};
}

std::optional<Edit> step_edit(u32 begin, u32 end, std::string_view source) {
  constexpr std::string_view kIn = " in ";
  const size_t line = source.substr(0, begin).find_last_of("\n;{}") + 1;
  const size_t in = source.rfind(kIn, begin);
  const u32 number = behind_gap(source, end);
  const std::string_view step = word_at(source, number);
  const u32 stop = number + static_cast<u32>(step.size());
  if (in == std::string_view::npos || in < line || !are_digits(step) || step == "0" ||
      source_at(source, behind_gap(source, stop), 1) != "{")
    return std::nullopt;
  const u32 first = behind_gap(source, static_cast<u32>(in + kIn.size()));
  const std::string_view range = trimmed(between(source, first, begin));
  const size_t dots = range.find("..");
  const bool is_whole = dots != std::string_view::npos && dots != 0 && dots + 2 < range.size() &&
                        range.find_first_of(",<>&|{") == std::string_view::npos;
  if (!is_whole) return std::nullopt;
  return Edit{first, stop, "(" + std::string(range) + ").step_by(" + std::string(step) + ")"};
}

std::optional<Edit> until_edit(u32 begin, u32 end, std::string_view source) {
  const size_t line = source.substr(0, begin).find_last_of("\n;{}") + 1;
  const size_t in = source.rfind(" in ", begin), head = source.rfind("for ", begin);
  const bool falls = between(source, begin, end) == "downTo";
  const std::optional<Edit> plain =
      falls ? std::nullopt
            : std::optional(Edit{behind_previous(source, begin), behind_gap(source, end), ".."});
  if (in == std::string_view::npos || in < line || head == std::string_view::npos || head < line)
    return plain;
  const u32 open = behind_gap(source, static_cast<u32>(head) + 4);
  const bool has_parentheses = source_at(source, open, 1) == "(";
  const size_t stop = has_parentheses ? closing_bracket(source, open) : source.find('{', end);
  if (stop == std::string_view::npos || stop < end) return plain;
  const std::string first(trimmed(between(source, static_cast<u32>(in) + 4, begin)));
  std::string last(trimmed(between(source, end, static_cast<u32>(stop))));
  const std::string_view name =
      trimmed(source.substr(open + has_parentheses, in - open - has_parentheses));
  constexpr std::string_view kStep = " step ";
  std::string step;
  if (const size_t mark = last.find(kStep); mark != std::string::npos) {
    step = last.substr(mark + kStep.size());
    last.resize(mark);
    // A falling loop starts at the other end.
    if (falls || !are_digits(step)) return plain;
  }
  if (!is_name(name) || first.empty() || last.empty()) return plain;
  const std::string range = falls          ? "(" + last + "..=" + first + ").reverse()"
                            : step.empty() ? first + ".." + last
                                           : "(" + first + ".." + last + ").step_by(" + step + ")";
  const u32 range_end = behind_previous(source, static_cast<u32>(stop) + has_parentheses);
  return Edit{open, range_end, std::string(name) + " in " + range};
}

std::optional<Edit> repeat_edit(u32 begin, u32 end, std::string_view source) {
  if (source_at(source, end, 1) != "(") return std::nullopt;
  const size_t close = closing_bracket(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view count = trimmed(source.substr(end + 1, close - end - 1));
  const u32 block = behind_gap(source, static_cast<u32>(close) + 1);
  const size_t block_end = end_of_block(source, block);
  if (!is_postfix(count) || source_at(source, block, 1) != "{" ||
      block_end == std::string_view::npos)
    return std::nullopt;
  // Kotlin counts in `it`.
  const bool counts = has_word(source.substr(block, block_end - block), "it");
  return Edit{begin, static_cast<u32>(close) + 1,
              std::string("for ") + (counts ? "it" : "_") + " in 0.." + std::string(count)};
}

std::optional<Edit> for_head_edit(u32 begin, std::string_view source) {
  const u32 end = word_at(source, begin) == "for" ? begin + 3 : behind_previous(source, begin);
  if (end < 3 || source.substr(end - 3, 3) != "for") return std::nullopt;
  const u32 open = behind_gap(source, end);
  const bool has_parentheses = source_at(source, open, 1) == "(";
  const size_t close =
      has_parentheses ? closing_bracket(source, open) : source.find_first_of("{\n", open);
  if (close == std::string_view::npos || close == open) return std::nullopt;
  const std::string_view head =
      trimmed(source.substr(open + has_parentheses, close - open - has_parentheses));
  const u32 body_begin = behind_gap(source, static_cast<u32>(close) + has_parentheses);
  const size_t body_end = end_of_body(source, body_begin);
  if (body_end == std::string_view::npos) return std::nullopt;
  const std::string_view body = source.substr(body_begin, body_end - body_begin);
  std::string name, elements;
  if (const std::vector<std::string_view> clauses = clauses_of(head); !clauses.empty()) {
    const size_t mark = clauses[0].find('=');
    if (mark == std::string_view::npos) return std::nullopt;
    name = declared_name(clauses[0].substr(0, mark));
    const std::string_view first = trimmed(clauses[0].substr(mark + 1));
    if (name.empty()) return std::nullopt;
    elements = range_of(first, clauses[1], step_of(clauses[2], name), name);
    // A variable that the head does not declare is visible behind the loop.
    const bool declares = trimmed(clauses[0].substr(0, mark)) != name;
    if (!declares && is_named_outside(source, end, body_end, name)) return std::nullopt;
    if (elements.empty() || changes(body, name) ||
        changes_any(body, clauses[1].substr(name.size())))
      return std::nullopt;
  } else if (const size_t range = head.find(":= range "); range != std::string_view::npos) {
    const std::vector<std::string_view> names = parts_of(head.substr(0, range));
    const std::string list(trimmed(head.substr(range + 9)));
    if (!is_postfix(list) || is_digit(list[0]) || names.empty() || names.size() > 2 ||
        !std::ranges::all_of(names, is_name))
      return std::nullopt;
    const bool has_both = names.size() == 2 && names[0] != "_";
    name = has_both ? "(" + std::string(names[0]) + ", " + std::string(names[1]) + ")"
                    : std::string(names.back());
    elements = has_both ? list + ".enumerate()" : list;
    if (names.size() == 1) {  // the indices of a list; for a number, all below it
      const bool is_list = source.find(list + ": [") != std::string_view::npos ||
                           source.find(list + ": List[") != std::string_view::npos ||
                           source.find(list + ": Bytes[") != std::string_view::npos;
      if (!is_list) return std::nullopt;
      elements = "0.." + list + ".len()";
    }
  } else if (has_parentheses) {
    const size_t of = head.find(" of "), colon = head.find(" : "), in = head.find(" in ");
    const size_t mark = std::min({of, colon, in});
    if (mark == std::string_view::npos) return std::nullopt;
    name = declared_name(head.substr(0, mark));
    elements = trimmed(head.substr(mark + (mark == colon ? 3 : 4)));
    // `for ((i, x) in xs.withIndex())`
    constexpr std::string_view kIndexed = ".withIndex()";
    if (mark == in && head.starts_with('(') && elements.ends_with(kIndexed) &&
        closing_bracket(head, 0) + 1 == mark) {
      name = trimmed(head.substr(0, mark));
      elements = elements.substr(0, elements.size() - kIndexed.size()) + ".enumerate()";
      const std::string text = "for " + name + " in " + elements + " ";
      if (!body.starts_with('{')) return std::nullopt;
      return Edit{end - 3, body_begin, text};
    }
    // `let i in xs` counts in other languages, and `a..b` includes b.
    const bool is_other = mark == in && (name != trimmed(head.substr(0, mark)) ||
                                         elements.find("..") != std::string::npos);
    if (name.empty() || is_other || !is_word(elements[0])) return std::nullopt;
  }
  if (name.empty() || elements.empty()) return std::nullopt;
  const std::string text = "for " + name + " in " + elements + " ";
  if (body.starts_with('{')) return Edit{end - 3, body_begin, text};
  return Edit{end - 3, static_cast<u32>(body_end), text + "{ " + std::string(body) + " }"};
}

}  // namespace komuz
