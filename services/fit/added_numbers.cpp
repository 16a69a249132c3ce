// SPDX-License-Identifier: Apache-2.0
#include "services/fit/added_numbers.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace komuz::services {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0 &&
         text.find_first_of(" ()") == std::string_view::npos;
}

// Cut at operators outside of brackets. `operators`: with the blanks around them.
std::vector<std::string_view> cut(std::string_view text,
                                  std::span<const std::string_view> operators) {
  std::vector<std::string_view> out;
  size_t begin = 0, depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (depth != 0 && (c == ')' || c == '}' || c == ']')) --depth;
    if (depth != 0) continue;
    for (const std::string_view one : operators)
      if (text.substr(at).starts_with(one)) {
        out.push_back(text.substr(begin, at - begin));
        begin = at + one.size();
        at = begin - 1;
        break;
      }
  }
  out.push_back(text.substr(begin));
  return out;
}

// The sum in parentheses that only numbers multiply or divide; empty: there is none.
std::string_view scaled_sum(std::string_view term) {
  constexpr std::string_view kFactors[] = {" * ", " / "};
  std::string_view sum;
  for (const std::string_view factor : cut(term, kFactors)) {
    if (is_number(factor)) continue;
    const bool is_divisor = factor.data() != term.data() && factor.data()[-2] == '/';
    const std::string_view in = factor.starts_with('-') ? factor.substr(1) : factor;
    if (!sum.empty() || is_divisor || !in.starts_with('(') || !in.ends_with(')')) return {};
    sum = in.substr(1, in.size() - 2);
  }
  // As in `(x + 1.0)(y)`, which is a call.
  return std::ranges::count(sum, '(') == std::ranges::count(sum, ')') ? sum : std::string_view();
}

}  // namespace

std::vector<std::string> added_numbers(std::string_view text) {
  constexpr std::string_view kTerms[] = {" + ", " - "};
  std::vector<std::string> out;
  // A choice or a `let` is no sum.
  if (text.find_first_of("{;") != std::string_view::npos) return out;
  std::vector<std::string_view> sums = {text};
  for (size_t k = 0; k < sums.size(); ++k) {
    const std::vector<std::string_view> terms = cut(sums[k], kTerms);
    for (const std::string_view term : terms) {
      if (terms.size() > 1 && is_number(term)) out.emplace_back(term);
      if (const std::string_view inner = scaled_sum(term); !inner.empty()) sums.push_back(inner);
    }
  }
  return out;
}

}  // namespace komuz::services
