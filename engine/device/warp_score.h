// SPDX-License-Identifier: Apache-2.0
// Scores the outcomes of a program by a warp, as score.h says. Scorer is the same for a thread of the host. The code
// is written once for a Machine: a warp of a GPU or the lockstep emulator (base/group/coop.h).
//
// Lane l looks at the cases l, l + 32, l + 64, …, so it holds the partials l and l + 32 of each sum in registers.
// Shuffles add the upper half of the partials to the lower one, in the order that score.h demands.
#pragma once
#include <bit>

#include "base/group/site.h"
#include "base/hash.h"
#include "engine/device/score_task.h"

namespace komuz::engine {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class Machine>
class WarpScore {
 public:
  HD WarpScore(Machine machine, const ScoreTask* task)
      : m_(machine), task_(task), lane_(machine.lane()) {}

  HD void score(u32 program) {
    start(program);
    // Looks at no cases from the first one that traps FUEL, nor behind a failure that ends the run.
    const u32 known = task_->ends_at_fuel ? cases_to_fuel() : task_->cases;
    u32 count = task_->ends_at_failure ? cases_to_failure() : task_->cases;
    const bool fails = count <= known && count != task_->cases;
    if (!fails) count = known;
    if (task_->sums == ScoreSum::Line) origin_ = first_number();
    bool is_cut_off = false;
    if (task_->may_cut) {
      // Errors only grow, and the number of cases that may still pass only shrinks. A program that falls short at
      // some step therefore falls short at the last one, too.
      const bool is_at_step = count % task_->cut_step == 0 && (fails || count == task_->cases);
      const u32 steps = count / task_->cut_step - (is_at_step && count != 0 ? 1 : 0);
      const u32 last_step = steps * task_->cut_step;
      add_cases(0, last_step);
      is_cut_off = last_step != 0 && falls_short(last_step);
      if (!is_cut_off) add_cases(last_step, count);
    } else {
      count = add_until_settled(count);
    }
    const bool is_lost = settles() && total(bad_cases_) != 0;
    write(count, is_cut_off, !fails && count == known && known != task_->cases && !is_lost);
  }

 private:
  static constexpr u32 kNoCase = ~0u;
  static constexpr u32 kLanes = 32, kPartials = 64;

  // A sum of f64 in the order of score.h.
  struct Partials {
    f64 low = 0, high = 0;
    HD void add(bool is_high, f64 value) { (is_high ? high : low) += value; }
  };

  HD void start(u32 program) {
    program_ = program;
    sum_ = counts_ = values_ = squares_ = with_expected_ = {};
    fuel_ = trap_hash_ = 0;
    origin_ = 0;
    passed_ = bad_cases_ = 0;
    first_failure_ = first_bad_ = kNoCase;
  }

  // The same as Scorer::settles.
  [[nodiscard]] HD bool settles() const {
    return task_->sums != ScoreSum::Passed && !task_->keeps_case_scores;
  }
  [[nodiscard]] HD size_t row(u32 i) const { return size_t{program_} * task_->outcomes.stride + i; }
  [[nodiscard]] HD Trap trap(u32 i) const { return task_->outcomes.traps[row(i)]; }
  [[nodiscard]] HD const u64* column(u32 cell) const {
    return task_->outcomes.values +
           (size_t{program_} * task_->cells + cell) * task_->outcomes.stride;
  }
  [[nodiscard]] HD Scalar type(u32 cell) const { return task_->types[cell]; }
  // For results that are one number: the number, or a NaN if the case trapped.
  [[nodiscard]] HD f64 number(u32 i) const {
    f64 value = __builtin_bit_cast(f64, kCanonicalNan64);
    if (trap(i) == Trap::None)
      with_cell(type(0), [&]<class Cell>() { value = Cell::number(column(0)[i]); });
    return value;
  }
  // True if a trap decides the case: the program trapped, or a trap is expected.
  [[nodiscard]] HD bool is_of_traps(u32 i) const {
    return trap(i) != Trap::None || task_->expected_traps[i] != Trap::None;
  }

  [[nodiscard]] HD bool fails(u32 i) const {
    if (is_of_traps(i)) return trap(i) != task_->expected_traps[i];
    bool differs = false;
    for (u32 cell = 0; cell < task_->cells; ++cell) {
      const u64 actual = column(cell)[i];
      const u64 expected = task_->expected[size_t{cell} * task_->cases + i];
      const bool has_tolerance =
          task_->tolerances != nullptr && !(task_->has_variable_parts && !is_float(type(cell)));
      const f64 tolerance = has_tolerance ? task_->tolerances[i] : 0.0;
      const f64 floor = has_tolerance ? task_->floors[cell] : 0.0;
      with_cell(type(cell), [&]<class Cell>() {
        differs |= !is_near<Cell>(actual, expected, tolerance, floor);
      });
    }
    return differs;
  }
  [[nodiscard]] HD f64 error(u32 i) const {
    f64 sum = 0;
    for (u32 cell = 0; cell < task_->cells; ++cell) {
      const u64 actual = column(cell)[i];
      const u64 expected = task_->expected[size_t{cell} * task_->cases + i];
      const f64* const measures = task_->measures;
      const f64 measure = measures == nullptr ? task_->inverse_unit : measures[cell];
      with_cell(type(cell), [&]<class Cell>() {
        with_error(task_->error, [&]<ErrorKind kind>() {
          sum += error_of<Cell, kind>(actual, expected, measure);
        });
      });
    }
    return weighted(sum, weight(i));
  }
  [[nodiscard]] HD f64 weight(u32 i) const {
    return task_->weights == nullptr ? 1.0 : task_->weights[i];
  }

