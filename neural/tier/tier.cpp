// SPDX-License-Identifier: Apache-2.0
#include "neural/tier/tier.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/native/job_clock.h"
#include "neural/decode/open_model.h"
#include "neural/optimise/window_finding.h"
#include "neural/router/router.h"
#include "neural/tier/program_windows.h"

namespace komuz::neural {
namespace {

constexpr f64 kEndless = std::numeric_limits<f64>::infinity();
// To read the model takes milliseconds, and to ask it about a window as much.
constexpr f64 kLeastForModel = 1e9;
// What a window takes, by who is asked, if that is much: about (docs/measurements.md).
constexpr f64 kAskedNs[] = {0, 2e7, 2e8};

TierReason reason_of(const engine::CheaperUse& use) {
  if (!use.was_run) return TierReason::Elsewhere;
  if (!use.was_asked) return TierReason::Short;
  if (use.was_left) return TierReason::Left;
  if (use.is_cheaper && use.cases + use.cheaper_cases == 0) return TierReason::Native;
  return static_cast<TierReason>(use.way.reason);
}

}  // namespace

Tier::Tier(TierChoice choice, TierRules rules) : choice_(choice), rules_(rules) {}

const Model* Tier::model() const {
  if (!rules_.uses_model) return nullptr;
  const Result<const Model*> opened = open_model();
  return opened.problem() ? nullptr : opened.value();
}

Tier::Plan Tier::plan(const engine::RunToCome& run) {
  if (is_for_all())
    return {true, true, model() != nullptr ? Asked::Model : Asked::Solver, 0, kEndless};
  if (rules_.takes_rules_always) return {true, true, Asked::Solver, 0, kEndless};
  const bool has_model = run.waiting_ns >= kLeastForModel && model() != nullptr;
  const Route way = route(features_of(run.code, run.function), run.waiting_ns, has_model);
  Plan plan;
  plan.asks = way.way != Way::Traditional;
  plan.whom = way.way == Way::Neural ? Asked::Model : Asked::Solver;
  plan.gain_ns = way.expected[static_cast<u32>(plan.asks ? way.way : Way::Rules)].gain_ns;
  const std::lock_guard lock(mutex_);
  work_ns_ += run.waiting_ns;
  const f64 allowed_ns = gained_ns_ + kMostLoss * work_ns_ - spent_ns_;
  plan.takes_known = allowed_ns > 0;
  plan.limit_ns = std::min(way.limit_ns, allowed_ns);
  return plan;
}

// To look at a window costs more than it gains in a run that is short. Where such runs follow each other, what they have missed together
// decides (ski rental).
void Tier::look_at(ProgramWindow& row, const Plan& plan, f64 share, f64 left_ns,
                   const std::stop_token& stop, TierTotals& made) {
  row.known = cache_.find(row.key);
  Asked whom = plan.whom;
  while (plan.asks && whom != Asked::Rules && left_ns < kAskedNs[static_cast<size_t>(whom)])
    whom = static_cast<Asked>(static_cast<u8>(whom) - 1);
  const bool is_enough = row.known != nullptr && row.known->is_enough(whom);
  if (is_enough || (plan.asks && left_ns <= 0)) {
    made.known += row.known != nullptr;
    return;
  }
  if (plan.asks) return ask(row, whom, stop, made);
  made.known += row.known != nullptr;
  const f64 missed = cache_.note_missed_gain(row.key, plan.gain_ns * share);
  whom = row.known == nullptr ? Asked::Rules : Asked::Solver;
  f64 cost = kAskedNs[static_cast<size_t>(whom)];
  if (whom == Asked::Rules) {
    const std::lock_guard lock(mutex_);
    cost = window_ns_;
  }
  if (missed >= cost) ask(row, whom, stop, made);
}

void Tier::ask(ProgramWindow& row, Asked whom, const std::stop_token& stop, TierTotals& made) {
  OptimiseOptions options;
  options.by_teacher = false;
  options.judge.proves_by_terms_alone = whom == Asked::Rules;
  options.judge.resources = is_for_all() ? rules_.resources : rules_.hybrid_resources;
  options.model = whom == Asked::Model ? model() : nullptr;
  const i64 began = engine::thread_time_ns();
  WindowFinding finding = look_at_window(row.lone.code.view(), options, &stop);
  if (stop.stop_requested()) return;
  made.cheaper += finding.better.has_value();
  made.by_terms += finding.better && finding.equality.method == kSameTerms;
  made.unproved += finding.unproved != 0;
  row.known = cache_.add(row.key, {std::move(finding), whom});
  if (whom != Asked::Rules) return;
  constexpr f64 kNew = 0.125;
  const f64 took = static_cast<f64>(engine::thread_time_ns() - began);
  const std::lock_guard lock(mutex_);
  window_ns_ = (1 - kNew) * window_ns_ + kNew * took;
}

engine::CheaperAnswer Tier::find(const engine::RunToCome& run, const std::stop_token& stop) {
  engine::CheaperAnswer answer;
  engine::CheaperWay& way = answer.way;
  const auto say = [&](TierReason reason) { way.reason = static_cast<u32>(reason); };
  say(TierReason::NotWorth);
  if (is_broken_ || choice_ == TierChoice::Traditional) return answer;
  const i64 began = engine::thread_time_ns();
  const auto spent = [&] { return static_cast<f64>(engine::thread_time_ns() - began); };
  const Plan plan = this->plan(run);
  way.gain_ns = plan.gain_ns;
  if (!plan.takes_known) return answer;
  ProgramWindows windows = windows_of(run.code, run.function);
  way.windows = static_cast<u32>(windows.rows.size());
  TierTotals made;
  bool has_unproved = false, has_unknown = false;
  for (ProgramWindow& row : windows.rows) {
    look_at(row, plan, row.weight / windows.weight, plan.limit_ns - spent(), stop, made);
    if (stop.stop_requested()) return answer;
    has_unknown |= row.known == nullptr;
    has_unproved |= row.known != nullptr && row.known->finding.unproved != 0;
  }
  ReplacedWindows replaced = replace_windows(run.code, windows);
  if (replaced.code) {
    answer.code = std::make_shared<const Code>(std::move(*replaced.code));
    way.cheaper = replaced.cheaper;
    way.saved_share = replaced.saved_share;
    say(replaced.by_model ? TierReason::ByModel : TierReason::ByRules);
  } else if (replaced.cheaper != 0) {
    say(TierReason::Refused);
  } else if (!has_unknown) {
    say(windows.rows.empty() ? TierReason::NoWindow
        : has_unproved       ? TierReason::NotProved
                             : TierReason::NothingCheaper);
  }
  way.cost_ns = spent();
  const std::lock_guard lock(mutex_);
  spent_ns_ += way.cost_ns;
  gained_ns_ += way.saved_share * run.waiting_ns;
  totals_.windows += windows.rows.size();
  totals_.known += made.known;
  totals_.cheaper += made.cheaper;
  totals_.by_terms += made.by_terms;
  totals_.unproved += made.unproved;
  totals_.seconds += 1e-9 * way.cost_ns;
  return answer;
}

void Tier::note_fault(const engine::RunToCome&) {
  is_broken_ = true;
  const std::lock_guard lock(mutex_);
  ++totals_.faults;
}

void Tier::tell(std::string_view id, const engine::CheaperUse& use) {
  const TierReason reason = reason_of(use);
  const std::lock_guard lock(mutex_);
  ++totals_.programs[static_cast<size_t>(reason)];
  totals_.cheaper_cases += use.cheaper_cases;
  totals_.cheaper_seconds += 1e-9 * use.cheaper_ns;
  if (use.cheaper_ticks != 0 && use.ticks != 0) {
    totals_.known_cheaper_seconds += 1e-9 * use.cheaper_ns;
    totals_.as_it_is_seconds +=
        1e-9 * use.ns / static_cast<f64>(use.ticks) * static_cast<f64>(use.cheaper_ticks);
  }
  if (kTierReasons[static_cast<size_t>(reason)].is_asked && rows_.size() < kMostRows)
    rows_.push_back({std::string(id), reason, use});
}

TierTotals Tier::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_;
}

std::vector<TierRow> Tier::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

std::vector<std::string> Tier::missing() const {
  std::vector<std::string> missing;
  {
    const std::lock_guard lock(mutex_);
    if (totals_.windows == 0) return missing;
  }
  if (const Result<const Prover*> prover = open_prover(); prover.problem())
    missing.push_back("no solver: " + prover.problem().text());
  if (rules_.uses_model)
    if (const Result<const Model*> model = open_model(); model.problem())
      missing.push_back("no model: " + model.problem().text());
  return missing;
}

}  // namespace komuz::neural
