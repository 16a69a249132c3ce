// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/run_property.h"

#include <algorithm>
#include <utility>

#include "engine/cases/case_columns.h"
#include "engine/native/tiered_machine.h"
#include "engine/testing/shrink.h"
#include "engine/testing/value_sampler.h"
#include "vm/vm.h"

namespace komuz::engine {
namespace {

// The outcome of each case of a batch.
struct Ends {
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  std::vector<u64> fuel;
};

class PropertyRun {
 public:
  PropertyRun(const PropertyEntry& entry, const PropertyOptions& options)
      : entry_(entry),
        options_(options),
        shape_(entry.types()),
        sampler_(shape_, entry.domains()),
        columns_(entry.slot_types()),
        cells_(entry.slot_types().size()),
        machine_(options.native) {}

  PropertyOutcome run() {
    PropertyOutcome out;
    Choices failing;
    const u32 batch = sample_batch(cells_.size());
    while (out.samples < options_.samples && !out.failed && !stopped()) {
      const u32 count = std::min(batch, options_.samples - out.samples);
      columns_.clear();
      for (u32 k = 0; k < count; ++k) {
        sampler_.sample(options_.seed, out.samples + k, cells_);
        columns_.add(cells_);
      }
      left_ = options_.samples - out.samples - count;
      run_batch(columns_);
      for (u32 k = 0; k < count; ++k) {
        out.fuel += ends_.fuel[k];
        if (out.failed || ends_.traps[k] == Trap::None) continue;
        out.failed = true;
        trap_ = ends_.traps[k];
        place_ = ends_.places[k];
        sampler_.sample(options_.seed, out.samples + k, cells_);
        failing = sampler_.choices();
        out.arguments = cells_;
      }
      out.samples += count;
    }
    if (!out.failed || stopped()) return out;
    left_ = TieredMachine::kUnknown;
    const auto run = [this](CaseColumns& cases, std::vector<bool>& fails) {
      run_batch(cases);
      fails.resize(cases.count());
      for (u32 k = 0; k < cases.count(); ++k) fails[k] = fails_likewise(k);
    };
    Shrinker shrinker(sampler_, entry_.slot_types(), run, options_.stop);
    sampler_.replay(shrinker.shrink(std::move(failing)).numbers, cells_);
    out.arguments = cells_;
    return out;
  }

 private:
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->stop_requested();
  }

  void run_batch(CaseColumns& cases) {
    const u32 count = cases.count();
    ends_.traps.resize(count);
    ends_.places.resize(count);
    ends_.depths.resize(count);
    ends_.fuel.resize(count);
    const OutcomesView outcomes{{}, ends_.traps, ends_.places, ends_.depths, ends_.fuel};
    machine_.run({entry_.code(), entry_.function(), cases.view(), entry_.budget(options_.fuel),
                  options_.stop},
                 left_, outcomes);
    entry_.hide(outcomes);
  }
  // True if it fails like the first failing sample. The place where fuel ends does not matter.
  [[nodiscard]] bool fails_likewise(u32 k) const {
    return ends_.traps[k] == trap_ && (trap_ == Trap::Fuel || ends_.places[k] == place_);
  }

  const PropertyEntry& entry_;
  PropertyOptions options_;
  ValueShape shape_;
  ValueSampler sampler_;
  CaseColumns columns_;
  std::vector<u64> cells_;
  TieredMachine machine_;
  u64 left_ = 0;  // samples behind the batch
  Ends ends_;
  Trap trap_ = Trap::None;
  u32 place_ = 0;  // an instruction
};

}  // namespace

PropertyOutcome run_property(const PropertyEntry& entry, const PropertyOptions& options) {
  return PropertyRun(entry, options).run();
}

std::vector<std::vector<u64>> property_samples(const PropertyEntry& entry, u64 seed, u32 count) {
  const ValueShape shape(entry.types());
  ValueSampler sampler(shape, entry.domains());
  std::vector<std::vector<u64>> samples(count, std::vector<u64>(entry.slot_types().size()));
  for (u32 k = 0; k < count; ++k) sampler.sample(seed, k, samples[k]);
  return samples;
}

}  // namespace komuz::engine