  // The first case for which `holds`, or kNoCase. Every lane asks about its own cases.
  template <class Holds>
  HD u32 first_case(Holds holds, Site site = Site::here()) {
    for (u32 base = 0; base < task_->cases; base += kLanes) {
      const u32 i = base + lane_;
      const u32 votes = m_.ballot(i < task_->cases && holds(i), site.at("first_case", 0));
      if (votes != 0) return base + static_cast<u32>(std::countr_zero(votes));
    }
    return kNoCase;
  }
  HD u32 cases_to_failure() {
    const u32 first = first_case([this](u32 i) { return fails(i); });
    return first == kNoCase ? task_->cases : first + 1;
  }
  HD u32 cases_to_fuel() {
    const u32 first = first_case([this](u32 i) { return trap(i) == Trap::Fuel; });
    return first == kNoCase ? task_->cases : first;
  }
  HD f64 first_number() {
    const u32 first = first_case([this](u32 i) {
      const f64 value = number(i);
      return value == value && weight(i) != 0;
    });
    return first == kNoCase ? 0 : number(first);
  }

  // `begin` is a multiple of kPartials.
  HD void add_cases(u32 begin, u32 end) {
    for (u32 base = begin; base < end; base += kPartials) {
      if (base + lane_ < end) add_case(base + lane_, false);
      if (base + kLanes + lane_ < end) add_case(base + kLanes + lane_, true);
    }
  }
  // Returns how many of these cases count.
  HD u32 add_until_settled(u32 count) {
    if (!settles()) {
      add_cases(0, count);
      return count;
    }
    for (u32 begin = 0; begin < count;) {
      const u32 end = count - begin < task_->cut_step ? count : begin + task_->cut_step;
      add_cases(begin, end);
      if (end < count && total(bad_cases_) != 0) return end;
      begin = end;
    }
    return count;
  }
  HD void add_case(u32 i, bool is_high) {
    const u64 ticks = task_->outcomes.fuel[row(i)];
    fuel_ += ticks - (task_->hides_tick && ticks != 0 ? 1 : 0);
    trap_hash_ += static_cast<u64>(trap(i)) * task_->keys[i];
    if (task_->sums == ScoreSum::Values) return add_value(i, is_high);
    const bool is_failure = fails(i);
    if (is_failure && first_failure_ == kNoCase) first_failure_ = i;
    passed_ += is_failure ? 0 : 1;
    if (task_->sums != ScoreSum::Passed)
      add_error(i, is_high);
    else
      keep(i, is_failure ? 0 : 1);
    if (task_->sums == ScoreSum::Line) add_to_line(i, is_high);
  }
  // Keeps the score of the case.
  HD void keep(u32 i, f64 score) {
    if (task_->keeps_case_scores) *case_score(i) = score;
  }
  HD f64* case_score(u32 i) const {
    return task_->case_scores + size_t{program_} * task_->cases + i;
  }
  HD void add_value(u32 i, bool is_high) {
    const f64 value = number(i);
    keep(i, value);
    if (value == value) {
      sum_.add(is_high, value);
      ++passed_;
      return;
    }
    note_bad(i);
    first_failure_ = first_bad_;
  }
  HD void add_error(u32 i, bool is_high) {
    const f64 of_case =
        case_error(trap(i), task_->expected_traps[i], is_of_traps(i) ? 0.0 : error(i), weight(i));
    keep(i, of_case);
    if (of_case != of_case) return note_bad(i);
    sum_.add(is_high, of_case);
  }
  HD void add_to_line(u32 i, bool is_high, f64 factor = 1) {
    const f64 value = number(i);
    const f64 weight = this->weight(i);
    if (value != value || weight == 0) return;
    const f64 way = value * factor - origin_, weighted = weight * way;
    counts_.add(is_high, weight);
    values_.add(is_high, weighted);
    squares_.add(is_high, weighted * way);
    with_expected_.add(is_high, weighted * task_->deviations[i]);
  }
  // A lane sees its cases in order.
  HD void note_bad(u32 i) {
    ++bad_cases_;
    if (first_bad_ == kNoCase) first_bad_ = i;
  }

