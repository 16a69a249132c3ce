// SPDX-License-Identifier: Apache-2.0
// Searches one element after the other, in memory of the host. Elements with odd numbers come first, backwards, then
// the others: a step that depends on the order of its elements shows in the results.
#include "base/group/plain_machine.h"
#include "engine/device/host_work.h"
#include "engine/device/search_element.h"
#include "engine/device/variant_search.h"

namespace komuz::engine {
namespace {

class HostVariantSearch final : public HostWork<VariantSearch> {
 public:
  using HostWork::HostWork;

 protected:
  Problem run(SearchStep step, const SearchTask& task, u64 elements) override {
    const auto take = [&](u64 k) {
      SearchElement(task, k, PlainMachine{}, task.scratch).run(step);
    };
    for (u64 k = elements; k-- > 0;)
      if (k % 2 != 0) take(k);
    for (u64 k = 0; k < elements; k += 2) take(k);
    return {};
  }
};

}  // namespace

std::unique_ptr<VariantSearch> host_variant_search(size_t memory) {
  return std::make_unique<HostVariantSearch>(memory);
}

}  // namespace komuz::engine
