// SPDX-License-Identifier: Apache-2.0
// Makes variants one after the other, in memory of the host.
#include "base/group/plain_machine.h"
#include "engine/device/make_variant.h"
#include "engine/device/variant_maker.h"

namespace komuz::engine {
namespace {

class HostVariantMaker final : public VariantMaker {
 protected:
  // The tables are where they are read.
  Problem load(VariantTask&) override { return {}; }

  Problem run(VariantTask task, const Input& input, Output& out) override {
    scratch_.resize(task.scratch_bytes);
    ops_.resize(task.code.most_ops);
    places_.resize(task.code.most_ops);
    constants_.resize(task.code.most_constants);
    made_.assign(task.is_stretch ? 0 : task.count, MadeVariant{});
    task.numbers = input.numbers.data();
    task.decision_begins = input.decision_begins.data();
    task.decisions = input.decisions.data();
    task.scratch = scratch_.data();
    task.code.ops = ops_.data();
    task.code.places = places_.data();
    task.code.constants = constants_.data();
    task.code.counts = &out.counts;
    task.made = made_.data();
    VariantWorkspace workspace(task, task.scratch);
    for (u32 i = 0; i < task.count; ++i) {
      if (task.is_stretch)
        workspace.make_of_stretch(task, i, PlainMachine{});
      else
        workspace.make(task, i, PlainMachine{});
    }
    out.made = made_;
    out.code = {ops_.data(), places_.data(), constants_.data()};
    return {};
  }

 private:
  std::vector<u8> scratch_;
  std::vector<vm::WarpOp> ops_;
  std::vector<u32> places_;
  std::vector<u64> constants_;
  std::vector<MadeVariant> made_;
};

}  // namespace

std::unique_ptr<VariantMaker> host_variant_maker() { return std::make_unique<HostVariantMaker>(); }

}  // namespace komuz::engine
