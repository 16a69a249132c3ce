// SPDX-License-Identifier: Apache-2.0
// Reports do not depend on native code that is kept on disk, nor on what has become of its files.
#include "engine/native/native_tier.h"
#include "tests/backend/scratch_folder.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/native/needs_backend.h"

namespace komuz::engine::test {
namespace {

namespace fs = std::filesystem;
using komuz::test::ScratchDirectory;

const std::vector<Candidate> kKeptPrograms = {
    {"fib",
     "fn fib(n: i64) -> i64 rec 40 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }\n"
     "pub fn f(n: i64) -> i64 { fib(n % 12) }",
     {}},
    {"waves", "pub fn f(n: i64) -> i64 { i64(100.0 * exp(sin(f64(n)))) / (n % 7) }", {}}};

std::string kept_report(NativeTier* tier) {
  EvaluateOptions options;
  options.machines.native = tier;
  options.machines.threads = 1;
  std::string csv = "n,expected\n";
  for (u32 k = 0; k < 60; ++k) csv += std::to_string(k) + "," + std::to_string(k % 13) + "\n";
  return report_of(evaluate_all(kKeptPrograms, options, csv));
}

TEST(NativeTier, KeptCodeShowsInNoReport) {
  KOMUZ_NEEDS_NATIVE;
  const backend::Backend& backend = *backend::open_backend().value();
  const ScratchDirectory scratch;
  const fs::path folder = scratch.path() / "native";
  const std::string wanted = kept_report(nullptr);
  // A program may be compiled for many cases and for one.
  u64 compiled = 0;
  const auto expect_same = [&](const char* when) {
    backend.configure({.cache_folder = folder.string()});
    const backend::CacheUse before = backend.cache_use();
    NativeTier tier(NativeChoice::Always);
    EXPECT_EQ(kept_report(&tier), wanted) << when;
    if (compiled == 0) compiled = tier.stats().compiled;
    EXPECT_EQ(tier.stats().compiled, compiled) << when;
    const backend::CacheUse now = backend.cache_use();
    EXPECT_TRUE(tier.reasons().empty()) << when;
    return std::pair(now.on_disk - before.on_disk, tier.notes());
  };
  EXPECT_EQ(expect_same("made").first, 0u);
  EXPECT_GE(compiled, kKeptPrograms.size());
  const auto [taken, notes] = expect_same("taken");
  EXPECT_GE(taken, kKeptPrograms.size());
  EXPECT_TRUE(notes.empty());
  for (const auto& file : fs::directory_iterator(folder))
    fs::resize_file(file.path(), fs::file_size(file.path()) / 2);
  const auto [none, damaged] = expect_same("damaged");
  EXPECT_EQ(none, 0u);
  ASSERT_GE(damaged.size(), kKeptPrograms.size());
  EXPECT_NE(damaged[0].find("cut off or damaged"), std::string::npos) << damaged[0];
  fs::remove_all(folder);
  komuz::test::write_bytes(folder, "");
  const auto [nothing, unwritten] = expect_same("not written");
  EXPECT_EQ(nothing, 0u);
  ASSERT_FALSE(unwritten.empty());
  EXPECT_NE(unwritten.back().find("is not kept in " + folder.string()), std::string::npos)
      << unwritten.back();
  backend.configure({});
}

}  // namespace
}  // namespace komuz::engine::test
