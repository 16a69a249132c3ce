// SPDX-License-Identifier: Apache-2.0
// Ranks one element after the other, in memory of the host.
#include "base/group/plain_machine.h"
#include "engine/device/host_work.h"
#include "engine/device/variant_sweep.h"

namespace komuz::engine {
namespace {

class HostVariantSweep final : public HostWork<VariantSweep> {
 public:
  using HostWork::HostWork;

 protected:
  Problem run(SweepStep step, const SweepTask& task, u64 elements) override {
    for (u64 k = 0; k < elements; ++k) SweepElement(task, k, PlainMachine{}).run(step);
    return {};
  }
};

}  // namespace

std::unique_ptr<VariantSweep> host_variant_sweep(size_t memory) {
  return std::make_unique<HostVariantSweep>(memory);
}

}  // namespace komuz::engine
