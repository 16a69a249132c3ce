// SPDX-License-Identifier: Apache-2.0
// The operations of fit_operators.def, and sets of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace komuz::engine {

enum class OperatorGroup : u8 { Together, Function };
enum class OperatorUnits : u8 { Same, Product, Quotient, Square, Root, Plain, Keep, Choice };

struct Operator {
  std::string_view name;
  OperatorGroup group;
  std::string_view text;
  bool is_default;
  bool takes_sums;  // see `sums`
  OperatorUnits units;
};

inline constexpr Operator kOperators[] = {
#define OPERATOR(name, Group, text, is_default, sums, Units) \
  {name, OperatorGroup::Group, text, is_default != 0, sums != 0, OperatorUnits::Units},
#include "engine/fit/fit_operators.def"
};

// Numbers of rows of kOperators, in their order.
using OperatorSet = std::vector<u32>;
[[nodiscard]] OperatorSet default_operators();
// Names with blanks or commas between them, such as "+ - * exp"; `^` alone stands for any power.
Result<OperatorSet> read_operators(std::string_view text);
// "+ - * /"
[[nodiscard]] std::string operators_text(const OperatorSet& operators);

}  // namespace komuz::engine
