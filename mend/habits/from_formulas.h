// SPDX-License-Identifier: Apache-2.0
// Formulas as other systems print them, SymPy, NumPy, Octave and the like: their functions as operators and built-ins.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/aliases.h"
#include "mend/mend.h"

namespace komuz {

// `relu(x)`, `x.relu()` to `max(x, 0.0)`, `Pow(a, b + 1)` to `a ** (b + 1)`, of the function's name in bytes [begin, end): the first
// formula of the advice with so many parameters, which are x, y and z.
[[nodiscard]] std::optional<Edit> formula_edit(u32 begin, u32 end, std::string_view advice,
                                               std::string_view source);
// `Add(a, b, c)` of computer algebra to `a + b + c`, with the sign of the advice's `x + y`; nothing of fewer than three.
[[nodiscard]] std::optional<Edit> joined_edit(u32 begin, u32 end, std::string_view advice,
                                              std::string_view source);
// "`x + y`" of `add`, which may be called as `add(x, y)`; empty: the name is that of no operator.
[[nodiscard]] std::string formula_of_function(std::string_view name);
// … of one that is called by itself, behind no dot, and has the row of nothing else that is told.
[[nodiscard]] std::string formula_of_call(std::string_view name, const AliasRow* row);
// `Rational(1, 2)` to `1.0 / 2.0`, of the name
[[nodiscard]] std::optional<Edit> rational_edit(u32 begin, u32 end, std::string_view source);
// `Piecewise((a, x > 0), (b, True))` to `if x > 0 { a } else { b }`, of the name; where no condition is always true, NAN is
// what is left, as there.
[[nodiscard]] std::optional<Edit> piecewise_edit(u32 begin, u32 end, std::string_view source);
// `log2(x)` of `log(x, 2)`, `log(x) / log(b)` of `log(x, b)`; empty: it is something else.
[[nodiscard]] std::string log_to_base(std::string_view call);
// `x - floor(x / y) * y` of `mod_floor(x, y)`, whose arguments are floats; empty: it is something else.
[[nodiscard]] std::string float_mod_floor(std::string_view call);
// `floor(x / y)` of `div_floor(x, y)`, whose arguments are floats; empty: it is something else.
[[nodiscard]] std::string float_div_floor(std::string_view call);

// `x % y` of `fmod(x, y)`, whose arguments are integers; empty: it is something else.
[[nodiscard]] std::string integer_remainder(std::string_view call);

}  // namespace komuz
