// SPDX-License-Identifier: Apache-2.0
#include "services/progress_text.h"

#include <algorithm>
#include <cmath>

#include "base/counts.h"

namespace komuz::services {

namespace {

constexpr u32 kMostCells = 30, kLeastCells = 5;
constexpr f64 kMostSeconds = 1e7;  // a time that is longer than months says nothing

// Two digits are enough of a rate that changes all the time.
u64 rounded(f64 value) {
  const f64 unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(value, 1.0))) - 1));
  return static_cast<u64>(std::round(value / unit) * unit);
}

std::string time_text(f64 seconds) {
  const auto whole = static_cast<u64>(std::ceil(seconds));
  constexpr u64 kMinute = 60, kHour = 3600;
  if (whole < 2 * kMinute) return std::to_string(whole) + " s";
  if (whole < 2 * kHour) return std::to_string((whole + kMinute - 1) / kMinute) + " min";
  return grouped((whole + kHour - 1) / kHour) + " h";
}

std::string bar_text(f64 fraction, u32 cells) {
  const auto full = static_cast<u32>(std::clamp(fraction, 0.0, 1.0) * cells);
  return "[" + std::string(full, '=') + std::string(cells - full, ' ') + "] ";
}

}  // namespace

std::string progress_text(const Progress& progress, f64 seconds, u32 columns) {
  const bool has_total = progress.total && *progress.total > 0;
  const f64 fraction = has_total
                           ? static_cast<f64>(progress.done) / static_cast<f64>(*progress.total)
                           : progress.fraction;
  std::string text = grouped(progress.done);
  if (has_total) text += " of " + grouped(*progress.total);
  text += " " + std::string(progress.noun);
  std::string speed;
  if (seconds > 0 && progress.done > 0) {
    speed = ", " + grouped(rounded(static_cast<f64>(progress.done) / seconds)) + "/s";
    const f64 left = fraction > 0 ? seconds * (1 - fraction) / fraction : kMostSeconds;
    if (fraction > 0 && left < kMostSeconds) speed += ", " + time_text(left) + " left";
  }
  constexpr u32 kFrame = 3;  // of the bar
  const auto least = static_cast<u32>(text.size()) + (fraction >= 0 ? kFrame + kLeastCells : 0);
  if (least + speed.size() <= columns) text += speed;
  const auto used = static_cast<u32>(text.size()) + kFrame;
  if (fraction >= 0 && used + kLeastCells <= columns)
    text.insert(0, bar_text(fraction, std::min(kMostCells, columns - used)));
  return text.substr(0, columns);
}

}  // namespace komuz::services
