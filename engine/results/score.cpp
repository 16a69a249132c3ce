// SPDX-License-Identifier: Apache-2.0
// The loops over columns are in score_loops_body.h. Cases with a trap or an expected trap are rare, and are looked at
// only if there is one.
#include "engine/results/score.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "engine/scores/score_loops.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

using Partials = std::array<f64, 64>;

// For results that are one number: the expected number in units, or a NaN if a trap is expected.
f64 expected_number(const Suite& suite, u32 i, f64 inverse_unit) {
  if (suite.expected_traps[i] != Trap::None) return NAN;
  return cell_as_f64(suite.result_types[0], suite.expected_cell(0, i)) * inverse_unit;
}

bool expects_number_in_each(const Suite& suite) {
  for (u32 i = 0; i < suite.count; ++i)
    if (std::isnan(expected_number(suite, i, 1))) return false;
  return true;
}

f64 sum_of_weights(const Suite& suite) {
  Partials partials{};
  for (u32 i = 0; i < suite.count; ++i) partials[i % partials.size()] += suite.weights[i];
  return sum_of_partials(partials);
}

}  // namespace

ScoreBasis::ScoreBasis(const Suite& suite, ScoreKind of, f64 tolerance)
    : kind(of), error(score_row(of).error) {
  const ScoreScale scale =
      suite.scale ? *suite.scale : scale_of(suite, kind, tolerance, std::nullopt);
  floors = floors_of_cells(suite, scale.floors);
  measures = floors_of_cells(suite, scale.measures);
  inverse_unit = 1 / scale.unit;
  if (error == ErrorKind::Squared && scale.unit != 1) error = ErrorKind::ScaledSquared;
  if (score_row(kind).form == ScoreForm::Mean)
    whole = static_cast<f64>(std::max<u64>(1, u64{suite.count} * suite.result_types.size()));
  if (score_row(kind).form == ScoreForm::Mean && !suite.weights.empty())
    whole = sum_of_weights(suite) * static_cast<f64>(suite.result_types.size());
  if (compares_with_mean(kind)) {
    ExpectedSpread spread = spread_of(suite, scale.unit);
    line = spread.basis;
    mean = spread.mean;
    whole = line.total_squares;
    if (kind == ScoreKind::Correlation) {
      deviations = std::move(spread.deviations);
      expects_numbers = expects_number_in_each(suite);
    }
  }
  if (tolerance <= 0 && suite.tolerances.empty()) return;
  tolerances.assign(suite.count, tolerance);
  for (size_t i = 0; i < suite.tolerances.size(); ++i)
    if (suite.tolerances[i] >= 0) tolerances[i] = suite.tolerances[i];
}

void ScoreBasis::use_line(const Suite& suite, const FittedLine& fitted) {
  fixed_line = fitted.line;
  mean = fitted.mean;
  for (u32 i = 0; i < suite.count; ++i) {
    const f64 value = expected_number(suite, i, inverse_unit);
    deviations[i] = value == value ? value - mean : 0;
  }
}

Scorer::Scorer(const Suite& suite, ScoreKind kind, f64 tolerance, SimdLevel level)
    : suite_(&suite), basis_(suite, kind, tolerance), loops_(&score_loops(level)) {
  if (kind == ScoreKind::Correlation) values_.resize(suite.count);
}

void Scorer::begin(const ScoreLimits& limits) {
  tally_ = {};
  partials_.fill(0);
  if (basis_.kind == ScoreKind::Correlation) line_.begin();
  hashes_.assign(suite_->result_types.size(), 0);
  trap_hash_ = 0;
  case_scores_.clear();
  fitted_ = {};
  if (keeps_case_scores_) case_scores_.reserve(suite_->count);
  next_case_ = 0;
  slice_failure_ = kNone;
  limits_ = limits;
  has_ended_ = false;
}

// Sets failed_ to 1 for each case of the part that did not pass, else to 0.
void Scorer::mark_failures(const Part& part, bool any_trap) {
  failed_.assign(part.rows, 0);
  for (size_t cell = 0; cell < suite_->result_types.size(); ++cell) {
    const Scalar type = suite_->result_types[cell];
    if (is_exact(type))
      loops_->mark_different(type, part.values(cell), expected(cell), part.rows, failed_.data());
    else
      loops_->mark_beyond(type, part.values(cell), expected(cell), tolerances(),
                          basis_.floors[cell], part.rows, failed_.data());
  }
  if (!any_trap) return;
  const Trap *traps = part.traps(), *wanted = expected_traps();
  for (u32 i = 0; i < part.rows; ++i)
    if (traps[i] != Trap::None || wanted[i] != Trap::None) failed_[i] = traps[i] != wanted[i];
}

