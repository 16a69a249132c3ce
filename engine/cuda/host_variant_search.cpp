// SPDX-License-Identifier: Apache-2.0
// Searching one element after the other, in memory of the host: backwards, so that it shows if who comes first mattered.
#include "base/group/plain_machine.h"
#include "engine/cuda/host_work.h"
#include "engine/cuda/variant_search.h"

namespace komuz::engine {
namespace {

class HostVariantSearch final : public HostWork<VariantSearch> {
 protected:
  std::string run(SearchStep step, const SearchTask& task, u64 elements) override {
    for (u64 k = elements; k-- > 0;) SearchElement(task, k, PlainMachine{}, task.scratch).run(step);
    return {};
  }
};

}  // namespace

std::unique_ptr<VariantSearch> host_variant_search() {
  return std::make_unique<HostVariantSearch>();
}

}  // namespace komuz::engine
