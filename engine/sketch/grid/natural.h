// SPDX-License-Identifier: Apache-2.0
// Natural numbers of any size, for exact points of grids.
#pragma once
#include <compare>
#include <vector>

#include "base/ints.h"

namespace komuz::engine {

class Natural {
 public:
  Natural() = default;
  explicit Natural(u64 value);

  [[nodiscard]] bool is_zero() const { return words_.empty(); }
  [[nodiscard]] i32 bits() const;  // of zero 0

  void multiply(u32 factor);
  void multiply_by_power_of_ten(i32 power);  // 0 or more
  void shift_left(i32 bits);                 // 0 or more
  void add(const Natural& other);
  void subtract(const Natural& other);  // which is not larger

  bool operator==(const Natural&) const = default;
  std::strong_ordering operator<=>(const Natural& other) const;

 private:
  void trim();

  std::vector<u32> words_;  // the lowest first; the highest is not 0
};

}  // namespace komuz::engine
