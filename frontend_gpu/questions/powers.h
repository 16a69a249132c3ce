// SPDX-License-Identifier: Apache-2.0
// `x ** 3` of floats. If the exponent is written as an integer from 2 to 8, the power is a product, x * x * x, from
// left to right.
#pragma once
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/questions/paths.h"
#include "frontend_gpu/text/literal.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kLeastFactors = 2, kMostFactors = 8;

HD Index exponent_of(const Columns& c, Index power) {
  return inside_parentheses(c, c.right[power]);
}

// The number of factors of a power; 0: its exponent is not written that way.
HD_COLD u32 written_factors(const Columns& c, Index power) {
  const Index exponent = exponent_of(c, power);
  if (node_kind(c, exponent) != Node::Int) return 0;
  const Literal value =
      integer_literal(node_text(c, exponent), node_length(c, exponent), Scalar::U32, false);
  const bool fits = value.error == DiagnosticCode::None && value.cell >= kLeastFactors &&
                    value.cell <= kMostFactors;
  return fits ? static_cast<u32>(value.cell) : 0;
}

// True if the power is a product. The types of the program have been checked.
HD bool is_product(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Pow && (c.tails[exponent_of(c, i)] & kFactors) != 0;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