Scorer::Failures Scorer::failures_of_one_cell(const Part& part) const {
  const Scalar type = suite_->result_types[0];
  const u64 *actual = part.values(0), *wanted = expected(0);
  const bool wants_first = tally_.first_failure == kNone;
  if (is_exact(type)) {
    const u64 count = loops_->count_different(type, actual, wanted, part.rows);
    return {count,
            count != 0 && wants_first ? loops_->first_different(type, actual, wanted) : kNone};
  }
  const f64 floor = basis_.floors[0];
  const u64 count = loops_->count_beyond(type, actual, wanted, tolerances(), floor, part.rows);
  return {count, count != 0 && wants_first
                     ? loops_->first_beyond(type, actual, wanted, tolerances(), floor)
                     : kNone};
}

// Counts the cases of the part that did not pass, and finds the first failure of the run.
u32 Scorer::count_failures(const Part& part, bool any_trap) {
  Failures failures;
  if (is_one_cell(any_trap)) {
    failures = failures_of_one_cell(part);
  } else {
    mark_failures(part, any_trap);
    failures = {loops_->sum(failed_.data(), part.rows),
                static_cast<u32>(std::ranges::find(failed_, u64{1}) - failed_.begin())};
  }
  if (failures.count != 0 && tally_.first_failure == kNone) {
    slice_failure_ = part.first + failures.first;
    tally_.first_failure = next_case_ + failures.first;
  }
  return static_cast<u32>(failures.count);
}

// Adds the errors of the part to the partial sums, and counts the bad cases, whose errors do not count.
void Scorer::add_errors(const Part& part, bool any_trap) {
  if (basis_.kind == ScoreKind::Correlation) add_to_line(part, any_trap);
  const ErrorKind kind = basis_.error;
  // The errors that a correlation has are those of its line; these only say which cases are bad.
  if (basis_.kind == ScoreKind::Correlation && basis_.expects_numbers && is_one_cell(any_trap) &&
      !loops_->has_nan(values_.data() + next_case_, part.rows))
    return;
  if (is_one_cell(any_trap) &&
      loops_->add_errors_to_partials(suite_->result_types[0], part.values(0), expected(0),
                                     part.rows, kind, basis_.measure(0), partials_.data()))
    return;
  errors_.assign(part.rows, 0);
  for (size_t cell = 0; cell < suite_->result_types.size(); ++cell)
    loops_->add_errors(suite_->result_types[cell], part.values(cell), expected(cell), part.rows,
                       kind, basis_.measure(cell), errors_.data());
  if (has_weights())
    loops_->weigh(weights(next_case_, part.rows).data(), part.rows, errors_.data());
  if (keeps_case_scores_) case_scores_.insert(case_scores_.end(), errors_.begin(), errors_.end());
  if (any_trap || loops_->has_nan(errors_.data(), part.rows)) {
    const Trap *traps = part.traps(), *wanted = expected_traps();
    for (u32 i = 0; i < part.rows; ++i) {
      const f64 of_case = case_error(traps[i], wanted[i], errors_[i], weight(next_case_ + i));
      const bool bad = of_case != of_case;
      if (bad && tally_.bad_cases++ == 0) {
        tally_.first_bad = next_case_ + i;
        tally_.first_bad_trap = traps[i];
        slice_failure_ = part.first + i;
      }
      if (keeps_case_scores_) case_scores_[next_case_ + i] = of_case;
      errors_[i] = bad ? 0 : of_case;
    }
  }
  loops_->add_partials(errors_.data(), part.rows, partials_.data());
}

// Adds the values of the part to the partial sums. A bad case also counts as the first failure.
void Scorer::add_values(const Part& part) {
  errors_.assign(part.rows, 0);
  for (u32 i = 0; i < part.rows; ++i) {
    const f64 value = cell_as_f64(suite_->result_types[0], part.values(0)[i]);
    if (part.traps()[i] == Trap::None && value == value) {
      errors_[i] = value;
      ++tally_.passed;
      if (keeps_case_scores_) case_scores_.push_back(value);
      continue;
    }
    if (keeps_case_scores_) case_scores_.push_back(NAN);
    if (tally_.bad_cases++ == 0) {
      tally_.first_bad = tally_.first_failure = next_case_ + i;
      tally_.first_bad_trap = part.traps()[i];
      slice_failure_ = part.first + i;
    }
  }
  loops_->add_partials(errors_.data(), part.rows, partials_.data());
}

