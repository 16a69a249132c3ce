// SPDX-License-Identifier: Apache-2.0
// Tokens → one expression of Komuz, by the precedences of the format. One parser for all formats, with a stack of what is open: it
// calls itself never.
#pragma once
#include <functional>

#include "services/import/define_functions.h"
#include "services/import/tokens.h"
#include "services/import/written.h"

namespace komuz::services {

// How deeply brackets, calls and operators may stand in each other.
inline constexpr u32 kMostFormulaDepth = 200;

struct FormulaQuestion {
  FormulaFormat format = FormulaFormat::Sympy;
  const FormulaLine& line;
  const FormulaTokens& tokens;
  // The parameter that an input has become; empty: the name is no input.
  std::function<std::string_view(std::string_view name)> parameter;
  std::span<const DefinedFunction> defined = {};  // which hide those of the format
};

// A number, and no truth value.
[[nodiscard]] Result<Written> read_formula(const FormulaQuestion& question);

}  // namespace komuz::services
