// SPDX-License-Identifier: Apache-2.0
// Formulas that only rise, or only fall, with an input: seen at rows of the data, whose value of the input is moved
// from one to the next of some values between its smallest and its largest.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/fit/fit_data.h"
#include "services/fit/formula.h"

namespace komuz::services {

struct Monotone {
  std::string column;  // in the header, or the name in formulas
  bool rises = true;
};
// "x1+, price-": names with a sign behind each.
Result<std::vector<Monotone>> read_monotone(std::string_view text);
// The text that it is read from.
[[nodiscard]] std::string monotone_text(const std::vector<Monotone>& wanted);

class MonotoneCheck {
 public:
  // A problem: a column is no input. `rows`: of which points are made.
  Problem open(const engine::FitData& data, std::span<const u32> rows,
               const std::vector<Monotone>& wanted);
  // Leaves those that are as wanted at all points.
  Problem keep_monotone(std::vector<FitFormula>& formulas, u32 threads,
                        const std::stop_token& stop) const;

 private:
  struct Points {
    size_t input = 0;  // that moves, to the value of the last column
    bool rises = true;
    engine::CasesTable cases;
  };
  // A program of the formula and a function of this name, which gives 1 where the formula moves the wrong way. Empty:
  // it does not compile.
  [[nodiscard]] std::string with_check(const Points& points, const std::string& program,
                                       const std::string& entry) const;

  std::vector<std::string> inputs_;
  std::string next_;  // the name of the value that an input moves to
  std::vector<Points> all_;
};

}  // namespace komuz::services
