// SPDX-License-Identifier: Apache-2.0
// The ways of a variant to code: bound, expanded, and as the plain program that `komuz fill` prints. All give the same
// values, traps and fuel; the first two the same reports, places included.
#include <gtest/gtest.h>

#include "engine/evaluate.h"
#include "engine/report.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/sketch_candidates.h"
#include "lang/check_code.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine {
namespace {

using test::report_of;

constexpr const char* kCases =
    "n,x,expected\n0,0.5,1.0\n1,-2.0,2.0\n3,1e300,0.0\n-7,0.25,5.0\n100,3.0,-1.0\n5,7.5,7.5\n";

// Each a `pub fn f(n: i64, x: f64) -> f64`.
constexpr const char* kBindable[] = {
    "pub fn f(n: i64, x: f64) -> f64 { ?a[x, x * x, sqrt(x)] + ?b(0.0..1.0, steps: 4) * f64(n) }",
    "pub fn f(n: i64, x: f64) -> f64 { ?a[?b[x, 2.0], ?[1.0, x + 1.0], 3.0] - ?b[1.0, x] }",
    "pub fn f(n: i64, x: f64) -> f64 { f64(?op[n / ?d(-1..=2), n % 4, n * n * "
    "4000000000000000000]) }",
    "pub fn f(n: i64, x: f64) -> f64 {\n    var sum = 0.0;\n    for i in 0..?times(1..=3) {\n"
    "        if ?[n > 2, x < 1.0, true] { sum += ?step[x, f64(i), ?[1.0, 2.0]]; }\n    }\n    "
    "sum\n}",
    "pub fn f(n: i64, x: f64) -> f64 {\n    var k = n;\n    while k > ?(0..2) && ?[true, k % 2 == "
    "1] "
    "limit 50 { k = ?[k / 2, k - 1, 3 * k]; }\n    f64(k) + x\n}",
    "type Shape = Circle(r: f64) | Square(side: f64) | Empty;\n"
    "fn area(s: Shape) -> f64 { match s { Circle(r) => r * r * PI, Square(a) => a * a, Empty => "
    "?e[0.0, -1.0] } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { area(?s[Circle(x), Square(f64(n)), Empty]) + ?e[1.0, x] }",
    "fn g(k: i64) -> i64 { assert_small(k) + ?[1, 2] }\n"
    "fn assert_small(k: i64) -> i64 { if k > ?limit[50, 200] { k / 0 } else { k } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(?[g(n), assert_small(n), n]) }",
    "pub fn f(n: i64, x: f64) -> f64 {\n    let xs = [x, 1.0, 2.0];\n"
    "    xs.map(v => ?m[v, v * v, v / f64(n)]).filter(v => v > ?t(0.0..=1.0, steps: 3)).sum() + "
    "xs[?i[0, n]]\n}",
    "fn wide(n: i32) -> i32 { let k = ?a[1, n]; k + ?b[2, 3] }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(wide(wrap_i32(n))) + f64(f32(x) * ?c(0.1..1.0, steps: "
    "3, log: true)) }",
    "fn pick(o: Option[f64], d: f64) -> f64 { match o { Some(v) => v, None => d } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { pick(?o[None, Some(x), Some(1.0)], ?d[0.0, f64(n)]) }",
    "pub fn f(n: i64, x: f64) -> f64 { let (a, b) = ?p[(x, 1.0), (2.0, x)]; let unused: f64 = x; a "
    "- b + ?later }",
    "fn count(n: i64) -> i64 rec 40 { if n <= 0 { ?base[0, 1] } else { 1 + count(n - ?by(1..=2)) } "
    "}\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(count(n)) }",
    "pub fn f(n: i64, x: f64) -> f64 {\n    ?all[{ let a = x * 2.0; if n > 1 { return a; } a + 1.0 "
    "}, "
    "match n { 0 => 1.0, 1 | 3 => ?[x, 2.0], _ => x }]\n}",
    // Spaces: arguments that are variables and others, a space in another one, grids and choices in them, variables of their
    // own at each depth, loops, jumps, calls and traps.
    "pub fn f(n: i64, x: f64) -> f64 { x + ?e(x * 2.0, f64(n)) }\n"
    "space e(x: f64, y: f64) -> f64 depth 1 { x, y, ?(0.0..1.0, steps: 2), e / e, ?[e, 1.0 / y] "
    "}\n",
    "pub fn f(n: i64, x: f64) -> f64 { let y = f64(n); ?e(x, y) - ?e(y, x) }\n"
    "space e(a: f64, b: f64) -> f64 depth 1 { a, e * b, ?k[1.0, b] + ?k[2.0, a] }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
    "space e(a: f64) -> f64 depth 2 { a, { let b = e; let c = e; b * c - b } }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(?g(x, n)) }\n"
    "space e(a: f64) -> f64 depth 1 { a, -e, { let b = a + 1.0; ?g(b, ?(2..4)) + b } }\n"
    "space g(a: f64, m: i64) -> f64 depth 0 { a / f64(m), f64(m) }\n",
    "fn half(v: f64) -> f64 { v / f64(1000 / i64(v)) }\n"
    "pub fn f(n: i64, x: f64) -> f64 {\n    var s = 0.0;\n    for i in 0..3 { s += ?e(f64(i), s); "
    "}\n"
    "    if s > 2.0 { return ?e(s, x); }\n    s + x\n}\n"
    "space e(a: f64, b: f64) -> f64 depth 1 {\n    if b > 1.0 { a } else { ?[half(a), e] },\n"
    "    match i64(a) { 0 => b, 1 => half(e), _ => 0.5 },\n"
    "    [a, b, e].map(v => v * a).filter(v => v != 0.0 && v < ?(1.0..9.0, steps: 2)).sum(),\n}\n",
    "type Two = Two(a: f64, b: f64);\n"
    "pub fn f(n: i64, x: f64) -> f64 { let p = Two(a: x, b: f64(n)); let q = ?t(p, (n, x)); q.a - "
    "q.b }\n"
    "space t(p: Two, q: (i64, f64)) -> Two depth 1 {\n    p, Two(a: p.b, b: q.1), Two(a: t.b, b: "
    "f64(q.0)), "
    "{ let r = t; Two(a: r.b + t.a, b: r.a) },\n}\n",
    "fn fac(n: i64) -> i64 rec 12 { if n <= 1 { ?s(n) } else { n * fac(n - 1) + ?s(n) } }\n"
    "pub fn f(n: i64, x: f64) -> f64 { f64(fac(n)) + x }\n"
    "space s(k: i64) -> i64 depth 1 { k, s * 2, { let m = s; m + k } }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?one(x) + ?none() }\n"
    "space one(a: f64) -> f64 depth 0 { a * ?(1.0..3.0, steps: 2) }\n"
    "space none() -> f64 depth 1 { 1.0, none + none }\n",
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x * x) }\n"
    "space e(a: f64) -> f64 depth 1 { a, if a > 1.0 { e } else { ?[1.0, e] } }\n",
    "pub fn f(n: i64, x: f64) -> f64 {\n    var s = 0.0;\n    for i in 0..3 { s += ?[continue, "
    "break, return 5.0, x] + 1.0; }\n    s + ?[return 1.0, x]\n}",
    // Constants whose names are variables' where the space is used, or of another space.
    "const scale: f64 = 2.0;\n"
    "pub fn f(n: i64, x: f64) -> f64 { let scale = 5.0; ?e(x) + scale }\n"
    "space e(a: f64) -> f64 depth 0 { a * scale, scale, [a].map(scale => scale + 1.0).sum() }\n",
    "const y: f64 = 7.0;\n"
    "pub fn f(n: i64, x: f64) -> f64 { ?e(x + 1.0, f64(n)) + y }\n"
    "space e(a: f64, y2: f64) -> f64 depth 0 { ?g(a * 2.0), y2 * y }\n"
    "space g(y: f64) -> f64 depth 0 { ?h(y), y }\n"
    "space h(q: f64) -> f64 depth 1 { q * y, h + y }\n",
    // The places of traps in arguments.
    "pub fn f(n: i64, x: f64) -> f64 { f64(?e(8 / n, n * n * n * n * n * n * n * n * n * n * ?[n, "
    "1])) }\n"
    "space e(a: i64, b: i64) -> i64 depth 0 { a, b, a + ?(1..3) / b }\n",
};
struct Unbound {
  const char* source;
  BindObstacle obstacle;
};
constexpr Unbound kUnbound[] = {
    {"pub fn f(n: i64, x: f64) -> f64 {\n    let a = [x, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];\n"
     "    let b = [1.0; 9];\n    ?xs[a, b][n] + x\n}",
     BindObstacle::Copies},
    {"fn g(n: i64) -> i64 rec 30 { if n <= 0 { 0 } else { ?r[g(n - 1) + 1, n, g(n - 2)] } }\n"
     "pub fn f(n: i64, x: f64) -> f64 { f64(g(n)) }",
     BindObstacle::Recursion},
};

