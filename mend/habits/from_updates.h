// SPDX-License-Identifier: Apache-2.0
// Operators of other languages that assign, `x **= 2`, `ok &&= c`, `n //= 2`, and the `//` of quotients, as operators and
// built-in functions of this one write them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `x **= n + 1` to `x = x ** (n + 1)`, of the sign in bytes [begin, end), of which the last is its `=`; `^=` is the power that
// floats have. Nothing where what stands before it is no place, or the statement goes on behind its line.
[[nodiscard]] std::optional<Edit> update_edit(u32 begin, u32 end, std::string_view source);

// `a // b` to `div_floor(a, b)`, of what the text says are floats to `floor(a / b)`, `n //= 2` to `n = div_floor(n, 2)`, of the `//`
// that starts a comment.
[[nodiscard]] std::optional<Edit> quotient_edit(u32 mark, std::string_view source);
// Does the `//` at a place of a text divide two operands, and start no comment?
[[nodiscard]] bool is_quotient(std::string_view text, size_t mark);
// A part of the source that is Python, whose `//` and `%` round down: `x // 2 + n % 3` to `div_floor(x, 2) + mod_floor(n, 3)`. Nothing
// where one of them has no operand that a text can say.
[[nodiscard]] std::optional<std::string> quotients_of_python(std::string_view text,
                                                             std::string_view source);
// Where the body of a lambda ends that begins at a byte: before a comma, or the bracket around it.
[[nodiscard]] u32 lambda_end(u32 begin, std::string_view source);

}  // namespace komuz
