// SPDX-License-Identifier: Apache-2.0
// What a device runs, under the emulator: narrow columns in small memory, warps and blocks, code and messages handed
// back; the same bytes as the serial group's for every program, and every path taken.
#include <gtest/gtest.h>

#include "frontend_gpu/batch.h"
#include "frontend_gpu/packed.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {
namespace {

using frontend::BatchCompiler;
using frontend::Compilation;
using frontend::HostReason;
using frontend::PathCounts;

// Compiles on an emulated device and expects what the serial group gives.
PathCounts expect_as_serial(BatchCompiler& device, const std::vector<std::string>& sources,
                            frontend::Options options = {}) {
  std::vector<std::string_view> views(sources.begin(), sources.end());
  std::vector<Compilation> found(sources.size());
  EXPECT_EQ(device.compile(views, found), "");
  frontend::Compiler serial(options);
  Compilation wanted;
  for (size_t k = 0; k < sources.size(); ++k) {
    serial.compile(sources[k], wanted);
    EXPECT_EQ(first_difference(wanted, found[k]), "") << sources[k].substr(0, 4000);
  }
  const PathCounts& paths = device.paths();
  EXPECT_EQ(paths.refused + paths.warp + paths.block + paths.on_host(), sources.size());
  return paths;
}
PathCounts expect_as_serial(const std::vector<std::string>& sources, u32 block_warps = 2) {
  BatchCompiler device(frontend::emulated_device(7, block_warps));
  return expect_as_serial(device, sources);
}

std::string long_program(u32 functions) {
  gen::Options options;
  options.functions = functions;
  return gen::generate_program(functions, options);
}

TEST(Device, GoldenFiles) {
  const PathCounts paths = expect_as_serial(golden_sources());
  EXPECT_GT(paths.warp, 30u) << paths.text();
  EXPECT_GT(paths.block, 0u) << paths.text();
}

TEST(Device, GeneratedPrograms) {
  std::vector<std::string> sources;
  for (u64 seed = 1; seed <= 150; ++seed) sources.push_back(gen::generate_program(seed));
  const PathCounts paths = expect_as_serial(sources);
  EXPECT_GT(paths.warp, 100u) << paths.text();
}

TEST(Device, DamagedPrograms) {
  std::vector<std::string> sources;
  for (u64 seed = 1; seed <= 150; ++seed)
    sources.push_back(
        gen::mutate_source(gen::generate_program(seed), seed,
                           seed % 2 == 0 ? gen::Mutation::Token : gen::Mutation::Byte));
  (void)expect_as_serial(sources);
}

TEST(Device, LongProgramsOnBlocks) {
  for (const u32 warps : {2u, 4u}) {
    const PathCounts paths = expect_as_serial({long_program(20), long_program(60)}, warps);
    EXPECT_EQ(paths.block, 2u) << paths.text();
  }
}

// `part` so many times, on lines of their own.
std::string repeated(u32 times, const std::string& part) {
  std::string text;
  for (u32 k = 0; k < times; ++k) text += part + "\n";
  return text;
}

TEST(Device, WhatExceedsTheLimitsIsCompiledOnTheHost) {
  const std::string wide =
      "pub fn f() -> i64 {\nlet t = (1" + repeated(50, ", 1") + ")\nvar u = t\n";
  const std::vector<std::string> sources{
      repeated(frontend::kMaxDeviceBytes / 16, "// 16 bytes here") + "pub fn f() -> i64 { 1 }",
      "pub fn f() -> i64 {\n1 " + repeated(17'000, "+ 1") + "}",
      wide + repeated(700, "u = t") + "1 }",
      "pub fn f() -> i64 {\n" + repeated(2'500, "-") + "1 }"};
  const PathCounts paths = expect_as_serial(sources);
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::TooLong)], 1u) << paths.text();
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::TooManyNodes)], 1u) << paths.text();
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::TooMuchCode)], 1u) << paths.text();
  EXPECT_EQ(paths.block, 1u) << paths.text();
}

TEST(Device, StackLimitIsSaidByTheHost) {
  frontend::Options options;
  options.stack_limit = 16;
  BatchCompiler device(frontend::emulated_device(3, 2), options);
  const PathCounts paths = expect_as_serial(
      device, {"pub fn f(a: i64) -> i64 { let b = a; (a + b) * (a - b) }"}, options);
  EXPECT_EQ(paths.host[static_cast<u32>(HostReason::StackLimit)], 1u) << paths.text();
}

TEST(Device, BadTextGoesNowhere) {
  const PathCounts paths = expect_as_serial(
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

TEST(Device, PathsAreSaidInWords) {
  PathCounts paths;
  paths.warp = 12;
  paths.block = 3;
  paths.host[static_cast<u32>(HostReason::TooLong)] = 1;
  EXPECT_EQ(paths.text(), "12 by warps, 3 by blocks, 1 on the host (1 too long)");
  paths.add(paths);
  EXPECT_EQ(paths.text(), "24 by warps, 6 by blocks, 2 on the host (2 too long)");
}

}  // namespace
}  // namespace komuz::test
