// SPDX-License-Identifier: Apache-2.0
// The programs that a GPU runs in tests, in one module: random ones, and some that call themselves. write_device_ptx
// writes their PTX into a file, for machines on which nothing is compiled.
#pragma once
#include <vector>

#include "backend/backend.h"
#include "tests/backend/recursive_code.h"
#include "tests/vm/random_code.h"

namespace komuz::test {

struct DeviceProgram {
  Code code;
  u32 entry = 0;
  std::vector<std::vector<u64>> rows;
  u64 budget = kDefaultFuel;
  std::string symbol;
};

inline std::vector<DeviceProgram> device_programs() {
  constexpr u32 kRandom = 96, kCases = 200;
  std::vector<DeviceProgram> programs;
  const auto add = [&](Code code, u32 entry, std::vector<std::vector<u64>> rows, u64 budget) {
    programs.push_back({std::move(code), entry, std::move(rows), budget,
                        "program_" + std::to_string(programs.size())});
  };
  constexpr u32 kSizes[] = {12, 40, 80};
  constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
  for (u64 n = 0; n < kRandom; ++n) {
    const u64 seed = 3 + n * 1031;
    GeneratedCode made =
        generate_code(seed, kSizes[n % 3], n % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    auto rows = random_cases(made.code, made.entry, kCases, seed);
    add(std::move(made.code), made.entry, std::move(rows), kBudgets[n / 3 % 4]);
  }
  const std::vector<u64> counts = {0, 1, 2, 3, 7, 12, 13, 40, 299, 300, 301, cell(-5)};
  for (Code& code : std::vector<Code>{count_down(300), fibonacci(), even_and_odd(),
                                      frames_with_areas(), recursion_in_a_loop()})
    for (const u64 budget : {kDefaultFuel, u64{25}}) add(code, 0, {counts}, budget);
  return programs;
}

// Checks each program, as CaseRun does, and gives the module's PTX, or why there is none. What the backend refuses, a
// large one now and then, is left out.
inline Result<std::string> device_ptx(const backend::Backend& backend,
                                      std::vector<DeviceProgram>& programs) {
  std::vector<backend::PtxProgram> kernels;
  for (DeviceProgram& program : programs) {
    if (const CodeError error = check_code(program.code.view(), program.code.functions))
      return device_problem(program.symbol + ": " + error.reason);
    const backend::PtxProgram kernel = {program.code.view(), program.entry, program.symbol};
    if (!backend.emit_ptx({&kernel, 1}, {.effort = backend::Effort::Quick}).problem())
      kernels.push_back(kernel);
  }
  return backend.emit_ptx(kernels);
}

}  // namespace komuz::test
