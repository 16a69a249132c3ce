// SPDX-License-Identifier: Apache-2.0
#include "services/variants/rank_sketch.h"

#include <gtest/gtest.h>

#include "engine/results/report.h"
#include "engine/run/evaluate.h"
#include "engine/sketch/sketch_candidates.h"
#include "services/variants/case_values.h"
#include "services/variants/kept_variant.h"
#include "services/variants/variant_texts.h"

namespace komuz::services {
namespace {

constexpr std::string_view kSketch =
    "pub fn f(x: f64) -> f64 {\n    ?shape[x * ?k[1.0, 2.0, 3.0], x + 1.0, x / 0.0 - x / 0.0]\n}\n";

RankingQuestion question_of(std::string_view text, std::string_view cases,
                            engine::ScoreKind score) {
  RankingQuestion question;
  question.text = text;
  question.cases = "data.csv";
  question.bytes = std::make_shared<const std::string>(cases);
  question.score = score;
  return question;
}
// All steps.
RankedRef ranked(const RankingQuestion& question) {
  SketchRanker ranker;
  RankedRef last;
  do last = ranker.rank(question, last, {});
  while (!last->is_last);
  return last;
}

TEST(RankSketch, GivesWhatAnEvaluationOfAllVariantsGives) {
  const RankingQuestion question = question_of(
      "pub fn f(x: f64) -> f64 { x * ?(0.0..=3.0, steps: 2001) + ?(0.0..1.0, steps: 3) }\n",
      "x,expected\n1.0,2.5\n2.0,4.25\n", engine::ScoreKind::SquaredError);
  SketchRanker ranker;
  const RankedRef first = ranker.rank(question, nullptr, {});
  ASSERT_TRUE(first->is_ranked()) << first->problem;
  EXPECT_FALSE(first->is_last);
  EXPECT_TRUE(first->is_sample());
  EXPECT_EQ(first->results.candidates(), kFirstStep);
  const RankedRef last = ranker.rank(question, first, {});
  ASSERT_TRUE(last->is_last);
  EXPECT_FALSE(last->is_sample());

  engine::CasesTable cases;
  ASSERT_FALSE(engine::read_cases("data.csv", *question.bytes, {}, cases));
  engine::EvaluateOptions options;
  options.programs.sketch = last->sketch.get();
  options.ranking.score = engine::ScoreKind::SquaredError;
  options.details.keep_details = false;
  options.machines.threads = 2;
  engine::SketchCandidates all(last->sketch->source, last->sketch->plan, {});
  engine::Results wanted;
  ASSERT_FALSE(engine::evaluate(all, cases, options, wanted));
  std::string report, wanted_report;
  engine::write_report_json(report, last->results);
  engine::write_report_json(wanted_report, wanted);
  EXPECT_EQ(report, wanted_report);
}

// As a session reads them, by the options of its `:cases`.
TEST(RankSketch, ReadsCasesAsItIsAsked) {
  RankingQuestion question =
      question_of(kSketch, "Way (m);expected\n1,5;3\n;1\n2,0;4\n", engine::ScoreKind::SquaredError);
  question.form = {.has_decimal_commas = true, .skips_missing = true};
  question.inputs = {"Way (m)=x"};
  SketchRanker ranker;
  RankedRef last = ranker.rank(question, nullptr, {});
  ASSERT_TRUE(last->is_ranked()) << last->problem;
  EXPECT_EQ(last->results.cases, 2u);
  // Read anew where the options differ.
  question.form = {};
  last = ranker.rank(question, last, {});
  EXPECT_NE(last->problem.find("--decimal ,"), std::string::npos) << last->problem;
}

TEST(RankSketch, TellsTheWorstCaseOfTheBest) {
  const RankedRef last = ranked(question_of(kSketch, "x,expected\n1.0,2.0\n2.0,4.5\n3.0,6.1\n",
                                            engine::ScoreKind::SquaredError));
  ASSERT_TRUE(last->is_ranked()) << last->problem;
  EXPECT_EQ(last->variants.exact, 9u);
  const auto best = last->best();
  ASSERT_TRUE(best);
  EXPECT_EQ(last->results.id(*best), "#1");
  ASSERT_TRUE(last->worst);
  EXPECT_EQ(last->worst->number, 2u);
  EXPECT_EQ(last->worst->line, 3u);
  EXPECT_EQ(last->worst->arguments, std::vector<std::string>{"x = 2.0"});
  EXPECT_EQ(last->worst->expected, "4.5");
  EXPECT_EQ(last->worst->actual, "4.0");
}

TEST(RankSketch, WhatIsRightHasNoWorstCase) {
  for (const auto score : {engine::ScoreKind::Exact, engine::ScoreKind::RelativeError})
    EXPECT_FALSE(ranked(question_of(kSketch, "x,expected\n1.0,2.0\n2.0,4.0\n", score))->worst);
}

TEST(RankSketch, AProgramWithoutHolesHasItsScore) {
  const RankedRef last =
      ranked(question_of("pub fn f(x: f64) -> f64 { 2.0 * x }\n", "x,expected\n1.0,2.0\n2.0,4.5\n",
                         engine::ScoreKind::SquaredError));
  ASSERT_TRUE(last->is_ranked()) << last->problem;
  EXPECT_TRUE(last->has_no_holes());
  EXPECT_TRUE(last->is_last);
  EXPECT_EQ(last->variants.exact, 1u);
  const auto best = last->best();
  ASSERT_TRUE(best);
  EXPECT_EQ(last->results.rows[*best].score, 0.25);
  ASSERT_TRUE(last->worst);
  EXPECT_EQ(last->worst->number, 2u);
  EXPECT_FALSE(ranked(question_of(kSketch, "x,expected\n1.0,2.0\n", engine::ScoreKind::Exact))
                   ->has_no_holes());
}

TEST(RankSketch, ItemsBehindTheTextAreCompiledAndNotShown) {
  RankingQuestion question =
      question_of("pub fn f(x: f64) -> f64 { half(x) * ?k[2.0, 4.0] }\n", "x,y\n1.0,2.0\n2.0,4.0\n",
                  engine::ScoreKind::SquaredError);
  question.items = "fn half(x: f64) -> f64 { x / 2.0 }\n";
  question.output = "y";
  const RankedRef last = ranked(question);
  ASSERT_TRUE(last->is_ranked()) << last->problem;
  ASSERT_TRUE(last->best());
  EXPECT_EQ(last->results.id(*last->best()), "#1");
  VariantTexts texts(*last->sketch, last->own_size);
  ASSERT_FALSE(texts.choose("1"));
  EXPECT_EQ(texts.program(), "pub fn f(x: f64) -> f64 { half(x) * 4.0 }\n");
  EXPECT_NE(texts.whole_program().find("fn half"), std::string::npos);
}

TEST(RankSketch, SaysWhyThereIsNoRanking) {
  const auto problem = [](std::string_view text, std::string_view cases) {
    return ranked(question_of(text, cases, engine::ScoreKind::SquaredError))->problem;
  };
  constexpr std::string_view kCases = "x,expected\n1.0,2.0\n";
  EXPECT_EQ(problem("pub fn f(x: f64) -> f64 { x + }\n", kCases), "the text has errors");
  EXPECT_EQ(problem("pub fn f(x: f64) -> f64 { ? }\n", kCases),
            "a bare `?` has no variants; say what may stand there, as in `?[x, 2.0 * x]` or "
            "`?(0.0..1.0, steps: 8)`");
  EXPECT_NE(problem(kSketch, "x,expected\n1.0\n").find("data.csv:2"), std::string::npos);
  EXPECT_NE(problem(kSketch, "y,expected\n1.0,2.0\n"), "");
  EXPECT_NE(problem(kSketch, ""), "");
}

TEST(RankSketch, AStoppedStepGivesNothing) {
  std::stop_source stop;
  stop.request_stop();
  SketchRanker ranker;
  EXPECT_EQ(ranker.rank(question_of(kSketch, "x,expected\n1.0,2.0\n", engine::ScoreKind::Exact),
                        nullptr, stop.get_token()),
            nullptr);
}

TEST(VariantTexts, AreWhatHolesHold) {
  const RankedRef last = ranked(
      question_of(kSketch, "x,expected\n1.0,2.0\n2.0,4.0\n", engine::ScoreKind::SquaredError));
  VariantTexts texts(*last->sketch);
  ASSERT_FALSE(texts.choose("1"));
  EXPECT_EQ(texts.line(), "shape = x * 2.0");
  EXPECT_EQ(texts.program(), "pub fn f(x: f64) -> f64 { x * 2.0 }\n");
  const std::vector<HoleContent> holes = texts.holes();
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(kSketch.substr(holes[0].begin, 6), "?shape");
  EXPECT_EQ(holes[0].text, "x * 2.0");
  EXPECT_TRUE(texts.choose("99"));
}

TEST(VariantTexts, EachAlternativeHasItsBestVariant) {
  const RankedRef last = ranked(
      question_of(kSketch, "x,expected\n1.0,2.0\n2.0,4.0\n", engine::ScoreKind::SquaredError));
  const auto told = [&](u32 hole) {
    std::string out;
    for (const RankedAlternative& one : rank_alternatives(*last, hole))
      out +=
          one.text + " by " + (one.row ? std::string(last->results.id(*one.row)) : "none") + "\n";
    return out;
  };
  EXPECT_EQ(told(0), "x * ?k[1.0, 2.0, 3.0] by #1\nx + 1.0 by #3\nx / 0.0 - x / 0.0 by none\n");
  EXPECT_EQ(told(1), "1.0 by #0\n2.0 by #1\n3.0 by #2\n");
}

// The values at the place of `|`.
std::string values_at(std::string text, std::string_view expression) {
  const RankedRef last = ranked(question_of(text, "x,expected\n1.0,2.0\n2.0,4.0\n0.0,0.0\n",
                                            engine::ScoreKind::SquaredError));
  EXPECT_TRUE(last->is_ranked()) << last->problem;
  const auto begin = static_cast<u32>(text.find(expression));
  std::string out;
  const Library library;
  for (const ValueOnCase& one :
       values_on_cases(*last, library, begin, begin + static_cast<u32>(expression.size()), 3, {}))
    out += one.arguments + ": " + one.value + "\n";
  return out;
}

TEST(CaseValues, AreThoseOfTheBestVariant) {
  const std::string text =
      "pub fn f(x: f64) -> f64 {\n    let y = x * ?[1.0, 2.0];\n"
      "    let n = if x > 0.0 { 6 / i64(x) } else { 0 };\n"
      "    if n > 3 { let z = y; z + 0.0 } else { y + 0.0 }\n}\n";
  EXPECT_EQ(values_at(text, "y = x"), "");
  EXPECT_EQ(values_at(text, "x * ?[1.0, 2.0]"), "x = 1.0: 2.0\nx = 2.0: 4.0\nx = 0.0: 0.0\n");
  EXPECT_EQ(values_at(text, "n > 3"), "x = 1.0: true\nx = 2.0: false\nx = 0.0: false\n");
  // Also where it would not be computed.
  EXPECT_EQ(values_at(text, "6 / i64(x)"), "x = 1.0: 6\nx = 2.0: 3\nx = 0.0: trap DIV_ZERO\n");
  // A name where it is bound, what only a branch knows, what stands in a hole.
  EXPECT_EQ(values_at(text, "n"), "");
  EXPECT_EQ(values_at(text, "z + 0.0"), "");
  EXPECT_EQ(values_at(text, "2.0]"), "");
}

TEST(KeptVariant, IsAFunctionOfItsOwn) {
  const RankedRef last =
      ranked(question_of("/// Words.\npub fn f(x: f64) -> f64 { g(x) + one() }\nfn g(x: f64) -> "
                         "f64 { x * ?[1.0, 2.0] }\n"
                         "fn one() -> f64 { 0.0 }\nfn f_best() -> f64 { 1.0 }\n",
                         "x,expected\n1.0,2.0\n2.0,4.0\n", engine::ScoreKind::SquaredError));
  ASSERT_TRUE(last->is_ranked()) << last->problem;
  VariantTexts texts(*last->sketch);
  ASSERT_FALSE(texts.choose(last->results.id(*last->best())));
  const Library library;
  const auto kept = keep_variant(*last->sketch, texts.program(), library);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->name, "f_best2");
  EXPECT_EQ(
      kept->items,
      "fn f_best2(x: f64) -> f64 { g_best(x) + one() }\n\nfn g_best(x: f64) -> f64 { x * 2.0 }\n");
}

}  // namespace
}  // namespace komuz::services
