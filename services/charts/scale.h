// SPDX-License-Identifier: Apache-2.0
// Scales: they map values to places on an axis, and give its ticks.
//
//   Linear            v
//   Logarithmic       log10 v, for positive values
//   SymmetricLog      ±log10(1 + |v| / c), for any: zero is a third of a decade before c, the smallest magnitude
//
// Values beyond the ends of a scale, including infinite ones, are drawn at its ends.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

enum class Better : u8 { Smaller, Larger };

// The extent of the finite ones among some values.
struct Extent {
  u64 count = 0;
  f64 low = 0, high = 0;
  f64 smallest = 0;  // smallest nonzero magnitude; 0: there is none
  void add(f64 value);
};
[[nodiscard]] Extent extent_of(std::span<const f64> values);

enum class ScaleKind : u8 { Linear, Logarithmic, SymmetricLog };

struct Tick {
  f64 at = 0;         // 0: the low end, 1: the high one
  std::string label;  // empty: a small one
};

class Scale {
 public:
  // From 0 to 1.
  Scale() : Scale(ScaleKind::Linear, {2, 0, 1, 1}) {}
  // Shows the extent's ends a little inside of the ends of the axis.
  Scale(ScaleKind kind, const Extent& extent);

  // From 0 to 1, also for infinite values; not for NaN.
  [[nodiscard]] f64 position(f64 value) const;
  // True if the value lies within the scale.
  [[nodiscard]] bool holds(f64 value) const;
  [[nodiscard]] std::span<const Tick> ticks() const { return ticks_; }

 private:
  [[nodiscard]] f64 transformed(f64 value) const;
  void set_linear(const Extent& extent);
  void set_logarithmic(const Extent& extent);

  ScaleKind kind_;
  f64 unit_ = 1;  // c
  // The transformed ends of the axis, and of the values shown.
  f64 first_ = 0, last_ = 1;
  f64 least_ = 0, most_ = 1;
  std::vector<Tick> ticks_;
};

// Shows the whole extent. Logarithmic if the values have one sign, the better ones are nearer to zero, and they span
// more than two decades.
[[nodiscard]] Scale scale_of(const Extent& extent, Better better);
// The same without the worst values, if a few of them are so far off that the others could not be told apart.
[[nodiscard]] Scale scale_without_outliers(std::span<const f64> values, Better better);

}  // namespace komuz::services