SketchProgram program_of(const std::string& source) {
  std::optional<SketchProgram> sketch = read_sketch(source, {});
  EXPECT_TRUE(sketch) << source;
  return std::move(*sketch);
}
CasesTable cases() {
  CasesTable table;
  const MaybeError error = read_csv_cases("cases.csv", kCases, {}, table);
  EXPECT_FALSE(error);
  return table;
}
Results run(const SketchProgram& sketch, bool expands, u32 threads = 2,
            const VariantChoice& choice = {}) {
  SketchCandidates candidates(sketch.source, sketch.plan, choice);
  EvaluateOptions options;
  options.sketch = &sketch;
  options.expands_variants = expands;
  options.threads = threads;
  options.epoch = 7;
  Results results;
  const CasesTable table = cases();
  const MaybeError error = evaluate(candidates, table, options, results);
  EXPECT_FALSE(error) << error->text() << "\n" << sketch.source;
  EXPECT_EQ(results.rows.size(), choice.samples.value_or(sketch.plan.count().exact));
  return results;
}
// The variants as plain programs.
Results run_plain(const SketchProgram& sketch) {
  std::vector<std::string> texts;
  Fill fill(sketch.source, sketch.plan);
  Decisions decisions;
  for (u64 k = 0; k < sketch.plan.count().exact; ++k) {
    EXPECT_TRUE(sketch.plan.unrank(k, decisions));
    EXPECT_TRUE(fill.write(decisions, texts.emplace_back()));
  }
  std::vector<Candidate> rows;
  for (const std::string& text : texts) rows.push_back({{}, text, {}});
  CandidateList candidates(rows);
  Results results;
  const CasesTable table = cases();
  EXPECT_FALSE(evaluate(candidates, table, {}, results));
  return results;
}
void expect_same_runs(const Results& own, const Results& plain, const std::string& source) {
  ASSERT_EQ(own.rows.size(), plain.rows.size());
  for (u32 k = 0; k < own.rows.size(); ++k) {
    const ResultRow &a = own.rows[k], &b = plain.rows[k];
    EXPECT_EQ(a.status, b.status) << source << "\n#" << k;
    EXPECT_EQ(a.score, b.score) << source << "\n#" << k;
    EXPECT_EQ(a.fuel, b.fuel) << source << "\n#" << k;
    EXPECT_EQ(a.first_trap, b.first_trap) << source << "\n#" << k;
    const bool fails = a.first_failure != kNone;
    ASSERT_EQ(fails, b.first_failure != kNone);
    if (!fails) continue;
    const Failure &f = own.failures[a.first_failure], &g = plain.failures[b.first_failure];
    EXPECT_EQ(f.case_index, g.case_index) << source << "\n#" << k;
    EXPECT_EQ(f.trap, g.trap) << source << "\n#" << k;
    if (f.trap != Trap::None) {
      EXPECT_EQ(f.depth, g.depth) << source << "\n#" << k;
    }
    EXPECT_EQ(f.actual, g.actual) << source << "\n#" << k;
  }
}

