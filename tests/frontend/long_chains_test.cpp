// SPDX-License-Identifier: Apache-2.0
// A chain of very many steps takes time by the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "frontend_gpu/frontend.h"

namespace komuz::frontend {
namespace {

// The shortest of a few times, in seconds.
f64 time_to_compile(u32 steps) {
  std::string source = "pub fn f(xs: [i64; 4]) -> i64 { xs";
  for (u32 k = 0; k < steps; ++k) source += "\n.map(x => x + 1)";
  source += ".sum() }\n";
  Compiler compiler;
  Compilation out;
  f64 shortest = 1e9;
  for (u32 k = 0; k < 3; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    compiler.compile(source, out);
    const std::chrono::duration<f64> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_TRUE(out.ok);
    shortest = std::min(shortest, seconds.count());
  }
  return shortest;
}

TEST(LongChains, TakeTimeByTheStep) {
  const f64 some = time_to_compile(500), many = time_to_compile(8000);
  // 16 times as many; if each looked for the first one, it would be some 200 times as long.
  EXPECT_LT(many, 64 * some);
}

}  // namespace
}  // namespace komuz::frontend
