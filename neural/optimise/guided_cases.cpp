// SPDX-License-Identifier: Apache-2.0
#include "neural/optimise/guided_cases.h"

#include "engine/testing/guides.h"

namespace komuz::neural {

GuidedCases::GuidedCases(const CodeView& a, const CodeView& b, u32 function, u64 inputs, u64 seed)
    : a_(a, function), b_(b, function), columns_(a_.slot_types()) {
  if (!fits()) return;
  const engine::ValueShape shape(a_.types());
  engine::ValueSampler sampler(shape, {});
  engine::Guides guides;
  engine::add_guides(a, function, guides);
  engine::settle_guides(guides);
  std::vector<u64> cells(a_.slot_types().size());
  for (u64 k = 0; k < inputs; ++k) {
    sampler.sample_guided(guides, seed, k, cells);
    columns_.add(cells);
  }
}

}  // namespace komuz::neural