// The values of a case that trapped are 0, and add nothing.
void Scorer::add_behaviour(const Part& part, bool any_trap) {
  const u64* keys = suite_->keys.data() + next_case_;
  for (size_t cell = 0; cell < hashes_.size(); ++cell)
    hashes_[cell] += loops_->hash(part.values(cell), keys, part.rows);
  for (u32 i = 0; any_trap && i < part.rows; ++i)
    trap_hash_ += static_cast<u64>(part.traps()[i]) * keys[i];
}

// A trap counts as no number.
void Scorer::add_to_line(const Part& part, bool any_trap) {
  const std::span<f64> values = std::span(values_).subspan(next_case_, part.rows);
  loops_->to_numbers(suite_->result_types[0], part.values(0), part.rows, values.data());
  for (u32 i = 0; any_trap && i < part.rows; ++i)
    if (part.traps()[i] != Trap::None) values[i] = NAN;
  line_.add(*loops_, values, std::span(basis_.deviations).subspan(next_case_, part.rows),
            weights(next_case_, part.rows));
}

void Scorer::add_part(Part part) {
  const bool any_trap =
      suite_->expects_traps || std::memcmp(part.traps(), expected_traps(), part.rows) != 0;
  if (is_value_score(basis_.kind)) {
    add_values(part);
  } else {
    u32 failures = count_failures(part, any_trap);
    if (limits_.at_failure && failures != 0) {
      has_ended_ = true;
      failures = 1;
      part.rows = tally_.first_failure - next_case_ + 1;
    }
    tally_.passed += part.rows - failures;
    if (basis_.kind != ScoreKind::Exact) {
      add_errors(part, any_trap);
    } else if (keeps_case_scores_) {
      for (u32 i = 0; i < part.rows; ++i) case_scores_.push_back(failed_[i] == 0 ? 1 : 0);
    }
  }
  tally_.fuel += loops_->sum(part.outcomes.fuel.data() + part.first, part.rows);
  add_behaviour(part, any_trap);
  next_case_ += part.rows;
}

bool Scorer::falls_short() const {
  if (tally_.bad_cases != 0) return true;
  const f64 best = basis_.kind == ScoreKind::Exact
                       ? tally_.passed + (suite_->count - next_case_)
                       : basis_.score_of(sum_of_partials(partials_), tally_.passed);
  return loss_of(basis_.kind, best) > loss_of(basis_.kind, *limits_.least_score);
}

void Scorer::consider_end(bool may_cut) {
  if (has_ended_ || next_case_ % kCutStep != 0 || next_case_ == suite_->count) return;
  if (may_cut)
    has_ended_ = tally_.is_cut_off = falls_short();
  else
    has_ended_ = settles() && tally_.bad_cases != 0;
}

// If the run may end early, slices are split at every kCutStep cases, so that the slices do not show in results.
void Scorer::add(u32 rows, const OutcomesView& outcomes) {
  slice_failure_ = kNone;
  const bool may_cut =
      limits_.least_score && !is_value_score(basis_.kind) && basis_.kind != ScoreKind::Correlation;
  u32 end = rows;
  if (limits_.at_fuel)
    end = static_cast<u32>(std::ranges::find(outcomes.traps.first(rows), Trap::Fuel) -
                           outcomes.traps.begin());
  for (u32 first = 0; first < end && !has_ended_;) {
    const u32 left = end - first;
    const u32 count =
        may_cut || settles() ? std::min(left, kCutStep - next_case_ % kCutStep) : left;
    add_part({outcomes, first, count});
    first += count;
    consider_end(may_cut);
  }
  if (end == rows || has_ended_) return;
  has_ended_ = true;
  tally_.is_left = !settles() || tally_.bad_cases == 0;
}

bool Scorer::is_settled(u32 rows, const OutcomesView& outcomes) {
  if (!limits_.at_failure && !settles()) return false;
  if (tally_.bad_cases != 0) return true;
  const Part part{outcomes, 0, rows};
  if (limits_.at_failure) {
    mark_failures(part, true);
    return loops_->sum(failed_.data(), rows) != 0;
  }
  const bool is_value = is_value_score(basis_.kind);
  errors_.assign(rows, 0);
  for (size_t cell = 0; cell < suite_->result_types.size() && !is_value; ++cell)
    loops_->add_errors(suite_->result_types[cell], part.values(cell), expected(cell), rows,
                       basis_.error, basis_.measure(cell), errors_.data());
  for (u32 i = 0; i < rows; ++i) {
    const Trap trap = part.traps()[i];
    const f64 brought =
        is_value ? cell_as_f64(suite_->result_types[0], part.values(0)[i])
                 : case_error(trap, expected_traps()[i], errors_[i], weight(next_case_ + i));
    if (brought != brought || (is_value && trap != Trap::None)) return true;
  }
  return false;
}

