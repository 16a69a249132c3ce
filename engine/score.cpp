// SPDX-License-Identifier: Apache-2.0
// The loops run over one column each, without branches, so that they vectorise; the cases that need words (a trap, an
// expected trap) are rare and looked at only when there is one.
#include "engine/score.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace komuz::engine {
namespace {

// How the cells of a scalar type become numbers.
struct SignedCell {
  static f64 number(u64 cell) { return static_cast<f64>(static_cast<i64>(cell)); }
  static bool equal(u64 a, u64 b) { return a == b; }
  // The difference of two 64-bit integers is exact modulo 2^64, and its sign is that of their order.
  static f64 distance(u64 a, u64 b) {
    return static_cast<f64>(static_cast<i64>(a) < static_cast<i64>(b) ? b - a : a - b);
  }
};
struct UnsignedCell {
  static f64 number(u64 cell) { return static_cast<f64>(cell); }
  static bool equal(u64 a, u64 b) { return a == b; }
  static f64 distance(u64 a, u64 b) { return static_cast<f64>(a < b ? b - a : a - b); }
};
// Equal: IEEE, or both a NaN. A distance is a NaN when exactly one of the two is.
template <class Number>
struct FloatCell {
  static f64 number(u64 cell) { return static_cast<f64>(Number::of(cell)); }
  static bool equal(u64 a, u64 b) {
    const auto x = Number::of(a), y = Number::of(b);
    return static_cast<bool>((x == y) | ((x != x) & (y != y)));
  }
  static f64 distance(u64 a, u64 b) { return equal(a, b) ? 0.0 : std::fabs(number(a) - number(b)); }
};
struct Float64 {
  static f64 of(u64 cell) { return std::bit_cast<f64>(cell); }
};
struct Float32 {
  static f32 of(u64 cell) { return std::bit_cast<f32>(static_cast<u32>(cell)); }
};

// Calls visit.operator()<Cell>() for the cell class of the type.
template <class Visit>
void with_cell(Scalar type, Visit visit) {
  switch (type) {
    case Scalar::None: return;
    case Scalar::I32:
    case Scalar::I64: return visit.template operator()<SignedCell>();
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U32:
    case Scalar::U64: return visit.template operator()<UnsignedCell>();
    case Scalar::F32: return visit.template operator()<FloatCell<Float32>>();
    case Scalar::F64: return visit.template operator()<FloatCell<Float64>>();
  }
}

template <class Cell>
void mark_different(const u64* actual, const u64* expected, u32 rows, u64* failed) {
  for (u32 i = 0; i < rows; ++i) failed[i] |= !Cell::equal(actual[i], expected[i]);
}

template <class Cell>
void mark_beyond(const u64* actual, const u64* expected, const f64* tolerances, u32 rows,
                 u64* failed) {
  constexpr f64 kLargest = std::numeric_limits<f64>::max();
  for (u32 i = 0; i < rows; ++i) {
    const f64 a = std::fabs(Cell::number(actual[i])), b = std::fabs(Cell::number(expected[i]));
    const f64 larger = a > b ? a : b;
    const f64 scale = larger > 1.0 ? larger : 1.0;
    const bool finite = static_cast<bool>((a <= kLargest) & (b <= kLargest));
    const bool near = Cell::distance(actual[i], expected[i]) <= tolerances[i] * scale;
    // A tolerance of 0 asks for equality, which a rounded distance of large integers could feign.
    const bool tolerated = static_cast<bool>(finite & near & (tolerances[i] > 0.0));
    failed[i] |= !(Cell::equal(actual[i], expected[i]) | tolerated);
  }
}

}  // namespace

Scorer::Scorer(const Suite& suite, ScoreKind kind, f64 tolerance) : suite_(&suite), kind_(kind) {
  if (tolerance <= 0 && suite.tolerances.empty()) return;
  tolerances_.assign(suite.count, tolerance);
  for (size_t i = 0; i < suite.tolerances.size(); ++i)
    if (suite.tolerances[i] >= 0) tolerances_[i] = suite.tolerances[i];
}

