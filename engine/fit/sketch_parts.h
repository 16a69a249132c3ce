// SPDX-License-Identifier: Apache-2.0
// What the writers of sketches share: names that are free, and texts of alternatives. Not part of the door.
#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fit/fit_data.h"
#include "engine/fit/fit_operators.h"

namespace komuz::engine {

inline constexpr u32 kSumDepth = 3;  // of a space of sums

class SketchParts {
 public:
  SketchParts(const FitData& data, const OperatorSet& operators, const std::string& function)
      : operators_(operators) {
    taken_.insert(function);
    for (const FitInput& input : data.inputs) {
      taken_.insert(input.name);
      parameters += (parameters.empty() ? "" : ", ") + input.name + ": f64";
      arguments += (arguments.empty() ? "" : ", ") + input.name;
    }
  }

  std::string parameters, arguments;  // "x: f64, t: f64" and "x, t"

  [[nodiscard]] std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += '_';
    return name;
  }
  // A name that no other begins with.
  [[nodiscard]] std::string free_prefix(std::string name) const {
    const auto is_begun = [&](const std::string& one) { return one.starts_with(name); };
    while (std::ranges::any_of(taken_, is_begun)) name += '_';
    return name;
  }
  [[nodiscard]] std::string expand(const std::string& space) const {
    return "?" + space + "(" + arguments + ")";
  }
  [[nodiscard]] bool has(std::string_view name) const {
    return std::ranges::any_of(operators_, [name](u32 k) { return kOperators[k].name == name; });
  }
  // A space with its alternatives.
  [[nodiscard]] std::string space(const std::string& name, u32 depth,
                                  const std::vector<std::string>& alternatives) const {
    std::string out =
        "space " + name + "(" + parameters + ") -> f64 depth " + std::to_string(depth) + " {\n";
    for (const std::string& alternative : alternatives) out += "    " + alternative + ",\n";
    return out + "}\n";
  }

  // One of these.
  [[nodiscard]] static std::string choice(const std::vector<std::string>& alternatives) {
    if (alternatives.size() == 1) return alternatives[0];
    std::string out = "?[";
    for (size_t k = 0; k < alternatives.size(); ++k) out += (k == 0 ? "" : ", ") + alternatives[k];
    return out + "]";
  }
  // The text of an operator (fit_operators.def).
  [[nodiscard]] static std::string with_operands(std::string_view text,
                                                 const std::string& operand) {
    std::string out;
    for (const char c : text)
      if (c == '@')
        out += operand;
      else
        out += c;
    return out;
  }

 private:
  const OperatorSet& operators_;
  std::set<std::string> taken_;
};

}  // namespace komuz::engine