void Scorer::finish_line() {
  if (basis_.fixed_line) {
    fitted_ = *basis_.fixed_line;
    tally_.error_sum = sum_of_misses();
  } else {
    const std::span<const f64> values(values_), deviations(basis_.deviations);
    fitted_ = fit_line(line_.sums(*loops_, values.first(next_case_), deviations.first(next_case_),
                                  weights(0, next_case_)),
                       basis_.line);
    tally_.error_sum = (1 - fitted_.r2) * basis_.line.total_squares;
  }
  for (u32 i = 0; i < case_scores_.size(); ++i)
    case_scores_[i] =
        weighted(fitted_.case_error(values_[i], basis_.deviations[i], case_scores_[i]), weight(i));
}

// The sum over cases whose values are numbers. If other cases are bad, there is no score.
f64 Scorer::sum_of_misses() const {
  Partials partials{};
  for (u32 i = 0; i < next_case_; ++i)
    if (values_[i] == values_[i])
      partials[i % partials.size()] +=
          weighted(fitted_.case_error(values_[i], basis_.deviations[i], 0), weight(i));
  return sum_of_partials(partials);
}

Tally Scorer::finish() {
  tally_.cases_run = next_case_;
  if (settles() && tally_.bad_cases != 0) tally_.bad_cases += suite_->count - next_case_;
  tally_.error_sum = sum_of_partials(partials_);
  if (basis_.kind == ScoreKind::Correlation) finish_line();
  tally_.score = tally_.bad_cases == 0 ? basis_.score_of(tally_.error_sum, tally_.passed) : 0;
  Hash128 behaviour;
  behaviour.add(trap_hash_);
  for (const u64 hash : hashes_) behaviour.add(hash);
  tally_.behaviour = behaviour.low ^ behaviour.high;
  return tally_;
}

ExpectedSpread spread_of(const Suite& suite, f64 unit) {
  ExpectedSpread out;
  std::vector<f64> numbers;  // the expected numbers by case; a NaN where there is none
  const auto weight = [&](u32 i) { return suite.weights.empty() ? 1.0 : suite.weights[i]; };
  u32 count = 0;
  f64 least = INFINITY, most = -INFINITY;
  for (u32 i = 0; i < suite.count; ++i) {
    const f64 value = weight(i) == 0 ? NAN : expected_number(suite, i, 1 / unit);
    numbers.push_back(value);
    count += value == value;
    least = std::fmin(least, value);
    most = std::fmax(most, value);
  }
  if (count == 0) return out;
  const auto sum = [&](auto term) {
    Partials partials{};
    for (u32 i = 0; i < suite.count; ++i)
      if (numbers[i] == numbers[i])
        partials[i % partials.size()] += weighted(term(numbers[i]), weight(i));
    return sum_of_partials(partials);
  };
  const f64 weights = suite.weights.empty() ? count : sum([](f64) { return 1.0; });
  out.mean = sum([](f64 value) { return value; }) / weights;
  for (const f64 value : numbers) out.deviations.push_back(value == value ? value - out.mean : 0);
  const auto deviation = [&](f64 value) { return value - out.mean; };
  out.basis.deviations = sum(deviation);
  out.basis.total_squares = sum([&](f64 value) { return deviation(value) * deviation(value); });
  out.basis.noise = rounding_share(suite.count);
  const f64 least_squares = out.basis.noise * sum([](f64 value) { return value * value; });
  // A sum of equal numbers is rounded, so their mean may differ from them.
  out.kind = !(std::isfinite(least) && std::isfinite(most)) ||
                     (!suite.weights.empty() && !std::isfinite(out.basis.total_squares))
                 ? ExpectedSpread::Kind::NotFinite
             : least == most                           ? ExpectedSpread::Kind::Equal
             : out.basis.total_squares > least_squares ? ExpectedSpread::Kind::Varies
                                                       : ExpectedSpread::Kind::Rounded;
  return out;
}

}  // namespace komuz::engine
