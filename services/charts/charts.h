// SPDX-License-Identifier: Apache-2.0
// Charts of an evaluation: columns of numbers in, self-contained SVG out. Equal numbers give equal bytes, on any
// machine and at any time. A drawing has a bounded size for any number of points: it says how many of how many are
// drawn. Knows neither programs nor reports.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "services/charts/scale.h"

namespace komuz::services {

// The name of a point, by its number; called only for points that are drawn.
using PointName = std::function<std::string(u64)>;

// A missing score is NaN. Infinite scores are drawn at the edge.
struct CandidateColumns {
  std::span<const f64> scores = {};
  std::span<const u64> sizes = {};  // bytes of code; as many
  Better better = Better::Smaller;
  std::string_view score_name = "score";
  PointName name = {};
};

// Draws score against size, with the Pareto front: candidates that no other one beats in one respect without losing
// in the other. `id` is the drawing's id in its page.
[[nodiscard]] std::string draw_score_against_size(const CandidateColumns& candidates,
                                                  std::string_view id = "size");

// Draws the best score so far against the number of candidates, which are in the order in which they were looked at.
// Needs no sizes.
[[nodiscard]] std::string draw_convergence(const CandidateColumns& candidates,
                                           std::string_view id = "convergence");

// A program's actual results against the expected ones: a point for each case. Cases without numbers have no point.
struct CaseColumns {
  std::span<const f64> expected = {}, actual = {};  // as many of both
  PointName name = {};
  // What is expected is one of two classes, and what is actual above 0 for the second.
  bool is_of_classes = false;
};
[[nodiscard]] std::string draw_actual_against_expected(const CaseColumns& cases,
                                                       std::string_view id = "fit");

// Joins drawings of the functions above, one below the other.
[[nodiscard]] std::string stack_drawings(std::span<const std::string> drawings);

}  // namespace komuz::services
