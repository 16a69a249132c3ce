// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_operators.h"

#include <algorithm>
#include <iterator>

#include "engine/support/shown.h"

namespace komuz::engine {

OperatorSet default_operators() {
  OperatorSet out;
  for (u32 k = 0; k < std::size(kOperators); ++k)
    if (kOperators[k].is_default) out.push_back(k);
  return out;
}

Result<OperatorSet> read_operators(std::string_view text) {
  constexpr std::string_view kBetween = " ,\t\n";
  OperatorSet out;
  while (true) {
    const size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    text.remove_prefix(end);
    const auto found = std::ranges::find(kOperators, name, &Operator::name);
    if (found == std::end(kOperators)) {
      std::vector<std::string_view> names;
      for (const Operator& one : kOperators) names.push_back(one.name);
      std::string all;
      for (const std::string_view one : names) all += (all.empty() ? "" : " ") + std::string(one);
      return option_problem(
          "`--operators` names " + shown(name) + ", which is no operation of formulas",
          near_name(name, names, "there are " + all));
    }
    const auto number = static_cast<u32>(found - kOperators);
    if (std::ranges::find(out, number) == out.end()) out.push_back(number);
  }
  if (out.empty())
    return option_problem("`--operators` names no operation", "name some, such as \"+ - * exp\"");
  std::ranges::sort(out);
  return out;
}

std::string operators_text(const OperatorSet& operators) {
  std::string text;
  for (const u32 k : operators) text += (text.empty() ? "" : " ") + std::string(kOperators[k].name);
  return text;
}

}  // namespace komuz::engine
