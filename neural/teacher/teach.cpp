// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/teach.h"

#include <optional>
#include <utility>

#include "lang/check/check_code.h"
#include "lang/copy_code.h"
#include "lang/reached_functions.h"
#include "neural/teacher/costs.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

// Of each run of the whole.
constexpr u64 kTicksOfTest = 10'000;

}  // namespace

TaughtWindow teach_window(const CodeView& lone, const TeachOptions& options) {
  TaughtWindow out;
  out.cost_before = out.cost_after = cost_of_code(lone, 0);
  const auto take = [&](Code made) {
    const u64 cost = cost_of_code(made.view(), 0);
    if (cost >= out.cost_after) return false;
    EqualityOptions by;
    by.fuel = FuelRule::Same;
    by.resources = options.resources;
    by.stop = options.stop;
    const Result<Equality> compared = compare({lone, 0}, {made.view(), 0}, by);
    if (compared.problem()) return false;
    if (compared.value().verdict != Verdict::Proved) {
      ++out.refused;
      return false;
    }
    out.code = std::move(made);
    out.is_cheaper = true;
    out.cost_after = cost;
    out.evidence = compared.value().evidence;
    return true;
  };
  ValueGraph graph;
  Simplifier simplifier(graph, RuleTable::get(), out.rules);
  CodeReader reader(graph, simplifier);
  const std::optional<u32> root = reader.read(lone);
  if (root) {
    const ImproveOptions improving{options.limits, options.inputs, options.parts, options.resources,
                                   options.stop};
    Improved improved;
    const u32 better = improve(graph, *root, simplifier, improving, improved);
    out.refused += improved.refused;
    CodeWriter writer(graph);
    Code made;
    if (better != *root && writer.write(lone, better, made) &&
        !check_code(made.view(), made.functions) && take(std::move(made)))
      out.enumerated = improved.found;
  }
  if (!out.is_cheaper) take(rewrite(lone, &out.rules));
  if (!out.is_cheaper) out.code = copy_code(lone);
  return out;
}

Taught teach(const CodeView& code, u32 entry, const TeachOptions& options) {
  Taught out;
  out.code = copy_code(code);
  for (const u32 number : reached_functions(code, entry)) {
    // Each replacement moves the code behind it.
    const std::vector<CodeWindow> windows = find_code_windows(code, number);
    for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
      const LoneWindow lone = lone_window(code, *window);
      if (lone.code.functions.empty()) continue;
      const TaughtWindow taught = teach_window(lone.code.view(), options);
      out.refused += taught.refused;
      if (!taught.is_cheaper) continue;
      put_window(out.code, *window, lone, taught.code.view());
      out.replacements.push_back({number, taught.cost_before, taught.cost_after, taught.evidence});
    }
  }
  // Longer code may need larger frames than there are. And what was proved piece by piece is tested as a whole.
  bool is_sound = !check_code(out.code.view(), out.code.functions);
  if (is_sound && !out.replacements.empty()) {
    EqualityOptions whole;
    whole.fuel = FuelRule::Same;
    whole.uses_solver = false;
    whole.ticks = kTicksOfTest;
    whole.stop = options.stop;
    const Result<Equality> compared = compare({code, entry}, {out.code.view(), entry}, whole);
    is_sound = !compared.problem() && compared.value().verdict != Verdict::Refuted;
  }
  if (!is_sound) out = {copy_code(code), {}, out.refused, true};
  return out;
}

}  // namespace komuz::neural
