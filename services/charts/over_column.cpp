// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "services/charts/cells.h"
#include "services/charts/text_chart.h"
#include "services/charts/words.h"

namespace komuz::services {
namespace {

bool is_point(f64 x, f64 y) { return std::isfinite(x) && std::isfinite(y); }

// The highest of the points that share a place in the plot is kept.
std::vector<u64> shown_points(std::span<const f64> xs, std::span<const f64> ys,
                              const Chart& chart) {
  auto cells = std::make_unique<Cells>();
  for (u64 i = 0; i < ys.size(); ++i)
    if (is_point(xs[i], ys[i]))
      cells->offer(chart.x.scale.position(xs[i]), chart.y.scale.position(ys[i]), i,
                   [&](u64 a, u64 b) { return ys[a] > ys[b]; });
  return cells->kept();
}

Layer layer_of(LayerKind kind, std::string_view label, std::span<const f64> xs,
               std::span<const f64> ys, const Chart& chart) {
  Layer layer{kind, std::string(label), {}};
  for (const u64 i : shown_points(xs, ys, chart))
    layer.marks.push_back({chart.x.scale.position(xs[i]),
                           chart.y.scale.position(ys[i]),
                           {},
                           !chart.y.scale.holds(ys[i])});
  return layer;
}

}  // namespace

Chart over_column(const ColumnPoints& points, std::string_view id) {
  Extent across, up;
  u64 drawn = 0;
  for (u64 i = 0; i < points.expected.size(); ++i) {
    if (!is_point(points.column[i], points.expected[i])) continue;
    across.add(points.column[i]);
    up.add(points.expected[i]);
    ++drawn;
  }
  // Values that are far off do not flatten the rest, as in the chart of actual against expected results.
  const f64 reach = up.count == 0 ? 0 : up.high / 2 - up.low / 2;
  const f64 low = up.low - reach, high = up.high + reach;
  u64 beyond = 0;
  for (u64 i = 0; i < points.actual.size(); ++i) {
    if (!is_point(points.column[i], points.actual[i])) continue;
    across.add(points.column[i]);
    const bool is_near =
        up.count == 0 || low == high || (points.actual[i] >= low && points.actual[i] <= high);
    if (is_near)
      up.add(points.actual[i]);
    else
      ++beyond;
  }
  const std::string name(points.expected_name), column(points.column_name);
  Chart chart{.id = id,
              .title = name + " over " + column,
              .x = {column, Scale(ScaleKind::Linear, across)},
              .y = {name, Scale(ScaleKind::Linear, up)}};
  if (across.count == 0) chart.message = "no case has two numbers to draw";
  chart.layers.push_back(layer_of(LayerKind::Points, {}, points.column, points.expected, chart));
  chart.layers.push_back(
      layer_of(LayerKind::Chosen, points.program, points.column, points.actual, chart));
  chart.notes.push_back(counted(drawn, "case"));
  if (!points.actual.empty() && points.actual.size() < points.expected.size())
    chart.notes.push_back(std::string(points.program) + " is drawn for the first " +
                          counted(points.actual.size(), "case"));
  if (beyond != 0) chart.notes.push_back(grouped(beyond) + " beyond the axis");
  return chart;
}

}  // namespace komuz::services
