// SPDX-License-Identifier: Apache-2.0
// What got cheaper in a program, in words and as JSON. docs/cli.md describes both.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "neural/optimise/measure.h"
#include "neural/optimise/optimise.h"
#include "services/results/window_text.h"

namespace komuz::services {

// The instructions that runs of a function execute.
struct ExecutedRow {
  u32 function = 0;
  neural::ExecutedInstructions executed;
};

struct OptimisedProgram {
  WindowedProgram program;  // before
  const neural::Optimised& optimised;
  std::vector<ExecutedRow> executed;
  u64 seed = 0;             // of the inputs that they are counted on
  bool shows_code = false;  // the code of each window, before and after
};

// Lines such as
//   cheaper  a.komuz: 1 of 3 windows
//     f at 2:9: 9 → 3 instructions, cost 41 → 12, by rules; proved: the same terms
//     f executes 0.62 of the instructions on 256 guided inputs (seed 0): 2,304 → 1,428
[[nodiscard]] std::string optimised_text(const OptimisedProgram& program, const RenderStyle& style);
[[nodiscard]] nlohmann::ordered_json optimised_json(const OptimisedProgram& program);

// How long runs take; it depends on the clock.
struct MeasuredRow {
  u32 function = 0;
  neural::MeasuredRuns runs;
};
// Lines such as
//   optimise: a.komuz took 0.21 s
//   optimise: f takes 0.55 of the time on the virtual machine, 12.4 → 6.8 ns a case; paid after 37,500,000 cases
[[nodiscard]] std::string measured_text(const OptimisedProgram& program,
                                        std::span<const MeasuredRow> rows, f64 seconds);

}  // namespace komuz::services
