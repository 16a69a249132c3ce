// SPDX-License-Identifier: Apache-2.0
// Literals as other languages write them. Each function returns false if it has nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `1,000`. Takes a comma where no list of values may stand.
[[nodiscard]] bool refine_digits(const Columns& c, Index comma, Diagnostic& row);
// `1.` and `.5`. Takes a `.` whose operand is missing.
[[nodiscard]] bool refine_point(const Columns& c, Index dot, Diagnostic& row);
// `1.e5`, `1.e+05`, `1._0`, `1.f`. Takes the `.` of a float without digits behind its point; false: it is something
// else.
[[nodiscard]] bool refine_float_field(const Columns& c, Index dot, Diagnostic& row);
// `5L`, `1.5f`, `2x`
void refine_suffix(const Columns& c, Index t, Diagnostic& row);
// `f"a"`. Takes the string.
[[nodiscard]] bool refine_string_prefix(const Columns& c, Index t, Diagnostic& row);
// `s[0] == 'ab'`: whether a string is meant. Takes the literal.
void refine_long_character(const Columns& c, Index node, Diagnostic& row);
// `float('inf')`. Takes the name.
[[nodiscard]] bool refine_float_word(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
