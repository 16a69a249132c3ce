// SPDX-License-Identifier: Apache-2.0
// Random code on terms ends as on the reference interpreter. KOMUZ_SEEDS: how many programs of each kind.
#include <cstdlib>

#include "gen/gen.h"
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

}  // namespace
}  // namespace komuz::test
