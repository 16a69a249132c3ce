// SPDX-License-Identifier: Apache-2.0
#include "lang/types.h"
#include "mend/chain_edits.h"
#include "mend/edits.h"
#include "mend/habits/from_chains.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_formulas.h"
#include "mend/habits/from_text.h"
#include "mend/habits/from_updates.h"
#include "mend/type_edits.h"

namespace komuz {

namespace {

// `xs.first() == 3` to `xs.first() == Some(3)`, which is correct even without an element; likewise `3 == xs.first()`.
// Nothing if the call is part of an operand.
std::optional<Edit> compared_edit(const Fix& fix) {
  const std::string_view source = fix.source;
  const std::string_view before = trimmed_end(source.substr(0, fix.begin));
  const u32 sign = behind_gap(source, fix.end);
  const auto is_equality = [](std::string_view text) { return text == "==" || text == "!="; };
  const auto stands_behind_operand = [](char c) {
    return std::string_view("(){}[],;=&|<>\n").find(c) != std::string_view::npos;
  };
  const bool starts = before.empty() ||
                      std::string_view("({[,;=&|>").find(before.back()) != std::string_view::npos ||
                      before.ends_with(" if") || before.ends_with(" while") ||
                      before.ends_with("return") || before.ends_with("assert");
  const bool is_left =
      is_equality(source_at(source, sign, 2)) && starts &&
      !is_equality(before.substr(before.size() - std::min<size_t>(before.size(), 2)));
  if (is_left) {
    const u32 first = behind_gap(source, sign + 2);
    size_t end = first;
    while (end < source.size() && !stands_behind_operand(source[end])) {
      if (end - first > kNearBracketed) return std::nullopt;
      const bool is_text = is_quote(source[end]);
      const size_t close = is_text ? closing_quote(source, end) : 0;
      if (close == std::string_view::npos) return std::nullopt;
      end = is_text ? close + 1 : end + std::max<size_t>(operand_length(source.substr(end)), 1);
    }
    const std::string_view other = trimmed(between(source, first, static_cast<u32>(end)));
    const bool is_choice = is_among(word_at(other, 0), {"if", "match"});
    if (other.empty() || is_choice || other.find("//") != std::string_view::npos)
      return std::nullopt;
    return Edit{
        fix.begin, first + static_cast<u32>(other.size()),
        std::string(between(source, fix.begin, first)) + "Some(" + std::string(other) + ")"};
  }
  if (before.size() < 2 || !is_equality(before.substr(before.size() - 2))) return std::nullopt;
  const u32 stop = static_cast<u32>(trimmed_end(before.substr(0, before.size() - 2)).size());
  u32 first = stop, depth = 0;
  for (; first > 0 && (depth != 0 || !stands_behind_operand(source[first - 1]) ||
                       closes_bracket(source[first - 1]));
       --first) {
    if (stop - first > kNearBracketed) return std::nullopt;
    const char c = source[first - 1];
    if (is_quote(c)) {
      const size_t open = opening_quote(source, first - 1);
      if (open == std::string_view::npos) return std::nullopt;
      first = static_cast<u32>(open) + 1;
      continue;
    }
    depth += closes_bracket(c);
    depth -= depth != 0 && (c == '(' || c == '[' || c == '{');
  }
  // `a < b == c`, but `x => b == c`
  const std::string_view sign_before = between(source, first < 2 ? 0 : first - 2, first);
  if (sign_before.ends_with('<') || (sign_before.ends_with('>') && sign_before != "=>") ||
      is_equality(sign_before))
    return std::nullopt;
  first = behind_gap(source, first);
  const std::string_view word = word_at(source, first);
  if (is_among(word, {"if", "while", "return", "assert"}))
    first = behind_gap(source, first + static_cast<u32>(word.size()));
  const std::string_view other = between(source, first, stop);
  const bool is_character = other.starts_with('\'') && closing_quote(other, 0) + 1 == other.size();
  const bool is_whole = (sign >= source.size() || stands_behind_operand(source[sign])) &&
                        !other.empty() &&
                        (is_character || other.find_first_of("{!\"") == std::string_view::npos);
  if (!is_whole) return std::nullopt;
  return Edit{first, fix.end,
              "Some(" + std::string(other) + ")" + std::string(between(source, stop, fix.end))};
}

}  // namespace

// `|a, v| e` to `(a, v) => e`; nothing if the bars contain more than names.
std::optional<Edit> fix_bars(const Fix& fix) {
  const size_t close = fix.source.find_first_of("|\n", fix.begin + 1);
  if (close == std::string_view::npos || fix.source[close] != '|') return std::nullopt;
  const u32 last = static_cast<u32>(close);
  const std::string parameters = parameters_of_bars(between(fix.source, fix.begin + 1, last));
  if (parameters.empty()) return std::nullopt;
  const bool touches = last + 1 < fix.source.size() && fix.source[last + 1] != ' ';
  return Edit{fix.begin, last + 1, parameters + (touches ? " => " : " =>")};
}

std::optional<Edit> fix_foreign_lambda(const Fix& fix) {
  if (fix.at == "->") return fix.replace("=>");
  if (fix.at == "function" || fix.at == "fn") return lambda_of_function(fix.begin, fix.source);
  if (const std::string head = head_of_lambda(fix.at); !head.empty()) {
    const u32 end = fix.at.starts_with("lambda ") ? lambda_end(fix.end, fix.source) : fix.end;
    const std::string_view body = between(fix.source, fix.end, end);
    const std::optional<std::string> mended = quotients_of_python(body, fix.source);
    if (!mended || *mended == body) return fix.replace(head);
    return fix.replace_to(end, head + *mended);
  }
  if (fix.at.starts_with('{')) return lambda_edit_of_block(fix.begin, fix.end, fix.source);
  return fix.replace_unless_empty(lambda_of_block(fix.at));
}

std::optional<Edit> fix_lambda_place(const Fix& fix) {
  if (is_fold_word(fix.at)) return fold_edit(fix.begin, fix.end, fix.source);
  if (fix.at == "max" || fix.at == "min") return keyed_edit(fix.begin, fix.end, fix.source);
  return chain_edit(fix.begin, fix.end, fix.source);
}

// `xs.count(3)`
std::optional<Edit> fix_counted_value(const Fix& fix) {
  const std::string_view before = fix.source.substr(0, fix.begin);
  const bool counts = before.ends_with(".count(") || before.ends_with(".position(");
  const bool is_value = is_name(fix.at) || are_digits(fix.at) || fix.at.starts_with('\'');
  if (!counts || !is_value || source_at(fix.source, fix.end, 1) != ")") return std::nullopt;
  const std::string name = fix.at == "x" ? "y" : "x";
  return fix.replace(name + " => " + name + " == " + fix.at);
}

// `min(a, b, c)`, `list(xs.filter(p))`
std::optional<Edit> fix_argument_count(const Fix& fix) {
  if (const std::string nested = nested_call(fix.at); !nested.empty()) return fix.replace(nested);
  if (const std::string log = log_to_base(fix.at); !log.empty()) return fix.replace(log);
  if (!fix.at.starts_with("list(") || !fix.at.ends_with(')')) return std::nullopt;
  const std::string_view inside = trimmed(std::string_view(fix.at).substr(5, fix.at.size() - 6));
  return is_postfix(inside) ? fix.replace(std::string(inside)) : std::nullopt;
}

std::optional<Edit> fix_method_arguments(const Fix& fix) {
  return fix.replace_unless_empty(sum_of_map(fix.at));
}

// `xs.last()` to `xs[xs.len() - 1]`, `s.pop()` to `s.pop().or(0)`
std::optional<Edit> fix_option_for_element(const Fix& fix) {
  const std::string_view call = fix.at;
  size_t open = call.size();
  while (open-- > 0)
    if (call[open] == '(' && closing_bracket_of_lines(call, open) + 1 == call.size()) break;
  if (open >= call.size()) return std::nullopt;
  size_t name = open;
  while (name > 0 && is_word(call[name - 1])) --name;
  if (name < 2 || call[name - 1] != '.') return std::nullopt;
  if (std::optional<Edit> compared = compared_edit(fix)) return compared;
  const std::string list(trimmed(call.substr(0, name - 1)));
  const std::string_view method = call.substr(name, open - name);
  if (method == "pop") {
    const std::string one(first_value(scalar_name(static_cast<Scalar>(fix.d.a))));
    if (fix.d.a == 0 || one.empty()) return std::nullopt;
    std::string none = one;
    for (u32 k = 1; k < fix.d.b; ++k) none += ", " + one;
    return fix.replace(fix.at + ".or(" + (fix.d.b > 1 ? "(" + none + ")" : none) + ")");
  }
  if (!is_postfix(list)) return std::nullopt;
  if (method == "first") return fix.replace(list + "[0]");
  if (method == "last" && is_place(list)) return fix.replace(list + "[" + list + ".len() - 1]");
  if (method != "get") return std::nullopt;
  return fix.replace(list + "[" + std::string(call.substr(open + 1, call.size() - open - 2)) + "]");
}

std::optional<Edit> fix_sort(const Fix& fix) {
  if (fix.at == "sorted") return keyed_edit(fix.begin, fix.end, fix.source);
  const std::string name = falling_name(fix.at);
  if (name.empty()) return fix.replace_unless_empty(key_of_comparison(fix.at));
  constexpr std::string_view kSort = "sort_by(";
  if (!fix.source.substr(0, fix.begin).ends_with(kSort) || source_at(fix.source, fix.end, 1) != ")")
    return std::nullopt;
  return Edit{fix.begin - static_cast<u32>(kSort.size()), fix.end + 1,
              std::string(kSort) + name + " => " + name + ").reverse()"};
}

std::optional<Edit> fix_chain_length(const Fix& fix) {
  const u32 type = fix.d.a;
  if (type == 0) {
    if (auto edit = count_edit(fix.begin, fix.source)) return edit;
    if (auto edit = zip_edit(fix.begin, fix.source)) return edit;
    if (auto edit = inlined_edit(fix.begin, fix.source)) return edit;
    return gone_through_edit(fix.begin, fix.source);
  }
  return fix.at == "(" ? list_edit(fix.begin, type, fix.source)
                       : collect_edit(fix.begin, fix.end, type, fix.source);
}

std::optional<Edit> fix_slice_value(const Fix& fix) {
  const std::string capacity = capacity_at(fix.d.a, fix.source);
  if (fix.d.a == 0 || capacity.empty()) return std::nullopt;
  return Fix::insert(fix.d.b, ".list(" + capacity + ")");
}

std::optional<Edit> fix_part(const Fix& fix) {
  if (fix.at == "take" || fix.at == "drop" || fix.at == "skip")
    return part_edit(fix.begin, fix.end, fix.source);
  return fix.replace_unless_empty(slice_of(fix.at, source_at(fix.source, fix.d.a, fix.d.b)));
}

// `xs.sort_by(x => x);`
std::optional<Edit> fix_unused_order(const Fix& fix) {
  const std::string name(word_at(fix.at, 0));
  const std::string_view method = std::string_view(fix.at).substr(name.size());
  const bool arranges = method.starts_with(".sort_by(") || method.starts_with(".reverse(");
  if (!arranges || closing_bracket(method, method.find('(')) + 1 != method.size())
    return std::nullopt;
  return fix.replace(name + " = " + fix.at);
}

// `a[i, j]` to `a[i][j]`, given the comma. Other edits put the list into parentheses.
std::optional<Edit> fix_comma(const Fix& fix) {
  const u32 first = fix.d.a, stop = fix.d.b;
  if (fix.at != "," || stop <= first) return std::nullopt;
  if (fix.source[first] != '[')
    return Edit{first, stop, tuple_of_list(between(fix.source, first, stop))};
  std::string indices;
  for (const std::string_view part : parts_of(between(fix.source, first + 1, stop - 1)))
    indices += "[" + std::string(part) + "]";
  if (indices.empty()) return std::nullopt;
  return Edit{first, stop, indices};
}

}  // namespace komuz
