// SPDX-License-Identifier: Apache-2.0
// Numbers of a compiled program that may take other values without any other change of its code: each is loaded as it
// is, as an operand of an operation beside operands that are not known.
//
//   x * 2.5 + y     2.5 is free: with another number the code loads that one
//   2.0 * 2.5 * x   neither is free: 5.0 is loaded
//   x ** 3          3 is not free: it says how often x is loaded
//
// Of a value optimise.h asks whether it is neutral to the operation, whether a division by it is a product, and whether
// it equals another one, so that operations are shared. What a new value must not be is noted with each number.
#pragma once
#include <vector>

#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend {

struct FreeNumber {
  Index literal = 0;        // the node of its digits
  bool is_negated = false;  // a `-` before them belongs to it
  Scalar type = Scalar::None;
  u64 cell = 0;
  u16 neutral = 0;                // bits of Neutral that no value may have
  bool divides = false;           // no value may be a power of two
  u32 first_load = 0, loads = 0;  // in FreeNumbers::loads()
};

// A workspace.
class FreeNumbers {
 public:
  static constexpr u32 kMost = 32;

  // `c`: the columns of a program without errors and notes, which has code. The numbers are listed in source order, the
  // first kMost of them.
  void find(const Columns& c);
  [[nodiscard]] const std::vector<FreeNumber>& all() const { return all_; }
  // The nodes whose code loads them. A `let` variable that is such a number is loaded wherever it is used.
  [[nodiscard]] const std::vector<Index>& loads() const { return loads_; }
  // The values of all other literals that are loaded. Where operations differ in their numbers alone, the values of
  // all numbers, free or not, must differ.
  [[nodiscard]] const std::vector<u64>& other_values() const { return other_values_; }
  [[nodiscard]] bool must_differ() const { return must_differ_; }

 private:
  void take(const Columns& c, Index literal);
  // A subtree without the values of its numbers.
  struct Shape {
    u64 hash = 0;
    u32 numbers = 0;
  };
  [[nodiscard]] Shape shape_of(const Columns& c, Index i) const;
  [[nodiscard]] bool find_alike(const Columns& c);

  std::vector<FreeNumber> all_;
  std::vector<Index> loads_;
  std::vector<u64> other_values_;
  bool must_differ_ = false;
  std::vector<Shape> shapes_;      // by node
  std::vector<Index> operations_;  // that may be shared
};

}  // namespace komuz::frontend
