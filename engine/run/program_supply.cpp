// SPDX-License-Identifier: Apache-2.0
#include "engine/run/program_supply.h"

#include "engine/run/batch_supply.h"
#include "engine/run/device_team.h"
#include "engine/run/made_supply.h"

namespace komuz::engine {

Problem ProgramSupply::prepare(u32 /*first*/) { return {}; }

Problem ProgramSupply::make(u32 /*first*/, const Suite& /*suite*/) { return {}; }

bool ProgramSupply::makes_all(const Candidate& /*variant*/, const Suite& /*suite*/) {
  return false;
}

// A text is compiled right after it is identified, which lexes it.
bool WorkerSupply::supply(u32 worker, u32 i) {
  CandidateRunner& runner = context_.workers.runners[worker];
  const Candidate& candidate = context_.epoch.candidate(i);
  if (context_.epoch.is_duplicate(runner.identify(candidate), i)) return false;
  return runner.compile(candidate, context_.workers.stop, context_.epoch.result(i));
}

std::unique_ptr<ProgramSupply> open_supply(const SupplyContext& context) {
  if (context.options.machines.compiler != nullptr) return std::make_unique<BatchSupply>(context);
  if (context.devices.runs_there() && binds_variants(context.options))
    return std::make_unique<MadeSupply>(context);
  return std::make_unique<WorkerSupply>(context);
}

}  // namespace komuz::engine
