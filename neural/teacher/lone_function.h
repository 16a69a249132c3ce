// SPDX-License-Identifier: Apache-2.0
// An expression as a function of its slots, by itself.
#pragma once
#include <span>
#include <vector>

#include "neural/equal/equality.h"
#include "neural/teacher/expression.h"

namespace komuz::neural {

class LoneFunction {
 public:
  // The expression's slots are 0, 1, …, of these types.
  LoneFunction(const Expression& expression, std::span<const Scalar> slots);
  [[nodiscard]] ComparedFunction get() const { return {code_.view(), 0}; }
  // Rows of cells, one for each slot, that depend on the expression alone.
  [[nodiscard]] std::vector<std::vector<u64>> guided_inputs(u32 count) const;

 private:
  Code code_;
};

}  // namespace komuz::neural
