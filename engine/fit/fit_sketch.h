// SPDX-License-Identifier: Apache-2.0
// The sketch in which formulas for data are looked for.
//
//   term        an expression of the inputs, of any operations
//   sum         factors times terms, added
//   polynomial  factors times products of inputs, added
//
// A formula is one of these, or a quotient or a product of two. Factors are any numbers (`?(real)`), which a search
// finds by least squares: so sums of many terms cost it little. Operations that are not asked for are left out, and so
// is what cannot be written without them.
#pragma once
#include <string>

#include "engine/fit/fit_data.h"
#include "engine/fit/fit_operators.h"

namespace komuz::engine {

struct FitSketchOptions {
  OperatorSet operators = default_operators();
  u32 depth = 4;  // of terms
  // The formula has a factor and a summand of its own, for scores that fit no line.
  bool has_line = false;
};

// A program with one function, which has the name of the target and a parameter for each input, and with spaces.
[[nodiscard]] std::string fit_sketch(const FitData& data, const FitSketchOptions& options);

// The name of the target's function, which no input has.
[[nodiscard]] std::string function_name(const FitData& data);

}  // namespace komuz::engine
