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
  const bool is_of_classes = cases.is_of_classes;
  const Scale across =
      is_of_classes ? Scale(ScaleKind::Linear, extent_of(cases.expected)) : common_scale(cases);
  const Scale up =
      is_of_classes ? Scale(ScaleKind::Linear, extent_of(cases.actual)) : common_scale(cases);
  Chart chart{.id = id,
              .title = is_of_classes ? "Predicted against measured class: above 0 is class 1"
                                     : "Actual against expected",
              .x = {is_of_classes ? "measured" : "expected", across},
              .y = {is_of_classes ? "predicted" : "actual", up}};
  u64 numbers = 0, beyond = 0, right = 0;
  Cells cells;
  const auto is_right = [&](u64 i) {
    return is_of_classes ? (cases.actual[i] > 0) == (cases.expected[i] > 0)
                         : cases.expected[i] == cases.actual[i];
  };
  const auto error = [&](u64 i) {
    if (!is_of_classes) return std::abs(cases.actual[i] - cases.expected[i]);
    return is_right(i) ? 0 : std::abs(cases.actual[i]);
  };
  const auto is_beyond = [&](u64 i) {
    return !up.holds(cases.actual[i]) || !across.holds(cases.expected[i]);
  };
  for (u64 i = 0; i < cases.expected.size(); ++i) {
    const f64 expected = cases.expected[i], actual = cases.actual[i];
    if (std::isnan(expected) || std::isnan(actual)) continue;
    ++numbers;
    beyond += is_beyond(i);
    right += is_right(i);
    // Readers look for the largest error.
    cells.offer(across.position(expected), up.position(actual), i,
                [&](u64 a, u64 b) { return error(a) > error(b); });
  }
  Layer points{LayerKind::Points, "cases", {}};
  for (const u64 i : cells.kept()) {
    const std::string name = cases.name ? cases.name(i) : "case " + grouped(i);
    points.marks.push_back({across.position(cases.expected[i]), up.position(cases.actual[i]),
                            name + (is_of_classes ? ": class " : ": expected ") +
                                shortest_text(cases.expected[i]) + ", got " +
                                shortest_text(cases.actual[i]),
                            is_beyond(i)});
  }
  const u64 drawn = points.marks.size(), without = cases.expected.size() - numbers;
  chart.notes =
      notes_of({"case", "the worst", "a number", "the axes"}, drawn, numbers, without, beyond);
  if (numbers == 0) chart.message = "no case has two numbers to compare";
  chart.description = (is_of_classes ? "Predicted value against measured class of "
                                     : "Actual against expected value of ") +
                      counted(numbers, "case") + "; " + grouped(right) +
                      (is_of_classes ? " are on the right side of 0." : " are equal.");
  if (!is_of_classes) chart.layers.push_back({LayerKind::Diagonal, "actual = expected", {}});
  chart.layers.push_back(std::move(points));
  return chart;
}

std::string draw_actual_against_expected(const CaseColumns& cases, std::string_view id) {
  return write_svg(actual_against_expected(cases, id));
}

}  // namespace komuz::services
