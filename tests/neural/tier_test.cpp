// SPDX-License-Identifier: Apache-2.0
// Cheaper code in runs: whichever way programs go, reports have the same bytes. KOMUZ_SEEDS is the number of generated programs that
// are compared, KOMUZ_FIRST_SEED the first of them.
#include "neural/tier/tier.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/native/needs_backend.h"
#include "tests/engine/native/tier_programs.h"
#include "tests/neural/random_suite.h"

namespace komuz::neural {
namespace {

using engine::Candidate;
using engine::EvaluateOptions;
using engine::ScoreKind;
using engine::test::many_cases;
using engine::test::report_of;

// All programs before they run; or each that is asked about, between its first two slices.
// With little work of the solver, which not all proofs need.
constexpr u64 kResources = 20'000;
constexpr TierRules kRulesAlone = {.resources = kResources, .uses_model = false};
constexpr TierRules kBetween = {.notice_ns = 1,
                                .hybrid_resources = kResources,
                                .uses_model = false,
                                .takes_rules_always = true};
struct TierWay {
  TierChoice choice;
  const TierRules& rules;
};
constexpr TierWay kWays[] = {{TierChoice::Neural, kRulesAlone}, {TierChoice::Hybrid, kBetween}};

// Windows that have cheaper code, with traps before, in and behind them, loops, calls, lists, and fuel that ends within.
const std::vector<Candidate> kPrograms = {
    {"smaller", "pub fn f(n: i64) -> i64 { if n < 700 { n } else { 700 } }", {}},
    {"traps behind",
     "pub fn f(n: i64) -> i64 { (if n < 700 { n } else { 700 }) + 7 / (n - 900) }",
     {}},
    {"traps before",
     "pub fn f(n: i64) -> i64 { let a = 7 / (n - 900); if a < n { a } else { n } }",
     {}},
    {"traps within",
     "pub fn f(n: i64) -> i64 { let a = 10 / (n - 600); if n + a < n * 2 { n + a } else { n * 2 } "
     "}",
     {}},
    {"overflows",
     "pub fn f(n: i64) -> i64 { let a = n * 20000000000000000; if a < n { a } else { n } }",
     {}},
    {"deep",
     "fn g(n: i64, d: i64) -> i64 rec 9 { if d < 1 { (if n < 3 { n } else { 3 }) / (n - 333) } "
     "else { g(n, d - 1) } }\npub fn f(n: i64) -> i64 { g(n, 6) }",
     {}},
    {"loop",
     "pub fn f(n: i64) -> i64 { var s = 0; for i in 0..n { let t = if i < s { i } else { s }; s = "
     "t + (if n < i { n } else { i }); } s }",
     {}},
    {"loop traps",
     "pub fn f(n: i64) -> i64 { var s = 1; for i in 0..n { s = (if i < s { i } else { s }) + 5 / "
     "(800 - i); } s }",
     {}},
    {"list",
     "pub fn f(n: i64) -> i64 { var xs: List[i64, 20] = []; for i in 0..n % 23 { xs.push(if i < n "
     "{ i "
     "} else { n }); } xs.map(x => if x < 9 { x } else { 9 }).sum() }",
     {}},
    {"assert",
     "pub fn f(n: i64) -> i64 { let a = n % 7; assert !(a < 5 && n > 100); if a < n { a "
     "} else { n } }",
     {}},
    {"bool",
     "pub fn f(n: i64) -> i64 { let a = n % 2 == 0; let b = n % 3 == 0; if (a && !b) || (!a && b) "
     "{ 1 } else { 13 / (n % 5) } }",
     {}},
};

struct Limits {
  const char* name;
  u64 fuel;
  std::optional<u64> budget;
  ScoreKind score;
};
constexpr Limits kLimits[] = {{"much fuel", 100'000, {}, ScoreKind::Exact},
                              {"little fuel", 300, {}, ScoreKind::AbsoluteError},
                              {"a budget", 2'000, 6'000, ScoreKind::AbsoluteError}};

std::string report(const Limits& limits, const std::vector<Candidate>& candidates,
                   const std::string& csv, engine::CheaperCode* tier, u32 threads,
                   engine::NativeTier* native = nullptr) {
  EvaluateOptions options;
  options.limits.fuel = limits.fuel;
  options.limits.candidate_budget = limits.budget;
  options.ranking.score = limits.score;
  options.machines.cheaper = tier;
  options.machines.native = native;
  options.machines.threads = threads;
  return report_of(engine::test::evaluate_all(candidates, options, csv));
}

u64 cheaper_programs(const Tier& tier) {
  const TierTotals totals = tier.totals();
  u64 programs = 0;
  for (size_t k = 0; k < kTierReasonCount; ++k)
    if (kTierReasons[k].runs_cheaper) programs += totals.programs[k];
  return programs;
}

TEST(Tier, EveryWayGivesTheSameBytes) {
  const std::string csv = many_cases(1500);
  std::vector<Candidate> all = kPrograms;
  all.insert(all.end(), engine::test::kTierPrograms.begin(), engine::test::kTierPrograms.end());
  for (const Limits& limits : kLimits) {
    const std::string wanted = report(limits, all, csv, nullptr, 1);
    for (const TierWay& way : kWays) {
      Tier tier(way.choice, way.rules);
      EXPECT_EQ(report(limits, all, csv, &tier, 2), wanted)
          << limits.name << ", " << kTierNames[static_cast<size_t>(way.choice)];
      // With little fuel some are over after a slice.
      EXPECT_GE(cheaper_programs(tier), &limits == &kLimits[0] ? kPrograms.size() - 4 : 3)
          << limits.name;
      EXPECT_NE(tier.totals().cheaper_cases, 0u);
      EXPECT_EQ(tier.totals().faults, 0u);
    }
  }
}

// Native code is made of the code as it is. A program may run as cheaper code before.
TEST(Tier, GoesWithNativeCode) {
  KOMUZ_NEEDS_NATIVE;
  const std::string csv = many_cases(1500);
  const Limits& limits = kLimits[0];
  const std::string wanted = report(limits, kPrograms, csv, nullptr, 1);
  for (const TierWay& way : kWays) {
    Tier tier(way.choice, way.rules);
    engine::NativeTier always(engine::NativeChoice::Always);
    EXPECT_EQ(report(limits, kPrograms, csv, &tier, 2, &always), wanted);
    EXPECT_NE(always.stats().native_cases, 0u);
    Tier other(way.choice, way.rules);
    engine::NativeTier eager(engine::NativeChoice::Auto, {.notice_ns = 0});
    EXPECT_EQ(report(limits, kPrograms, csv, &other, 2, &eager), wanted);
  }
}

TEST(Tier, SaysWhichWayEachProgramWent) {
  Tier tier(TierChoice::Neural, kRulesAlone);
  std::vector<Candidate> candidates = kPrograms;
  candidates.push_back({"broken", "pub fn f(n: i64) -> i64 { n + }", {}});
  candidates.push_back({"nothing", "pub fn f(n: i64) -> i64 { n }", {}});
  candidates.push_back({"again", "pub fn f(n: i64) -> i64 {  n  }", {}});
  static_cast<void>(report(kLimits[0], candidates, many_cases(300), &tier, 2));
  const TierTotals totals = tier.totals();
  u64 told = 0;
  for (const u64 programs : totals.programs) told += programs;
  EXPECT_EQ(told, kPrograms.size() + 1);  // neither the broken one, nor the same again
  EXPECT_EQ(totals.programs[static_cast<size_t>(TierReason::NoWindow)], 1u);
  EXPECT_GE(totals.windows, totals.known + totals.cheaper);
  EXPECT_GT(totals.seconds, 0);
  const std::vector<TierRow> rows = tier.rows();
  ASSERT_EQ(rows.size(), kPrograms.size() + 1);
  for (size_t k = 0; k < kPrograms.size(); ++k) EXPECT_EQ(rows[k].id, kPrograms[k].id);
  EXPECT_EQ(rows.back().id, "nothing");
  EXPECT_EQ(rows[0].reason, TierReason::ByRules);
  EXPECT_EQ(rows[0].use.cheaper_cases, 300u);
}

// What is known of a window holds in every program that has it.
TEST(Tier, KeepsWhatItKnowsOfWindows) {
  std::vector<std::string> texts;
  for (u32 k = 0; k < 30; ++k)
    texts.push_back(
        "fn g(n: i64) -> i64 rec 3 { if n < 700 { n } else { 700 } }\n"
        "pub fn f(n: i64) -> i64 { g(n) ^ " +
        std::to_string(k) + " }");
  std::vector<Candidate> candidates;
  for (const std::string& text : texts) candidates.push_back({"c", text, {}});
  Tier tier(TierChoice::Neural, kRulesAlone);
  static_cast<void>(report(kLimits[0], candidates, many_cases(64), &tier, 1));
  const TierTotals totals = tier.totals();
  EXPECT_GE(totals.known, 29u);
  EXPECT_EQ(totals.cheaper, 1u);
  EXPECT_EQ(cheaper_programs(tier), 30u);
}

TEST(Tier, ShortRunsAreNotLookedAt) {
  Tier tier(TierChoice::Hybrid);
  static_cast<void>(report(kLimits[0], kPrograms, many_cases(20), &tier, 1));
  const TierTotals totals = tier.totals();
  EXPECT_EQ(totals.programs[static_cast<size_t>(TierReason::Short)], kPrograms.size());
  EXPECT_EQ(totals.windows, 0u);
  EXPECT_TRUE(tier.missing().empty());
}

TEST(Tier, AStopEndsTheSearchForCheaperCode) {
  std::stop_source stop;
  stop.request_stop();
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(kPrograms[3].source, made);
  Tier tier(TierChoice::Neural, kRulesAlone);
  const engine::CheaperAnswer answer = tier.find({made.code.view(), 0}, stop.get_token());
  EXPECT_EQ(answer.code, nullptr);
  EXPECT_EQ(tier.totals().cheaper, 0u);
}

// What was wrong once is used no more.
TEST(Tier, AFaultEndsIt) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(kPrograms[0].source, made);
  Tier tier(TierChoice::Neural, kRulesAlone);
  const engine::RunToCome run{made.code.view(), 0};
  EXPECT_NE(tier.find(run, {}).code, nullptr);
  tier.note_fault(run);
  EXPECT_EQ(tier.find(run, {}).code, nullptr);
  EXPECT_EQ(tier.totals().faults, 1u);
}

struct Ran {
  std::string report;
  u64 cheaper = 0;
};
Ran run_sketch(const char* source, const std::string& csv, const TierWay* way, bool searches,
               u32 threads) {
  const std::optional<engine::SketchProgram> sketch = engine::read_sketch(source, {});
  EXPECT_TRUE(sketch) << source;
  EvaluateOptions options;
  options.programs.sketch = &*sketch;
  options.ranking.score = ScoreKind::AbsoluteError;
  options.limits.fuel = 5000;
  options.machines.threads = threads;
  std::optional<Tier> tier;
  if (way != nullptr) tier.emplace(way->choice, way->rules);
  options.machines.cheaper = tier ? &*tier : nullptr;
  engine::Results results;
  const engine::CasesTable table = engine::test::table_of(csv);
  if (searches) {
    engine::SearchOptions search{.seed = 3, .population = 40, .generations = 4};
    options.machines.epoch = search.population;
    engine::settle(sketch->plan, search, options);
    engine::SearchCandidates candidates(sketch->source, sketch->plan, search);
    EXPECT_FALSE(evaluate(candidates, table, options, results, &candidates));
  } else {
    engine::SketchCandidates variants(sketch->source, sketch->plan, {.samples = 120, .seed = 1});
    EXPECT_FALSE(evaluate(variants, table, options, results));
  }
  return {report_of(results), tier ? tier->totals().cheaper_cases : 0};
}

TEST(Tier, SketchesAndSearchesAreTheSame) {
  constexpr const char* kSketches[] = {
      "pub fn f(n: i64) -> i64 { let a = n % ?(1..9); (if a < ?[3, 5, 700] { a } else { n / "
      "?(0..4) "
      "}) "
      "+ (if n < 9 { n } else { 9 }) }",
      "pub fn f(n: i64) -> i64 { ?e(n) + (if n < 100 { n } else { 100 }) }\n"
      "space e(a: i64) -> i64 depth 2 { a, ?(0..5), e * e, e / e, if e < e { e } else { e } }\n",
      "pub fn f(n: i64) -> i64 { var s = 0; for i in 0..n % ?(1..40) { s = (if s < i { s } else { "
      "i }) "
      "+ ?(1..5); } s }",
  };
  u64 cheaper = 0;
  for (const char* const source : kSketches)
    for (const u32 cases : {20u, 600u})
      for (const bool searches : {false, true}) {
        const std::string csv = many_cases(cases);
        const std::string wanted = run_sketch(source, csv, nullptr, searches, 1).report;
        for (const TierWay& way : kWays) {
          const Ran ran = run_sketch(source, csv, &way, searches, 2);
          EXPECT_EQ(ran.report, wanted) << source;
          cheaper += ran.cheaper;
        }
      }
  EXPECT_GT(cheaper, 10'000u);
}

TEST(Tier, SlicesAreTheSame) {
  const std::vector<Candidate> candidates = {
      {"sum", "pub fn f(xs: [i64]) -> i64 { xs.map(x => if x < 9 { x } else { 9 }).sum() }", {}},
      {"traps",
       "pub fn f(xs: [i64]) -> i64 { var s = 0; for x in xs { s = (if s < x { s } else { x }) + 7 "
       "/ "
       "(x - 12); } s }",
       {}},
      {"index", "pub fn f(xs: [i64]) -> i64 { let a = xs[3]; if a < 4 { a } else { 4 } }", {}}};
  std::string csv = "xs,expected\n";
  for (u32 k = 0; k < 700; ++k) {
    csv += "\"[";
    for (u32 i = 0; i < k % 7; ++i) csv += (i == 0 ? "" : ", ") + std::to_string((k * 3 + i) % 14);
    csv += "]\"," + std::to_string(k % 9) + "\n";
  }
  for (const Limits& limits : kLimits) {
    const std::string wanted = report(limits, candidates, csv, nullptr, 1);
    for (const TierWay& way : kWays) {
      Tier tier(way.choice, way.rules);
      EXPECT_EQ(report(limits, candidates, csv, &tier, 2), wanted) << limits.name;
      EXPECT_GE(cheaper_programs(tier), 2u);
    }
  }
}

u64 number_of(const char* variable, u64 otherwise) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

TEST(Tier, RandomProgramsAreTheSame) {
  constexpr u64 kFuel = 2000;
  constexpr u32 kCases = 320;  // two slices
  const u64 first = number_of("KOMUZ_FIRST_SEED", 1), seeds = number_of("KOMUZ_SEEDS", 40);
  u64 ran = 0, cheaper = 0, shown = 0;
  frontend::Compiler compiler;
  for (u64 seed = first; seed < first + seeds; ++seed) {
    const std::string text =
        seed % 2 == 0
            ? gen::generate_program(seed, {.containers = seed % 4 == 0, .chains = seed % 8 == 0})
            : gen::generate_scalar_program(
                  seed, static_cast<gen::Family>(seed / 2 % std::size(gen::kFamilyNames)), 40);
    frontend::Compilation program;
    compiler.compile(text, program);
    ASSERT_TRUE(program.ok) << seed;
    const engine::EntryChoice entry = engine::choose_entry(program.code.view(), {});
    if (!entry.refusal.empty()) continue;
    const std::optional<engine::CasesTable> cases = test::random_suite(
        program.code.view(), static_cast<u32>(entry.function), seed, kCases, kFuel);
    if (!cases) continue;
    ++ran;
    const std::vector<Candidate> one = {{"p", text, {}}};
    std::string wanted;
    for (size_t k = 0; k <= std::size(kWays); ++k) {
      std::optional<Tier> tier;
      if (k != 0) tier.emplace(kWays[k - 1].choice, kWays[k - 1].rules);
      EvaluateOptions options;
      options.limits.fuel = kFuel;
      options.machines.threads = 1;
      options.machines.cheaper = tier ? &*tier : nullptr;
      engine::CandidateList list(one);
      engine::Results results;
      ASSERT_FALSE(evaluate(list, *cases, options, results)) << seed;
      const std::string found = report_of(results);
      if (k == 0) {
        wanted = found;
        shown += found.find("\"trap\": {") != std::string::npos;
        continue;
      }
      ASSERT_EQ(found, wanted) << "seed " << seed << "\n" << text;
      ASSERT_EQ(tier->totals().faults, 0u) << "seed " << seed;
      cheaper += tier->totals().cheaper_cases != 0;
    }
  }
  EXPECT_GT(ran, seeds / 3);
  EXPECT_GT(cheaper, seeds / 4);
  EXPECT_GT(shown, seeds / 40);
}

}  // namespace
}  // namespace komuz::neural
