// SPDX-License-Identifier: Apache-2.0
// Expands variants one after the other, in memory of the host.
#include "base/group/plain_machine.h"
#include "engine/device/expanded_maker.h"
#include "engine/device/host_work.h"
#include "engine/device/lower_variant.h"
#include "engine/device/write_variant.h"

namespace komuz::engine {
namespace {

class HostExpandedMaker final : public HostWork<ExpandedMaker> {
 protected:
  Problem run(ExpandStep step, const ExpandTask& task) override {
    switch (step) {
      case ExpandStep::Write: take<VariantTextWriter>(task); break;
      case ExpandStep::Lower: take<VariantLowering>(task); break;
    }
    return {};
  }
  u32 threads_for(const ExpandTask&) const override { return 1; }

 private:
  template <class Step>
  static void take(const ExpandTask& task) {
    Step step(task, task.scratch);
    for (u32 variant = 0; variant < task.count; ++variant) step.run(task, variant, PlainMachine{});
  }
};

}  // namespace

std::unique_ptr<ExpandedMaker> host_expanded_maker() {
  return std::make_unique<HostExpandedMaker>();
}

}  // namespace komuz::engine
