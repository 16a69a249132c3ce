// SPDX-License-Identifier: Apache-2.0
// Numbers as people and spreadsheets show them, which no program reads: `1,000`, `1 000,5`, `$5`, `5 %`.
#pragma once
#include <optional>
#include <string_view>

#include "engine/values/value_text.h"

namespace komuz::engine {

// What is wrong with a cell that is no number, where it is one beside its marks.
[[nodiscard]] std::optional<ValueError> foreign_number_error(std::string_view text);
// Do two cells look like one number with a separator of thousands between them: `1` and `000`?
[[nodiscard]] bool are_thousands(std::string_view before, std::string_view behind);

}  // namespace komuz::engine
