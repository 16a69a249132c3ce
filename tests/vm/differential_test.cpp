// SPDX-License-Identifier: Apache-2.0
// Random programs on the reference interpreter, on the batch machine at every SIMD level, on emulated warps and, if
// there is one, on a GPU: the same values, traps, places, depths and fuel. KOMUZ_FUZZ_SEED=n runs only the program of
// that seed.
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
    if (auto opened = vm::open_cuda_device(); !opened.problem())
      devices.push_back(std::move(opened.value().device));
  }
};

// The type of each constant that LOAD_CONSTs of one type take and nothing else; None for others.
std::vector<Scalar> types_of_constants(const Code& code) {
  std::vector<Scalar> types(code.constants.size());
  std::vector<bool> is_shared(types.size());
  for (const Instruction& i : code.instructions) {
    const bool is_one = i.op == Op::LoadConst, is_many = i.op == Op::LoadConsts;
    for (u32 k = i.b; k < i.b + (is_one ? 1u : is_many ? u32{i.a} : 0u); ++k) {
      if (is_many || (types[k] != Scalar::None && types[k] != i.type)) is_shared[k] = true;
      types[k] = i.type;
    }
  }
  for (size_t k = 0; k < types.size(); ++k)
    if (is_shared[k]) types[k] = Scalar::None;
  return types;
}

// A program, and values of some of its constants: each constant's for each of its variants, or none.
struct Variants {
  GeneratedCode program;
  std::vector<Scalar> types;
  std::vector<std::vector<u64>> constants;

  Variants(Random& random, u64 seed, u32 count) {
    const u32 size = 8 + static_cast<u32>(seed / 8 < 200 ? seed / 8 : random.below(400));
    program = generate_code(random.next(), size,
                            random.one_in(2) ? ProgramKind::Loops : ProgramKind::Any);
    types = types_of_constants(program.code);
    constants.resize(types.size());
    for (size_t k = 0; k < types.size(); ++k) {
      if (types[k] == Scalar::None || random.one_in(3)) continue;
      EdgeStream edges(types[k], random.next());
      const u64 own = canonical_cell(types[k], program.code.constants[k]);
      for (u32 n = 0; n < count; ++n) constants[k].push_back(random.one_in(2) ? own : edges.next());
    }
  }
  [[nodiscard]] Code code_of(u32 variant) const {
    Code code = program.code;
    for (size_t k = 0; k < constants.size(); ++k)
      if (!constants[k].empty()) code.constants[k] = constants[k][variant];
    return code;
  }
};

bool expect_same(const CaseRun& actual, const CaseRun& expected, u64 seed, std::string_view machine,
                 const Code& code) {
  const u32 row = first_difference(expected, actual);
  if (row == expected.traps.size()) return true;
  ADD_FAILURE() << "seed " << seed << ", row " << row << " at " << machine << ": "
                << outcome_text(actual, row) << "; by itself: " << outcome_text(expected, row)
                << '\n'
                << listing(code);
  return false;
}

// Programs that differ in some constants, as cases of one job and each by itself.
bool run_as_cases(u64 seed, Machines& machines, Tally& tally) {
  Random random(seed);
  constexpr u32 kCounts[] = {1, 5, 9, 33, 64, 200};
  const u32 count = random.pick(kCounts);
  const u64 budget = random.one_in(3) ? random.below(100) : 2000;
  const Variants variants(random, seed, count);
  const auto& [code, entry] = variants.program;
  const auto rows = random_cases(code, entry, count, random.next());
  const auto together = [&] {
    CaseRun run(code, rows, entry, count, budget);
    for (u32 k = 0; k < variants.types.size(); ++k)
      if (!variants.constants[k].empty())
        run.give_constants(k, variants.types[k], variants.constants[k]);
    return run;
  };
  CaseRun expected = together();
  for (u32 row = 0; row < count; ++row) {
    std::vector<std::vector<u64>> own;
    for (const std::vector<u64>& column : rows) own.push_back({column[row]});
    CaseRun alone(variants.code_of(row), own, entry, 1, budget);
    alone.reference();
    expected.traps[row] = alone.traps[0];
    expected.places[row] = alone.places[0];
    expected.depths[row] = alone.depths[0];
    expected.fuel[row] = alone.fuel[0];
    for (size_t cell = 0; cell < alone.values.size(); ++cell)
      expected.values[cell * count + row] = alone.values[cell];
    ++(alone.traps[0] == Trap::None ? tally.values : tally.traps[static_cast<u32>(alone.traps[0])]);
  }
  CaseRun reference = together();
  if (!expect_same(reference.reference(), expected, seed, "the reference", code)) return false;
  for (vm::BatchMachine& machine : machines.batch) {
    CaseRun actual = together();
    machine.run(actual.job(), actual.outcomes());
    if (!expect_same(actual, expected, seed, simd_level_name(machine.level()), code)) return false;
  }
  return true;
}

