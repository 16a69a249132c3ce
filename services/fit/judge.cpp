// SPDX-License-Identifier: Apache-2.0
#include "services/fit/judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>

#include "engine/candidates/load_modules.h"
#include "engine/engine.h"
#include "engine/run/evaluate.h"
#include "engine/values/value_text.h"

namespace komuz::services {
namespace {

// By one score, with what each case contributed.
Problem evaluate(const engine::CasesTable& cases, engine::ScoreKind score,
                 const JudgeOptions& options, const std::vector<FitFormula>& formulas,
                 engine::Results& results, const std::stop_token& stop) {
  std::vector<engine::Candidate> candidates;
  std::vector<std::string> ids;
  for (size_t k = 0; k < formulas.size(); ++k) ids.push_back(std::to_string(k + 1));
  for (size_t k = 0; k < formulas.size(); ++k)
    candidates.push_back({.id = ids[k], .source = formulas[k].program, .error = {}});
  engine::CandidateList list(candidates);
  engine::ModuleLoader modules(nullptr);
  engine::EvaluateOptions evaluation;
  evaluation.programs.modules = &modules;
  evaluation.ranking.score = score;
  if (score == row_of(options.loss).score) evaluation.ranking.measure = options.measure;
  evaluation.machines.threads = options.threads;
  evaluation.details.case_scores = engine::CaseScores::Kept;
  return engine::evaluate(list, cases, evaluation, results, nullptr, nullptr, stop);
}

// The share of rows on the right side, for losses of classes. There the loss is below that of 0, which says nothing.
f64 share_right(FitLoss loss, const engine::CasesTable& cases, const std::vector<f64>& losses) {
  const f64 of_nothing = loss == FitLoss::Logistic ? std::numbers::ln2 : 1;
  f64 right = 0, all = 0;
  for (size_t row = 0; row < losses.size(); ++row) {
    const f64 weight = cases.rows[row].weight;
    all += weight;
    if (losses[row] < of_nothing * weight) right += weight;
  }
  return right / all;
}

}  // namespace

namespace {

std::optional<f64> expected_of(const engine::CasesTable& cases, size_t row) {
  const engine::CellAt at = {row, engine::CellAt::kExpected};
  if (const engine::NumberColumn* const numbers = cases.numbers_of(at.column))
    return numbers->number(cases.given.row_of(row));
  std::string room;
  u64 bits = 0;
  if (engine::parse_scalar(Scalar::F64, cases.text_of(at, room), engine::ValueStyle::Text, bits))
    return std::nullopt;
  return std::bit_cast<f64>(bits);
}

}  // namespace

f64 weight_of_rows(const engine::CasesTable& cases, FitLoss loss) {
  f64 weights = 0;
  for (size_t row = 0; row < cases.rows.size(); ++row) {
    const f64 weight = cases.rows[row].weight;
    std::optional<f64> expected;
    if (row_of(loss).is_relative && weight != 0) expected = expected_of(cases, row);
    weights += expected ? weight * *expected * *expected : weight;
  }
  return weights;
}

f64 variance_of(const engine::CasesTable& cases, FitLoss loss) {
  f64 weights = 0, mean = 0, squares = 0;
  for (size_t row = 0; row < cases.rows.size(); ++row) {
    const f64 weight = cases.rows[row].weight;
    const std::optional<f64> expected = weight == 0 ? std::nullopt : expected_of(cases, row);
    if (!expected) continue;
    // Welford's recurrence: equal numbers have a variance of 0.
    const f64 off = *expected - mean;
    weights += weight;
    mean += off * weight / weights;
    squares += weight * off * (*expected - mean);
  }
  return weights > 0 ? squares / weight_of_rows(cases, loss) : 0;
}

namespace {

Problem judge_some(const engine::CasesTable& cases, const JudgeOptions& options, JudgedRows rows,
                   std::vector<FitFormula>& formulas, const std::stop_token& stop) {
  const auto errors_of = [rows](FitFormula& formula) -> FormulaErrors& {
    return rows == JudgedRows::Training ? formula.training : formula.held_out;
  };
  if (formulas.empty() || cases.rows.empty()) return {};
  engine::Results losses, explained;
  if (Problem problem =
          evaluate(cases, row_of(options.loss).score, options, formulas, losses, stop))
    return problem;
  const bool is_of_classes = row_of(options.loss).is_of_classes;
  const f64 variance = is_of_classes ? 0 : variance_of(cases, options.loss);
  const bool has_variance = variance > 0;
  // Of squares it follows from the loss, but where they do not fit an f64.
  const bool follows = adds_squares(options.loss) && variance > 1e-200 && variance < 1e200;
  if (has_variance && !follows)
    if (Problem problem =
            evaluate(cases, engine::ScoreKind::RSquared, options, formulas, explained, stop))
      return problem;
  if (stop.stop_requested()) return stopped();
  const f64 weights = weight_of_rows(cases, options.loss);
  // Squares are in units of their own where they would leave the range of an f64.
  const f64 unit = losses.scale.unit;
  const f64 factor = adds_squares(options.loss) ? unit * unit : 1;
  for (u32 row = 0; row < losses.rows.size() && row < formulas.size(); ++row) {
    FormulaErrors& errors = errors_of(formulas[row]);
    errors = {};
    const std::span<const f64> of_cases = losses.case_scores_of(row);
    if (!losses.rows[row].scored || of_cases.empty()) continue;
    errors.losses.assign(of_cases.begin(), of_cases.end());
    for (f64& loss : errors.losses) loss *= factor;
    errors.mean_loss = std::accumulate(errors.losses.begin(), errors.losses.end(), 0.0) / weights;
    errors.has_unexplained = has_variance && (follows || explained.rows[row].scored);
    if (errors.has_unexplained && follows)
      errors.unexplained = errors.mean_loss / variance;
    else if (errors.has_unexplained)
      errors.unexplained = 1 - explained.rows[row].score;
    errors.has_r2 = errors.has_unexplained && means_r2(options.loss, options.measure);
    if (errors.has_r2) errors.r2 = 1 - errors.unexplained;
    errors.is_of_classes = is_of_classes;
    if (is_of_classes) errors.right = share_right(options.loss, cases, errors.losses);
    errors.is_known = std::isfinite(errors.mean_loss);
  }
  return {};
}

}  // namespace

Problem judge(const engine::CasesTable& cases, const JudgeOptions& options, JudgedRows rows,
              std::vector<FitFormula>& formulas, const std::stop_token& stop) {
  // Each has a loss of every row while it is judged.
  constexpr size_t kMost = 64;
  for (size_t begin = 0; begin < formulas.size(); begin += kMost) {
    const auto from = formulas.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = from + static_cast<std::ptrdiff_t>(std::min(kMost, formulas.size() - begin));
    std::vector<FitFormula> some(std::make_move_iterator(from), std::make_move_iterator(to));
    Problem problem = judge_some(cases, options, rows, some, stop);
    std::ranges::move(some, from);
    if (problem) return problem;
  }
  return {};
}

}  // namespace komuz::services
