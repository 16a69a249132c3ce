// SPDX-License-Identifier: Apache-2.0
// Rewrites assigning operators of other languages, `x **= 2`, `ok &&= c`, `n //= 2`, and quotients with `//`, with
// operators and built-in functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `x **= n + 1` to `x = x ** (n + 1)`, given the sign in bytes [begin, end), whose last byte is its `=`; `^=` is the
// power for floats. Nothing if no place precedes it, or if the statement continues on the next line.
[[nodiscard]] std::optional<Edit> update_edit(u32 begin, u32 end, std::string_view source);

// `a // b` to `div_floor(a, b)`, or to `floor(a / b)` if the text tells that they are floats, `n //= 2` to `n =
// div_floor(n, 2)`, given the `//`.
[[nodiscard]] std::optional<Edit> quotient_edit(u32 mark, std::string_view source);
// True if the `//` at a place of a text divides two operands, and starts no comment.
[[nodiscard]] bool is_quotient(std::string_view text, size_t mark);
// Rewrites Python, whose `//` and `%` round down: `x // 2 + n % 3` to `div_floor(x, 2) + mod_floor(n, 3)`. Nothing if
// an operand cannot be determined from the text.
[[nodiscard]] std::optional<std::string> quotients_of_python(std::string_view text,
                                                             std::string_view source);
// The end of the body of a lambda that begins at a byte: before a comma, or the surrounding bracket.
[[nodiscard]] u32 lambda_end(u32 begin, std::string_view source);

}  // namespace komuz
