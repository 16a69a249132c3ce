// SPDX-License-Identifier: Apache-2.0
// Numbers as people and spreadsheets write them, which no program reads: `1,000`, `1 000,5`, `$5`, `5 %`.
#pragma once
#include <optional>
#include <string_view>

#include "engine/values/value_text.h"

namespace komuz::engine {

// The fault of a cell that would be a number of the style, Text or CommaText, without its marks.
[[nodiscard]] std::optional<ValueError> foreign_number_error(std::string_view text,
                                                             ValueStyle style);
// True if two cells look like one number that was split at a separator of thousands: `1` and `000`.
[[nodiscard]] bool are_thousands(std::string_view before, std::string_view behind);

}  // namespace komuz::engine
