// SPDX-License-Identifier: Apache-2.0
// Units of measurement: what may be added to what, and what a product or a root has.
#pragma once
#include <compare>
#include <map>
#include <string>
#include <string_view>

#include "base/problem.h"

namespace komuz::engine {

// A product of powers of base units. Exponents are counted in quarters, which two square roots make.
class Unit {
 public:
  static constexpr i32 kOne = 4;  // the exponent 1

  [[nodiscard]] bool is_plain() const { return exponents_.empty(); }
  // By base unit, in quarters.
  [[nodiscard]] const std::map<std::string, i32>& exponents() const { return exponents_; }
  [[nodiscard]] Unit times(const Unit& other) const { return with(other, 1); }
  [[nodiscard]] Unit over(const Unit& other) const { return with(other, -1); }
  [[nodiscard]] Unit squared() const { return times(*this); }
  // False: the exponents are no quarters.
  [[nodiscard]] bool root(Unit& out) const;
  void multiply(const std::string& base, i32 quarters);
  // The sum of the sizes of all exponents, in quarters.
  [[nodiscard]] i32 weight() const;
  // "kg m^2 s^-2", "m^(1/2)", "1".
  [[nodiscard]] std::string text() const;

  bool operator==(const Unit&) const = default;
  auto operator<=>(const Unit&) const = default;

 private:
  [[nodiscard]] Unit with(const Unit& other, i32 sign) const;

  std::map<std::string, i32> exponents_;  // none is 0
};

// "m/s", "kg*m^2/s^2", "kg m s^-2", "N/m", "1": factors with blanks, `*`, `·` or `/` between them. `/` is about one
// factor.
Result<Unit> read_unit(std::string_view text);

}  // namespace komuz::engine
