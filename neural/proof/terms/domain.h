// SPDX-License-Identifier: Apache-2.0
// The arguments that a function may get, as terms.
#pragma once
#include <string_view>

#include "neural/proof/terms/terms.h"

namespace komuz::neural {

// A new variable for each parameter slot of a function, none of which holds a reference.
[[nodiscard]] std::vector<Term> argument_variables(Terms& terms, const CodeView& code,
                                                   const Function& function);
// A bool: these variables are cells, that is, their floats have no NaN but the canonical one.
[[nodiscard]] Term are_cells(Terms& terms, std::span<const Term> arguments);
// A bool: cells are values of these types (lang/layout.h): lengths and alternatives are possible ones, and cells behind them are zero.
[[nodiscard]] Term are_values(Terms& terms, std::string_view types, std::span<const Term> cells);

}  // namespace komuz::neural
