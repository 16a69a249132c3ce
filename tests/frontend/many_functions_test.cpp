// SPDX-License-Identifier: Apache-2.0
// Programs of up to 4,096 functions: with more than 64 they use lists of calls instead of rows of bits, and go to the
// host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "frontend_gpu/columns/work_meter.h"
#include "lang/recursion_note.h"
#include "tests/frontend/device_programs.h"

namespace komuz::test {
namespace {

using frontend::Compilation;
using frontend::GroupKind;

std::string name(u32 k) { return "f" + std::to_string(k); }
std::string function(u32 k, const std::string& rec, const std::string& body) {
  return "fn " + name(k) + "(x: i64) -> i64 " + rec + "{ if x < 1 { 0 } else { " + body + " } }\n";
}
std::string call(u32 k) { return name(k) + "(x - 1)"; }

std::string independent(u32 n) {
  std::string text;
  for (u32 k = 0; k < n; ++k) text += "fn " + name(k) + "() -> i64 { 1 }\n";
  return text;
}
// Each calls the next one, which stands behind it, or before it.
std::string chain(u32 n, bool backwards) {
  std::string text;
  for (u32 k = 0; k < n; ++k) {
    const bool is_last = backwards ? k == 0 : k + 1 == n;
    text += function(k, "", is_last ? "x" : call(backwards ? k - 1 : k + 1));
  }
  return text;
}
std::string cycle(u32 n, const std::string& rec) {
  std::string text;
  for (u32 k = 0; k < n; ++k) text += function(k, k == 0 ? rec : "", call((k + 1) % n));
  return text;
}
std::string all_to_all(u32 n) {
  std::string text;
  for (u32 k = 0; k < n; ++k) {
    std::string body = "x";
    for (u32 other = 0; other < n; ++other)
      if (other != k) body += " + " + call(other);
    text += function(k, "", body);
  }
  return text;
}
// Cycles of one function each, of which each calls the next one.
std::string recursive_chain(u32 n) {
  std::string text;
  for (u32 k = 0; k < n; ++k)
    text += function(k, "rec 64 ", call(k) + (k + 1 < n ? " + " + call(k + 1) : ""));
  return text;
}
// Calls and bounds are drawn; about as many calls as functions make cycles of all lengths.
std::string drawn(u32 n, u64 seed) {
  Random random(seed);
  std::string text;
  for (u32 k = 0; k < n; ++k) {
    std::string body = "x";
    for (u32 calls = random.below(4); calls > 0; --calls) body += " + " + call(random.below(n));
    const u32 form = random.below(12);
    const std::string rec = form == 0   ? "rec 7 "
                            : form == 1 ? "rec 9 "
                            : form == 2 ? "rec 5_000 "
                                        : "";
    text += function(k, rec, body);
  }
  return text;
}

Compilation compiled(const std::string& source) {
  Compilation out;
  frontend::Compiler compiler({.stack_limit = 1u << 30});
  compiler.compile(source, out);
  return out;
}
std::string codes(const Compilation& program) {
  std::string text;
  for (const Diagnostic& d : program.diagnostics)
    if (const std::string_view code = diagnostic_row(d.code()).code; !text.ends_with(code))
      text += (text.empty() ? "" : " ") + std::string(code);
  return text;
}

TEST(ManyFunctions, AProgramMayHaveSoMany) {
  for (const u32 n : {64u, 65u, 1'000u, 4'096u}) EXPECT_TRUE(compiled(independent(n)).ok) << n;
  for (const u32 n : {4'097u, 10'000u}) {
    const std::string source = independent(n);
    const Compilation program = compiled(source);
    ASSERT_EQ(program.diagnostics.size(), 1u) << n;
    EXPECT_EQ(codes(program), "K0131");
    EXPECT_EQ(place_of(source, program.diagnostics[0].begin).line, 4'097u);
  }
}

TEST(ManyFunctions, StackAndBoundsOfChainsAndCycles) {
  for (const u32 n : {64u, 65u, 4'096u}) {
    for (const bool backwards : {false, true}) {
      const Compilation program = compiled(chain(n, backwards));
      ASSERT_TRUE(program.ok) << n;
      const auto& functions = program.code.functions;
      const u32 last = functions[backwards ? 0 : n - 1].stack_bytes,
                next = functions[backwards ? 1 : n - 2].stack_bytes;
      EXPECT_EQ(functions[backwards ? n - 1 : 0].stack_bytes, last + (n - 1) * (next - last));
    }
    const Compilation program = compiled(cycle(n, "rec 3 "));
    ASSERT_TRUE(program.ok) << n;
    EXPECT_EQ(codes(program), "K0401");
    for (const Function& f : program.code.functions) {
      EXPECT_EQ(f.rec, 3);
      EXPECT_EQ(f.cycle, 1);
    }
    const auto& d = program.diagnostics.front();
    const RecursionNote note = RecursionNote::of(d.a, d.b);
    EXPECT_TRUE(note.more);
    EXPECT_EQ(note.bound, 3u);
    EXPECT_EQ(compiled(cycle(n, "")).code.functions[n / 2].rec, 64);
  }
  const Compilation dense = compiled(all_to_all(100));
  ASSERT_TRUE(dense.ok);
  EXPECT_EQ(RecursionNote::of(dense.diagnostics[5].a, dense.diagnostics[5].b).more, false);
}

// What has rows of bits on the serial group, and on devices, has lists on the others.
TEST(ManyFunctions, RowsAndListsGiveTheSame) {
  EveryGroup groups;
  std::string difference;
  u32 with_errors = 0;
  std::vector<std::string> sources;
  for (u32 seed = 0; seed < 60; ++seed) sources.push_back(drawn(2 + seed % 25, seed));
  for (const u32 n : {63u, 64u, 65u, 90u}) sources.push_back(drawn(n, n));
  sources.push_back(cycle(64, "rec 5 "));
  sources.push_back(all_to_all(20));
  sources.push_back(recursive_chain(12));
  for (const std::string& source : sources) {
    with_errors += groups.compile(source, difference).ok ? 0 : 1;
    EXPECT_EQ(difference, "") << source;
  }
  EXPECT_GT(with_errors, 10u);
  EXPECT_LT(with_errors, 60u);
  EveryGroup quick({GroupKind::Serial, GroupKind::Permuted});
  for (u32 seed = 100; seed < 500; ++seed) {
    const std::string source = drawn(2 + seed % 63, seed);
    static_cast<void>(quick.compile(source, difference));
    EXPECT_EQ(difference, "") << source;
  }
}

TEST(ManyFunctions, DevicesLeaveThemToTheHost) {
  frontend::BatchCompiler device(frontend::emulated_device(7, 2));
  const frontend::PathCounts paths = expect_as_serial(
      device, {independent(64), cycle(64, "rec 2 "), independent(65), cycle(65, "rec 2 "),
               drawn(64, 1), drawn(200, 2), independent(1'000)});
  const u32 to_host = paths.host[static_cast<u32>(frontend::HostReason::TooManyFunctions)];
  EXPECT_EQ(to_host, 4u) << paths.text();
  EXPECT_EQ(paths.on_host(), 4u) << paths.text();
  EXPECT_NE(paths.text().find("4 on the host (4 too many functions)"), std::string::npos);
}

// That there are too many is said, however much else is wrong, and no more than so much.
TEST(ManyFunctions, TooManyIsSaidBesideManyErrors) {
  std::string wrong;
  for (u32 k = 0; k < 200; ++k)
    wrong += "fn wrong" + std::to_string(k) + "() -> i64 { no" + std::to_string(k) + " }\n";
  for (const std::string& source : {wrong + independent(4'200), independent(4'200) + wrong}) {
    const Compilation program = compiled(source);
    EXPECT_LE(program.diagnostics.size(), 65u);
    EXPECT_NE(codes(program).find("K0131"), std::string::npos);
  }
}

// As `Growth` measures it; the texts are programs with lists.
TEST(ManyFunctions, WorkIsInProportionToTheText) {
  struct Row {
    std::string (*text)(u32 n);
    u32 few, many;
  };
  const Row rows[] = {
      {independent, 500, 4'000},
      {[](u32 n) { return chain(n, false); }, 500, 4'000},
      {[](u32 n) { return chain(n, true); }, 500, 4'000},
      {[](u32 n) { return cycle(n, "rec 3 "); }, 500, 4'000},
      {[](u32 n) { return cycle(n, ""); }, 500, 4'000},
      {recursive_chain, 500, 4'000},
      {[](u32 n) { return drawn(n, 3); }, 500, 4'000},
      {all_to_all, 100, 280},
  };
  frontend::Compiler compiler;
  for (const Row& row : rows) {
    const auto measured = [&](u32 n) {
      const std::string source = row.text(n);
      Compilation out;
      compiler.compile(source, out);
      EXPECT_LE(out.diagnostics.size(), 4'096u + 200);
      return std::pair(static_cast<f64>(source.size()), static_cast<f64>(compiler.work()));
    };
    const auto [few_bytes, few_work] = measured(row.few);
    const auto [many_bytes, many_work] = measured(row.many);
    const f64 power = std::log(many_work / few_work) / std::log(many_bytes / few_bytes);
    EXPECT_LT(power, 1.2) << row.text(3);
    EXPECT_LT(many_work, many_bytes * frontend::kMostWorkOfByte) << row.text(3);
  }
}

// Of a chain whose calls need too much stack the functions that take the most are named, and not all.
TEST(ManyFunctions, NotesOnTheStackAreFew) {
  for (const auto& source : {chain(4'000, false), recursive_chain(2'000)}) {
    frontend::Compiler compiler;
    Compilation out;
    compiler.compile(source, out);
    EXPECT_FALSE(out.ok);
    const auto is_share = [](const Diagnostic& d) {
      return d.code() == DiagnosticCode::StackShare;
    };
    EXPECT_EQ(std::ranges::count_if(out.diagnostics, is_share), 64);
  }
}

}  // namespace
}  // namespace komuz::test
