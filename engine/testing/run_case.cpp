// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/run_case.h"

#include <algorithm>

namespace komuz::engine {

void run_case(const vm::Job& job, OutcomesView out) {
  vm::Job start = job;
  start.fuel = std::min(job.fuel, kReferenceTicks);
  vm::run_reference(start, out);
  if (out.traps[0] == Trap::Fuel && job.fuel > start.fuel) vm::BatchMachine().run(job, out);
}

}  // namespace komuz::engine
