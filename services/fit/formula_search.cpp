// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/log/result_log.h"
#include "engine/run/evaluate.h"

namespace komuz::services {

void BestBySize::on_result(const engine::Results& results, u32 row) {
  if (search_ != nullptr && search_->generations() != generation_) end_generation();
  const engine::ResultRow& result = results.rows[row];
  if (!result.scored || result.duplicate_of != engine::kNone) return;
  const f64 loss = engine::loss_of(results.score, result.score);
  if (!std::isfinite(loss)) return;
  const auto known = by_size_.find(result.code_bytes);
  const bool is_kept = known == by_size_.end() || known->second.size() < of_each_size_ ||
                       loss < known->second.back().loss;
  if (!is_kept) return;
  FoundVariant found{loss, result.code_bytes, std::string(results.id(row)), {}};
  if (engine::fits_line(results.score)) {
    found.line = results.line_of(row);
    if (!found.line) return;
  }
  pending_.push_back(std::move(found));
}

void BestBySize::end_generation() {
  if (search_ != nullptr) generation_ = search_->generations();
  for (FoundVariant& found : pending_) keep(std::move(found));
  pending_.clear();
}

void BestBySize::end() {
  const bool is_complete = search_ == nullptr || search_->generations() != generation_;
  if (is_complete || by_size_.empty()) end_generation();
}

void BestBySize::keep(FoundVariant&& found) {
  std::vector<FoundVariant>& best = by_size_[found.code_bytes];
  const auto place = std::ranges::upper_bound(best, found.loss, {}, &FoundVariant::loss);
  if (static_cast<size_t>(place - best.begin()) == of_each_size_) return;
  best.insert(place, std::move(found));
  if (best.size() > of_each_size_) best.pop_back();
  ++changes_;
}

std::vector<FoundVariant> BestBySize::front() const {
  std::vector<FoundVariant> out;
  f64 least = std::numeric_limits<f64>::infinity();
  for (const auto& [bytes, best] : by_size_) {
    if (!(best.front().loss < least)) continue;
    least = best.front().loss;
    out.insert(out.end(), best.begin(), best.end());
  }
  return out;
}

namespace {

class Generations final : public engine::ProgressSink {
 public:
  Generations(const engine::SearchCandidates& candidates, BestBySize& best, const OnFound& tell)
      : candidates_(candidates), best_(best), tell_(tell) {}
  void on_progress(u64 done, std::optional<u64> /*total*/) override {
    if (tell_) tell_(best_, candidates_.generations(), done);
  }

 private:
  const engine::SearchCandidates& candidates_;
  BestBySize& best_;
  const OnFound& tell_;
};

}  // namespace

Result<FormulaSearchResult> search_formulas(const engine::SketchProgram& sketch,
                                            const engine::CasesTable& cases,
                                            FormulaSearchOptions options,
                                            const OnFound& on_generation,
                                            const std::stop_token& stop) {
  engine::EvaluateOptions& evaluation = options.evaluation;
  evaluation.programs.sketch = &sketch;
  evaluation.machines.epoch = evaluation.machines.device_epoch = options.search.population;
  evaluation.ranking.best_rows = 1;
  evaluation.details.keep_details = false;
  engine::settle(sketch.plan, options.search, evaluation);
  BestBySize best(options.of_each_size);
  engine::SearchCandidates candidates(sketch.source, sketch.plan, options.search, &best);
  best.watch(candidates);
  if (options.on_settled)
    if (Problem problem = options.on_settled(evaluation)) return problem;
  if (engine::ResultLog* const log = evaluation.details.log; log != nullptr)
    candidates.set_replay([log] { return log->has_more(); });
  Generations progress(candidates, best, on_generation);
  engine::Results results;
  if (Problem problem =
          engine::evaluate(candidates, cases, evaluation, results, &candidates, &progress, stop))
    return problem;
  FormulaSearchResult out;
  out.generations = candidates.generations();
  out.candidates = results.candidates();
  best.end();
  out.found = best.front();
  out.has_reached_target = candidates.has_reached_target();
  return out;
}

}  // namespace komuz::services
