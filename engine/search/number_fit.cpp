// SPDX-License-Identifier: Apache-2.0
#include "engine/search/number_fit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/scores/score_loops.h"
#include "engine/sketch/grid/real_points.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {
namespace {

f64 product(const f64* a, const f64* b, u32 count) {
  static const ScoreLoops& loops = score_loops(best_simd_level());
  return loops.product(a, b, count);
}
f64 sum(const f64* a, u32 count) {
  f64 partials[8] = {};
  u32 k = 0;
  for (; k + 8 <= count; k += 8)
    for (u32 j = 0; j < 8; ++j) partials[j] += a[k + j];
  for (u32 j = 0; k + j < count; ++j) partials[j] += a[k + j];
  return ((partials[0] + partials[4]) + (partials[2] + partials[6])) +
         ((partials[1] + partials[5]) + (partials[3] + partials[7]));
}
bool is_finite(f64 number) { return number - number == 0; }

// Solves a system of equations whose matrix is symmetric, by a decomposition of Cholesky. Unknowns that the ones before stand in for
// are 0. False: it has no finite solution.
bool solve(std::vector<f64>& matrix, std::vector<f64>& way) {
  constexpr f64 kLeastShare = 1e-13;
  const size_t n = way.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      f64 rest = matrix[i * n + j];
      const f64 all = rest;
      for (size_t k = 0; k < j; ++k) rest -= matrix[i * n + k] * matrix[j * n + k];
      if (i == j)
        matrix[i * n + i] = rest > kLeastShare * all ? std::sqrt(rest) : 0;
      else
        matrix[i * n + j] = matrix[j * n + j] == 0 ? 0 : rest / matrix[j * n + j];
    }
    for (size_t k = 0; k < i; ++k) way[i] -= matrix[i * n + k] * way[k];
    way[i] = matrix[i * n + i] == 0 ? 0 : way[i] / matrix[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) way[i] -= matrix[k * n + i] * way[k];
    way[i] = matrix[i * n + i] == 0 ? 0 : way[i] / matrix[i * n + i];
  }
  return std::ranges::all_of(way, is_finite);
}

}  // namespace

bool FitCases::takes(const Suite& suite) {
  if (suite.count == 0 || suite.expects_traps || suite.has_slices || !suite.weights.empty() ||
      suite.result_types.size() != 1 || suite.result_types[0] != Scalar::F64)
    return false;
  const u64* const cells = suite.expected_column(0);
  return std::all_of(cells, cells + suite.count,
                     [](u64 cell) { return is_finite(std::bit_cast<f64>(cell)); });
}

FitCases::FitCases(const Suite& suite, u32 most) : count(std::min(most, suite.count)) {
  std::vector<ArgumentColumn> all;
  const CasesView view = suite.view(0, suite.count, all);
  memory.resize(view.columns.size(), size_t{count} * sizeof(u64));
  const auto row_of = [&](u32 k) { return static_cast<u32>(u64{k} * suite.count / count); };
  for (size_t slot = 0; slot < view.columns.size(); ++slot) {
    const ArgumentColumn& column = view.columns[slot];
    const u32 bytes = scalar_bytes(column.type);
    for (u32 k = 0; k < count; ++k)
      std::memcpy(memory[slot] + size_t{k} * bytes,
                  static_cast<const char*>(column.data) + size_t{row_of(k)} * bytes, bytes);
    arguments.push_back({column.type, memory[slot]});
  }
  for (u32 k = 0; k < count; ++k)
    expected.push_back(std::bit_cast<f64>(suite.expected_cell(0, row_of(k))));
  f64 largest = 0;
  for (const f64 value : expected) largest = std::max(largest, std::abs(value));
  // Squares are to fit an f64.
  unit = largest > 0x1p-400 && largest < 0x1p400 ? 1 : largest > 0 ? largest : 1;
  for (f64& value : expected) value /= unit;
  mean = sum(expected.data(), count) / count;
}

