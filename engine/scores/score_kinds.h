// SPDX-License-Identifier: Apache-2.0
// The kinds of scores: the table score_kinds.def, and what follows from its rows. score.h says what each kind sums.
// Devices that score and rank use the same code.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

enum class ScoreKind : u8 {
#define SCORE(Name, ...) Name,
#define VALUE_SCORE(Name, ...) Name,
#include "engine/scores/score_kinds.def"
};

// What a score adds up over the cases.
enum class ScoreSum : u8 {
  Passed,  // only the cases that pass
  Errors,
  Line,  // sums for a line through the values (line_fit.h), beside squared errors
  Values,
};

// What is summed over a case's actual and expected cells. If squares would not fit an f64, distances are first
// multiplied by a power of two (score_scale.h): no row has ScaledSquared, which takes the place of Squared then.
enum class ErrorKind : u8 {
  Absolute,
  Squared,
  Relative,
  Symmetric,
  Huber,
  LogCosh,
  Quantile,
  Logistic,
  Hinge,
  ScaledSquared
};

// What the sum becomes.
enum class ScoreForm : u8 {
  Passed,     // the number of cases that pass; there is no sum
  Sum,        // the sum itself
  Mean,       // sum / whole
  Explained,  // 1 - sum / whole
  MeanValue,  // sum / passed, of values
};

enum class ScoreWay : u8 { Larger, Smaller };  // which score is better

struct ScoreRow {
  ScoreSum sums;
  ErrorKind error;
  ScoreForm form;
  ScoreWay better;
};
// A switch, so that devices need no table in their memory.
[[nodiscard]] HD constexpr ScoreRow score_row(ScoreKind kind) {
  // clang-format off
  switch (kind) {
#define SCORE(Name, name, Sums, Error, Form, Better, ...) \
  case ScoreKind::Name:                                   \
    return {ScoreSum::Sums, ErrorKind::Error, ScoreForm::Form, ScoreWay::Better};
#define VALUE_SCORE SCORE
#include "engine/scores/score_kinds.def"
  }
  // clang-format on
  return {};
}

// The names that users type. Those behind kCaseScores are of value scores.
inline constexpr std::string_view kScoreNames[] = {
#define SCORE(Name, name, ...) name,
#define VALUE_SCORE(Name, name, ...) name,
#include "engine/scores/score_kinds.def"
};
inline constexpr size_t kCaseScores = 0
#define SCORE(...) +1
#include "engine/scores/score_kinds.def"
    ;

// True if the entry's value is the score, so that cases expect nothing.
[[nodiscard]] HD constexpr bool is_value_score(ScoreKind kind) {
  return score_row(kind).sums == ScoreSum::Values;
}
// True if the score compares with the mean of the expected numbers.
[[nodiscard]] HD constexpr bool compares_with_mean(ScoreKind kind) {
  return score_row(kind).form == ScoreForm::Explained;
}
// True if a line is fitted to the values first (line_fit.h).
[[nodiscard]] HD constexpr bool fits_line(ScoreKind kind) {
  return score_row(kind).sums == ScoreSum::Line;
}
[[nodiscard]] HD constexpr bool is_larger_better(ScoreKind kind) {
  return score_row(kind).better == ScoreWay::Larger;
}
// The same for the score of a case, which is an error for r2 and correlation.
[[nodiscard]] HD constexpr bool is_larger_case_better(ScoreKind kind) {
  return !compares_with_mean(kind) && is_larger_better(kind);
}
// True of scores that add up errors of cases, or of a line through them.
[[nodiscard]] constexpr bool adds_errors(ScoreKind kind) {
  const ScoreSum sums = score_row(kind).sums;
  return sums == ScoreSum::Errors || sums == ScoreSum::Line;
}
// True if the losses of cases are distances, not their squares, and the loss grows with their sum.
[[nodiscard]] constexpr bool sums_distances(ScoreKind kind) {
  if (score_row(kind).sums != ScoreSum::Errors) return false;
  switch (score_row(kind).error) {
    case ErrorKind::Absolute:
    case ErrorKind::Relative:
    case ErrorKind::Symmetric:
    case ErrorKind::Quantile:
    case ErrorKind::Hinge: return true;
    case ErrorKind::Squared:
    case ErrorKind::ScaledSquared:
    case ErrorKind::Huber:
    case ErrorKind::LogCosh:
    case ErrorKind::Logistic: return false;
  }
  return false;
}
// True if cases expect one of two classes: 0 and 1, or −1 and 1.
[[nodiscard]] HD constexpr bool expects_classes(ScoreKind kind) {
  const ErrorKind error = score_row(kind).error;
  return error == ErrorKind::Logistic || error == ErrorKind::Hinge;
}
// The number that errors are measured by, beside the expected one (score_scale.h).
enum class ScoreMeasure : u8 { None, Floor, Delta, Quantile };
inline constexpr size_t kScoreMeasures = 4;
// Names of options, fields of reports and of logs.
inline constexpr std::string_view kMeasureNames[kScoreMeasures] = {"", "floor", "delta",
                                                                   "quantile"};
[[nodiscard]] constexpr ScoreMeasure measure_of(ErrorKind error) {
  switch (error) {
    case ErrorKind::Absolute:
    case ErrorKind::Squared:
    case ErrorKind::ScaledSquared:
    case ErrorKind::Symmetric:
    case ErrorKind::Logistic:
    case ErrorKind::Hinge: return ScoreMeasure::None;
    case ErrorKind::Relative: return ScoreMeasure::Floor;  // keeps errors from division by 0
    case ErrorKind::Huber:
    case ErrorKind::LogCosh: return ScoreMeasure::Delta;
    case ErrorKind::Quantile: return ScoreMeasure::Quantile;
  }
  return ScoreMeasure::None;
}
// The one that users may state: an exact score has a floor for its tolerances.
[[nodiscard]] constexpr ScoreMeasure stated_measure(ScoreKind kind) {
  const ScoreRow row = score_row(kind);
  if (kind == ScoreKind::Exact) return ScoreMeasure::Floor;
  return row.sums == ScoreSum::Errors ? measure_of(row.error) : ScoreMeasure::None;
}
// What the number has to be, for messages; none: it is.
[[nodiscard]] constexpr std::string_view measure_fault(ScoreMeasure measure, f64 number) {
  const bool is_finite = number - number == 0;
  switch (measure) {
    case ScoreMeasure::None: return {};
    case ScoreMeasure::Floor: return is_finite && number >= 0 ? "" : "a number from 0 on";
    case ScoreMeasure::Delta: return is_finite && number > 0 ? "" : "a number above 0";
    case ScoreMeasure::Quantile:
      return number > 0 && number < 1 ? "" : "a number between 0 and 1, such as 0.9";
  }
  return {};
}
// The score, negated where larger is better, so that a smaller loss is always better.
[[nodiscard]] HD constexpr f64 loss_of(ScoreKind kind, f64 score) {
  return is_larger_better(kind) ? -score : score;
}
// The score for a sum of errors or values and a number of passed cases. `whole`: what the sum is a share of
// (ScoreBasis::whole in score.h), for some kinds.
[[nodiscard]] HD constexpr f64 score_of(ScoreKind kind, f64 sum, u32 passed, f64 whole) {
  switch (score_row(kind).form) {
    case ScoreForm::Passed: return passed;
    case ScoreForm::Sum: return sum;
    case ScoreForm::Mean: return sum / whole;
    case ScoreForm::Explained: return 1 - sum / whole;
    case ScoreForm::MeanValue: return sum / passed;
  }
  return sum;
}

}  // namespace komuz::engine
