// SPDX-License-Identifier: Apache-2.0
// Operators of other languages that assign, `x **= 2`, `ok &&= c`, `n //= 2`, and the `//` of quotients, as operators and
// built-in functions of this one write them.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `x **= n + 1` to `x = x ** (n + 1)`, of the sign in bytes [begin, end), of which the last is its `=`; `^=` is the power that
// floats have. Nothing where what stands before it is no place, or the statement goes on behind its line.
[[nodiscard]] std::optional<Edit> update_edit(u32 begin, u32 end, std::string_view source);

// `a // b` to `div_floor(a, b)`, `n //= 2` to `n = div_floor(n, 2)`, of the `//` that starts a comment. Nothing where an
// operator before it takes what stands left of it, or one behind it what stands right.
[[nodiscard]] std::optional<Edit> quotient_edit(u32 mark, std::string_view source);

}  // namespace komuz