void Scorer::begin() {
  tally_ = {};
  partials_.fill(0);
  next_case_ = 0;
  slice_failure_ = kNone;
}

// Leaves in failed_ 1 for each case of the slice that did not pass.
void Scorer::mark_failures(u32 rows, const OutcomesView& outcomes) {
  failed_.assign(rows, 0);
  for (size_t cell = 0; cell < suite_->result_types.size(); ++cell) {
    const u64* actual = outcomes.values.data() + cell * rows;
    const u64* expected = suite_->expected.data() + cell * suite_->count + next_case_;
    with_cell(suite_->result_types[cell], [&]<class Cell>() {
      if (tolerances_.empty()) {
        mark_different<Cell>(actual, expected, rows, failed_.data());
      } else {
        mark_beyond<Cell>(actual, expected, tolerances_.data() + next_case_, rows, failed_.data());
      }
    });
  }
}

// Adds the errors of the slice to the partial sums, and counts the bad cases.
void Scorer::add_errors(u32 rows, const OutcomesView& outcomes) {
  errors_.assign(rows, 0);
  const bool squared = kind_ == ScoreKind::SquaredError;
  for (size_t cell = 0; cell < suite_->result_types.size(); ++cell) {
    const u64* actual = outcomes.values.data() + cell * rows;
    const u64* expected = suite_->expected.data() + cell * suite_->count + next_case_;
    with_cell(suite_->result_types[cell], [&]<class Cell>() {
      for (u32 i = 0; i < rows; ++i) {
        const f64 distance = Cell::distance(actual[i], expected[i]);
        errors_[i] += squared ? distance * distance : distance;
      }
    });
  }
  const Trap* expected_traps = suite_->expected_traps.data() + next_case_;
  for (u32 i = 0; i < rows; ++i) {
    const bool any_trap = outcomes.traps[i] != Trap::None || expected_traps[i] != Trap::None;
    const bool bad = any_trap ? outcomes.traps[i] != expected_traps[i] : errors_[i] != errors_[i];
    if (bad) {
      if (tally_.bad_cases++ == 0) {
        tally_.first_bad = next_case_ + i;
        tally_.first_bad_trap = outcomes.traps[i];
      }
    }
    if (bad || any_trap) errors_[i] = 0;
  }
  for (u32 i = 0; i < rows; ++i) partials_[i % 64] += errors_[i];
}

void Scorer::add(u32 rows, const OutcomesView& outcomes) {
  mark_failures(rows, outcomes);
  const Trap* expected_traps = suite_->expected_traps.data() + next_case_;
  const bool traps_differ = std::memcmp(outcomes.traps.data(), expected_traps, rows) != 0;
  if (traps_differ || suite_->expects_traps) {
    for (u32 i = 0; i < rows; ++i) {
      const bool any_trap = outcomes.traps[i] != Trap::None || expected_traps[i] != Trap::None;
      if (any_trap) failed_[i] = outcomes.traps[i] != expected_traps[i];
    }
  }
  u64 failures = 0;
  for (u32 i = 0; i < rows; ++i) failures += failed_[i];
  slice_failure_ = kNone;
  if (failures != 0 && tally_.first_failure == kNone) {
    slice_failure_ = static_cast<u32>(std::ranges::find(failed_, u64{1}) - failed_.begin());
    tally_.first_failure = next_case_ + slice_failure_;
  }
  tally_.passed += rows - static_cast<u32>(failures);
  for (u32 i = 0; i < rows; ++i) tally_.fuel += outcomes.fuel[i];
  if (kind_ != ScoreKind::Exact) add_errors(rows, outcomes);
  next_case_ += rows;
}

Tally Scorer::finish() {
  for (size_t half = partials_.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) partials_[i] += partials_[i + half];
  tally_.error_sum = partials_[0];
  return tally_;
}

}  // namespace komuz::engine
