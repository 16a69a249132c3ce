// SPDX-License-Identifier: Apache-2.0
// Random code on terms ends as on the reference interpreter. KOMUZ_SEEDS: how many programs of each kind.
#include <cstdlib>

#include "gen/gen.h"
#include "tests/neural/changed_code.h"
#include "tests/neural/proof_questions.h"
#include "tests/neural/symbolic_agreement.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

constexpr u64 kBudget = 3000;

u64 seeds(u64 usual) {
  const char* const given = std::getenv("KOMUZ_SEEDS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
}

u32 compare_random_code(Arguments how, u64 count, u32 size, u32 cases) {
  u32 compared = 0;
  for (u64 seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const GeneratedCode made = generate_code(seed, size);
    Code code = made.code;
    if (check_code(code.view(), code.functions)) continue;
    const auto rows = random_cases(code, made.entry, cases, seed + 1);
    compared += expect_terms_agree(made.code, made.entry, rows, kBudget, how);
  }
  return compared;
}

TEST(Execute, RandomCodeOnConstantsEndsAsOnTheReference) {
  const u64 count = seeds(300);
  EXPECT_GT(compare_random_code(Arguments::Constants, count, 60, 4), count);
}

TEST(Execute, RandomCodeOnVariablesEndsAsOnTheReference) {
  const u64 count = seeds(300);
  EXPECT_GT(compare_random_code(Arguments::Variables, count, 30, 16), count);
}

// With lists, Options, slices of callers and chains: areas and references.
u32 compare_programs(Arguments how, u64 count, u32 cases) {
  u32 compared = 0;
  for (u64 seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    gen::Options options;
    options.functions = static_cast<u32>(1 + seed % 4);
    options.statements = static_cast<u32>(1 + seed % 4);
    options.depth = 3;
    options.tests = false;
    options.containers = true;
    options.chains = seed % 2 == 0;
    const std::string source = gen::generate_program(seed, options);
    const Code code = compiled(source, seed % 3 == 0);
    const u32 entry = entry_of(code);
    if (takes_slices(code, entry)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source);
    const Function& f = code.functions[entry];
    const auto values = gen::generate_values(seed, code.view().parameter_types(f), cases);
    compared +=
        expect_terms_agree(code, entry, transposed(values, f.parameter_slots), kBudget, how);
  }
  return compared;
}

TEST(Execute, ProgramsOnConstantsEndAsOnTheReference) {
  const u64 count = seeds(300);
  EXPECT_GT(compare_programs(Arguments::Constants, count, 4), count);
}

TEST(Execute, ProgramsOnVariablesEndAsOnTheReference) {
  const u64 count = seeds(300);
  EXPECT_GT(compare_programs(Arguments::Variables, count, 16), count);
}

}  // namespace
}  // namespace komuz::test
