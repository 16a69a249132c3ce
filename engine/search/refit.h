// SPDX-License-Identifier: Apache-2.0
// Fits the numbers of a program to all cases, with all digits of an f64. What a search finds has numbers that were
// fitted to some cases and are rounded to a binary32; near such numbers this comes to the end in a few steps.
//
// The method is that of Levenberg and Marquardt (Marquardt, 1963), with derivatives by the program's own code
// (slope_code.h), or by differences where there is no such code. A loss that is no square is one near the present
// point (loss_model.h). Steps come from an orthogonal decomposition of the columns of slopes (modified Gram-Schmidt;
// Björck, 1967), which loses half as many digits as equations of their products do.
//
// Sums are made in a fixed order, so a fit has the same bits on every machine.
#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "engine/cases/signature.h"
#include "engine/cases/suite.h"
#include "engine/scores/score_kinds.h"
#include "engine/search/number_fit.h"
#include "engine/search/slope_code.h"

namespace komuz::engine {

struct RefitProgram {
  static constexpr u32 kNoNumber = SlopeCode::kNone;
  Code code;  // checked; the function gives an f64
  u32 entry = 0;
  std::vector<u32> number_of;  // for each constant of the code the number that it is, or kNoNumber
};

// Cases for programs of one signature.
class RefitCases {
 public:
  // `score`: adds up errors. `measure`: what they are measured by, if that is stated.
  Problem open(const CasesTable& cases, const Signature& signature, ScoreKind score,
               std::optional<f64> measure, const std::stop_token& stop);

 private:
  friend class Refit;
  Suite suite_;
  ErrorKind error_ = ErrorKind::Squared;
  f64 measure_ = 1;  // of the error
  f64 unit_ = 1;     // of distances whose squares are to fit an f64
  std::vector<ArgumentColumn> arguments_;
};

// A workspace for one thread.
class Refit {
 public:
  // More numbers are not fitted together.
  static constexpr size_t kMostNumbers = 32;

  // Both outlive what follows. False: the program has too many numbers, or none.
  [[nodiscard]] bool begin(const RefitCases& cases, const RefitProgram& program, u32 numbers);
  // The sum of the losses of cases with these numbers; none if it is no finite number, or some case ends in a trap.
  [[nodiscard]] std::optional<f64> loss(std::span<const f64> numbers);
  // Changes the numbers so that the loss is less. False: they stay.
  [[nodiscard]] bool fit(std::vector<f64>& numbers, const std::stop_token& stop);

 private:
  struct Point {
    std::vector<f64> numbers;
    // The value of each case; then, where the program has code for its derivatives, the slopes of each number.
    std::vector<u64> cells;
    f64 loss = 0;
  };
  [[nodiscard]] bool run(vm::BatchMachine& machine, const vm::Job& job, bool again,
                         std::vector<u64>& cells, size_t columns);
  [[nodiscard]] bool run_parts();
  [[nodiscard]] bool look_at(Point& point);
  [[nodiscard]] f64 loss_of(const f64* values) const;
  // The values of the program with these numbers.
  [[nodiscard]] bool run_plain(std::span<const f64> numbers, std::vector<u64>& cells);
  [[nodiscard]] bool find_slopes(std::vector<u64>& slopes);
  // Slopes and residuals at `here_`, by the root of each case's weight.
  [[nodiscard]] bool make_columns();
  [[nodiscard]] bool step(f64 damping, std::vector<f64>& numbers);

  const RefitCases* cases_ = nullptr;
  const RefitProgram* program_ = nullptr;
  u32 count_ = 0;  // of cases
  SlopeWriter writer_;
  SlopeCode slopes_;
  Code plain_;
  bool has_slopes_ = false, is_plain_lowered_ = false, is_lowered_ = false;
  vm::BatchMachine plain_machine_, parts_machine_, machine_;
  std::vector<ArgumentColumn> columns_;
  AlignedColumns parts_, sides_, ways_;
  Point here_, next_;
  std::vector<f64> triangle_;
  std::vector<u64> part_cells_, slope_cells_, other_cells_;
  std::vector<Trap> traps_;
  std::vector<u32> outcome_places_, depths_;
  std::vector<u64> fuel_;
};

}  // namespace komuz::engine
