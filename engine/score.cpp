// SPDX-License-Identifier: Apache-2.0
// The loops over columns are in score_loops_body.h; the cases that need words (a trap, an expected trap) are rare and
// looked at only when there is one.
#include "engine/score.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "engine/score_loops.h"
#include "engine/value_text.h"

namespace komuz::engine {
namespace {

using Partials = std::array<f64, 64>;

f64 sum_of(Partials partials) {
  for (size_t half = partials.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) partials[i] += partials[i + half];
  return partials[0];
}

ErrorKind error_kind(ScoreKind kind) {
  if (kind == ScoreKind::SquaredError || kind == ScoreKind::RSquared) return ErrorKind::Squared;
  return kind == ScoreKind::RelativeError ? ErrorKind::Relative : ErrorKind::Absolute;
}

}  // namespace

Scorer::Scorer(const Suite& suite, ScoreKind kind, f64 tolerance, SimdLevel level)
    : suite_(&suite), kind_(kind), loops_(&score_loops(level)) {
  if (kind == ScoreKind::RSquared) total_squares_ = total_squares(suite);
  if (tolerance <= 0 && suite.tolerances.empty()) return;
  tolerances_.assign(suite.count, tolerance);
  for (size_t i = 0; i < suite.tolerances.size(); ++i)
    if (suite.tolerances[i] >= 0) tolerances_[i] = suite.tolerances[i];
}

void Scorer::begin() {
  tally_ = {};
  partials_.fill(0);
  hashes_.assign(suite_->result_types.size(), 0);
  trap_hash_ = 0;
  next_case_ = 0;
  slice_failure_ = kNone;
}

// Leaves in failed_ 1 for each case of the slice that did not pass.
void Scorer::mark_failures(u32 rows, const OutcomesView& outcomes, bool any_trap) {
  failed_.assign(rows, 0);
  for (size_t cell = 0; cell < suite_->result_types.size(); ++cell) {
    const Scalar type = suite_->result_types[cell];
    const u64* actual = outcomes.values.data() + cell * outcomes.traps.size();
    const u64* expected = suite_->expected.data() + cell * suite_->count + next_case_;
    if (tolerances_.empty() || (suite_->has_variable_parts && !is_float(type))) {
      loops_->mark_different(type, actual, expected, rows, failed_.data());
    } else {
      loops_->mark_beyond(type, actual, expected, tolerances_.data() + next_case_, rows,
                          failed_.data());
    }
  }
  if (!any_trap) return;
  const Trap* expected_traps = suite_->expected_traps.data() + next_case_;
  for (u32 i = 0; i < rows; ++i) {
    if (outcomes.traps[i] != Trap::None || expected_traps[i] != Trap::None)
      failed_[i] = outcomes.traps[i] != expected_traps[i];
  }
}

// How many cases of the slice did not pass. The first one is found where it is the first of the run.
u32 Scorer::count_failures(u32 rows, const OutcomesView& outcomes, bool any_trap) {
  const bool one_cell = is_one_cell(any_trap);
  const u64* actual = outcomes.values.data();
  const u64* expected = suite_->expected.data() + next_case_;
  if (!one_cell) mark_failures(rows, outcomes, any_trap);
  const u64 failures =
      one_cell ? loops_->count_different(suite_->result_types[0], actual, expected, rows)
               : loops_->sum(failed_.data(), rows);
  if (failures != 0 && tally_.first_failure == kNone) {
    slice_failure_ = one_cell
                         ? loops_->first_different(suite_->result_types[0], actual, expected)
                         : static_cast<u32>(std::ranges::find(failed_, u64{1}) - failed_.begin());
    tally_.first_failure = next_case_ + slice_failure_;
  }
  return static_cast<u32>(failures);
}

// Adds the errors of the slice to the partial sums, and counts the bad cases, whose errors do not count.
void Scorer::add_errors(u32 rows, const OutcomesView& outcomes, bool any_trap) {
  const ErrorKind kind = error_kind(kind_);
  if (is_one_cell(any_trap) &&
      loops_->add_errors_to_partials(suite_->result_types[0], outcomes.values.data(),
                                     suite_->expected.data() + next_case_, rows, kind,
                                     partials_.data()))
    return;
  errors_.assign(rows, 0);
  for (size_t cell = 0; cell < suite_->result_types.size(); ++cell) {
    const u64* actual = outcomes.values.data() + cell * outcomes.traps.size();
    const u64* expected = suite_->expected.data() + cell * suite_->count + next_case_;
    loops_->add_errors(suite_->result_types[cell], actual, expected, rows, kind, errors_.data());
  }
  if (any_trap || loops_->has_nan(errors_.data(), rows)) {
    const Trap* expected_traps = suite_->expected_traps.data() + next_case_;
    for (u32 i = 0; i < rows; ++i) {
      const bool traps = outcomes.traps[i] != Trap::None || expected_traps[i] != Trap::None;
      const bool bad = traps ? outcomes.traps[i] != expected_traps[i] : errors_[i] != errors_[i];
      if (bad && tally_.bad_cases++ == 0) {
        tally_.first_bad = next_case_ + i;
        tally_.first_bad_trap = outcomes.traps[i];
      }
      if (bad || traps) errors_[i] = 0;
    }
  }
  loops_->add_partials(errors_.data(), rows, partials_.data());
}

// The values of the slice go to the partial sums; a bad case counts as the first failure, too.
void Scorer::add_values(u32 rows, const OutcomesView& outcomes) {
  errors_.assign(rows, 0);
  for (u32 i = 0; i < rows; ++i) {
    const f64 value = cell_as_f64(suite_->result_types[0], outcomes.values[i]);
    if (outcomes.traps[i] == Trap::None && value == value) {
      errors_[i] = value;
      ++tally_.passed;
    } else if (tally_.bad_cases++ == 0) {
      tally_.first_bad = tally_.first_failure = next_case_ + i;
      tally_.first_bad_trap = outcomes.traps[i];
      slice_failure_ = i;
    }
  }
  loops_->add_partials(errors_.data(), rows, partials_.data());
}

void Scorer::add(u32 rows, const OutcomesView& outcomes) {
  slice_failure_ = kNone;
  const Trap* expected_traps = suite_->expected_traps.data() + next_case_;
  const bool any_trap =
      suite_->expects_traps || std::memcmp(outcomes.traps.data(), expected_traps, rows) != 0;
  tally_.fuel += loops_->sum(outcomes.fuel.data(), rows);
  add_behaviour(rows, outcomes, any_trap);
  if (is_value_score(kind_)) {
    add_values(rows, outcomes);
  } else {
    tally_.passed += rows - count_failures(rows, outcomes, any_trap);
    if (kind_ != ScoreKind::Exact) add_errors(rows, outcomes, any_trap);
  }
  next_case_ += rows;
}

// The values of a case that trapped are 0, and add nothing.
void Scorer::add_behaviour(u32 rows, const OutcomesView& outcomes, bool any_trap) {
  const u64* keys = suite_->keys.data() + next_case_;
  for (size_t cell = 0; cell < hashes_.size(); ++cell)
    hashes_[cell] +=
        loops_->hash(outcomes.values.data() + cell * outcomes.traps.size(), keys, rows);
  for (u32 i = 0; any_trap && i < rows; ++i)
    trap_hash_ += static_cast<u64>(outcomes.traps[i]) * keys[i];
}

f64 Scorer::score_of(f64 error_sum) const {
  if (kind_ == ScoreKind::Exact) return tally_.passed;
  if (kind_ == ScoreKind::RSquared) return 1 - error_sum / total_squares_;
  return is_value_score(kind_) ? error_sum / tally_.passed : error_sum;
}

Tally Scorer::finish() {
  tally_.error_sum = sum_of(partials_);
  tally_.score = tally_.bad_cases == 0 ? score_of(tally_.error_sum) : 0;
  Hash128 behaviour;
  behaviour.add(trap_hash_);
  for (const u64 hash : hashes_) behaviour.add(hash);
  tally_.behaviour = behaviour.low ^ behaviour.high;
  return tally_;
}

f64 total_squares(const Suite& suite) {
  std::vector<f64> numbers;  // those that are expected, by case; a NaN where none is
  u32 count = 0;
  f64 least = INFINITY, most = -INFINITY;
  for (u32 i = 0; i < suite.count; ++i) {
    const bool is_trap = suite.expected_traps[i] != Trap::None;
    const f64 value = is_trap ? NAN : cell_as_f64(suite.result_types[0], suite.expected_cell(0, i));
    numbers.push_back(value);
    count += value == value;
    least = std::fmin(least, value);
    most = std::fmax(most, value);
  }
  // Sums of equal numbers are rounded, and their mean may be another one.
  if (!(least < most)) return 0;
  const auto sum = [&](auto term) {
    Partials partials{};
    for (u32 i = 0; i < suite.count; ++i)
      if (numbers[i] == numbers[i]) partials[i % partials.size()] += term(numbers[i]);
    return sum_of(partials);
  };
  const f64 mean = sum([](f64 value) { return value; }) / count;
  return sum([mean](f64 value) { return (value - mean) * (value - mean); });
}

}  // namespace komuz::engine
