// SPDX-License-Identifier: Apache-2.0
// What charts of candidates say in words.
#pragma once
#include <limits>
#include <string>

#include "base/counts.h"
#include "services/charts/charts.h"
#include "services/charts/number_text.h"

namespace komuz::services {

[[nodiscard]] inline bool is_better(f64 a, f64 b, Better better) {
  return better == Better::Smaller ? a < b : a > b;
}
// What every other score is better than, or equal to.
[[nodiscard]] inline f64 worst_score(Better better) {
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  return better == Better::Smaller ? kInfinity : -kInfinity;
}
// "score (smaller is better)"
[[nodiscard]] inline std::string score_label(const CandidateColumns& candidates) {
  return std::string(candidates.score_name) +
         (candidates.better == Better::Smaller ? " (smaller is better)" : " (larger is better)");
}
// "c7: score 0.25"
[[nodiscard]] inline std::string score_title(const CandidateColumns& candidates, u64 index) {
  const std::string name = candidates.name ? candidates.name(index) : "candidate " + grouped(index);
  return name + ": " + std::string(candidates.score_name) + " " +
         shortest_text(candidates.scores[index]);
}
inline constexpr std::string_view kNoScore = "no candidate has a finite score";

}  // namespace komuz::services
