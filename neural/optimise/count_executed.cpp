// SPDX-License-Identifier: Apache-2.0
#include "neural/optimise/guided_cases.h"
#include "neural/optimise/optimise.h"
#include "vm/count_instructions.h"

namespace komuz::neural {

ExecutedInstructions count_executed(const CodeView& code, const CodeView& optimised, u32 function,
                                    u64 inputs, u64 seed, u64 ticks) {
  GuidedCases cases(code, optimised, function, inputs, seed);
  if (!cases.fits()) return {};
  const auto count = [&](const engine::PropertyEntry& entry) {
    return vm::count_instructions(
        {entry.code(), entry.function(), cases.view(), entry.budget(ticks)});
  };
  return {count(cases.a()), count(cases.b()), inputs};
}

}  // namespace komuz::neural
