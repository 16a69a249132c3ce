// SPDX-License-Identifier: Apache-2.0
// The text of a progress bar.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::services {

struct Progress {
  u64 done = 0;
  std::optional<u64> total;  // if known
  f64 fraction = -1;         // from 0 to 1, if known by other means; negative: unknown
  std::string_view noun;     // of several: "candidates"
  std::string best = {};     // the best score so far; empty: none
};
// "[=====     ] 1,234 of 10,000 candidates, best 0.25, 52,000/s, 12 s left" in at most so many columns. The noun is
// left out first; then counts are short, "1.23k of 10k, 52k/s, 12 s left"; then the rate, the time with the best
// score, and the bar are left out.
[[nodiscard]] std::string progress_text(const Progress& progress, f64 seconds, u32 columns);
// The same as a line for a file, without its end: "30 s: 1,234 of 10,000 candidates, 41/s, 4 min left", "0.4 s: no
// candidates yet". `since`: seconds since the beginning of the whole, of which this is a part.
[[nodiscard]] std::string progress_line(const Progress& progress, f64 seconds, f64 since);

}  // namespace komuz::services
