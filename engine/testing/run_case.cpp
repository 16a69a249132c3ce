// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/run_case.h"

#include <algorithm>

#include "engine/native/tiered_machine.h"

namespace komuz::engine {

void run_case(const vm::Job& job, OutcomesView out, NativeTier* native) {
  const bool is_native = native != nullptr && native->choice() == NativeChoice::Always;
  if (!is_native) {
    vm::Job start = job;
    start.fuel = std::min(job.fuel, kReferenceTicks);
    vm::run_reference(start, out);
    if (out.traps[0] != Trap::Fuel || job.fuel <= start.fuel) return;
  }
  TieredMachine(native).run(job, 0, out);
}

}  // namespace komuz::engine
