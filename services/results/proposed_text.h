// SPDX-License-Identifier: Apache-2.0
// What a model proposes for a program's windows, and what became of it, in words and as JSON. docs/cli.md describes both.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "neural/propose/propose_windows.h"
#include "services/results/window_text.h"

namespace komuz::services {

struct ProposedProgram {
  WindowedProgram program;
  const neural::ProposedWindows& proposed;
};

// Lines such as
//   a.komuz: 1 window
//     f at 2:9: cost 41; 16 proposals: 3 proved, 1 of them cheaper
//        0.61  cost 12  proved    V0 K0 BINARY_MUL END
//        0.20  cost 18  refuted   V0 V0 BINARY_ADD END
[[nodiscard]] std::string proposed_text(const ProposedProgram& program, const RenderStyle& style);
[[nodiscard]] nlohmann::ordered_json proposed_json(const ProposedProgram& program);

}  // namespace komuz::services
