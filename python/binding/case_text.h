// SPDX-License-Identifier: Apache-2.0
// Columns of numbers as the CSV that means the same: so arrays are read as files of cases are, and lines that reports name are
// those of such a file, whose header is line 1.
#pragma once
#include <optional>
#include <string>

#include "base/problem.h"
#include "python/binding/number_columns.h"

namespace komuz::python {

struct CaseTextOptions {
  bool skips_missing = false;  // a row with a NaN is no case; else it is a problem
};
// The columns have equally many rows, at least one. `what` the user calls them, for messages: "X and y".
[[nodiscard]] Result<std::string> case_text(const std::vector<NumberColumn>& columns,
                                            const std::string& what,
                                            const CaseTextOptions& options);

}  // namespace komuz::python
