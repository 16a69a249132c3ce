// SPDX-License-Identifier: Apache-2.0
// Windows as source text: what is written compiles, and is equal to what it was written from.
#include "services/results/code_source.h"

#include <gtest/gtest.h>

#include "engine/cases/signature.h"
#include "frontend_gpu/frontend.h"
#include "gen/gen.h"
#include "neural/equal/equality.h"
#include "neural/windows/windows.h"

namespace komuz::services {
namespace {

Code compiled(std::string_view source) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(source, made);
  EXPECT_TRUE(made.ok) << source;
  return std::move(made.code);
}
Code window_of(std::string_view source) {
  const Code code = compiled(source);
  const std::vector<neural::CodeWindow> windows = neural::find_code_windows(code.view(), 0);
  EXPECT_EQ(windows.size(), 1u) << source;
  return neural::lone_window(code.view(), windows.at(0)).code;
}

TEST(CodeSource, IsWhatAPersonWouldWrite) {
  const std::string names[] = {"a", "b"};
  const Code code = window_of(
      "pub fn f(a: u8, b: u8) -> u8 { let m = if a < b { a } else { b }; if m == 0 { 0 } else { a "
      "/ m } }");
  EXPECT_EQ(body_of_code(code.view(), names, "> "),
            "> let v2: u8 = if a < b { a } else { b };\n> if v2 == 0 { 0 } else { a / v2 }\n");
  EXPECT_EQ(
      body_of_code(window_of("pub fn f(x: f64, y: f64) -> f64 { -(x + y) * min(x, 2.0) }").view(),
                   names, ""),
      "-(a + b) * min(a, 2.0)\n");
}

TEST(CodeSource, RandomWindowsCompileAndAreEqual) {
  u32 written = 0, all = 0;
  for (u64 seed = 1; seed <= 200; ++seed) {
    const Code code = compiled(gen::generate_program(seed, {.containers = seed % 2 == 0}));
    for (u32 f = 0; f < code.functions.size(); ++f)
      for (const neural::CodeWindow& window : neural::find_code_windows(code.view(), f)) {
        const neural::LoneWindow lone = neural::lone_window(code.view(), window);
        ++all;
        const std::optional<std::string> source = source_of_code(lone.code.view(), {});
        if (!source) continue;
        ++written;
        const Code again = compiled("pub " + *source);
        const engine::EntryChoice entry = engine::choose_entry(again.view(), "");
        ASSERT_EQ(entry.refusal, "") << *source;
        const Result<neural::Equality> equal =
            neural::compare({lone.code.view(), 0}, {again.view(), static_cast<u32>(entry.function)},
                            {.fuel = neural::FuelRule::Same, .inputs = 200, .uses_solver = false});
        ASSERT_FALSE(equal.problem()) << *source;
        EXPECT_NE(equal.value().verdict, neural::Verdict::Refuted) << *source;
      }
  }
  EXPECT_GT(written, all * 9 / 10);
}

}  // namespace
}  // namespace komuz::services
