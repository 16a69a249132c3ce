// SPDX-License-Identifier: Apache-2.0
// The device's front end, under the emulator: narrow columns in small memory, warps and blocks, returned code and
// messages. Every program gives the same bytes as the serial group, and every path is taken.
#include <gtest/gtest.h>

#include "tests/frontend/device_programs.h"
#include "tests/frontend/golden_modules.h"
#include "tests/frontend/resident_programs.h"

namespace komuz::test {
namespace {

using frontend::BatchCompiler;
using frontend::HostReason;
using frontend::PathCounts;

PathCounts on_emulator(const std::vector<std::string>& sources, u32 block_warps = 2) {
  BatchCompiler device(frontend::emulated_device(7, block_warps));
  return expect_as_serial(device, sources);
}

TEST(Device, GoldenFiles) {
  const PathCounts paths = on_emulator(golden_sources());
  EXPECT_GT(paths.warp, 30u) << paths.text();
  EXPECT_GT(paths.block, 0u) << paths.text();
  EXPECT_GT(paths.checked, 30u);
}

TEST(Device, ProgramsThatUseModules) {
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  std::vector<std::string> sources;
  for (const std::string& source : golden_sources())
    if (source.find("use ") != std::string::npos) sources.push_back(source);
  sources.emplace_back("pub use std.math;\nfn f() -> i64 { 1 }\n");
  for (const std::string& source : sources) modules.load(source);
  BatchCompiler device(frontend::emulated_device(4, 2));
  const PathCounts paths = expect_as_serial(device, sources, {.library = &modules.library()});
  EXPECT_GT(paths.warp, 4u) << paths.text();
  // Those that list spaces of modules: whether they hide what these need is asked of their names.
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::Names)], 3u) << paths.text();
  EXPECT_EQ(paths.on_host(), 3u) << paths.text();
}

// Code that is to be linked is not complete before: a device cannot check it.
TEST(Device, LinkedCodeIsCheckedOnTheHost) {
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  const std::vector<std::string> sources{
      "use std.math.{gcd};\npub fn f(a: i64) -> i64 { gcd(a, 12) }\n",
      "pub fn f(a: i64) -> i64 { a + 12 }\n"};
  for (const std::string& source : sources) modules.load(source);
  BatchCompiler device(frontend::emulated_device(4, 2));
  const PathCounts paths = expect_as_serial(device, sources, {.library = &modules.library()});
  EXPECT_EQ(paths.warp, 2u) << paths.text();
  EXPECT_EQ(paths.checked, 1u);
}

TEST(Device, WhatAThreadHasNoRoomForIsCheckedOnTheHost) {
  const PathCounts paths =
      on_emulator({"pub fn f(i: i64) -> i64 {\nvar xs = [0; 2_000];\nxs[i] = 1;\nxs[2 * i]\n}\n",
                   "pub fn f(i: i64) -> i64 {\nvar xs = [0; 200];\nxs[i] = 1;\nxs[2 * i]\n}\n"});
  EXPECT_EQ(paths.warp, 2u) << paths.text();
  EXPECT_EQ(paths.checked, 1u);
}

// Heads of modules that a program writes itself never reach the passes, also where there is no library.
TEST(Device, PublicUsesAreRefused) {
  const std::vector<std::string> sources{
      "use m;\npub use ;\nfn f() -> i64 { 1 }\n",
      "use m;\npub use m;\npub fn g() -> i64;\nfn f() -> i64 { m.g() }\n",
      "pub // a comment\nuse m.{g};\nfn f() -> i64 { 1 }\n"};
  const PathCounts paths = on_emulator(sources);
  EXPECT_EQ(paths.refused, sources.size()) << paths.text();
}

TEST(Device, GeneratedPrograms) {
  const PathCounts paths = on_emulator(generated_programs(60));
  EXPECT_GT(paths.warp, 40u) << paths.text();
  EXPECT_EQ(paths.checked, 60u);
}

TEST(Device, DamagedPrograms) { (void)on_emulator(damaged_programs(60)); }

TEST(Device, LongProgramsOnBlocks) {
  for (const u32 warps : {2u, 4u}) {
    const PathCounts paths = on_emulator({long_program(20), long_program(60)}, warps);
    EXPECT_EQ(paths.block, 2u) << paths.text();
  }
}

TEST(Device, WhatExceedsTheLimitsIsCompiledOnTheHost) {
  const std::string wide =
      "pub fn f() -> i64 {\nlet t = (1" + repeated(15, ", 1") + ")\nvar u = t\n";
  const std::vector<std::string> sources{
      repeated(frontend::kMaxDeviceBytes / 16, "// 16 bytes here") + "pub fn f() -> i64 { 1 }",
      "pub fn f() -> i64 {\n1 " + repeated(17'000, "+ 1") + "}",
      wide + repeated(2'200, "u = t\n") + "1 }",
      "pub fn f() -> i64 {\n" + repeated(2'500, "-") + "1 }"};
  const PathCounts paths = on_emulator(sources);
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::TooLong)], 1u) << paths.text();
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::TooManyNodes)], 1u) << paths.text();
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::TooMuchCode)], 1u) << paths.text();
  EXPECT_EQ(paths.block, 1u) << paths.text();
}

