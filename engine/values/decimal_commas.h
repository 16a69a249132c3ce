// SPDX-License-Identifier: Apache-2.0
// Numbers with a comma for the decimal point (ValueStyle::CommaText): `3,14`, `-1.234,5`, `2,5e-3`. Points part groups of
// three digits where nobody can take them for anything else: before a comma, or where there are several.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "engine/values/value_text.h"

namespace komuz::engine {

// The number with a decimal point; other texts stay as they are. The error is for numbers with a point that may be a
// decimal one: `3.14`, `1.234`.
[[nodiscard]] std::optional<ValueError> with_decimal_point(std::string_view text, std::string& out);

}  // namespace komuz::engine
