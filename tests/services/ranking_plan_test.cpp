// SPDX-License-Identifier: Apache-2.0
// What goes first where several say how a sketch is ranked.
#include <gtest/gtest.h>

#include "services/variants/ranking_plan.h"

namespace komuz::services {
namespace {

constexpr std::string_view kPlannedSketch = "pub fn f(x: f64) -> f64 { x * ?[1.0, 2.0] }\n";

std::string with_head(std::string_view head) {
  return std::string(head) + std::string(kPlannedSketch);
}

LiveSession::Cases session_cases() {
  LiveSession::Cases cases;
  cases.file = "session.csv";
  cases.bytes = std::make_shared<const std::string>("x,expected\n1,2\n");
  cases.output = "y";
  cases.score = engine::ScoreKind::SquaredError;
  cases.tolerance = 0.5;
  cases.measure = 2.0;
  cases.top = 7;
  return cases;
}

TEST(RankingPlan, WhatIsRankedAtAll) {
  RankingSources none, settings, sent, session;
  settings.settings.cases = "set.csv";
  sent.sent = "sent.csv";
  const LiveSession::Cases cases = session_cases();
  session.session = &cases;
  const std::string own = with_head("//! cases: own.csv\n");
  constexpr std::string_view kProgram = "fn f() -> i64 { 1 }\n";
  EXPECT_EQ(ranking_wish(own, none), RankingWish::Own);
  EXPECT_EQ(ranking_wish("//! cases:\n", none), RankingWish::Own);
  EXPECT_EQ(ranking_wish(kPlannedSketch, none), RankingWish::None);
  EXPECT_EQ(ranking_wish(kPlannedSketch, settings), RankingWish::IfSketch);
  EXPECT_EQ(ranking_wish(kPlannedSketch, session), RankingWish::IfSketch);
  EXPECT_EQ(ranking_wish(kProgram, settings), RankingWish::None);
  EXPECT_EQ(ranking_wish(kProgram, sent), RankingWish::Own);
}

TEST(RankingPlan, TheHeadGoesBeforeSettings) {
  RankingSources sources;
  sources.settings = {"", "set.csv", "absolute", 3};
  RankingPlan plan = plan_ranking(kPlannedSketch, sources);
  EXPECT_EQ(plan.problem, "");
  EXPECT_EQ(plan.from, RankingPlan::From::File);
  EXPECT_EQ(plan.cases, "set.csv");
  EXPECT_EQ(plan.score, engine::ScoreKind::AbsoluteError);
  EXPECT_EQ(plan.top, 3u);
  plan = plan_ranking(with_head("//! cases: own.csv\n//! score: squared\n//! top: 5\n"), sources);
  EXPECT_EQ(plan.cases, "own.csv");
  EXPECT_EQ(plan.score, engine::ScoreKind::SquaredError);
  EXPECT_EQ(plan.top, 5u);
  sources.settings.score = "best";
  EXPECT_NE(plan_ranking(kPlannedSketch, sources).problem.find("`best`"), std::string::npos);
  EXPECT_EQ(plan_ranking(with_head("//! score: squared\n"), sources).problem, "");
  EXPECT_EQ(plan_ranking("//! cases:\n", {}).problem, "`//! cases:` names no file");
}

TEST(RankingPlan, CasesOfTheClientTakeThePlaceOfTheFileOfTheirName) {
  RankingSources sources;
  sources.sent = "sent.csv";
  sources.settings.cases = "set.csv";
  EXPECT_EQ(plan_ranking(kPlannedSketch, sources).from, RankingPlan::From::Client);
  const RankingPlan same = plan_ranking(with_head("//! cases: sent.csv\n"), sources);
  EXPECT_EQ(same.from, RankingPlan::From::Client);
  EXPECT_EQ(same.cases, "sent.csv");
  const RankingPlan other = plan_ranking(with_head("//! cases: own.csv\n"), sources);
  EXPECT_EQ(other.from, RankingPlan::From::File);
  EXPECT_EQ(other.cases, "own.csv");
}

TEST(RankingPlan, ASessionRanksAsItDoesUnlessTheHeadSaysElse) {
  const LiveSession::Cases cases = session_cases();
  RankingSources sources;
  sources.session = &cases;
  sources.settings = {"", "set.csv", "absolute", 3};
  const RankingPlan plan = plan_ranking(kPlannedSketch, sources);
  EXPECT_EQ(plan.from, RankingPlan::From::Session);
  EXPECT_EQ(plan.cases, "session.csv");
  EXPECT_EQ(plan.output, "y");
  EXPECT_EQ(plan.score, engine::ScoreKind::SquaredError);
  EXPECT_EQ(plan.tolerance, 0.5);
  EXPECT_EQ(plan.measure, 2.0);
  EXPECT_EQ(plan.top, 7u);
  const RankingPlan scored = plan_ranking(with_head("//! score: absolute\n//! top: 2\n"), sources);
  EXPECT_EQ(scored.from, RankingPlan::From::Session);
  EXPECT_EQ(scored.score, engine::ScoreKind::AbsoluteError);
  EXPECT_EQ(scored.tolerance, 0.0);
  EXPECT_EQ(scored.measure, std::nullopt);
  EXPECT_EQ(scored.top, 2u);
  EXPECT_EQ(plan_ranking(with_head("//! cases: own.csv\n"), sources).from, RankingPlan::From::File);
}

TEST(RankingPlan, AHarnessScoresByItself) {
  const std::string candidate = with_head("//! cases: own.csv\n//! harness: h.komuz\n");
  EXPECT_EQ(plan_ranking(candidate, {}).harness, "h.komuz");
  EXPECT_EQ(plan_ranking(candidate, {}).score, engine::ScoreKind::Maximize);
  EXPECT_EQ(plan_ranking("//! score: minimize\n" + candidate, {}).score,
            engine::ScoreKind::Minimize);
  EXPECT_NE(plan_ranking("//! score: squared\n" + candidate, {}).problem.find("by itself"),
            std::string::npos);
  EXPECT_NE(plan_ranking(with_head("//! cases: own.csv\n//! score: minimize\n"), {})
                .problem.find("name one by `//! harness: FILE`"),
            std::string::npos);
  RankingSources sources;
  sources.settings.harness = "set.komuz";
  EXPECT_EQ(plan_ranking(with_head("//! cases: own.csv\n"), sources).harness, "set.komuz");
  EXPECT_EQ(plan_ranking(candidate, sources).harness, "h.komuz");
}

}  // namespace
}  // namespace komuz::services