TEST(SketchWays, BoundIsExpandedIsPlain) {
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    ASSERT_EQ(sketch.obstacle, BindObstacle::None) << source;
    const Results bound = run(sketch, false), expanded = run(sketch, true);
    EXPECT_EQ(report_of(bound), report_of(expanded)) << source;
    EXPECT_EQ(report_of(bound), report_of(run(sketch, false, 1))) << source;
    expect_same_runs(bound, run_plain(sketch), source);
  }
}

TEST(SketchWays, WithoutBoundCodeTheyAreExpanded) {
  for (const Unbound& own : kUnbound) {
    const SketchProgram sketch = program_of(own.source);
    EXPECT_EQ(sketch.obstacle, own.obstacle) << own.source;
    const Results expanded = run(sketch, false);
    for (const ResultRow& row : expanded.rows) EXPECT_NE(row.status, Status::CompileError);
    EXPECT_EQ(report_of(expanded), report_of(run(sketch, true, 1))) << own.source;
    expect_same_runs(expanded, run_plain(sketch), own.source);
  }
}

TEST(SketchWays, BoundCodePassesTheChecker) {
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    Binder binder(sketch);
    Decisions decisions;
    Code code;
    for (u64 k = 0; k < sketch.plan.count().exact; ++k) {
      ASSERT_TRUE(sketch.plan.unrank(k, decisions));
      ASSERT_TRUE(binder.bind(decisions, code));
      std::vector<Function> functions = code.functions;
      const CodeError error = check_code(code.view(), functions, kDefaultStackLimit);
      ASSERT_FALSE(error) << error.reason << "\n" << source << "\n#" << k;
      for (size_t f = 0; f < functions.size(); ++f) {
        EXPECT_EQ(code.functions[f].max_stack, functions[f].max_stack) << source << "\n#" << k;
        EXPECT_GE(code.functions[f].stack_bytes, functions[f].stack_bytes) << source << "\n#" << k;
      }
    }
  }
}

