// SPDX-License-Identifier: Apache-2.0
// Variants that share lanes, or the lowered code of the first of them, against the reference, which runs each by
// itself.
#include "engine/run/variant_lanes.h"

#include <gtest/gtest.h>

#include "engine/results/report.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/native/needs_backend.h"
#include "tests/engine/sketch/bindable_sketches.h"

namespace komuz::engine {
namespace {

using test::report_of;
using test::table_of;

// Grids of every type, in callees, loops that lanes leave at different times, lists, recursion and spaces. Each a
// `pub fn f(n: i64, x: f64)`.
struct Gridded {
  const char* expected;  // of each case
  const char* source;
};
constexpr Gridded kGrids[] = {
    {"0.5",
     "pub fn f(n: i64, x: f64) -> f64 { x * ?(0.0..1.0, steps: 50) + ?[1.0, x] - ?(0.0..=1.0, "
     "steps: 3) }"},
    {"3", "pub fn f(n: i64, x: f64) -> i64 { n / ?(-4..20) % ?(1..=9) }"},
    {"true",
     "pub fn f(n: i64, x: f64) -> bool { f32(x) * ?(0.5..9.0, steps: 30) > ?[1.0, ?(0.0..4.0, "
     "steps: 5)] }"},
    {"\"(2, 0.5, 99)\"",
     "pub fn f(n: i64, x: f64) -> (i64, f64, u8) { (n + ?(0..7), ?a(0.0..1.0, steps: 9) * x, "
     "?('a'..'g')) }"},
    {"3",
     "fn g(k: i64) -> i64 { k * ?(1..30) / (k - ?k(0..8)) }\npub fn f(n: i64, x: f64) -> i64 { "
     "g(n) "
     "+ g(?k(0..8)) }"},
    {"3",
     "fn down(k: i64) -> i64 rec 9 { if k <= 0 { ?(0..4) } else { 1 + down(k - ?(1..4)) } }\n"
     "pub fn f(n: i64, x: f64) -> i64 { down(n + ?(0..9)) }"},
    {"3",
     "pub fn f(n: i64, x: f64) -> i64 {\n    var k = n * n + ?(1..40);\n    var steps = 0;\n"
     "    while k != 1 limit 60 { k = if k % 2 == 0 { k / 2 } else { ?(2..5) * k + 1 }; steps += "
     "1; "
     "}\n    steps\n}"},
    {"0.5",
     "pub fn f(n: i64, x: f64) -> f64 {\n    let table = [?(0.0..4.0, steps: 9), 1.0, ?(0.0..4.0, "
     "steps: 9), x];\n"
     "    var sum = 0.0;\n    for i in 0..20 {\n        if table[i % 4] > ?(0.0..4.0, steps: 3) { "
     "continue; }\n"
     "        sum += table[i * 3 % 4];\n    }\n    sum + table[?(0..6)]\n}"},
    {"0.5",
     "pub fn f(n: i64, x: f64) -> f64 {\n    let xs = tabulate(30, i => f64(i) * ?(0.0..1.0, "
     "steps: "
     "8));\n"
     "    xs.filter(v => v > ?(0.0..9.0, steps: 8)).map(v => v * x).sum() + f64(xs.count(v => v > "
     "x))\n}"},
    {"0.5",
     "pub fn f(n: i64, x: f64) -> f64 { ?e(x) }\n"
     "space e(a: f64) -> f64 depth 1 { a, ?(0.0..1.0, steps: 7), e * e, e / ?(-1.0..1.0, steps: 5) "
     "}\n"},
    {"0.5",
     "fn step(v: f64) -> f64 { if v > ?(0.0..9.0, steps: 20) { return ?(0.0..1.0, steps: 4); } v * "
     "1.5 + 0.1 }\n"
     "pub fn f(n: i64, x: f64) -> f64 { var v = x; for i in 0..?(1..9) { v = step(v); } v }"},
};

std::string cases_of(u32 count, const std::string& expected) {
  std::string csv = "n,x,expected\n";
  for (u32 k = 0; k < count; ++k)
    csv += std::to_string(static_cast<i32>(k * 7 % 23) - 5) + ',' + std::to_string(k * 0.37 - 2.0) +
           ',' + expected + '\n';
  return csv;
}

struct Way {
  MachineKind machine = MachineKind::Batch;
  u32 threads = 1, epoch = 1024;
  u64 fuel = 5000;
  ScoreKind score = ScoreKind::Exact;
  NativeTier* native = nullptr;
};
Results run(const SketchProgram& sketch, const std::string& csv, const Way& way) {
  VariantChoice choice;
  if (sketch.plan.count().exact > 700) choice.samples = 700;
  SketchCandidates candidates(sketch.source, sketch.plan, choice);
  EvaluateOptions options;
  options.programs.sketch = &sketch;
  options.machines.machine = way.machine;
  options.machines.threads = way.threads;
  options.machines.native = way.native;
  options.machines.epoch = way.epoch;
  options.limits.fuel = way.fuel;
  options.ranking.score = way.score;
  options.details.case_scores = CaseScores::Kept;
  Results results;
  const CasesTable table = table_of(csv);
  const Problem error = evaluate(candidates, table, options, results);
  EXPECT_FALSE(error) << error.text() << "\n" << sketch.source;
  EXPECT_TRUE(results.complete);
  return results;
}

void expect_as_alone(const char* source, const char* expected) {
  const std::optional<SketchProgram> sketch = read_sketch(source, {});
  ASSERT_TRUE(sketch) << source;
  ASSERT_EQ(sketch->obstacle, BindObstacle::None) << source;
  for (const u32 count : {1u, 2u, 9u, 21u, 32u, 33u, 300u}) {
    const std::string csv = cases_of(count, expected);
    const std::string wanted =
        report_of(run(*sketch, csv, {.machine = MachineKind::Reference, .threads = 2}));
    for (const Way& way :
         {Way{}, Way{.threads = 3}, Way{.threads = 2, .epoch = 50}, Way{.epoch = 3}})
      ASSERT_EQ(report_of(run(*sketch, csv, way)), wanted) << count << " cases\n" << source;
  }
}

TEST(VariantLanes, EachAsAlone) {
  for (const char* const source : test::kBindable) expect_as_alone(source, "0.5");
  for (const Gridded& own : kGrids) expect_as_alone(own.source, own.expected);
}

// Wherever they become native, and on how many cases: as lanes with constants of their own, or one after the other.
TEST(VariantLanes, NativelyAsAlone) {
  KOMUZ_NEEDS_NATIVE;
  for (const Gridded& own : kGrids) {
    const std::optional<SketchProgram> sketch = read_sketch(own.source, {});
    ASSERT_TRUE(sketch) << own.source;
    for (const u32 count : {1u, 9u, 33u}) {
      const std::string csv = cases_of(count, own.expected);
      const std::string wanted = report_of(run(*sketch, csv, {.machine = MachineKind::Reference}));
      NativeTier always(NativeChoice::Always), later(NativeChoice::Auto, {.forced_job = 2}),
          eager(NativeChoice::Auto, {.notice_ns = 0});
      ASSERT_EQ(report_of(run(*sketch, csv, {.native = &always})), wanted) << own.source;
      ASSERT_EQ(report_of(run(*sketch, csv, {.threads = 2, .native = &later})), wanted)
          << own.source;
      ASSERT_EQ(report_of(run(*sketch, csv, {.threads = 2, .native = &eager})), wanted)
          << own.source;
      EXPECT_TRUE(always.reasons().empty()) << always.reasons()[0];
      EXPECT_GT(always.stats().native_cases, 0u);
    }
  }
}

TEST(VariantLanes, OneNativeCodeForAll) {
  KOMUZ_NEEDS_NATIVE;
  const std::optional<SketchProgram> sketch = read_sketch(
      "pub fn f(n: i64, x: f64) -> f64 { var t = ?a(0.0..1.0, steps: 100); for i in "
      "0..9 { t = t * x + ?b(0.0..1.0, steps: 100); } t }",
      {});
  ASSERT_TRUE(sketch);
  for (const u32 count : {9u, 100u}) {
    NativeTier tier(NativeChoice::Always);
    run(*sketch, cases_of(count, "0.5"), {.native = &tier});
    // The first one is looked at by itself.
    EXPECT_LE(tier.stats().compiled, 2u);
    EXPECT_GE(tier.stats().sharing, 699u);
  }
}

// Alternatives with the same instructions stand at different places, which reports tell.
TEST(VariantLanes, PlacesAreEachOnesOwn) {
  const std::string source =
      "pub fn f(n: i64) -> i64 { ?e(n) }\n"
      "space e(n: i64) -> i64 depth 0 {\n    n * ?(1000..1400),\n    n * ?(2000..2400),\n}\n";
  const std::optional<SketchProgram> sketch = read_sketch(source, {});
  ASSERT_TRUE(sketch);
  const std::string csv = "n,expected\n9223372036854775000,1\n";
  const Results alone = run(*sketch, csv, {.machine = MachineKind::Reference});
  EXPECT_NE(alone.failures[alone.rows[1].first_failure].line,
            alone.failures[alone.rows[699].first_failure].line);
  for (const u32 threads : {1u, 2u, 3u, 4u})
    EXPECT_EQ(report_of(run(*sketch, csv, {.threads = threads})), report_of(alone));
}

// The first variants of a sketch, added one after the other.
struct AddedVariants {
  AddedVariants(const std::string& source, u32 cases, u32 count) {
    const std::optional<SketchProgram> sketch = read_sketch(source, {});
    EXPECT_TRUE(sketch) << source;
    const CasesTable table = table_of(cases_of(cases, "3"));
    EvaluateOptions options;
    options.programs.sketch = &*sketch;
    options.limits.candidate_budget = kDefaultFuel;  // nobody is set aside
    Binder binder(*sketch);
    VariantLanes lanes(options);
    Decisions decisions;
    Code code;
    Suite suite;
    results.resize(count);
    for (u32 k = 0; k < count; ++k) {
      EXPECT_TRUE(sketch->plan.unrank(k, decisions) && binder.bind(decisions, code));
      const auto entry = static_cast<u32>(code.view().find_function("f"));
      if (k == 0) {
        const Signature own = signature_of(code.view(), code.functions[entry]);
        EXPECT_FALSE(make_suite(table, own, suite));
        lanes.begin(suite, limits, stop.get_token());
      }
      taken += lanes.takes_next(code);
      lanes.add(code, entry, source, results[k]);
    }
    lanes.run_all();
    counts = lanes.counts();
    for (const CandidateResult& result : results) done += result.done;
  }

