// SPDX-License-Identifier: Apache-2.0
#include "services/editor/hole_hints.h"

#include <algorithm>

#include "engine/sketch/variants.h"
#include "frontend_gpu/sketch.h"

namespace komuz::services {
namespace {

// More alternatives are not counted at a glance.
constexpr size_t kGlance = 4;

bool says_itself(const Hole& hole, const engine::VariantCount& count, std::string_view words) {
  if (hole.form == HoleForm::Choice)
    return hole.alternatives.size() <= kGlance &&
           count == engine::VariantCount::of(hole.alternatives.size());
  return hole.form == HoleForm::Grid && words.find("steps") != std::string_view::npos;
}

// With the spaces of modules that the text takes expressions from.
Sketch whole_sketch(const Analysis& analysis) {
  const std::optional<WrittenOut> written_out = analysis.written_out();
  if (!written_out) return frontend::describe_sketch(analysis.columns());
  frontend::Compiler compiler({.library = analysis.library()});
  frontend::Compilation program;
  compiler.compile(written_out->text, program);
  return program.ok ? frontend::describe_sketch(compiler.columns()) : Sketch{};
}

}  // namespace

std::vector<HoleHint> list_hole_hints(const Analysis& analysis) {
  std::vector<HoleHint> hints;
  if (!analysis.is_sound()) return hints;
  const Sketch sketch = whole_sketch(analysis);
  if (sketch.holes.empty()) return hints;
  const engine::VariantPlan plan(sketch);
  const u32 first = analysis.in_program(0);
  const auto size = static_cast<u32>(analysis.text().size());
  for (u32 number = 0; number < plan.decisions().size(); ++number) {
    const engine::VariantCount& count = plan.count_of(number);
    for (const u32 place : plan.decision(number).holes) {
      const Hole& hole = sketch.holes[place];
      // The name of a space among its own alternatives has one way less at each level.
      if (hole.form == HoleForm::Nested || hole.span.begin < first) continue;
      HoleHint hint{hole.span.begin - first, hole.span.end - first, hole.name,
                    engine::count_text(count), false};
      if (hint.end > size) continue;
      hint.is_obvious =
          says_itself(hole, count, analysis.text().substr(hint.begin, hint.end - hint.begin));
      hints.push_back(std::move(hint));
    }
  }
  std::ranges::stable_sort(hints, {}, &HoleHint::begin);
  return hints;
}

}  // namespace komuz::services
