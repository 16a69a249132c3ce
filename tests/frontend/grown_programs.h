// SPDX-License-Identifier: Apache-2.0
// Programs that repeat one construct of the language, for each construct in the grammar and the tables: repetitions
// of a rule (`x + x + x …`), rules inside of themselves (`((( … )))`), sequences of statements and items that contain
// a rule, calls of each built-in, and runs of each token. Most of them are wrong in some way.
#pragma once
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::test {

// Text that grows: `head`, repetitions of `unit`, `middle`, equally many repetitions of `closing`, `tail`.
struct GrownProgram {
  std::string name;
  std::string head, unit, middle, closing, tail;
  bool numbers_names = false;  // numbers the names `x` of units: `x1`, `x2` and so on

  // A program of about so many bytes.
  [[nodiscard]] std::string text(size_t bytes) const;
};

[[nodiscard]] std::vector<GrownProgram> grown_programs();

}  // namespace komuz::test
