// SPDX-License-Identifier: Apache-2.0
// Runs one job on a machine of warps, with its outcomes in the form of other machines.
#pragma once
#include <algorithm>
#include <string>

#include "vm/cuda/warp_device.h"
#include "vm/vm.h"

namespace komuz::test {

// The rows of one program of the last run.
inline void copy_outcomes(const OutcomesView& from, OutcomesView to) {
  const size_t rows = to.traps.size(), stride = from.traps.size();
  for (size_t cell = 0; cell * rows < to.values.size(); ++cell)
    std::copy_n(from.values.begin() + static_cast<i64>(cell * stride), rows,
                to.values.begin() + static_cast<i64>(cell * rows));
  std::copy_n(from.traps.begin(), rows, to.traps.begin());
  std::copy_n(from.places.begin(), rows, to.places.begin());
  std::copy_n(from.depths.begin(), rows, to.depths.begin());
  std::copy_n(from.fuel.begin(), rows, to.fuel.begin());
}

inline Problem run_on(vm::WarpDevice& device, const vm::Job& job, OutcomesView out) {
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  if (!lowering.add(job.code, job.function, batch))
    return device_problem("the program does not fit warp code");
  Problem problem = device.load_cases(job.cases).then(
      [&] { return device.run(batch, {.cases = job.cases.count, .fuel = job.fuel}); });
  if (!problem) copy_outcomes(device.outcomes(batch, 0), out);
  return problem;
}

}  // namespace komuz::test
