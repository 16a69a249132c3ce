// SPDX-License-Identifier: Apache-2.0
// A search for a good variant of a sketch that is open in an editor, for some seconds. How far it comes follows from
// the clock, and nothing else does.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "services/variants/rank_sketch.h"

namespace komuz::services {

struct SearchedSketch {
  std::string problem;  // why nothing was found; empty: something was
  std::string variant;  // its name, "#72"
  std::string score;    // in words
  u64 evaluated = 0;    // variants
};
// `on_progress`: told now and then, by the thread that calls, how many variants there were. Nothing: stopped.
[[nodiscard]] std::optional<SearchedSketch> search_sketch(
    const RankingQuestion& question, std::chrono::milliseconds time,
    const std::function<void(u64 evaluated)>& on_progress, const std::stop_token& stop);

}  // namespace komuz::services
