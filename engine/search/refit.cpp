// SPDX-License-Identifier: Apache-2.0
#include "engine/search/refit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/cases/score_scale.h"
#include "engine/cases/typed_columns.h"
#include "engine/scores/score_cells.h"
#include "engine/scores/score_loops.h"
#include "engine/search/loss_model.h"

namespace komuz::engine {
namespace {

const ScoreLoops& loops() {
  static const ScoreLoops& best = score_loops(best_simd_level());
  return best;
}
f64 expected_of(const Suite& suite, u32 k) { return std::bit_cast<f64>(suite.expected_cell(0, k)); }
f64 weight_of(const Suite& suite, u32 k) { return suite.weights.empty() ? 1 : suite.weights[k]; }

}  // namespace

Problem RefitCases::open(const CasesTable& cases, const Signature& signature, ScoreKind score,
                         std::optional<f64> measure, const std::stop_token& stop) {
  const bool is_of_classes = expects_classes(score);
  TypedColumns columns(cases);
  if (Problem problem = make_suite(columns, signature, suite_, stop,
                                   is_of_classes ? ExpectedForm::Classes : ExpectedForm::Values))
    return problem;
  error_ = score_row(score).error;
  const ScoreScale scale = scale_of(suite_, score, 0, measure);
  if (!scale.measures.empty()) measure_ = scale.measures.front();
  if (error_ == ErrorKind::Squared) unit_ = scale.unit;
  static_cast<void>(suite_.view(0, suite_.count, arguments_));
  return {};
}

bool Refit::run(vm::BatchMachine& machine, const vm::Job& job, bool again, std::vector<u64>& cells,
                size_t columns) {
  cells.resize(columns * count_);
  traps_.resize(count_);
  outcome_places_.resize(count_);
  depths_.resize(count_);
  fuel_.resize(count_);
  const OutcomesView out{cells, traps_, outcome_places_, depths_, fuel_};
  if (again)
    static_cast<void>(machine.run_again(job, out));
  else
    machine.run(job, out);
  return std::ranges::all_of(traps_, [](Trap trap) { return trap == Trap::None; });
}

bool Refit::run_parts() {
  if (slopes_.part_count != 0 &&
      !run(parts_machine_, {slopes_.parts.view(), 0, {cases_->arguments_, count_}}, false,
           part_cells_, slopes_.part_count))
    return false;
  parts_.resize(slopes_.part_count, size_t{count_} * sizeof(u64));
  columns_.clear();
  for (const SlopeCode::Source& source : slopes_.sources) {
    if (source.is_argument) {
      columns_.push_back(cases_->arguments_[source.at]);
      continue;
    }
    std::memcpy(parts_[source.at], part_cells_.data() + size_t{source.at} * count_,
                size_t{count_} * sizeof(u64));
    columns_.push_back({Scalar::F64, parts_[source.at]});
  }
  return true;
}

bool Refit::run_plain(std::span<const f64> numbers, std::vector<u64>& cells) {
  for (size_t c = 0; c < plain_.constants.size(); ++c)
    if (const u32 number = program_->number_of[c]; number != RefitProgram::kNoNumber)
      plain_.constants[c] = std::bit_cast<u64>(numbers[number]);
  const bool again = is_plain_lowered_;
  is_plain_lowered_ = true;
  return run(plain_machine_, {plain_.view(), program_->entry, {cases_->arguments_, count_}}, again,
             cells, 1);
}

f64 Refit::loss_of(const f64* values) const {
  const Suite& suite = cases_->suite_;
  f64 sum = 0;
  with_error(cases_->error_, [&]<ErrorKind kind>() {
    for (u32 k = 0; k < count_; ++k) {
      const f64 weight = weight_of(suite, k);
      if (weight == 0) continue;
      // Squares are in a unit of their own.
      const f64 by = kind == ErrorKind::Squared ? 1 / cases_->unit_ : 1;
      sum += weight * error_of<Float64Cell, kind>(std::bit_cast<u64>(values[k] * by),
                                                  std::bit_cast<u64>(expected_of(suite, k) * by),
                                                  cases_->measure_);
    }
  });
  return sum;
}

// False: the loss is no number.
bool Refit::look_at(Point& point) {
  if (has_slopes_) {
    for (size_t k = 0; k < point.numbers.size(); ++k)
      slopes_.slopes.constants[k] = std::bit_cast<u64>(point.numbers[k]);
    const bool again = is_lowered_;
    is_lowered_ = true;
    if (!run(machine_, {slopes_.slopes.view(), 0, {columns_, count_}}, again, point.cells,
             point.numbers.size() + 1))
      return false;
  } else if (!run_plain(point.numbers, point.cells)) {
    return false;
  }
  point.loss = loss_of(reinterpret_cast<const f64*>(point.cells.data()));
  return std::isfinite(point.loss);
}

// Differences on both sides, by a step that balances what rounding and what curvature take.
bool Refit::find_slopes(std::vector<u64>& slopes) {
  constexpr f64 kPart = 6e-6;
  slopes.resize(here_.numbers.size() * count_);
  std::vector<f64> moved = here_.numbers;
  for (size_t k = 0; k < moved.size(); ++k) {
    const f64 here = here_.numbers[k];
    const f64 by = here == 0 ? kPart : std::fabs(here) * kPart;
    moved[k] = here + by;
    if (!run_plain(moved, slope_cells_)) return false;
    moved[k] = here - by;
    if (!run_plain(moved, other_cells_)) return false;
    moved[k] = here;
    const f64 width = (here + by) - (here - by);
    for (u32 row = 0; row < count_; ++row)
      slopes[k * count_ + row] = std::bit_cast<u64>(
          (std::bit_cast<f64>(slope_cells_[row]) - std::bit_cast<f64>(other_cells_[row])) / width);
  }
  return true;
}

bool Refit::make_columns() {
  constexpr f64 kLeastShare = 1e-6;  // of the mean distance
  const Suite& suite = cases_->suite_;
  const size_t n = here_.numbers.size();
  const f64* const values = reinterpret_cast<const f64*>(here_.cells.data());
  std::vector<u64> differences;
  if (!has_slopes_ && !find_slopes(differences)) return false;
  const f64* const slopes =
      has_slopes_ ? values + count_ : reinterpret_cast<const f64*>(differences.data());
  const bool is_of_classes =
      cases_->error_ == ErrorKind::Logistic || cases_->error_ == ErrorKind::Hinge;
  const f64 by = 1 / cases_->unit_;
  f64 distances = 0;
  for (u32 k = 0; k < count_; ++k)
    if (weight_of(suite, k) != 0) distances += std::fabs(values[k] - expected_of(suite, k));
  const f64 least = std::max(kLeastShare * distances / count_, 1e-300);
  sides_.resize(n + 1, size_t{count_} * sizeof(f64));
  f64* const residuals = reinterpret_cast<f64*>(sides_[n]);
  std::vector<f64> roots(count_);
  for (u32 k = 0; k < count_; ++k) {
    const f64 expected = expected_of(suite, k), weight = weight_of(suite, k);
    const f64 side = is_of_classes && !(expected > 0) ? -1 : 1;
    const f64 argument = is_of_classes ? side * values[k] : (values[k] - expected) * by;
    const LossSlope slope = slope_of_loss(cases_->error_, cases_->measure_, argument, least);
    const f64 root = std::sqrt(weight * slope.weight);
    roots[k] = weight == 0 ? 0 : root * side * by;
    residuals[k] = weight == 0 ? 0 : -root * slope.residual();
  }
  for (size_t number = 0; number < n; ++number) {
    f64* const to = reinterpret_cast<f64*>(sides_[number]);
    for (u32 k = 0; k < count_; ++k)
      to[k] = roots[k] == 0 ? 0 : roots[k] * slopes[number * count_ + k];
  }
  return true;
}

// The least squares of slopes and residuals; damping is a row more for each number. A number that others stand in for
// stays.
bool Refit::step(f64 damping, std::vector<f64>& numbers) {
  constexpr f64 kSpanned = 1e-11;  // of its length
  const size_t n = here_.numbers.size(), rows = count_ + n;
  ways_.resize(n + 1, rows * sizeof(f64));
  triangle_.assign(n * (n + 1), 0);
  const auto column = [this](size_t k) { return reinterpret_cast<f64*>(ways_[k]); };
  const auto product = [&](size_t a, size_t b) {
    return loops().product(column(a), column(b), static_cast<u32>(rows));
  };
  std::vector<f64> lengths(n);
  for (size_t k = 0; k <= n; ++k) {
    std::memcpy(column(k), sides_[k], size_t{count_} * sizeof(f64));
    std::fill_n(column(k) + count_, n, 0.0);
    if (k == n) break;
    const f64 squares = product(k, k);
    lengths[k] = std::sqrt(squares * (1 + damping));
    column(k)[count_ + k] = std::sqrt(squares * damping);
  }
  for (size_t k = 0; k < n; ++k) {
    const f64 length = std::sqrt(product(k, k));
    if (!std::isfinite(length)) return false;
    if (!(length > kSpanned * lengths[k])) continue;
    for (size_t row = 0; row < rows; ++row) column(k)[row] /= length;
    f64* const line = triangle_.data() + k * (n + 1);
    line[k] = length;
    for (size_t other = k + 1; other <= n; ++other) {
      line[other] = product(k, other);
      for (size_t row = 0; row < rows; ++row) column(other)[row] -= line[other] * column(k)[row];
    }
  }
  numbers = here_.numbers;
  std::vector<f64> way(n);
  bool moves = false;
  for (size_t k = n; k-- > 0;) {
    const f64* const line = triangle_.data() + k * (n + 1);
    if (line[k] == 0) continue;
    way[k] = line[n];
    for (size_t other = k + 1; other < n; ++other) way[k] -= line[other] * way[other];
    way[k] /= line[k];
    numbers[k] += way[k];
    moves |= numbers[k] != here_.numbers[k];
  }
  return moves && std::ranges::all_of(numbers, [](f64 x) { return std::isfinite(x); });
}

bool Refit::begin(const RefitCases& cases, const RefitProgram& program, u32 numbers) {
  cases_ = &cases;
  program_ = &program;
  count_ = cases.suite_.count;
  plain_ = program.code;
  is_plain_lowered_ = false;
  return numbers != 0 && numbers <= kMostNumbers && count_ != 0;
}

std::optional<f64> Refit::loss(std::span<const f64> numbers) {
  if (!run_plain(numbers, here_.cells)) return std::nullopt;
  const f64 loss = loss_of(reinterpret_cast<const f64*>(here_.cells.data()));
  return std::isfinite(loss) ? std::optional(loss) : std::nullopt;
}

bool Refit::fit(std::vector<f64>& numbers, const std::stop_token& stop) {
  constexpr u32 kMostSteps = 40, kMostTries = 6;
  constexpr f64 kEnough = 1e-9;  // of the loss
  is_lowered_ = false;
  has_slopes_ = writer_.write(program_->code.view(), program_->entry, program_->number_of,
                              static_cast<u32>(numbers.size()), slopes_) &&
                run_parts();
  here_.numbers = numbers;
  if (!look_at(here_)) return false;
  const f64 before = here_.loss;
  f64 damping = 0;
  for (u32 steps = 0; steps < kMostSteps && here_.loss > 0 && !stop.stop_requested(); ++steps) {
    if (!make_columns()) break;
    bool has_moved = false;
    for (u32 tries = 0; tries < kMostTries && !has_moved; ++tries) {
      has_moved = step(damping, next_.numbers) && look_at(next_) && next_.loss < here_.loss;
      damping = has_moved ? damping * 0.1 : std::max(damping * 100, 1e-6);
    }
    if (!has_moved) break;
    if (damping < 1e-8) damping = 0;
    const bool goes_on = here_.loss - next_.loss > kEnough * here_.loss;
    std::swap(here_, next_);
    if (!goes_on) break;
  }
  numbers = here_.numbers;
  return here_.loss < before;
}

}  // namespace komuz::engine
