// SPDX-License-Identifier: Apache-2.0
#include "services/charts/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lang/ops/math/log.h"
#include "services/charts/number_text.h"

namespace komuz::services {
namespace {

constexpr f64 kDecades = 100;  // from this ratio on a scale is logarithmic

// Not libm's, whose last bits differ between machines.
f64 log10_of(f64 value) { return log_lanes<LogBase::Ten>(value); }

f64 best_of(const Extent& e, Better better) { return better == Better::Smaller ? e.low : e.high; }
f64 worst_of(const Extent& e, Better better) { return better == Better::Smaller ? e.high : e.low; }

bool is_logarithmic(const Extent& extent, Better better) {
  const bool has_one_sign = better == Better::Smaller ? extent.low >= 0 : extent.high <= 0;
  return has_one_sign && extent.smallest != 0 &&
         std::abs(worst_of(extent, better)) / kDecades > extent.smallest;
}

// Moves the ends apart, so that there are ticks, but not so far that their difference overflows.
void widen(f64& low, f64& high) {
  constexpr f64 kMost = std::numeric_limits<f64>::max() / 4;
  constexpr f64 kLeastShare = 1e-6;  // of the values: no more digits fit a label
  low = std::clamp(low, -kMost, kMost);
  high = std::clamp(high, -kMost, kMost);
  const f64 size = std::max(std::abs(low), std::abs(high));
  const f64 least = std::max(size * kLeastShare, std::numeric_limits<f64>::min() * 1e6);
  if (high - low >= least) return;
  const f64 by = size == 0 ? 1 : low == high ? size / 10 : least;
  low -= std::max(by, std::numeric_limits<f64>::min() * 1e6);
  high += std::max(by, std::numeric_limits<f64>::min() * 1e6);
}

// 1, 2 or 5 times a power of ten, for at most about `most` steps.
Decimal nice_step(f64 span, u32 most) {
  const f64 step = span / most;
  const i32 exponent = floor_log10(step);
  for (const i64 multiple : {1, 2, 5})
    if (decimal_value({multiple, exponent}) >= step) return {multiple, exponent};
  return {1, exponent + 1};
}

}  // namespace

void Extent::add(f64 value) {
  if (!std::isfinite(value)) return;
  low = count == 0 ? value : std::min(low, value);
  high = count == 0 ? value : std::max(high, value);
  const f64 size = std::abs(value);
  if (size != 0 && (smallest == 0 || size < smallest)) smallest = size;
  ++count;
}

Extent extent_of(std::span<const f64> values) {
  Extent extent;
  for (const f64 value : values) extent.add(value);
  return extent;
}

Scale::Scale(ScaleKind kind, const Extent& extent) : kind_(kind) {
  if (kind == ScaleKind::Linear || extent.smallest == 0) {
    kind_ = ScaleKind::Linear;
    set_linear(extent);
  } else {
    set_logarithmic(extent);
  }
}

f64 Scale::transformed(f64 value) const {
  switch (kind_) {
    case ScaleKind::Linear: return value;
    case ScaleKind::Logarithmic: return log10_of(value);
    case ScaleKind::SymmetricLog: {
      // If 1 is lost in the sum, it need not be added, and the quotient could overflow.
      constexpr f64 kLarge = 1e15;
      const f64 ratio = std::abs(value) / unit_;
      const f64 size =
          ratio < kLarge ? log10_of(1 + ratio) : log10_of(std::abs(value)) - log10_of(unit_);
      return value < 0 ? -size : size;
    }
  }
  return value;
}

void Scale::set_linear(const Extent& extent) {
  constexpr u32 kMostSteps = 6;
  f64 low = extent.low, high = extent.high;
  widen(low, high);
  const Decimal step = nice_step(high - low, kMostSteps);
  const f64 width = decimal_value(step);
  const i64 begin = static_cast<i64>(std::floor(low / width));
  const i64 end = static_cast<i64>(std::ceil(high / width));
  const auto tick = [&](i64 k) { return Decimal{k * step.multiple, step.exponent}; };
  least_ = extent.low;
  most_ = extent.high;
  first_ = decimal_value(tick(begin));
  last_ = decimal_value(tick(end));
  constexpr f64 kMostPlain = 1e7;
  constexpr i32 kLeastPlainExponent = -6;
  const bool is_plain = std::max(std::abs(first_), std::abs(last_)) < kMostPlain &&
                        step.exponent >= kLeastPlainExponent;
  for (i64 k = begin; k <= end; ++k)
    ticks_.push_back({position(decimal_value(tick(k))), decimal_text(tick(k), is_plain)});
}

void Scale::set_logarithmic(const Extent& extent) {
  constexpr i32 kMostLabels = 6;
  constexpr f64 kMargin = 0.03;
  // A subnormal unit would make quotients overflow.
  unit_ = std::max(extent.smallest, std::numeric_limits<f64>::min());
  least_ = transformed(extent.low);
  most_ = transformed(extent.high);
  const f64 margin = (most_ - least_) * kMargin;
  first_ = least_ - margin;
  last_ = most_ + margin;
  const f64 largest = std::max(std::abs(extent.low), std::abs(extent.high));
  const i32 begin = floor_log10(unit_), end = floor_log10(largest) + 1;
  const bool is_plain = begin >= -4 && end <= 6;
  const i32 sides = extent.low < 0 && extent.high > 0 ? 2 : 1;
  const i32 stride = std::max(1, ((end - begin) * sides + kMostLabels - 1) / kMostLabels);
  const auto add = [&](f64 value, std::string label) {
    if (const f64 at = transformed(value); at >= first_ && at <= last_)
      ticks_.push_back({position(value), std::move(label)});
  };
  if (kind_ == ScaleKind::SymmetricLog) add(0, "0");
  for (i32 exponent = begin; exponent <= end; ++exponent) {
    const f64 value = decimal_value({1, exponent});
    // Labels are at multiples of the stride, so that they do not move with the smallest value.
    const bool has_label = (exponent % stride + stride) % stride == 0;
    const std::string label = has_label ? power_text(exponent, is_plain) : std::string();
    if (extent.high > 0) add(value, label);
    if (extent.low < 0) add(-value, has_label ? "−" + label : label);
    if (stride > 1) continue;
    for (i64 k = 2; k <= 9; ++k) {
      const f64 between = decimal_value({k, exponent});
      if (extent.high > 0) add(between, {});
      if (extent.low < 0) add(-between, {});
    }
  }
  std::ranges::sort(ticks_, {}, &Tick::at);
}

f64 Scale::position(f64 value) const {
  if (std::isinf(value)) return value < 0 ? 0 : 1;
  if (kind_ == ScaleKind::Logarithmic && value <= 0) return 0;
  return std::clamp((transformed(value) - first_) / (last_ - first_), 0.0, 1.0);
}

bool Scale::holds(f64 value) const {
  if (!std::isfinite(value) || (kind_ == ScaleKind::Logarithmic && value <= 0)) return false;
  const f64 at = transformed(value);
  return at >= least_ && at <= most_;
}

Scale scale_of(const Extent& extent, Better better) {
  if (!is_logarithmic(extent, better)) return Scale(ScaleKind::Linear, extent);
  return Scale(extent.low > 0 ? ScaleKind::Logarithmic : ScaleKind::SymmetricLog, extent);
}

Scale scale_without_outliers(std::span<const f64> values, Better better) {
  constexpr size_t kLeastValues = 20, kOutliers = 50;  // at most one in so many is an outlier
  constexpr f64 kFar = 100, kFarLinear = 4;            // times as far from the best one
  const Extent all = extent_of(values);
  if (all.count < kLeastValues) return scale_of(all, better);
  std::vector<f64> badness;
  badness.reserve(all.count);
  for (const f64 value : values)
    if (std::isfinite(value)) badness.push_back(better == Better::Smaller ? value : -value);
  const auto last = badness.end() - 1 - static_cast<i64>(badness.size() / kOutliers);
  std::nth_element(badness.begin(), last, badness.end());
  Extent usual = all;
  (better == Better::Smaller ? usual.high : usual.low) = better == Better::Smaller ? *last : -*last;
  // Uses halves, whose differences do not overflow.
  const auto way_to_worst = [&](const Extent& e) {
    return std::abs(worst_of(e, better) / 2 - best_of(e, better) / 2);
  };
  const f64 far = is_logarithmic(usual, better) ? kFar : kFarLinear;
  const bool has_outliers =
      way_to_worst(usual) != 0 && way_to_worst(all) / far > way_to_worst(usual);
  return scale_of(has_outliers ? usual : all, better);
}

}  // namespace komuz::services
