// SPDX-License-Identifier: Apache-2.0
// Rewrites formulas that other systems print (SymPy, NumPy, Octave and the like): their functions as operators and
// built-ins.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/aliases.h"
#include "mend/mend.h"

namespace komuz {

// `relu(x)`, `x.relu()` to `max(x, 0.0)`, `Pow(a, b + 1)` to `a ** (b + 1)`, given the function's name in bytes
// [begin, end): uses the advice's first formula with so many parameters, which are x, y and z.
[[nodiscard]] std::optional<Edit> formula_edit(u32 begin, u32 end, std::string_view advice,
                                               std::string_view source);
// `Add(a, b, c)` of computer algebra to `a + b + c`, with the sign of the advice's `x + y`; nothing for fewer than
// three.
[[nodiscard]] std::optional<Edit> joined_edit(u32 begin, u32 end, std::string_view advice,
                                              std::string_view source);
// "`x + y`" for `add`, which may be called as `add(x, y)`; empty if the name stands for no operator.
[[nodiscard]] std::string formula_of_function(std::string_view name);
// The same for a function that is called without a dot, and has no other row with advice.
[[nodiscard]] std::string formula_of_call(std::string_view name, const AliasRow* row);
// `Rational(1, 2)` to `1.0 / 2.0`, given the name
[[nodiscard]] std::optional<Edit> rational_edit(u32 begin, u32 end, std::string_view source);
// `Piecewise((a, x > 0), (b, True))` to `if x > 0 { a } else { b }`, given the name; if no condition is always true,
// the rest is NAN, as in SymPy.
[[nodiscard]] std::optional<Edit> piecewise_edit(u32 begin, u32 end, std::string_view source);
// `log2(x)` for `log(x, 2)`, `log(x) / log(b)` for `log(x, b)`; empty if it is something else.
[[nodiscard]] std::string log_to_base(std::string_view call);
// `x - floor(x / y) * y` for `mod_floor(x, y)` of floats; empty if it is something else.
[[nodiscard]] std::string float_mod_floor(std::string_view call);
// `floor(x / y)` for `div_floor(x, y)` of floats; empty if it is something else.
[[nodiscard]] std::string float_div_floor(std::string_view call);

// `x % y` for `fmod(x, y)` of integers; empty if it is something else.
[[nodiscard]] std::string integer_remainder(std::string_view call);

}  // namespace komuz
