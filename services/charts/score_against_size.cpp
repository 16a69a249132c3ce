// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include "services/charts/cells.h"
#include "services/charts/text_chart.h"
#include "services/charts/words.h"

namespace komuz::services {
namespace {

// Candidates by size, each better than all smaller ones. The worst possible score is no improvement.
using Front = std::map<u64, u64>;

Front front_of(const CandidateColumns& candidates) {
  Front front;
  const auto beats = [&](u64 a, u64 b) {
    return is_better(candidates.scores[a], candidates.scores[b], candidates.better);
  };
  for (u64 i = 0; i < candidates.scores.size(); ++i) {
    if (!is_better(candidates.scores[i], worst_score(candidates.better), candidates.better))
      continue;
    auto next = front.upper_bound(candidates.sizes[i]);
    if (next != front.begin() && !beats(i, std::prev(next)->second)) continue;
    next = front.insert_or_assign(candidates.sizes[i], i).first;
    for (++next; next != front.end() && !beats(next->second, i);) next = front.erase(next);
  }
  return front;
}

struct Plot {
  const CandidateColumns& candidates;
  const Scale &x, &y;

  [[nodiscard]] f64 x_of(u64 i) const { return x.position(static_cast<f64>(candidates.sizes[i])); }
  [[nodiscard]] f64 y_of(u64 i) const { return y.position(candidates.scores[i]); }
  [[nodiscard]] Mark mark(u64 i) const {
    return {x_of(i), y_of(i),
            score_title(candidates, i) + ", " + counted(candidates.sizes[i], "byte"),
            !y.holds(candidates.scores[i])};
  }
};

// Makes as many marks as the plot has room for.
template <class Indices>
std::vector<Mark> thinned(const Plot& plot, const Indices& indices) {
  Cells cells;
  for (const u64 i : indices)
    cells.offer(plot.x_of(i), plot.y_of(i), i, [&](u64 a, u64 b) {
      return is_better(plot.candidates.scores[a], plot.candidates.scores[b],
                       plot.candidates.better);
    });
  std::vector<Mark> marks;
  for (const u64 i : cells.kept()) marks.push_back(plot.mark(i));
  return marks;
}

}  // namespace

Chart score_against_size(const CandidateColumns& candidates, std::string_view id) {
  std::vector<u64> scored;
  Extent sizes;
  u64 beyond = 0;
  for (u64 i = 0; i < candidates.scores.size(); ++i) {
    if (std::isnan(candidates.scores[i])) continue;
    scored.push_back(i);
    sizes.add(static_cast<f64>(candidates.sizes[i]));
  }
  Chart chart{
      .id = id,
      .title = "Score against size",
      .x = {"code size in bytes", scale_of(sizes, Better::Smaller)},
      .y = {score_label(candidates), scale_without_outliers(candidates.scores, candidates.better)}};
  const Plot plot{candidates, chart.x.scale, chart.y.scale};
  for (const u64 i : scored) beyond += !plot.y.holds(candidates.scores[i]);
  const Front front = front_of(candidates);
  std::vector<u64> chosen;
  for (const auto& [size, i] : front) chosen.push_back(i);
  std::ranges::sort(chosen);

  Layer points{LayerKind::Points, "candidates", thinned(plot, scored)};
  Layer front_points{LayerKind::Chosen, {}, thinned(plot, chosen)};
  // The line needs the points in the order of size.
  std::ranges::sort(front_points.marks, {}, &Mark::x);
  Layer steps{LayerKind::Steps, "Pareto front", front_points.marks};

  const u64 drawn = points.marks.size(), without = candidates.scores.size() - scored.size();
  chart.notes = notes_of({"candidate", "the best", "a score", "the axis"}, drawn, scored.size(),
                         without, beyond);
  if (extent_of(candidates.scores).count == 0) chart.message = kNoScore;
  chart.description = score_label(candidates) + " against code size of " +
                      counted(scored.size(), "candidate") + ".";
  if (!front.empty())
    chart.description += " On the Pareto front: " + grouped(front.size()) + ", from " +
                         plot.mark(front.begin()->second).title + " to " +
                         plot.mark(front.rbegin()->second).title + ".";
  for (Layer* layer : {&points, &steps, &front_points}) chart.layers.push_back(std::move(*layer));
  return chart;
}

std::string draw_score_against_size(const CandidateColumns& candidates, std::string_view id) {
  return write_svg(score_against_size(candidates, id));
}

}  // namespace komuz::services