bool NumberFit::fit(const FitCases& cases, u32 most, Decisions& decisions) {
  cases_ = &cases;
  sketch_.plan.list_stretches(decisions, stretches_);
  places_.clear();
  for (const DecisionStretch& stretch : stretches_)
    if (sketch_.plan.decision(stretch.decision).is_real) places_.push_back(stretch.begin);
  has_slopes_ = !places_.empty() && places_.size() <= kMostNumbers && bind(decisions);
  if (!has_slopes_ || !run_parts()) return false;
  here_.numbers.clear();
  for (const size_t place : places_)
    here_.numbers.push_back(std::bit_cast<f64>(real_cell(decisions[place], Scalar::F64)));
  if (!improve(most)) return false;
  for (size_t k = 0; k < places_.size(); ++k)
    decisions[places_[k]] = nearest_real_point(here_.numbers[k]);
  return true;
}

// Two variants that differ from this one in their numbers alone show which constants these are.
bool NumberFit::bind(const Decisions& decisions) {
  constexpr u32 kFirst = kRealOne + 1, kOther = kRealOne + 0x1001;
  const auto numbers = static_cast<u32>(places_.size());
  for (const auto& [first, code] : {std::pair{kFirst, &code_}, std::pair{kOther, &other_code_}}) {
    marked_ = decisions;
    for (u32 k = 0; k < numbers; ++k) marked_[places_[k]] = first + k;
    if (!binder_.bind(marked_, *code)) return false;
  }
  number_of_.assign(code_.constants.size(), SlopeCode::kNone);
  for (u32 k = 0; k < numbers; ++k) {
    const u64 first = real_cell(kFirst + k, Scalar::F64),
              other = real_cell(kOther + k, Scalar::F64);
    for (size_t c = 0; c < number_of_.size(); ++c)
      if (code_.constants[c] == first && other_code_.constants[c] == other) number_of_[c] = k;
  }
  is_lowered_ = false;
  return writer_.write(code_.view(), entry_, number_of_, numbers, slopes_);
}

bool NumberFit::run(vm::BatchMachine& machine, const vm::Job& job, bool again,
                    std::vector<u64>& cells, size_t columns) {
  const u32 count = cases_->count;
  cells.resize(columns * count);
  traps_.resize(count);
  outcome_places_.resize(count);
  depths_.resize(count);
  fuel_.resize(count);
  const OutcomesView out{cells, traps_, outcome_places_, depths_, fuel_};
  if (again)
    static_cast<void>(machine.run_again(job, out));
  else
    machine.run(job, out);
  return std::ranges::all_of(traps_, [](Trap trap) { return trap == Trap::None; });
}

bool NumberFit::run_parts() {
  const u32 count = cases_->count;
  if (slopes_.part_count != 0 &&
      !run(parts_machine_, {slopes_.parts.view(), 0, {cases_->arguments, count}}, false, cells_,
           slopes_.part_count))
    return false;
  parts_.resize(slopes_.part_count, size_t{count} * sizeof(u64));
  columns_.clear();
  for (const SlopeCode::Source& source : slopes_.sources) {
    if (source.is_argument) {
      columns_.push_back(cases_->arguments[source.at]);
      continue;
    }
    std::memcpy(parts_[source.at], cells_.data() + size_t{source.at} * count,
                size_t{count} * sizeof(u64));
    columns_.push_back({Scalar::F64, parts_[source.at]});
  }
  return true;
}

// False: the squares are no number.
bool NumberFit::look_at(Point& point) {
  const u32 count = cases_->count;
  for (size_t k = 0; k < point.numbers.size(); ++k)
    slopes_.slopes.constants[k] = std::bit_cast<u64>(point.numbers[k]);
  if (!run(slopes_machine_, {slopes_.slopes.view(), 0, {columns_, count}}, is_lowered_, point.cells,
           places_.size() + 1))
    return false;
  is_lowered_ = true;
  const f64* const values = reinterpret_cast<const f64*>(point.cells.data());
  centred_.resize(places_.size() + 2, size_t{count} * sizeof(f64));
  f64* const errors = reinterpret_cast<f64*>(centred_[0]);
  if (!fits_line_) {
    for (u32 k = 0; k < count; ++k) errors[k] = cases_->expected[k] - values[k] / cases_->unit;
    point.squares = product(errors, errors, count);
    return is_finite(point.squares);
  }
  const f64 mean = sum(values, count) / count;
  f64* const ways = reinterpret_cast<f64*>(centred_[1]);
  point.unit = 0;
  for (u32 k = 0; k < count; ++k) {
    errors[k] = cases_->expected[k] - cases_->mean;
    ways[k] = values[k] - mean;
    point.unit = std::max(point.unit, std::abs(ways[k]));
  }
  if (!(point.unit > 0) || !is_finite(point.unit)) return false;
  for (u32 k = 0; k < count; ++k) ways[k] /= point.unit;
  // Values that vary by no more than rounding have no line.
  constexpr f64 kNoise = 1e-12;
  const f64 spread = product(ways, ways, count);
  if (!(point.unit > kNoise * std::abs(mean)) || !is_finite(spread)) return false;
  const f64 slope = product(ways, errors, count) / spread;
  for (u32 k = 0; k < count; ++k) errors[k] -= slope * ways[k];
  point.squares = product(errors, errors, count);
  return is_finite(point.squares);
}

