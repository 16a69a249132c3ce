// SPDX-License-Identifier: Apache-2.0
#include "services/charts/cells.h"
#include "services/charts/charts.h"
#include "services/charts/words.h"

namespace komuz::services {
namespace {

// Candidates that are better than all before them. The worst possible score, an infinite one, is no improvement.
std::vector<u64> improvements_of(const CandidateColumns& candidates) {
  std::vector<u64> found;
  f64 best = worst_score(candidates.better);
  for (u64 i = 0; i < candidates.scores.size(); ++i) {
    if (!is_better(candidates.scores[i], best, candidates.better)) continue;
    best = candidates.scores[i];
    found.push_back(i);
  }
  return found;
}

Scale score_scale(const Extent& extent, Better better) {
  constexpr f64 kDecades = 100;
  // Readers who follow a search look for ratios, even if a larger score is better.
  if (extent.count != 0 && extent.low > 0 && extent.high / kDecades > extent.low)
    return Scale(ScaleKind::Logarithmic, extent);
  return scale_of(extent, better);
}

}  // namespace

std::string draw_convergence(const CandidateColumns& candidates, std::string_view id) {
  const std::vector<u64> improvements = improvements_of(candidates);
  Extent looked_at, scores;
  looked_at.add(0);
  looked_at.add(static_cast<f64>(candidates.scores.size()));
  for (const u64 i : improvements) scores.add(candidates.scores[i]);
  Chart chart{.id = id,
              .title = "Best score so far",
              .x = {"candidates looked at", Scale(ScaleKind::Linear, looked_at)},
              .y = {score_label(candidates), score_scale(scores, candidates.better)}};
  const auto mark = [&](u64 i) {
    const f64 score = candidates.scores[i];
    return Mark{chart.x.scale.position(static_cast<f64>(i + 1)), chart.y.scale.position(score),
                score_title(candidates, i) + ", after " + counted(i + 1, "candidate"),
                !chart.y.scale.holds(score)};
  };
  Layer steps{LayerKind::Steps, "best so far", {}}, points{LayerKind::Chosen, {}, {}};
  Cells cells;
  f64 last_x = -1;
  for (const u64 i : improvements) {
    const Mark m = mark(i);
    cells.offer(m.x, m.y, i, [](u64 a, u64 b) { return a > b; });
    // Of the improvements in one column of pixels only the first, where the line enters, and the last are kept.
    const bool is_close = steps.marks.size() > 1 && (m.x - last_x) * kPlotWidth < 1;
    if (is_close) steps.marks.pop_back();
    if (!is_close) last_x = m.x;
    steps.marks.push_back(m);
  }
  for (const u64 i : cells.kept()) points.marks.push_back(mark(i));
  const u64 all = candidates.scores.size();
  if (points.marks.empty()) {
    chart.message = kNoScore;
    chart.description = "Of " + counted(all, "candidate") + ", no one has a finite score.";
  } else {
    const u64 best = improvements.back();
    std::string& note = chart.notes.emplace_back("best after " + grouped(best + 1) + " of " +
                                                 counted(all, "candidate") + ": " +
                                                 short_text(candidates.scores[best]));
    note += points.marks.size() == improvements.size()
                ? "; " + counted(improvements.size(), "improvement")
                : "; " + grouped(points.marks.size()) + " of " + grouped(improvements.size()) +
                      " improvements drawn";
    chart.description = "Best " + score_label(candidates) + " so far. After " +
                        counted(all, "candidate") + " it is that of " + points.marks.back().title +
                        ".";
  }
  chart.layers.push_back(std::move(steps));
  chart.layers.push_back(std::move(points));
  return write_svg(chart);
}

}  // namespace komuz::services
