// SPDX-License-Identifier: Apache-2.0
// Random programs on the reference interpreter, on the batch machine at every SIMD level, on emulated warps and,
// where there is one, on a GPU: the same values, traps, places, depths and fuel. KOMUZ_FUZZ_SEED=n runs the
// program of that seed alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/vm/edge_values.h"
#include "tests/vm/random_code.h"
#include "tests/vm/warp_run.h"
#include "vm/lowered.h"

namespace komuz::test {
namespace {

constexpr SimdLevel kLevels[] = {SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512};
constexpr u32 kPrograms = 1500;

// The code, for the report of a difference.
std::string listing(const Code& code) {
  std::string text;
  for (size_t f = 0; f < code.functions.size(); ++f) {
    const Function& function = code.functions[f];
    text += "function " + std::to_string(f) + " rec " + std::to_string(function.rec) + '\n';
    for (u32 n = function.code_begin; n < function.code_end; ++n) {
      const Instruction i = code.instructions[n];
      text += std::to_string(n) + " (" + std::to_string(n - function.code_begin) + ")  " +
              std::string(op_row(i.op).mnemonic) + ' ' + std::string(scalar_name(i.type)) + ' ' +
              std::to_string(i.a) + ' ' + std::to_string(i.b) + '\n';
    }
  }
  return text;
}

// The first row that differs; the number of rows if none does.
u32 first_difference(const CaseRun& a, const CaseRun& b) {
  const u32 rows = static_cast<u32>(a.traps.size());
  for (u32 row = 0; row < rows; ++row) {
    bool same = a.traps[row] == b.traps[row] && a.places[row] == b.places[row] &&
                a.depths[row] == b.depths[row] && a.fuel[row] == b.fuel[row];
    for (u32 i = row; i < a.values.size(); i += rows) same = same && a.values[i] == b.values[i];
    if (!same) return row;
  }
  return rows;
}

std::string outcome_text(const CaseRun& run, u32 row) {
  std::string text = std::string(trap_name(run.traps[row])) + " at " +
                     std::to_string(run.places[row]) + ", depth " +
                     std::to_string(run.depths[row]) + ", fuel " + std::to_string(run.fuel[row]);
  for (size_t i = row; i < run.values.size(); i += run.traps.size())
    text += ", value " + std::to_string(run.values[i]);
  return text;
}

struct Tally {
  u64 values = 0, traps[kTrapCount] = {};
};

// What the random programs run on, beside the reference.
struct Machines {
  std::vector<vm::BatchMachine> batch;
  std::vector<std::unique_ptr<vm::WarpDevice>> devices;

  Machines() {
    for (SimdLevel level : kLevels)
      if (simd_level_supported(level)) batch.emplace_back(level);
    devices.push_back(vm::emulated_warp_device());
    if (auto opened = vm::open_cuda_device(); opened.device != nullptr)
      devices.push_back(std::move(opened.device));
  }
};

// False where something differs.
bool run_one(u64 seed, ProgramKind kind, Machines& machines, Tally& tally) {
  Random random(seed);
  // Small programs come first, so that the first difference is easy to read.
  const u32 size = 8 + static_cast<u32>(seed / 8 < 200 ? seed / 8 : random.below(400));
  const GeneratedCode program = generate_code(random.next(), size, kind);
  constexpr u32 kCounts[] = {1, 5, 64, 200, 333};
  constexpr u64 kBudgets[] = {0, 1, 7, 100, 2000};
  const u32 count = kind == ProgramKind::Loops ? 1 + random.below(vm::kMostSpreadCases)
                                               : kCounts[random.below(5)];
  const u64 budget = random.below(3) != 0         ? 2000
                     : kind == ProgramKind::Loops ? random.below(1000)
                                                  : kBudgets[random.below(5)];
  const auto rows = random_cases(program.code, program.entry, count, random.next());
  CaseRun expected(program.code, rows, program.entry, count, budget);
  if (!expected.is_checked()) {
    ADD_FAILURE() << "the checker refuses the program of seed " << seed << '\n'
                  << listing(program.code);
    return false;
  }
  expected.reference();
  for (Trap t : expected.traps)
    ++(t == Trap::None ? tally.values : tally.traps[static_cast<u32>(t)]);
  const auto agrees = [&](const CaseRun& actual, std::string_view machine) {
    const u32 row = first_difference(expected, actual);
    if (row == count) return true;
    ADD_FAILURE() << "seed " << seed << ", row " << row << " of " << count << " at " << machine
                  << ": " << outcome_text(actual, row)
                  << "; the reference: " << outcome_text(expected, row) << '\n'
                  << listing(program.code);
    return false;
  };
  for (vm::BatchMachine& machine : machines.batch) {
    CaseRun actual(program.code, rows, program.entry, count, budget);
    machine.run(actual.job(), actual.outcomes());
    if (!agrees(actual, simd_level_name(machine.level()))) return false;
  }
  for (const auto& device : machines.devices) {
    CaseRun actual(program.code, rows, program.entry, count, budget);
    const std::string problem = run_on(*device, actual.job(), actual.outcomes());
    EXPECT_EQ(problem, "") << "seed " << seed;
    const bool is_emulated = device == machines.devices[0];
    if (!problem.empty() || !agrees(actual, is_emulated ? "emulated warps" : "CUDA")) return false;
  }
  return true;
}

TEST(Differential, ProgramsHaveEveryOperation) {
  u64 counts[kOpCount] = {};
  Random random(1);
  for (u32 k = 0; k < 500; ++k)
    for (const Instruction& i : generate_code(random.next(), 300).code.instructions)
      ++counts[static_cast<u32>(i.op)];
  for (u32 op = 0; op < kOpCount; ++op)
    EXPECT_GT(counts[op], 20u) << op_row(static_cast<Op>(op)).mnemonic;
}

// Until one differs. `KOMUZ_FUZZ_SEED` alone, if it is set.
Tally run_all(ProgramKind kind) {
  Machines machines;
  Tally tally;
  const char* const seed_text = std::getenv("KOMUZ_FUZZ_SEED");
  const u64 first = seed_text != nullptr ? std::strtoull(seed_text, nullptr, 10) : 1;
  const u64 last = seed_text != nullptr ? first : kPrograms;
  for (u64 seed = first; seed <= last; ++seed)
    if (!run_one(seed, kind, machines, tally)) break;
  return tally;
}

TEST(Differential, LoopsOnFewCases) {
  const Tally tally = run_all(ProgramKind::Loops);
  if (std::getenv("KOMUZ_FUZZ_SEED") != nullptr) return;
  EXPECT_GT(tally.values, 1'000u);
  for (Trap t : {Trap::Overflow, Trap::Range, Trap::Fuel})
    EXPECT_GT(tally.traps[static_cast<u32>(t)], 100u) << trap_name(t);
}

TEST(Differential, EveryMachineDoesAsTheReferenceDoes) {
  const Tally tally = run_all(ProgramKind::Any);
  if (std::getenv("KOMUZ_FUZZ_SEED") != nullptr) return;
  // The programs are worth something only if they come to values and to every kind of trap that code can end in.
  EXPECT_GT(tally.values, 10'000u);
  for (Trap t : {Trap::Overflow, Trap::DivZero, Trap::Index, Trap::Capacity, Trap::Range,
                 Trap::Depth, Trap::Limit, Trap::Fuel, Trap::Assert})
    EXPECT_GT(tally.traps[static_cast<u32>(t)], 100u) << trap_name(t);
}

}  // namespace
}  // namespace komuz::test
