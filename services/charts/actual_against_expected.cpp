// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "services/charts/cells.h"
#include "services/charts/text_chart.h"
#include "services/charts/words.h"

namespace komuz::services {
namespace {

// Both axes have the same scale, so that correct results lie on the diagonal. The scale covers the expected values,
// and actual ones that are not too far from them.
Scale common_scale(const CaseColumns& cases) {
  Extent extent = extent_of(cases.expected);
  const f64 reach = extent.count == 0 ? 0 : extent.high / 2 - extent.low / 2;
  const f64 low = extent.low - reach, high = extent.high + reach;
  for (const f64 actual : cases.actual)
    if (extent.count == 0 || low == high || (actual >= low && actual <= high)) extent.add(actual);
  return Scale(ScaleKind::Linear, extent);
}

}  // namespace

Chart actual_against_expected(const CaseColumns& cases, std::string_view id) {
  const Scale scale = common_scale(cases);
  Chart chart{.id = id,
              .title = "Actual against expected",
              .x = {"expected", scale},
              .y = {"actual", scale}};
  u64 numbers = 0, beyond = 0, right = 0;
  Cells cells;
  const auto error = [&](u64 i) { return std::abs(cases.actual[i] - cases.expected[i]); };
  const auto is_beyond = [&](u64 i) {
    return !scale.holds(cases.actual[i]) || !scale.holds(cases.expected[i]);
  };
  for (u64 i = 0; i < cases.expected.size(); ++i) {
    const f64 expected = cases.expected[i], actual = cases.actual[i];
    if (std::isnan(expected) || std::isnan(actual)) continue;
    ++numbers;
    beyond += is_beyond(i);
    right += expected == actual;
    // Readers look for the largest error.
    cells.offer(scale.position(expected), scale.position(actual), i,
                [&](u64 a, u64 b) { return error(a) > error(b); });
  }
  Layer points{LayerKind::Points, "cases", {}};
  for (const u64 i : cells.kept()) {
    const std::string name = cases.name ? cases.name(i) : "case " + grouped(i);
    points.marks.push_back({scale.position(cases.expected[i]), scale.position(cases.actual[i]),
                            name + ": expected " + shortest_text(cases.expected[i]) + ", got " +
                                shortest_text(cases.actual[i]),
                            is_beyond(i)});
  }
  const u64 drawn = points.marks.size(), without = cases.expected.size() - numbers;
  chart.notes =
      notes_of({"case", "the worst", "a number", "the axes"}, drawn, numbers, without, beyond);
  if (numbers == 0) chart.message = "no case has two numbers to compare";
  chart.description = "Actual against expected value of " + counted(numbers, "case") + "; " +
                      grouped(right) + " are equal.";
  chart.layers.push_back({LayerKind::Diagonal, "actual = expected", {}});
  chart.layers.push_back(std::move(points));
  return chart;
}

std::string draw_actual_against_expected(const CaseColumns& cases, std::string_view id) {
  return write_svg(actual_against_expected(cases, id));
}

}  // namespace komuz::services
