// SPDX-License-Identifier: Apache-2.0
// The front of size and error, and the formula on it that a fit takes.
//
// A larger formula always fits the rows of the search at least as well. Which of them says something about other
// rows is seen on rows that the search has not looked at:
//
//   smallest  the smallest formula whose mean loss there is within the error of the best one's: their losses are
//             compared row by row, and the mean of the differences is at most its own standard error, or a hundredth of
//             that loss
//   knee      the knee of the curve of size and log(loss), from the smallest formula to the best: farthest below the
//             line between these
//   best      the smallest loss
//   size N    the best one of at most this size
//
// Where no rows are held out, all go by the rows of the search. The smallest is then the one with the least n
// log(loss) + size log(n) for n rows, after the information criterion of Schwarz (1978), which counts a number more
// of the formula as log(n); a formula with more numbers than half of the rows is not taken,
// nor one with a pole between the values seen, if one without explains all but a hundredth of the variance.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "services/fit/formula.h"

namespace komuz::services {

// Sorts by size, and keeps the formulas that have a smaller training loss than all smaller ones, by more than rounding.
void keep_front(std::vector<FitFormula>& formulas);

enum class SelectBy : u8 { Smallest, Knee, Best, Size };
struct Selection {
  SelectBy by = SelectBy::Smallest;
  u32 size = 0;  // for SelectBy::Size
};
// "smallest", "knee", "best", "size 7" or "7".
Result<Selection> read_selection(std::string_view text);
// The text that it is read from.
[[nodiscard]] std::string selection_text(const Selection& selection);

struct Selected {
  size_t formula = 0;  // on the front
  std::string
      why;  // "the smallest one whose error is within that of the best on the rows that are held out"
};
// Nothing: no formula has a known error. `front`: as keep_front() leaves it.
[[nodiscard]] std::optional<Selected> select_formula(const std::vector<FitFormula>& front,
                                                     const Selection& selection);

}  // namespace komuz::services