  ScoreLimits limits;
  std::stop_source stop;
  std::vector<CandidateResult> results;
  VariantLanes::Counts counts;
  u32 taken = 0, done = 0;
};

TEST(VariantLanes, ShareLanesAndWhatWasLowered) {
  const std::string grid = "pub fn f(n: i64, x: f64) -> i64 { n + ?(0..1000) }";
  const AddedVariants few(grid, 3, 200);
  EXPECT_EQ(few.done, 200u);
  EXPECT_EQ(few.counts.as_lanes, 200u);
  // Groups of 64, in jobs of 21: each group's first and last one are lowered.
  EXPECT_EQ(few.counts.jobs_again, 3u * 2);
  const AddedVariants many(grid, 100, 200);
  EXPECT_EQ(many.done, 200u);
  EXPECT_EQ(many.counts.as_lanes, 0u);
  EXPECT_EQ(many.counts.jobs_again, 200u - 4);
  // A division by a power of two is another operation, by one that is no hole's the same again.
  const AddedVariants divided("pub fn f(n: i64, x: f64) -> i64 { (n + ?(1..65)) / 4 }", 100, 64);
  EXPECT_EQ(divided.counts.jobs_again, 63u);
  const AddedVariants by("pub fn f(n: i64, x: f64) -> i64 { n / ?(1..65) }", 100, 64);
  EXPECT_EQ(by.counts.jobs_again, 61u);  // not by 2 and 3, as something was made of 1 and 2
}

// One variant of many runs for long: the next ones do not wait for it.
TEST(VariantLanes, DoNotWaitForFew) {
  const AddedVariants uneven(
      "pub fn f(n: i64, x: f64) -> i64 { var s = ?(0..16); for i in 0..(if ?(0..64) == 63 { 9000 } "
      "else { 1 }) { s = s * 3 % 7; } s }",
      1, 1024);
  EXPECT_EQ(uneven.done, 1024u);
  EXPECT_LE(uneven.counts.as_lanes, 128u);
  EXPECT_GE(uneven.counts.as_lanes, 64u);
}

// If hardly any variants have the same instructions, they run as they come.
TEST(VariantLanes, AreLeftOutWhereNoneAreAlike) {
  const std::string space =
      "pub fn f(n: i64, x: f64) -> i64 { ?e(n) }\n"
      "space e(a: i64) -> i64 depth 3 { a, a + 1, -e, e + e, e * e, e - e }\n";
  EXPECT_LT(AddedVariants(space, 3, 1500).taken, 700u);
  const std::string grid = "pub fn f(n: i64, x: f64) -> i64 { n + ?(0..5000) }";
  EXPECT_EQ(AddedVariants(grid, 3, 1500).taken, 1500u);
}

// Some lanes use up what others do not.
TEST(VariantLanes, FuelIsEachOnesOwn) {
  for (const Gridded& own : kGrids) {
    const std::optional<SketchProgram> sketch = read_sketch(own.source, {});
    ASSERT_TRUE(sketch) << own.source;
    for (const u64 fuel : {0u, 1u, 5u, 20u, 40u}) {
      const Way alone{.machine = MachineKind::Reference, .fuel = fuel};
      const std::string csv = cases_of(5, own.expected);
      EXPECT_EQ(report_of(run(*sketch, csv, {.fuel = fuel})), report_of(run(*sketch, csv, alone)))
          << own.source;
    }
  }
}

}  // namespace
}  // namespace komuz::engine
