// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/case_columns.h"
#include "engine/testing/guides.h"
#include "engine/testing/property_entry.h"
#include "neural/optimise/optimise.h"
#include "vm/count_instructions.h"

namespace komuz::neural {

ExecutedInstructions count_executed(const CodeView& code, const CodeView& optimised, u32 function,
                                    u64 inputs, u64 seed, u64 ticks) {
  const engine::PropertyEntry before(code, function), after(optimised, function);
  if (!before.fits() || !after.fits()) return {};
  const engine::ValueShape shape(before.types());
  engine::ValueSampler sampler(shape, {});
  engine::Guides guides;
  engine::add_guides(code, function, guides);
  engine::settle_guides(guides);
  engine::CaseColumns columns(before.slot_types());
  std::vector<u64> cells(before.slot_types().size());
  for (u64 k = 0; k < inputs; ++k) {
    sampler.sample_guided(guides, seed, k, cells);
    columns.add(cells);
  }
  const auto count = [&](const engine::PropertyEntry& entry) {
    return vm::count_instructions(
        {entry.code(), entry.function(), columns.view(), entry.budget(ticks)});
  };
  return {count(before), count(after), inputs};
}

}  // namespace komuz::neural
