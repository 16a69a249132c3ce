// SPDX-License-Identifier: Apache-2.0
// The sketch in which formulas are looked for whose units are sound: only what has the same unit is added, functions
// such as `exp` take and give plain numbers, and the formula has the unit of the target. Factors that are any
// numbers are plain.
//
// There is a space for each unit and each depth, as spaces that expand one another in a circle are not allowed: an
// expression of depth k is made of such of depth k - 1. Units are those that few products, quotients, squares and
// roots of the inputs' units have.
#pragma once
#include <string>

#include "base/problem.h"
#include "engine/fit/fit_data.h"
#include "engine/fit/fit_sketch.h"

namespace komuz::engine {

// `data`: with units. A problem: no formula of these depths has the unit of the target.
Result<std::string> unit_sketch(const FitData& data, const FitSketchOptions& options);

}  // namespace komuz::engine
