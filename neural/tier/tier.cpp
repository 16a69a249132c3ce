// SPDX-License-Identifier: Apache-2.0
#include "neural/tier/tier.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/native/job_clock.h"
#include "neural/decode/open_model.h"
#include "neural/optimise/window_finding.h"
#include "neural/router/router.h"
#include "neural/teacher/costs.h"
#include "neural/teacher/rewrite.h"
#include "neural/tier/program_windows.h"

namespace komuz::neural {
namespace {

constexpr f64 kEndless = std::numeric_limits<f64>::infinity();
// Less work than this does not pay for the model, which takes milliseconds to be read alone.
constexpr f64 kLeastForModel = 1e9;
// About what a window takes by who is asked, and what the rules take to be read (docs/measurements.md).
constexpr Asked kAskedInOrder[] = {Asked::Rules, Asked::Terms, Asked::Solver, Asked::Model};
constexpr f64 kAskedNs[] = {5e4, 1e6, 2e7, 2e8};
constexpr f64 kReadRulesNs = 4e6;

TierReason reason_of(const engine::CheaperUse& use) {
  if (!use.was_run) return TierReason::Elsewhere;
  if (!use.was_asked) return TierReason::Short;
  if (use.was_wrong) return TierReason::Wrong;
  if (use.was_left) return TierReason::Left;
  if (use.is_cheaper && use.cheaper_cases == 0) return TierReason::Native;
  return static_cast<TierReason>(use.way.reason);
}

}  // namespace

Tier::Tier(TierChoice choice, TierRules rules) : choice_(choice), rules_(rules) {}

const Model* Tier::model() {
  if (!rules_.uses_model) return nullptr;
  wanted_model_ = true;
  const Result<const Model*> opened = open_model();
  return opened.problem() ? nullptr : opened.value();
}

Tier::Plan Tier::plan(const engine::RunToCome& run) {
  Plan plan;
  plan.work_ns = run.waiting_ns;
  plan.asks_all = is_for_all() || rules_.takes_rules_always;
  if (plan.asks_all) {
    plan.takes_known = true;
    plan.most = is_for_all() && model() != nullptr ? Asked::Model : Asked::Solver;
    return plan;
  }
  const bool has_model = run.waiting_ns >= kLeastForModel && model() != nullptr;
  const Route way = route(features_of(run.code, run.function), run.waiting_ns, has_model);
  plan.most = way.way == Way::Neural ? Asked::Model : Asked::Solver;
  plan.gain_ns = way.expected[static_cast<u32>(Way::Rules)].gain_ns;
  plan.model_gain_ns = way.expected[static_cast<u32>(Way::Neural)].gain_ns - plan.gain_ns;
  const std::lock_guard lock(mutex_);
  work_ns_ += std::max(0.0, run.waiting_ns - run.asked_ns);
  plan.takes_known = left_ns() > 0;
  return plan;
}

f64 Tier::left_ns() const { return gained_ns_ + kMostLoss * work_ns_ - spent_ns_; }

bool Tier::reserve(f64 ns) {
  const std::lock_guard lock(mutex_);
  if (left_ns() < ns) return false;
  spent_ns_ += ns;
  return true;
}

// The next one is asked once what that is expected to gain is as much as it costs: in this run, or together with those before, which
// have missed it (ski rental).
void Tier::look_at(ProgramWindow& row, const Plan& plan, f64 share, const std::stop_token& stop,
                   Made& made) {
  row.known = cache_.find(row.key);
  made.totals.known += row.known != nullptr;
  if (plan.asks_all) {
    if (row.known == nullptr || !row.known->is_enough(plan.most)) ask(row, plan.most, stop, made);
    return;
  }
  for (const Asked whom : kAskedInOrder) {
    if (whom > plan.most) return;
    if (row.known != nullptr && row.known->is_enough(whom)) continue;
    const f64 gain = whom == Asked::Rules   ? plan.gain_ns
                     : whom == Asked::Model ? plan.model_gain_ns
                                            : row.known->promised * plan.work_ns;
    const f64 missed = cache_.note_missed_gain(row.key, share * std::max(gain, 0.0));
    f64 cost = kAskedNs[static_cast<size_t>(whom)];
    if (!has_rules_) cost += kReadRulesNs;
    if (missed < cost || !reserve(cost)) return;
    made.reserved_ns += cost;
    ask(row, whom, stop, made);
    if (stop.stop_requested()) return;
  }
}

void Tier::ask(ProgramWindow& row, Asked whom, const std::stop_token& stop, Made& made) {
  const CodeView lone = row.lone.code.view();
  KnownWindow known;
  known.asked = whom;
  has_rules_ = true;
  if (whom == Asked::Rules) {
    const f64 before = static_cast<f64>(cost_of_code(lone, 0));
    known.promised = 1 - static_cast<f64>(cost_of_code(rewrite(lone).view(), 0)) / before;
    row.known = cache_.add(row.key, std::move(known));
    return;
  }
  OptimiseOptions options;
  options.by_teacher = false;
  options.judge.proves_by_terms_alone = whom == Asked::Terms;
  options.judge.resources = is_for_all() ? rules_.resources : rules_.hybrid_resources;
  options.model = whom == Asked::Model ? model() : nullptr;
  if (whom > Asked::Terms) wanted_solver_ = true;
  known.finding = look_at_window(lone, options, &stop);
  if (stop.stop_requested()) return;
  const WindowFinding before = row.known != nullptr ? row.known->finding : WindowFinding();
  if (row.known != nullptr) known.promised = row.known->promised;
  // A window counts once, however often somebody was asked: as what it is in the end.
  if (known.finding.better && !before.better) {
    ++made.totals.cheaper;
    made.totals.by_terms += known.finding.equality.method == kSameTerms;
  }
  made.totals.unproved += u64{known.finding.unproved != 0} - u64{before.unproved != 0};
  row.known = cache_.add(row.key, std::move(known));
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
  Made made;
  bool has_unproved = false, has_open = false;
  for (ProgramWindow& row : windows.rows) {
    look_at(row, plan, row.weight / windows.weight, stop, made);
    if (stop.stop_requested()) break;
    has_open |= row.known == nullptr || row.known->is_open();
    has_unproved |= row.known != nullptr && row.known->finding.unproved != 0;
  }
  ReplacedWindows replaced;
  if (!stop.stop_requested()) replaced = replace_windows(run.code, windows);
  if (replaced.code) {
    answer.code = std::make_shared<const Code>(std::move(*replaced.code));
    way.cheaper = replaced.cheaper;
    way.saved_share = replaced.saved_share;
    say(replaced.by_model ? TierReason::ByModel : TierReason::ByRules);
  } else if (replaced.cheaper != 0) {
    say(TierReason::Refused);
  } else if (!has_open) {
    say(windows.rows.empty() ? TierReason::NoWindow
        : has_unproved       ? TierReason::NotProved
                             : TierReason::NothingCheaper);
  }
  way.cost_ns = spent();
  const std::lock_guard lock(mutex_);
  spent_ns_ += way.cost_ns - made.reserved_ns;
  gained_ns_ += way.saved_share * run.waiting_ns;
  totals_.windows += windows.rows.size();
  totals_.known += made.totals.known;
  totals_.cheaper += made.totals.cheaper;
  totals_.by_terms += made.totals.by_terms;
  totals_.unproved += made.totals.unproved;
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
  // To ask opens them.
  if (wanted_solver_)
    if (const Result<const Prover*> prover = open_prover(); prover.problem())
      missing.push_back("no solver: " + prover.problem().text());
  if (wanted_model_)
    if (const Result<const Model*> model = open_model(); model.problem())
      missing.push_back("no model: " + model.problem().text());
  return missing;
}

}  // namespace komuz::neural
