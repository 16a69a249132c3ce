// SPDX-License-Identifier: Apache-2.0
// Programs of the generator, and variants of sketches: what the simplifier makes of them compiles, says nothing new, is
// no longer, stays as it is when it is simplified again, and does the same for the same fuel. KOMUZ_SEEDS=N: so many
// seeds of each kind, from KOMUZ_FIRST_SEED on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "engine/candidates/load_modules.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "gen/gen.h"
#include "neural/equal/equality.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

u64 number_of(const char* variable, u64 otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Tally {
  u32 programs = 0, changed = 0, proved = 0, left = 0;
  u64 tokens_before = 0, tokens_after = 0;
};

void check(const std::string& program, const std::string& what, Tally& tally) {
  const Simplified out = simplify(program);
  ++tally.programs;
  if (!out.why_not.empty()) {
    ++tally.left;
    // A program may be given up, but nothing half done may come out.
    EXPECT_EQ(out.text, program) << what;
    // That a text of ours would not compile, or would mean something else, is noticed, and should not happen.
    ADD_FAILURE() << what << ": " << out.why_not << "\n" << program;
    return;
  }
  tally.tokens_before += out.tokens_before;
  tally.tokens_after += out.tokens_after;
  ASSERT_LE(out.tokens_after, out.tokens_before) << what << "\n" << program;
  const Simplified again = simplify(out.text);
  ASSERT_EQ(again.text, out.text) << what << ": simplified again it changes\n" << program;
  if (out.rewritings == 0) return;
  ++tally.changed;
  frontend::Compiler compiler;
  frontend::Compilation before, after;
  compiler.compile(program, before);
  compiler.compile(out.text, after);
  ASSERT_TRUE(before.ok && after.ok) << what << "\n" << out.text;
  EXPECT_LE(after.diagnostics.size(), before.diagnostics.size()) << what << "\n" << out.text;
  ASSERT_EQ(before.code.functions.size(), after.code.functions.size());
  neural::EqualityOptions options;
  options.fuel = neural::FuelRule::Same;
  options.inputs = neural::kFirstInputs;
  options.ticks = 20'000;
  options.uses_solver = false;
  for (u32 f = 0; f < before.code.functions.size(); ++f) {
    if (!before.code.functions[f].is_public) continue;
    const Result<neural::Equality> equal =
        neural::compare({before.code.view(), f}, {after.code.view(), f}, options);
    if (equal.problem()) continue;  // slices that do not fit
    ASSERT_NE(equal.value().verdict, neural::Verdict::Refuted) << what << "\n--- before\n"
                                                               << program << "\n--- after\n"
                                                               << out.text;
    tally.proved += equal.value().verdict == neural::Verdict::Proved ? 1 : 0;
  }
}

TEST(SimplifyPrograms, OfTheGeneratorKeepWhatTheyDo) {
  Tally tally;
  const u64 first = number_of("KOMUZ_FIRST_SEED", 1), seeds = number_of("KOMUZ_SEEDS", 40);
  for (u64 seed = first; seed < first + seeds; ++seed) {
    const gen::Options options = {.containers = seed % 3 == 0, .chains = seed % 6 == 0};
    check(gen::generate_program(seed, options), "program " + std::to_string(seed), tally);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tally.changed, tally.programs / 4);
}

TEST(SimplifyPrograms, OfScalarsKeepWhatTheyDo) {
  Tally tally;
  const u64 first = number_of("KOMUZ_FIRST_SEED", 1), seeds = number_of("KOMUZ_SEEDS", 100);
  for (u64 seed = first; seed < first + seeds; ++seed) {
    const auto family = static_cast<gen::Family>(seed % std::size(gen::kFamilyNames));
    check(gen::generate_scalar_program(seed, family, static_cast<u32>(10 + seed % 40)),
          "function " + std::to_string(seed), tally);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tally.changed, tally.programs / 4);
  EXPECT_GT(tally.proved, 0u);
}

// The sketch of bench/feynman_search.py, and one with all that machines write.
constexpr std::string_view kSketches[] = {
    "pub fn f(a: f64, b: f64, c: f64) -> f64 { ?e(a, b, c) }\n"
    "space e(a: f64, b: f64, c: f64) -> f64 depth 5 {\n    a, b, c,\n    ?[1.0, 2.0, 0.5, PI, "
    "3.0],\n    e * e,\n    "
    "div0(e, e),\n    e + e,\n    e - e,\n    {\n        let s = e;\n        s * s\n    },\n    "
    "sqrt0(e),\n    "
    "?[exp(e), exp(-e), log(e), sin(e), cos(e), tanh(e), asin(e)],\n}\n",
    "pub fn f(x: f64, y: f64, n: i64) -> f64 { let k = ?s(x + 1.0, y, n); k + ?s(k, -0.0, n / 2) "
    "}\n"
    "space s(p: f64, q: f64, i: i64) -> f64 depth 4 {\n    p, q, ?(-2.0..=2.0, steps: 17), "
    "f64(?t(i, 3)), -s, s + s, s "
    "- s, s * s, s / s, div0(s, s), sqrt0(s), log0(s), abs(s), max(s, s), min(s, 0.0),\n    if "
    "?c(p, i) { s } else { s "
    "}, { let r = s; r * r + p }, s ** 2, s ** ?[2.0, -0.5, 3.0], exp(s)\n}\n"
    "space t(i: i64, j: i64) -> i64 depth 2 { i, j, ?(-1..=2), t + t, t - t, t * t, div0(t, t), t "
    "/ t, abs(t), -t, t ^ t }\n"
    "space c(p: f64, i: i64) -> bool depth 2 { p > 0.0, i == 0, true, false, !c, c && c, c || c, "
    "?t(i, i) < 3, 1.0 < ?[0.5, 2.0] }\n"};

TEST(SimplifyPrograms, VariantsOfSketchesKeepWhatTheyDo) {
  Tally tally;
  const u64 first = number_of("KOMUZ_FIRST_SEED", 1), seeds = number_of("KOMUZ_SEEDS", 60);
  std::vector<std::string> sketches(std::begin(kSketches), std::end(kSketches));
  for (const char* name : {"formula", "mass", "caesar"}) {
    std::ifstream in(std::string(KOMUZ_SOURCE_DIR "/examples/sketches/") + name + ".komuz");
    sketches.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  for (const std::string& text : sketches) {
    const std::optional<engine::SketchProgram> sketch = engine::read_sketch(text, {});
    ASSERT_TRUE(sketch) << text;
    engine::SketchCandidates candidates(sketch->source, sketch->plan,
                                        {.samples = seeds, .seed = first});
    engine::Fill fill(sketch->source, sketch->plan);
    engine::CandidateBatch batch;
    candidates.read(batch, seeds);
    engine::Decisions decisions;
    std::string program;
    for (const engine::Candidate& candidate : batch.rows) {
      ASSERT_TRUE(engine::decisions_of(sketch->plan, candidate, decisions));
      ASSERT_TRUE(fill.write(decisions, program));
      check(program, std::string(candidate.id), tally);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(tally.changed, tally.programs / 2);
  EXPECT_GT(tally.proved, 0u);
  EXPECT_LT(tally.tokens_after * 10, tally.tokens_before * 9);
}

}  // namespace
}  // namespace komuz::services