// Of grids with many points no values are kept.
TEST(SketchWays, LargeGridsAreBoundLikeSmallOnes) {
  const SketchProgram sketch = program_of(
      "pub fn f(n: i64, x: f64) -> f64 { x * ?a(0.0..1.0, steps: 100000) + f64(n * ?(-9..99999)) + "
      "?c(1.0..=9.0, steps: 5) + ?a(0.0..1.0, steps: 100000) }");
  ASSERT_EQ(sketch.obstacle, BindObstacle::None);
  const VariantChoice some{.samples = 50, .seed = 1};
  EXPECT_EQ(report_of(run(sketch, false, 1, some)), report_of(run(sketch, true, 1, some)));
}

TEST(SketchWays, CodeOfAVariantMayBecomeThatOfAnother) {
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    Binder binder(sketch);
    Decisions decisions;
    Code code;
    for (u64 k = 0; k < sketch.plan.count().exact; ++k) {
      ASSERT_TRUE(sketch.plan.unrank(k, decisions));
      ASSERT_TRUE(binder.bind(decisions, code));
      Code fresh;
      ASSERT_TRUE(Binder(sketch).bind(decisions, fresh));
      EXPECT_EQ(code.instructions, fresh.instructions) << source << "\n#" << k;
      EXPECT_EQ(code.places, fresh.places) << source << "\n#" << k;
      EXPECT_EQ(code.constants, fresh.constants) << source << "\n#" << k;
      EXPECT_EQ(code.names, fresh.names);
      ASSERT_EQ(code.functions.size(), fresh.functions.size());
      for (size_t f = 0; f < code.functions.size(); ++f) {
        EXPECT_EQ(code.functions[f].code_begin, fresh.functions[f].code_begin);
        EXPECT_EQ(code.functions[f].code_end, fresh.functions[f].code_end);
        EXPECT_EQ(code.functions[f].stack_bytes, fresh.functions[f].stack_bytes);
      }
      if (k % 2 == 0) continue;
      // As where an entry for slices is added.
      code.instructions.push_back({});
      code.functions.push_back(code.functions[0]);
      code.functions[0].stack_bytes = 0;
      code.names += "g";
    }
  }
}

TEST(SketchWays, VariantsThatDoTheSameAreDuplicates) {
  const SketchProgram sketch =
      program_of("pub fn f(n: i64, x: f64) -> f64 { ?a[?b[x, 2.0], 3.0] + ?[x, x] }");
  const Results results = run(sketch, false);
  // #1 chooses the other x; of a = 1 neither b nor that makes a difference.
  const u32 representatives[] = {kNone, 0, kNone, 2, kNone, 4, 4, 4};
  ASSERT_EQ(results.rows.size(), std::size(representatives));
  for (u32 k = 0; k < results.rows.size(); ++k)
    EXPECT_EQ(results.rows[k].duplicate_of, representatives[k]) << k;
}

}  // namespace
}  // namespace komuz::engine