TEST(Device, StackLimitIsSaidByTheHost) {
  frontend::Options options;
  options.stack_limit = 16;
  BatchCompiler device(frontend::emulated_device(3, 2));
  const PathCounts paths = expect_as_serial(
      device, {"pub fn f(a: i64) -> i64 { let b = a; (a + b) * (a - b) }"}, options);
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::StackLimit)], 1u) << paths.text();
}

// A message that needs names and types: `b` is bound to an Option. For other messages, the device returns enough.
TEST(Device, MessagesOfNamesAndTypesAreMadeByTheHost) {
  const std::string ends = "fn f(xs: List[i64, 8]) -> i64 { var s = xs; let b = s.pop(); b + 1 }",
                    others =
                        "fn f(xs: List[i64, 8]) -> i64 { var s = xs; let b = s.len(); b + 1.5 }";
  const PathCounts paths =
      on_emulator({ends, others, "lett x", "fn lett() -> i64 { lett x = 1; x }"});
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::Names)], 1u) << paths.text();
  EXPECT_EQ(paths.on_host(), 1u) << paths.text();
  const PathCounts without_ends =
      on_emulator({ends, "fn f(o: Option[i64]) -> i64 { let b = o; b }",
                   "fn f(n: i64) -> i64 { for i in n { } n }",
                   "fn f(o: Option[i64], xs: [i64]) -> i64 { xs[o] + o }"});
  EXPECT_EQ(without_ends.on_host(), 1u) << without_ends.text();
}

TEST(Device, BadTextGoesNowhere) {
  const PathCounts paths = on_emulator(
      {"pub fn f() -> i64 { 1 }", std::string("pub\0fn", 6), "\xFF", "", "  // nothing\n"});
  EXPECT_EQ(paths.refused, 2u) << paths.text();
  EXPECT_EQ(paths.warp, 3u) << paths.text();
}

TEST(Device, ABatchAfterABatch) {
  BatchCompiler device(frontend::emulated_device(5, 4));
  (void)expect_as_serial(device, {gen::generate_program(1), gen::generate_program(2)});
  (void)expect_as_serial(device, {});
  (void)expect_as_serial(device, {gen::generate_program(3)});
}

// In any order, all as one bucket.
void expect_the_same_there(const std::vector<std::string>& sources, u32& blocks) {
  const auto device = frontend::emulated_device(6, 2);
  const frontend::PackedPrograms packed = packed_programs(sources);
  frontend::DeviceAnswer answer;
  ASSERT_EQ(device->run(packed, answer).text(), "");
  const std::vector<std::string> wanted = bytes_of(answer);

  std::vector<frontend::PackedProgram> turned(packed.programs.rbegin(), packed.programs.rend());
  turned.push_back({0, 0, 0});
  frontend::ResidentSources there = packed.resident();
  there.programs = turned.data();
  there.count = static_cast<u32>(turned.size());
  frontend::ResidentResults out;
  BatchCompiler compiler(frontend::emulated_device(8, 2));
  ASSERT_EQ(compiler.run_there(there, out).text(), "");
  blocks = 0;
  for (size_t k = 0; k < wanted.size(); ++k) blocks += out.results[k].by_block;
  for (size_t k = 0; k < wanted.size(); ++k)
    EXPECT_TRUE(bytes_of(out.results[wanted.size() - 1 - k], out.output) == wanted[k])
        << sources[packed.programs[k].number].substr(0, 4000);
  const frontend::DeviceResult& none = out.results[wanted.size()];
  EXPECT_EQ(none.end, frontend::DeviceEnd::Done);
  EXPECT_EQ(none.has_code + none.has_messages + none.is_checked, 0);
}
TEST(Device, SourcesThatLieThere) {
  u32 blocks = 0;
  expect_the_same_there(generated_programs(12), blocks);
  expect_the_same_there(damaged_programs(12), blocks);
  expect_the_same_there({""}, blocks);
  EXPECT_EQ(blocks, 0u);
  const std::string short_one = "pub fn f() -> i64 { 1 }";
  expect_the_same_there({short_one, "pub fn f() -> i64 {\n" + repeated(230, "-") + "1 }"}, blocks);
  EXPECT_EQ(blocks, 1u) << "it is short, but has many nodes";
  expect_the_same_there({long_program(20), short_one}, blocks);
  EXPECT_EQ(blocks, 2u);
}

TEST(Device, PathsAreSaidInWords) {
  PathCounts paths;
  paths.warp = 12;
  paths.block = 3;
  paths.checked = 14;
  paths.host[static_cast<u32>(HostReason::TooLong)] = 1;
  EXPECT_EQ(paths.text(), "12 by warps, 3 by blocks, 1 on the host (1 too long)");
  paths.add(paths);
  EXPECT_EQ(paths.text(), "24 by warps, 6 by blocks, 2 on the host (2 too long)");
  EXPECT_EQ(paths.checked, 28u);
}

}  // namespace
}  // namespace komuz::test
