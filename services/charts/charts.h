// SPDX-License-Identifier: Apache-2.0
// Charts of an evaluation: columns of numbers in, self-contained SVG out. Equal numbers are equal bytes, on any machine and at
// any time. A drawing has a bounded size however many points there are: it says how many of how many are drawn.
// Knows neither programs nor reports.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "services/charts/scale.h"

namespace komuz::services {

// What a point is called, by its number; asked of those alone that are drawn.
using PointName = std::function<std::string(u64)>;

// A score is NaN where there is none. Infinite ones stand at the edge.
struct CandidateColumns {
  std::span<const f64> scores = {};
  std::span<const u64> sizes = {};  // bytes of code; as many
  Better better = Better::Smaller;
  std::string_view score_name = "score";
  PointName name = {};
};

// Score against size, with the Pareto front: what no other candidate beats in one without losing in the other.
// `id` is that of the drawing in its page.
[[nodiscard]] std::string draw_score_against_size(const CandidateColumns& candidates,
                                                  std::string_view id = "size");

// The best score so far against the number of candidates looked at, which are in that order. Needs no sizes.
[[nodiscard]] std::string draw_convergence(const CandidateColumns& candidates,
                                           std::string_view id = "convergence");

// What a program gave against what was expected, a point a case. What is no number has no point.
struct CaseColumns {
  std::span<const f64> expected = {}, actual = {};  // as many of both
  PointName name = {};
};
[[nodiscard]] std::string draw_actual_against_expected(const CaseColumns& cases,
                                                       std::string_view id = "fit");

// Drawings of the functions above as one, each below the one before it.
[[nodiscard]] std::string stack_drawings(std::span<const std::string> drawings);

}  // namespace komuz::services
