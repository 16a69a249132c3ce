// SPDX-License-Identifier: Apache-2.0
// The words in charts of candidates.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "base/counts.h"
#include "services/charts/charts.h"
#include "services/charts/number_text.h"

namespace komuz::services {

[[nodiscard]] inline bool is_better(f64 a, f64 b, Better better) {
  return better == Better::Smaller ? a < b : a > b;
}
// The score that no other score is worse than.
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
// The counts of drawn, omitted and moved points, for the note below a chart.
struct NoteWords {
  std::string_view noun, kept, missing, axis;  // candidate, the best, a score, the axis
};
[[nodiscard]] inline std::vector<std::string> notes_of(const NoteWords& words, u64 drawn, u64 all,
                                                       u64 without, u64 beyond) {
  std::vector<std::string> notes;
  notes.push_back(drawn == all ? counted(all, words.noun) + " drawn"
                               : grouped(drawn) + " of " + counted(all, words.noun) + " drawn: " +
                                     std::string(words.kept) + " in each 4 × 4 pixels");
  std::string& rest = notes.emplace_back();
  if (without != 0) rest += grouped(without) + " without " + std::string(words.missing);
  if (without != 0 && beyond != 0) rest += "; ";
  if (beyond != 0)
    rest += grouped(beyond) + " beyond " + std::string(words.axis) + ", hollow at the edge";
  if (rest.empty()) notes.pop_back();
  return notes;
}
inline constexpr std::string_view kNoScore = "no candidate has a finite score";

}  // namespace komuz::services