  // The following functions give all lanes the same result.
  HD f64 sum_of(const Partials& partials, Site site = Site::here()) {
    f64 sum = partials.low + partials.high;
    for (u32 half = kLanes / 2; half > 0; half /= 2)
      sum += m_.shfl(sum, (lane_ + half) % kLanes, site.at("sum_of", 0));
    return m_.shfl(sum, 0, site.at("sum_of", 1));
  }
  // Joins the lanes' values, in any order.
  template <class T, class Join>
  HD T joined(T value, Join join, Site site = Site::here()) {
    for (u32 half = kLanes / 2; half > 0; half /= 2)
      value = join(value, m_.shfl(value, (lane_ + half) % kLanes, site.at("joined", 0)));
    return value;
  }
  template <class T>
  HD T total(T value, Site site = Site::here()) {
    return joined(
        value, [](T a, T b) { return a + b; }, site);
  }
  HD u32 least(u32 value, Site site = Site::here()) {
    return joined(
        value, [](u32 a, u32 b) { return a < b ? a : b; }, site);
  }

  // Scorer::falls_short before case `next`.
  HD bool falls_short(u32 next) {
    if (total(bad_cases_) != 0) return true;
    const bool counts = task_->sums == ScoreSum::Passed;
    const u32 passed = counts ? total(passed_) + (task_->cases - next) : 0;
    const f64 sum = counts ? 0 : sum_of(sum_);
    return loss_of(task_->kind, score_of(task_->kind, sum, passed, task_->whole)) >
           task_->least_loss;
  }

  HD u64 behaviour(u32 count) {
    Hash128 hash;
    hash.add(total(trap_hash_));
    for (u32 cell = 0; cell < task_->cells; ++cell) {
      u64 of_cell = 0;
      for (u32 i = lane_; i < count; i += kLanes)
        of_cell += folded(column(cell)[i]) * task_->keys[i];
      hash.add(total(of_cell));
    }
    return hash.low ^ hash.high;
  }

  [[nodiscard]] HD LineSums line_sums(f64 factor) {
    return {sum_of(counts_),        sum_of(values_), sum_of(squares_),
            sum_of(with_expected_), origin_,         factor};
  }
  // The sums of LineFit::sums() over so many cases.
  [[nodiscard]] HD LineSums sums_in_range(u32 count) {
    const LineSums plain = line_sums(1);
    if (!leaves_range(plain)) return plain;
    const f64 factor = factor_of(largest_number(count));
    if (factor == 0 || factor == 1) return plain;
    counts_ = values_ = squares_ = with_expected_ = {};
    origin_ *= factor;
    for (u32 base = 0; base < count; base += kPartials) {
      if (base + lane_ < count) add_to_line(base + lane_, false, factor);
      if (base + kLanes + lane_ < count) add_to_line(base + kLanes + lane_, true, factor);
    }
    return line_sums(factor);
  }
  HD f64 largest_number(u32 count) {
    f64 largest = 0;
    for (u32 i = lane_; i < count; i += kLanes) {
      const f64 size = weight(i) == 0 ? 0.0 : __builtin_fabs(number(i));
      largest = size > largest ? size : largest;
    }
    return joined(largest, [](f64 a, f64 b) { return a > b ? a : b; });
  }

  // The line's errors replace those of the values, in each lane for itself.
  HD void keep_line(const LineSums& sums) {
    const Line line = fit_line(sums, task_->line);
    for (u32 i = lane_; i < task_->cases; i += kLanes)
      *case_score(i) =
          weighted(line.case_error(number(i), task_->deviations[i], *case_score(i)), weight(i));
  }

  HD void write(u32 count, bool is_cut_off, bool is_left) {
    ProgramScore score = {};
    if (is_cut_off || is_left) {
      score.is_cut_off = is_cut_off;
      score.is_left = !is_cut_off;
      score.shown = kNoCase;
      if (lane_ == 0) task_->scores[program_] = score;
      return;
    }
    score.sum = sum_of(sum_);
    if (task_->sums == ScoreSum::Line) score.line = sums_in_range(count);
    if (task_->sums == ScoreSum::Line && task_->keeps_case_scores) keep_line(score.line);
    score.fuel = total(fuel_);
    score.behaviour = behaviour(count);
    score.passed = total(passed_);
    score.bad_cases = total(bad_cases_);
    if (settles() && score.bad_cases != 0) score.bad_cases += task_->cases - count;
    score.cases_run = count;
    score.first_failure = least(first_failure_);
    score.first_bad = least(first_bad_);
    score.shown = score.first_bad != kNoCase ? score.first_bad : score.first_failure;
    if (score.shown != kNoCase) {
      score.trap = trap(score.shown);
      score.place = task_->outcomes.places[row(score.shown)];
      score.depth = task_->outcomes.depths[row(score.shown)];
      score.ticks = task_->outcomes.fuel[row(score.shown)];
      for (u32 cell = lane_; cell < task_->cells; cell += kLanes)
        task_->shown_cells[size_t{program_} * task_->cells + cell] = column(cell)[score.shown];
    }
    if (lane_ == 0) task_->scores[program_] = score;
  }

  Machine m_;
  const ScoreTask* task_;
  u32 lane_;
  // State for the program. Sums are over the lane's own cases.
  u32 program_ = 0;
  Partials sum_, counts_, values_, squares_, with_expected_;
  f64 origin_ = 0;
  u64 fuel_ = 0, trap_hash_ = 0;
  u32 passed_ = 0, bad_cases_ = 0, first_failure_ = kNoCase, first_bad_ = kNoCase;
};

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::engine
