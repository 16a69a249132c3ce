// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/teach.h"

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
  out.code = rewrite(lone, &out.rules);
  out.cost_before = cost_of_code(lone, 0);
  out.cost_after = cost_of_code(out.code.view(), 0);
  if (out.cost_after == out.cost_before) return out;
  EqualityOptions by;
  by.fuel = FuelRule::Same;
  by.resources = options.resources;
  by.stop = options.stop;
  const Result<Equality> compared = compare({lone, 0}, {out.code.view(), 0}, by);
  if (!compared.problem() && compared.value().verdict == Verdict::Proved) {
    out.is_cheaper = true;
    out.evidence = compared.value().evidence;
    return out;
  }
  ++out.refused;
  out.code = copy_code(lone);
  out.cost_after = out.cost_before;
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
