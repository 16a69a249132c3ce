// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/wasted_names.h"

#include <algorithm>

namespace komuz::engine {
namespace {

// By hole: the innermost choice around it, or kNone.
constexpr u32 kNone = ~0u;
std::vector<u32> find_choices_around(const Sketch& sketch) {
  std::vector<u32> around(sketch.holes.size(), kNone), open;
  for (u32 h = 0; h < sketch.holes.size(); ++h) {
    const Hole& hole = sketch.holes[h];
    while (!open.empty() && sketch.holes[open.back()].span.end <= hole.span.begin) open.pop_back();
    if (!open.empty()) around[h] = open.back();
    if (hole.form == HoleForm::Choice) open.push_back(h);
  }
  return around;
}

}  // namespace

std::vector<WastedName> find_wasted_names(std::string_view source, const VariantPlan& plan) {
  const Sketch& sketch = plan.sketch();
  const std::vector<u32> around = find_choices_around(sketch);
  const auto text_of = [&](u32 hole) {
    const SketchSpan span = sketch.holes[hole].span;
    return source.substr(span.begin, span.end - span.begin);
  };
  std::vector<WastedName> out;
  for (const Decision& decision : plan.decisions()) {
    if (sketch.holes[decision.holes[0]].name.empty() || decision.space != kNoSpace) continue;
    const std::string_view first = text_of(decision.holes[0]);
    if (std::ranges::any_of(decision.holes, [&](u32 h) { return text_of(h) != first; })) continue;
    const SketchSpan all{sketch.holes[decision.holes.front()].span.begin,
                         sketch.holes[decision.holes.back()].span.end};
    for (u32 choice = around[decision.holes[0]]; choice != kNone; choice = around[choice]) {
      const std::vector<Alternative>& ways = sketch.holes[choice].alternatives;
      // A choice of one alternative always takes it.
      if (ways.size() == 1 ||
          std::ranges::none_of(ways, [&](const Alternative& a) { return contains(a.span, all); }))
        continue;
      const auto kept =
          std::ranges::find(decision.holes, choice, [&](u32 hole) { return around[hole]; });
      if (kept != decision.holes.end()) out.push_back({decision.holes, choice, *kept});
      break;
    }
  }
  std::ranges::sort(out, {}, [](const WastedName& name) { return name.holes[0]; });
  return out;
}

VariantCount count_without(const std::vector<WastedName>& names, const Sketch& sketch) {
  Sketch without = sketch;
  // If a name has several places, one stands for all, as if its value were bound there.
  std::vector<SketchSpan> gone;
  for (const WastedName& name : names) {
    without.holes[name.kept].name.clear();
    for (const u32 hole : name.holes)
      if (hole != name.kept) gone.push_back(sketch.holes[hole].span);
  }
  std::ranges::sort(gone, {}, &SketchSpan::begin);
  std::erase_if(without.holes, [&](const Hole& hole) {
    const auto behind = std::ranges::upper_bound(gone, hole.span.begin, {}, &SketchSpan::begin);
    return behind != gone.begin() && contains(*(behind - 1), hole.span);
  });
  return VariantPlan(without).count();
}

}  // namespace komuz::engine
