// SPDX-License-Identifier: Apache-2.0
// Codes that differ in constants alone count together, and share native code.
#include "engine/native/native_tier.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/native/needs_backend.h"

namespace komuz::engine::test {
namespace {

frontend::Compilation compiled(const std::string& source) {
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(source, program);
  EXPECT_TRUE(program.ok) << source;
  return program;
}

std::string loop_with(u32 first, u32 second) {
  return "pub fn f(n: i64) -> i64 { var t = n; for i in 0..n { t = (t * " + std::to_string(first) +
         " + i) % " + std::to_string(second) + "; } t }";
}

TEST(CodeFamily, KnowsWhatDiffers) {
  const frontend::Compilation first = compiled(loop_with(31, 1009)),
                              second = compiled(loop_with(31, 2003)),
                              other = compiled(loop_with(31, 1009) + "\nfn g() -> i64 { 1 }");
  const CodeView code = first.code.view(), changed = second.code.view();
  EXPECT_EQ(family_key(code, 0, Company::Many), family_key(changed, 0, Company::Many));
  EXPECT_NE(family_key(code, 0, Company::Many), family_key(code, 0, Company::Alone));
  EXPECT_NE(family_key(code, 0, Company::Many), family_key(other.code.view(), 0, Company::Many));
  EXPECT_NE(family_key(code, 0, Company::Crowd), family_key(changed, 0, Company::Crowd));
  CodeFamily family(code);
  family.add(code.constants);
  EXPECT_FALSE(family.has_several());
  EXPECT_TRUE(family.differing(code).empty());
  EXPECT_TRUE(family.fit(code.constants, {}));
  EXPECT_FALSE(family.fit(changed.constants, {}));
  family.add(changed.constants);
  EXPECT_TRUE(family.has_several());
  const std::vector<u32> loaded = family.differing(code);
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(code.constants[loaded[0]], 1009u);
  EXPECT_TRUE(family.fit(changed.constants, loaded));
  EXPECT_GT(family.loadable().size(), 1u);
}

TEST(SharedCode, TimeOfAllCounts) {
  const frontend::Compilation first = compiled(loop_with(31, 1009)),
                              second = compiled(loop_with(37, 2003));
  NativeTier tier(NativeChoice::Auto);
  const auto found = tier.find(first.code.view(), 0, Company::Many);
  ASSERT_NE(found, nullptr);
  const auto left = [&] { return tier.left_until_it_pays(*found).value_or(-1); };
  const f64 all = left();
  ASSERT_GT(all, 0);
  found->note_vm(1000, static_cast<i64>(all * 0.7));
  EXPECT_FALSE(tier.pays(*found, -1));
  // Alone it does not pay unless as much again is waiting.
  EXPECT_GT(left(), 0);
  const auto again = tier.find(second.code.view(), 0, Company::Many);
  EXPECT_EQ(again, found);
  again->note_vm(1000, static_cast<i64>(all * 0.7));
  EXPECT_EQ(left(), 0);
  EXPECT_TRUE(tier.pays(*again, 0));
}

TEST(SharedCode, OneCodeAloneNeedsWorkThatWaits) {
  const frontend::Compilation first = compiled(loop_with(31, 1009));
  NativeTier tier(NativeChoice::Auto);
  const auto found = tier.find(first.code.view(), 0, Company::Many);
  ASSERT_NE(found, nullptr);
  found->note_vm(1000, i64{1'000'000'000});
  EXPECT_FALSE(tier.pays(*found, 0));
  EXPECT_TRUE(tier.pays(*found, 1e9));
}

// Texts that differ in more and more constants: few are compiled, and the last one fits all.
TEST(SharedCode, FewAreCompiledForMany) {
  KOMUZ_NEEDS_NATIVE;
  std::vector<std::string> sources;
  for (u32 k = 0; k < 40; ++k) {
    u32 numbers[8];
    for (u32 n = 0; n < 8; ++n) numbers[n] = 2 + n + (k * 13 + n) % (1 + (k >> n) * (1 + k / 5));
    std::string source = "pub fn f(n: i64) -> i64 { var t = n; for i in 0..n % 50 { t = ";
    for (const u32 number : numbers) source += "(t ^ i) % " + std::to_string(1000 + number) + " + ";
    sources.push_back(source + "1; } t }");
  }
  std::vector<Candidate> candidates;
  for (const std::string& source : sources) candidates.push_back({"", source, {}});
  std::string csv = "n,expected\n";
  for (u32 k = 0; k < 300; ++k) csv += std::to_string(k) + ",1\n";
  EvaluateOptions options;
  options.ranking.score = ScoreKind::AbsoluteError;
  const std::string wanted = report_of(evaluate_all(candidates, options, csv));
  for (const u32 threads : {1u, 2u}) {
    NativeTier tier(NativeChoice::Always);
    options.machines.native = &tier;
    options.machines.threads = threads;
    EXPECT_EQ(report_of(evaluate_all(candidates, options, csv)), wanted);
    const TierStats stats = tier.stats();
    EXPECT_EQ(stats.refused, 0u);
    EXPECT_GT(stats.compiled, 1u);
    // For many cases, and for those that run alone.
    EXPECT_LE(stats.compiled, 2 * CodeFamily::kMost);
    EXPECT_GT(stats.sharing, 30u);
  }
}

}  // namespace
}  // namespace komuz::engine::test
