// SPDX-License-Identifier: Apache-2.0
#include "services/variants/ranking_plan.h"

#include "services/editor/head_lines.h"

namespace komuz::services {
namespace {

void take_session(const LiveSession::Cases& cases, const HeadLines& head, RankingPlan& plan) {
  plan.from = RankingPlan::From::Session;
  plan.cases = cases.file;
  plan.output = cases.output;
  plan.form = cases.form;
  plan.inputs = cases.inputs;
  if (head.find(HeadKey::Top) == nullptr) plan.top = cases.top;
  if (head.find(HeadKey::Score) != nullptr) return;
  plan.score = cases.score;
  plan.tolerance = cases.tolerance;
  plan.measure = cases.measure;
}

void take_settings(const RankingSettings& settings, const HeadLines& head, RankingPlan& plan) {
  if (head.find(HeadKey::Top) == nullptr && settings.top != 0) plan.top = settings.top;
  if (head.find(HeadKey::Score) != nullptr || settings.score.empty()) return;
  if (const auto score = engine::score_from_name(settings.score))
    plan.score = *score;
  else
    plan.problem = "there is no score `" + settings.score +
                   "`, which the setting `komuz.score` names; say one of `komuz eval --score`";
}

void take_files(const RankingSources& sources, const HeadLine* named, RankingPlan& plan) {
  if (sources.sent && (named == nullptr || named->value == *sources.sent)) {
    plan.from = RankingPlan::From::Client;
    plan.cases = *sources.sent;
    return;
  }
  plan.cases = named != nullptr ? named->value : sources.settings.cases;
  if (plan.cases.empty()) plan.problem = "`//! cases:` names no file";
}

// A harness gives a score itself: the two kinds of scores are told apart by whether there is one.
void take_harness(const HeadLines& head, const std::string& set, RankingPlan& plan) {
  const HeadLine* const named = head.find(HeadKey::Harness);
  plan.harness = named != nullptr ? named->value : set;
  const bool is_value = engine::is_value_score(plan.score);
  if (plan.harness.empty()) {
    if (is_value && plan.problem.empty())
      plan.problem = "`" + std::string(engine::score_name(plan.score)) +
                     "` is for a harness, whose score it ranks by; name one by `//! harness: FILE`";
    return;
  }
  if (is_value) return;
  if (head.find(HeadKey::Score) != nullptr && plan.problem.empty())
    plan.problem = "a harness scores by itself; `//! score:` is `maximize` or `minimize` with one";
  plan.score = engine::ScoreKind::Maximize;
}

}  // namespace

RankingWish ranking_wish(std::string_view text, const RankingSources& sources) {
  if (sources.sent || says(text, HeadKey::Cases)) return RankingWish::Own;
  const bool has_cases = !sources.settings.cases.empty() || sources.session != nullptr;
  return has_cases && text.find('?') != std::string_view::npos ? RankingWish::IfSketch
                                                               : RankingWish::None;
}

RankingPlan plan_ranking(std::string_view text, const RankingSources& sources) {
  const HeadLines head = read_head(text);
  const HeadLine* const named = head.find(HeadKey::Cases);
  RankingPlan plan;
  plan.score = head.score;
  plan.top = head.top;
  if (named == nullptr && !sources.sent && sources.session != nullptr) {
    take_session(*sources.session, head, plan);
  } else {
    take_settings(sources.settings, head, plan);
    take_files(sources, named, plan);
  }
  take_harness(head, sources.settings.harness, plan);
  return plan;
}

}  // namespace komuz::services
