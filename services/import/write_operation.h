// SPDX-License-Identifier: Apache-2.0
// An operation of a format on parts that are written → the text of its value.
#pragma once
#include "base/problem.h"
#include "services/import/written.h"

namespace komuz::services {

// `operands`: as many as the operator takes, in the order of the formula.
[[nodiscard]] Result<Written> write_operation(FormulaOperation operation,
                                              std::span<Written> operands, FormulaFormat format,
                                              const InputPlace& place);
// `row` takes that many arguments.
[[nodiscard]] Result<Written> write_call(const FunctionRow& row, std::span<Written> arguments,
                                         FormulaFormat format, const InputPlace& place);

}  // namespace komuz::services