// The same, one after the other on the same cases.
bool run_again(u64 seed, Machines& machines) {
  Random random(seed);
  constexpr u32 kCounts[] = {1, 5, 64, 200, 333}, kVariants = 3;
  const u32 count = random.pick(kCounts);
  const Variants variants(random, seed, kVariants);
  const auto& [code, entry] = variants.program;
  const auto rows = random_cases(code, entry, count, random.next());
  for (vm::BatchMachine& machine : machines.batch) {
    CaseRun actual(code, rows, entry, count, 2000);
    vm::Job job = actual.job();
    machine.run(job, actual.outcomes());
    for (u32 k = 0; k < kVariants; ++k) {
      const Code own = variants.code_of(k);
      CaseRun expected(own, rows, entry, count, 2000);
      expected.reference();
      // The code of the generator has not been checked.
      Code changed = code;
      changed.constants = own.constants;
      EXPECT_EQ(check_code(changed.view(), changed.functions).reason, "");
      job.code = changed.view();
      machine.run_again(job, actual.outcomes());
      if (!expect_same(actual, expected, seed, simd_level_name(machine.level()), own)) return false;
    }
  }
  return true;
}

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
    // One of the cases by itself, which is run by other handlers (vm/one_lane.h).
    const u32 row = static_cast<u32>(seed) % count;
    std::vector<std::vector<u64>> own;
    for (const std::vector<u64>& column : rows) own.push_back({column[row]});
    CaseRun alone(program.code, own, program.entry, 1, budget);
    machine.run(alone.job(), alone.outcomes());
    actual.traps[row] = alone.traps[0];
    actual.places[row] = alone.places[0];
    actual.depths[row] = alone.depths[0];
    actual.fuel[row] = alone.fuel[0];
    for (size_t cell = 0; cell < alone.values.size(); ++cell)
      actual.values[cell * count + row] = alone.values[cell];
    if (!agrees(actual, "one lane, " + std::string(simd_level_name(machine.level())))) return false;
  }
  for (const auto& device : machines.devices) {
    CaseRun actual(program.code, rows, program.entry, count, budget);
    const Problem problem = run_on(*device, actual.job(), actual.outcomes());
    EXPECT_EQ(problem.text(), "") << "seed " << seed;
    const bool is_emulated = device == machines.devices[0];
    if (problem || !agrees(actual, is_emulated ? "emulated warps" : "CUDA")) return false;
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

TEST(Differential, ConstantsOfCases) {
  Machines machines;
  Tally tally;
  for (u64 seed = 1; seed <= kPrograms && run_as_cases(seed, machines, tally); ++seed) continue;
  EXPECT_GT(tally.values, 5'000u);
  for (Trap t : {Trap::Overflow, Trap::DivZero, Trap::Range, Trap::Fuel})
    EXPECT_GT(tally.traps[static_cast<u32>(t)], 100u) << trap_name(t);
}

TEST(Differential, ConstantsAreRenewed) {
  Machines machines;
  for (u64 seed = 1; seed <= kPrograms / 4 && run_again(seed, machines); ++seed) continue;
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
