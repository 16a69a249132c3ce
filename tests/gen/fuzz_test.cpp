// SPDX-License-Identifier: Apache-2.0
// The fuzzers for a bounded time, with fixed seeds. bin/fuzz_komuz runs them endlessly.
#include <gtest/gtest.h>

#include "gen/gen.h"
#include "tests/gen/fuzzed_programs.h"
#include "tests/gen/fuzzers.h"

namespace komuz::test {
namespace {

// The emulated group takes about ten times as long as these two, so it has fewer seeds, in a test of its own.
constexpr std::initializer_list<frontend::GroupKind> kGroups = {frontend::GroupKind::Serial,
                                                                frontend::GroupKind::Permuted};

TEST(Generator, SameSeedSameProgram) {
  EXPECT_EQ(fuzzed_program(7), fuzzed_program(7));
  EXPECT_NE(fuzzed_program(7), fuzzed_program(8));
}

TEST(Generator, ObeysItsOptions) {
  gen::Options options;
  options.functions = 40;
  options.constants = 0;
  options.tests = false;
  const std::string source = gen::generate_program(3, options);
  EXPECT_NE(source.find("pub fn f39("), std::string::npos);
  EXPECT_EQ(source.find("const "), std::string::npos);
  EXPECT_EQ(source.find("test \""), std::string::npos);
}

TEST(Generator, MakesContainersWhereItIsAsked) {
  gen::Options options;
  std::string plain, rich;
  for (u64 seed = 1; seed <= 50; ++seed) {
    options.containers = options.chains = false;
    plain += gen::generate_program(seed, options);
    options.containers = options.chains = true;
    rich += gen::generate_program(seed, options);
  }
  EXPECT_EQ(plain.find('['), std::string::npos);
  for (const std::string_view part :
       {"List[", "Option[", "Bytes[", "; 3]", "].", ".push(", ".swap(", ".get(", "Some(", " in [",
        ".map(", ".filter(", ".fold(", ".zip(", ".enumerate()", ".reverse()", "tabulate(",
        "..=", ".list("})
    EXPECT_NE(rich.find(part), std::string::npos) << part;
}

TEST(Generator, ValuesAreOnesOfTheirTypes) {
  // List[i64, 3], Option[(f32, f32)]
  const std::string types = {static_cast<char>(kListCode),
                             3,
                             0,
                             static_cast<char>(Scalar::I64),
                             static_cast<char>(kOptionCode),
                             static_cast<char>(kTupleCode),
                             2,
                             static_cast<char>(Scalar::F32),
                             static_cast<char>(Scalar::F32)};
  ASSERT_EQ(count_cells(types), 7u);
  u32 lists = 0, options = 0;  // that something is in
  for (const std::vector<u64>& row : gen::generate_values(1, types, 100)) {
    ASSERT_EQ(row.size(), 7u);
    ASSERT_LE(row[0], 3u);
    for (u64 k = row[0]; k < 3; ++k) EXPECT_EQ(row[1 + k], 0u);
    ASSERT_LE(row[4], 1u);
    if (row[4] == 0) {
      EXPECT_EQ(row[5] | row[6], 0u);
    }
    lists += row[0] != 0;
    options += row[4] != 0;
  }
  EXPECT_GT(lists, 20u);
  EXPECT_GT(options, 20u);
}

TEST(Fuzz, GeneratedProgramsAgreeEverywhere) {
  Fuzzers fuzzers{.groups = EveryGroup(kGroups)};
  for (u64 seed = 1; seed <= 1000; ++seed) {
    const std::string failure = fuzzers.differential(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_EQ(fuzzers.compiled, 1000);
  // Neither do all cases trap, nor none.
  EXPECT_GT(fuzzers.trapped, fuzzers.ran / 20);
  EXPECT_LT(fuzzers.trapped, fuzzers.ran - fuzzers.ran / 20);
#if defined(KOMUZ_HAVE_LLVM)
  EXPECT_GT(fuzzers.machines.native_cases(), fuzzers.ran / 40);
#endif
}

TEST(Fuzz, DamagedSourcesAgreeEverywhere) {
  Fuzzers fuzzers{.groups = EveryGroup(kGroups)};
  for (u64 seed = 1; seed <= 4000; ++seed) {
    const std::string failure = fuzzers.mutated(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GT(fuzzers.compiled, 20);
}

TEST(Fuzz, DamageStaysInItsItem) {
  Fuzzers fuzzers{.groups = EveryGroup(kGroups)};
  for (u64 seed = 1; seed <= 1500; ++seed) {
    const std::string failure = fuzzers.contained(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GT(fuzzers.compiled, 500);
}

TEST(Fuzz, LanesAgreeAndDoNotRace) {
  Fuzzers fuzzers;
  for (u64 seed = 1; seed <= 1500; ++seed) {
    const std::string failure = seed % 8 == 0   ? fuzzers.differential(seed)
                                : seed % 8 == 1 ? fuzzers.contained(seed)
                                                : fuzzers.mutated(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GT(fuzzers.compiled, 180);
}

TEST(Fuzz, OptimisedCodeDoesTheSame) {
  Fuzzers fuzzers{.groups = EveryGroup(kGroups)};
  for (u64 seed = 1; seed <= 3000; ++seed) {
    const std::string failure = fuzzers.optimised(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_EQ(fuzzers.compiled, 3000);
  EXPECT_GT(fuzzers.trapped, fuzzers.ran / 20);
  EXPECT_LT(fuzzers.instructions, fuzzers.plain_instructions * 99 / 100);
}

TEST(Fuzz, BoundVariantsDoWhatPlainProgramsDo) {
  Fuzzers fuzzers{.groups = EveryGroup(kGroups)};
  for (u64 seed = 1; seed <= 1500; ++seed) {
    const std::string failure = fuzzers.sketched(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GT(fuzzers.variants, 3000);
  EXPECT_GT(fuzzers.bound, fuzzers.variants / 4);
  EXPECT_GT(fuzzers.expanded, 100);
  EXPECT_GT(fuzzers.trapped, fuzzers.ran / 40);
}

TEST(Fuzz, DevicesAgree) {
  Fuzzers fuzzers{.groups = EveryGroup(kGroups)};
  for (u64 seed = 1; seed <= 200; ++seed) {
    const std::string failure = fuzzers.on_device(seed);
    ASSERT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GE(fuzzers.compiled, 100);
}

}  // namespace
}  // namespace komuz::test
