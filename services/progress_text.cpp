// SPDX-License-Identifier: Apache-2.0
#include "services/progress_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/counts.h"

namespace komuz::services {

namespace {

constexpr u32 kMostCells = 30, kLeastCells = 5;
constexpr f64 kMostSeconds = 1e7;  // a time of many months says nothing

// Two digits suffice for a rate that changes all the time.
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

// "123k", "1.23M": three digits, and what they count.
std::string short_count(u64 n) {
  constexpr std::string_view kUnits = " kMGTPE";
  f64 value = static_cast<f64>(n);
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  if (unit == 0) return std::to_string(n);
  char text[16];
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string out(text);
  while (digits > 0 && out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out + kUnits[unit];
}

// The parts of a progress line, by the room for it.
enum class Detail : u8 { All, NoNoun, ShortCounts, NoRate, CountsAlone };

std::string words_of(const Progress& progress, f64 fraction, f64 seconds, Detail detail) {
  const bool is_short = detail >= Detail::ShortCounts;
  const auto number = [&](u64 n) { return is_short ? short_count(n) : grouped(n); };
  // Before the first candidate, various other work is done.
  if (progress.done == 0 && !progress.total && detail == Detail::All)
    return "no " + std::string(progress.noun) + " yet";
  std::string text = number(progress.done);
  if (progress.total && *progress.total > 0) text += " of " + number(*progress.total);
  if (detail == Detail::All) text += " " + std::string(progress.noun);
  if (!progress.best.empty() && detail != Detail::CountsAlone) text += ", best " + progress.best;
  if (seconds <= 0 || progress.done == 0 || detail == Detail::CountsAlone) return text;
  if (detail != Detail::NoRate)
    text += ", " + number(rounded(static_cast<f64>(progress.done) / seconds)) + "/s";
  const f64 left = fraction > 0 ? seconds * (1 - fraction) / fraction : kMostSeconds;
  if (fraction > 0 && left < kMostSeconds) text += ", " + time_text(left) + " left";
  return text;
}

}  // namespace

namespace {

// Negative: unknown.
f64 fraction_of(const Progress& progress) {
  const bool has_total = progress.total && *progress.total > 0;
  return has_total ? static_cast<f64>(progress.done) / static_cast<f64>(*progress.total)
                   : progress.fraction;
}

}  // namespace

std::string progress_line(const Progress& progress, f64 seconds, f64 since) {
  // Below one second, tenths are informative, too.
  std::string time = time_text(std::floor(since));
  if (since < 1) time = "0." + std::to_string(static_cast<int>(since * 10)) + " s";
  return time + ": " + words_of(progress, fraction_of(progress), seconds, Detail::All);
}

std::string progress_text(const Progress& progress, f64 seconds, u32 columns) {
  const f64 fraction = fraction_of(progress);
  constexpr u32 kFrame = 3;  // of the bar
  const u32 least_bar = fraction >= 0 ? kFrame + kLeastCells : 0;
  std::string text;
  // The bar is worth more than the words that are left out for it.
  for (const u32 bar : {least_bar, 0u})
    for (const Detail detail :
         {Detail::All, Detail::NoNoun, Detail::ShortCounts, Detail::NoRate, Detail::CountsAlone}) {
      text = words_of(progress, fraction, seconds, detail);
      const auto used = static_cast<u32>(text.size());
      if (used + bar > columns) continue;
      if (bar == 0) return text;
      return bar_text(fraction, std::min(kMostCells, columns - used - kFrame)) + text;
    }
  return text.substr(0, columns);
}

}  // namespace komuz::services
