// SPDX-License-Identifier: Apache-2.0
// Fits the numbers of one variant to some cases by least squares, at once: the method of Levenberg and Marquardt (Marquardt, 1963) with
// derivatives by the variant's own code (slope_code.h). A step is exact in numbers that the value is linear in, so these need no other
// one. Where the score fits a line, each step has the line in it as well (variable projection; Golub and Pereyra, 1973, in the form of
// Kaufman, 1975).
//
// Sums are made in a fixed order, so a fit has the same bits on every machine.
#pragma once
#include <span>
#include <vector>

#include "engine/cases/suite.h"
#include "engine/scores/score_kinds.h"
#include "engine/search/slope_code.h"
#include "engine/sketch/binder.h"
#include "vm/vm.h"

namespace komuz::engine {

// Memory for columns as the machines take them: each begins at a multiple of 64 bytes.
class AlignedColumns {
 public:
  void resize(size_t columns, size_t bytes) {
    blocks_ = (bytes + sizeof(Block) - 1) / sizeof(Block) + 1;
    if (memory_.size() < columns * blocks_) memory_.resize(columns * blocks_);
  }
  [[nodiscard]] char* operator[](size_t column) {
    return reinterpret_cast<char*>(memory_.data() + column * blocks_);
  }
  [[nodiscard]] const char* operator[](size_t column) const {
    return reinterpret_cast<const char*>(memory_.data() + column * blocks_);
  }

 private:
  struct alignas(64) Block {
    char bytes[64];
  };
  std::vector<Block> memory_;
  size_t blocks_ = 0;
};

// Some cases of a suite, at equal distances: their arguments, and what they expect.
struct FitCases {
  // At most so many cases. Not for suites with weights, nor for those that expect a trap or anything but finite numbers of type f64.
  FitCases(const Suite& suite, u32 most);
  [[nodiscard]] static bool takes(const Suite& suite);

  u32 count = 0;
  AlignedColumns memory;
  std::vector<ArgumentColumn> arguments;
  std::vector<f64> expected;  // minus their mean, in units of their deviation
  f64 mean = 0, unit = 1;
};

// A workspace for one thread.
class NumberFit {
 public:
  // More numbers are not fitted together.
  static constexpr size_t kMostNumbers = 64;

  // The sketch outlives it, and has no obstacle.
  NumberFit(const SketchProgram& sketch, u32 entry, bool fits_line)
      : sketch_(sketch), entry_(entry), fits_line_(fits_line), binder_(sketch) {}

  // Changes the numbers of a variant so that the squares of its errors are less. `most`: evaluations. False: it stays as it is.
  [[nodiscard]] bool fit(const FitCases& cases, u32 most, Decisions& decisions);
  // The variant of the last fit has numbers, not too many, and code for their derivatives.
  [[nodiscard]] bool has_slopes() const { return has_slopes_; }

 private:
  // The values of one choice of numbers, and what follows from them.
  struct Point {
    std::vector<f64> numbers;
    std::vector<u64> cells;  // the value of each case; then, for each number, its slopes
    f64 squares = 0;         // of the errors
    f64 unit = 1;            // of the value, so that squares fit an f64
  };
  [[nodiscard]] bool bind(const Decisions& decisions);
  [[nodiscard]] bool run_parts();
  [[nodiscard]] bool look_at(Point& point);
  [[nodiscard]] bool improve(u32 most);
  void make_equations();
  [[nodiscard]] bool step(f64 damping, std::vector<f64>& numbers);
  [[nodiscard]] bool run(vm::BatchMachine& machine, const vm::Job& job, bool again,
                         std::vector<u64>& cells, size_t columns);

  const SketchProgram& sketch_;
  u32 entry_;
  bool fits_line_;
  Binder binder_;
  SlopeWriter writer_;
  SlopeCode slopes_;
  vm::BatchMachine parts_machine_, slopes_machine_;
  const FitCases* cases_ = nullptr;
  std::vector<DecisionStretch> stretches_;
  std::vector<size_t> places_;  // of the numbers, in the decisions
  Decisions marked_;
  Code code_, other_code_;
  std::vector<u32> number_of_;  // by constant
  AlignedColumns parts_;
  std::vector<ArgumentColumn> columns_;
  bool has_slopes_ = false;
  bool is_lowered_ = false;
  Point here_, next_;
  // Of the columns at `here_`, all products: the value's where a line is fitted, then each number's; and with the errors.
  AlignedColumns centred_;
  std::vector<f64> products_, gradient_, matrix_, way_;
  std::vector<u64> cells_;
  std::vector<Trap> traps_;
  std::vector<u32> outcome_places_, depths_;
  std::vector<u64> fuel_;
};

}  // namespace komuz::engine