// Of the columns at `here_`, whose slopes are relative to the numbers.
void NumberFit::make_equations() {
  const u32 count = cases_->count;
  const size_t first = fits_line_ ? 1 : 0, n = places_.size() + first;
  const f64* const cells = reinterpret_cast<const f64*>(here_.cells.data());
  const f64 unit = fits_line_ ? here_.unit : cases_->unit;
  centred_.resize(n + 1, size_t{count} * sizeof(f64));
  f64* const errors = reinterpret_cast<f64*>(centred_[n]);
  for (size_t column = 0; column < n; ++column) {
    const f64* const from = cells + (column + 1 - first) * count;
    f64* const to = reinterpret_cast<f64*>(centred_[column]);
    const f64 mean = fits_line_ ? sum(from, count) / count : 0;
    for (u32 k = 0; k < count; ++k) to[k] = (from[k] - mean) / unit;
  }
  for (u32 k = 0; k < count; ++k)
    errors[k] = fits_line_ ? cases_->expected[k] - cases_->mean
                           : cases_->expected[k] - cells[k] / cases_->unit;
  products_.resize(n * n);
  gradient_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const f64* const a = reinterpret_cast<const f64*>(centred_[i]);
    gradient_[i] = product(a, errors, count);
    for (size_t j = 0; j <= i; ++j)
      products_[i * n + j] = products_[j * n + i] =
          product(a, reinterpret_cast<const f64*>(centred_[j]), count);
  }
}

// The numbers that the equations promise to be better; false if they promise none.
bool NumberFit::step(f64 damping, std::vector<f64>& numbers) {
  // Where nothing follows a number any more, it would go on without end.
  constexpr f64 kLargest = 0x1p50;
  const size_t first = fits_line_ ? 1 : 0, n = gradient_.size();
  matrix_ = products_;
  way_ = gradient_;
  for (size_t k = first; k < n; ++k) {
    f64& own = matrix_[k * n + k];
    own = is_finite(own) ? own * (1 + damping) : 0;
  }
  if (!solve(matrix_, way_)) return false;
  // A step of the value is one of the line times that of the number.
  const f64 slope = fits_line_ ? way_[0] : 1;
  if (slope == 0) return false;
  numbers = here_.numbers;
  bool moves = false;
  for (size_t k = first; k < n; ++k) {
    f64& number = numbers[k - first];
    number += way_[k] / slope;
    moves |= number != here_.numbers[k - first];
  }
  return moves &&
         std::ranges::all_of(numbers, [](f64 number) { return std::abs(number) <= kLargest; });
}

bool NumberFit::improve(u32 most) {
  // The first step is exact where the value is linear in all numbers.
  constexpr f64 kFirstDamping = 0, kLeastDamping = 1e-8, kGood = 0.999, kPerfect = 1e-15;
  constexpr u32 kMostTries = 3;
  if (!look_at(here_)) return false;
  const f64 before = here_.squares;
  const f64 all = product(cases_->expected.data(), cases_->expected.data(), cases_->count);
  f64 damping = kFirstDamping;
  for (u32 looks = 1; looks < most && here_.squares > kPerfect * all;) {
    make_equations();
    bool has_moved = false;
    for (u32 tries = 0; tries < kMostTries && looks < most && !has_moved; ++tries, ++looks) {
      has_moved = step(damping, next_.numbers) && look_at(next_) && next_.squares < here_.squares;
      if (!has_moved)
        damping = std::max(damping * 100, 1e-4);
      else
        damping = damping * 0.1 < kLeastDamping ? 0 : damping * 0.1;
    }
    if (!has_moved) break;
    const bool goes_on = next_.squares < kGood * here_.squares;
    std::swap(here_, next_);
    if (!goes_on) break;
  }
  return here_.squares < before;
}

}  // namespace komuz::engine
