// SPDX-License-Identifier: Apache-2.0
#include "engine/run/batch_supply.h"

#include "engine/candidates/load_modules.h"
#include "engine/run/device_team.h"

namespace komuz::engine {

BatchSupply::BatchSupply(const SupplyContext& context)
    : context_(context), sources_(context.devices.size()) {}

Problem BatchSupply::prepare(u32 first) {
  const auto& [options, epoch, workers, devices] = context_;
  const std::stop_token& stop = workers.stop;
  workers.pool.run(epoch.size() - first, [&, this](u32 worker, u32 at) {
    if (!context_.epoch.result(first + at).done && !stop.stop_requested())
      identify(worker, first + at);
  });
  for (std::vector<std::string_view>& sources : sources_) sources.clear();
  for (u32 i = first; i < epoch.size() && !stop.stop_requested(); ++i) {
    EpochSlot& slot = epoch.slot(i);
    if (slot.result.done || !epoch.is_first(i)) continue;
    std::vector<std::string_view>& sources = sources_[devices.device_of(i)];
    slot.on_device = static_cast<u32>(sources.size());
    const Candidate& candidate = epoch.candidate(i);
    sources.push_back(candidate.is_variant() ? std::string_view(slot.text) : candidate.source);
  }
  const Library* const library =
      options.programs.modules == nullptr ? nullptr : &options.programs.modules->library();
  return devices.at_once([&, this](u32 device) -> Problem {
    frontend::BatchCompiler& compiler = context_.devices.compiler(device);
    compiler.use_library(library);
    compiler.use_budget(context_.options.limits.compile_budget);
    return sources_[device].empty() ? Problem{} : compiler.run(sources_[device]);
  });
}

// A variant's text is kept for the device.
void BatchSupply::identify(u32 worker, u32 i) {
  CandidateRunner& runner = context_.workers.runners[worker];
  EpochSlot& slot = context_.epoch.slot(i);
  const Candidate& candidate = context_.epoch.candidate(i);
  if (context_.epoch.is_duplicate(runner.identify(candidate), i) || !candidate.is_variant()) return;
  if (slot.program == frontend::TextHash{})
    static_cast<void>(runner.compile(candidate, context_.workers.stop, slot.result));  // says why
  else
    slot.text = runner.text_of(candidate);
}

bool BatchSupply::supply(u32 worker, u32 i) {
  EpochSlot& slot = context_.epoch.slot(i);
  return slot.on_device != kNone &&
         context_.workers.runners[worker].read(
             context_.devices.compiler(context_.devices.device_of(i)), slot.on_device,
             context_.epoch.candidate(i), context_.workers.stop, slot.result);
}

bool BatchSupply::makes_all(const Candidate& variant, const Suite& suite) {
  const EvaluateOptions& options = context_.options;
  // One that could be bound is expanded to look at variants one by one.
  if (!context_.devices.runs_there() || options.programs.sketch == nullptr ||
      options.programs.sketch->obstacle == BindObstacle::None)
    return false;
  CandidateRunner& runner = context_.workers.first();
  CandidateResult unused;
  return runner.take(variant, suite, context_.workers.stop, unused) &&
         context_.devices.first().use_expanded(runner, suite);
}

}  // namespace komuz::engine
