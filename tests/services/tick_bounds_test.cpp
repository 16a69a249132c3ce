// SPDX-License-Identifier: Apache-2.0
// Bounds of fuel: what they say of small functions, and that no test of the repository's programs takes more.
#include "services/fuel/tick_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "engine/testing/run_tests.h"
#include "services/editor/function_costs.h"
#include "tests/services/damage.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

// "fuel ≤ 9", or what it depends on.
std::string fuel_of(const std::string& function) {
  engine::ModuleLoader modules;
  const auto costs = services::list_function_costs(function, modules);
  if (costs.empty()) return "errors";
  const std::string text = services::cost_text(costs.back());
  const size_t at = text.find("fuel");
  return at == std::string::npos ? text : text.substr(at);
}

struct FuelCase {
  std::string_view function, fuel;
};
constexpr FuelCase kFuelCases[] = {
    {"fn f(x: f64) -> f64 { x }", "fuel ≤ 1"},
    {"fn f(xs: [f64; 8]) -> f64 {\nvar s = 0.0;\nfor x in xs { s += x; }\ns }", "fuel ≤ 9"},
    {"fn f(xs: List[f64, 16]) -> f64 { xs.sum() }", "fuel ≤ 17"},
    {"fn f(xs: [f64; 8]) -> f64 { xs.map(x => x * 2.0).filter(x => x > 0.0).sum() }", "fuel ≤ 25"},
    // The end of the inner loop is a number of the outer one.
    {"fn f() -> i64 { var s = 0; for i in 0..10 { for j in 0..i { s += j; } } s }", "fuel ≤ 101"},
    {"fn f() -> i64 { var s = 0; for i in 1..=3 { s += i; } for i in 0..4 { s += i; } s }",
     "fuel ≤ 8"},
    {"fn f(n: i64) -> i64 { var k = n; while k > 0 limit 100 { k = k - 1; } k }", "fuel ≤ 101"},
    // What `limit` counts are rounds; its condition is evaluated once more.
    {"fn g(n: i64) -> bool { n > 0 }\n"
     "fn f(n: i64) -> i64 { var k = n; while g(k) limit 10 { k = k - 1; } k }",
     "fuel ≤ 22"},
    {"fn f(n: i64) -> i64 { var s = 0; for i in 0..min(n, 5) { s += i; } s }", "fuel ≤ 6"},
    {"fn f(n: i64) -> i64 rec 50 { if n <= 0 { 0 } else { n + f(n - 1) } }", "fuel ≤ 50"},
    // What there is no bound for.
    {"fn f(n: i64) -> i64 { var s = 0; for i in 0..n { s += i; } s }", "fuel depends on `n`"},
    {"fn f(n: i64) -> i64 {\nvar k = n;\nwhile k > 0 { k = k - 1; }\nk }",
     "fuel depends on `while` in line 3"},
    {"fn g(n: i64) -> i64 { var k = n; while k > 0 { k -= 1; } k }\nfn f(n: i64) -> i64 { g(n) }",
     "fuel depends on `g`"},
    {"fn f(n: i64) -> i64 rec 30 { if n < 2 { n } else { f(n - 1) + f(n - 2) } }",
     "fuel depends on the recursion"},
    // Both values of an `if` lead there, and what a loop stores.
    {"fn f(n: i64) -> i64 { let m = if n > 0 { n } else { 5 }; var s = 0; for i in 0..m { s += i; "
     "} "
     "s }",
     "fuel depends on"},
    {"fn f(n: i64) -> i64 { var m = 1; var s = 0; for i in 0..3 { for j in 0..m { s += j; } m = m "
     "* "
     "n; } s }",
     "fuel depends on"},
};

TEST(TickBounds, AreSaidWhereTheyHold) {
  for (const FuelCase& one : kFuelCases) {
    const std::string fuel = fuel_of(std::string(one.function));
    if (one.fuel == "fuel depends on") {
      EXPECT_TRUE(fuel.starts_with(one.fuel)) << one.function << ": " << fuel;
    } else {
      EXPECT_EQ(fuel, one.fuel) << one.function;
    }
  }
}

TEST(TickBounds, NoTestTakesMore) {
  u32 with_bound = 0, beyond_few = 0;
  for (const auto& path : corpus()) {
    const std::string text = read_text(path);
    if (text.size() > 40'000) continue;
    engine::ModuleLoader modules;
    modules.load(text);
    frontend::Compilation compilation;
    frontend::Compiler({.examples = true, .library = &modules.library()})
        .compile(text, compilation);
    if (!compilation.ok) continue;
    const CodeView code = compilation.code.view();
    const std::vector<services::TickBound> bounds = services::tick_bounds(code);
    for (const engine::TestResult& result : engine::run_tests(code, {.samples = 20})) {
      const std::optional<u64>& most = bounds[result.function].most;
      // The arguments of `traps` are entries of their own.
      const bool has_traps = std::ranges::any_of(code.functions, [&](const Function& f) {
        return f.kind == FunctionKind::Traps && f.owner == result.function;
      });
      if (!most || has_traps) continue;
      const u64 runs = std::max<u64>(result.samples, 1);
      EXPECT_LE(result.fuel, *most * runs)
          << path << ": " << code.name(code.functions[result.function]);
      ++with_bound;
      beyond_few += result.fuel > 10 * runs;
    }
  }
  EXPECT_GT(with_bound, 100u);
  EXPECT_GT(beyond_few, 10u);
}

}  // namespace
}  // namespace komuz::test
