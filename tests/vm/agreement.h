// SPDX-License-Identifier: Apache-2.0
// The fast machines against the reference: one job on every SIMD level of this processor, on emulated warps and, if
// there is one, on a GPU. All columns are compared.
#pragma once
#include "tests/vm/code_builder.h"
#include "tests/vm/warp_run.h"

namespace komuz::test {

inline std::vector<SimdLevel> supported_levels() {
  std::vector<SimdLevel> levels;
  for (SimdLevel level : kSimdLevels)
    if (simd_level_supported(level)) levels.push_back(level);
  return levels;
}

// The machines are reused for one job after the other, as in the engine: no state of a job may reach the next.
class Agreement {
 public:
  Agreement() {
    for (SimdLevel level : supported_levels()) machines_.emplace_back(level);
    devices_.push_back(vm::emulated_warp_device());
    if (auto opened = vm::open_cuda_device(); !opened.problem())
      devices_.push_back(std::move(opened.value().device));
  }

  // `rows` as for CaseRun. False at the first difference, which is reported.
  bool expect(const Code& code, const std::vector<std::vector<u64>>& rows, u32 function = 0,
              u32 cases = 1, u64 budget = kDefaultFuel) {
    CaseRun wanted(code, rows, function, cases, budget);
    wanted.reference();
    for (vm::BatchMachine& machine : machines_) {
      CaseRun run(code, rows, function, cases, budget);
      machine.run(run.job(), run.outcomes());
      if (!agrees(run, wanted, std::string(simd_level_name(machine.level())))) return false;
    }
    for (const auto& device : devices_) {
      CaseRun run(code, rows, function, cases, budget);
      const Problem problem = run_on(*device, run.job(), run.outcomes());
      EXPECT_EQ(problem.text(), "");
      const bool is_emulated = device == devices_[0];
      if (problem || !agrees(run, wanted, is_emulated ? "emulated warp" : "CUDA")) return false;
    }
    return true;
  }

 private:
  static bool agrees(const CaseRun& run, const CaseRun& wanted, const std::string& name) {
    for (u32 row = 0; row < run.traps.size(); ++row) {
      if (run.traps[row] == wanted.traps[row] && run.places[row] == wanted.places[row] &&
          run.depths[row] == wanted.depths[row] && run.fuel[row] == wanted.fuel[row])
        continue;
      ADD_FAILURE() << name << ", case " << row << ": " << text(run, row)
                    << ", but the reference has " << text(wanted, row);
      return false;
    }
    for (size_t cell = 0; cell < run.values.size(); ++cell) {
      if (run.values[cell] == wanted.values[cell]) continue;
      ADD_FAILURE() << name << ", case " << cell % run.traps.size() << ": value "
                    << run.values[cell] << " instead of " << wanted.values[cell];
      return false;
    }
    return true;
  }
  static std::string text(const CaseRun& run, u32 row) {
    return std::string(trap_name(run.traps[row])) + " at " + std::to_string(run.places[row]) +
           ", depth " + std::to_string(run.depths[row]) + ", fuel " + std::to_string(run.fuel[row]);
  }

  std::vector<vm::BatchMachine> machines_;
  std::vector<std::unique_ptr<vm::WarpDevice>> devices_;  // the emulated one first
};

}  // namespace komuz::test
