// SPDX-License-Identifier: Apache-2.0
// Rewrites expressions and statements of other languages. Each function returns an empty text if the intended text is
// not certain.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `pow(n, 2)`, `n.pow(2)` to `n ** 2`
[[nodiscard]] std::string power_of_call(std::string_view call);
// True if a value in bytes [begin, end) is alone in brackets, behind an assignment or before a `;`, so that an
// operator in its place needs no parentheses.
[[nodiscard]] bool stands_in_brackets(u32 begin, u32 end, std::string_view source);
// `(a, b) => a - b` to `a => a`, `(a, b) => b - a` to `a => -a`
[[nodiscard]] std::string key_of_comparison(std::string_view lambda);
// `o ?? 0`, `o ?: 0` to `o.or(0)`, given the sign; nothing if its operands may extend further
[[nodiscard]] std::optional<Edit> or_edit(u32 begin, u32 end, std::string_view source);
// `n.to_string()`, `str(n)` to `bytes.from_i64(n)`: the number starts at `first`, the name is in bytes [begin, end).
[[nodiscard]] std::optional<Edit> text_edit(u32 first, u32 begin, u32 end, std::string_view source);
// `IntArray(8)`, `Array(repeating: 0, count: 8)`, `Array(8).fill(0)` to `[0; 8]`, `listOf(1, 2)` to `[1, 2]`, given
// the name
[[nodiscard]] std::optional<Edit> array_edit(u32 begin, u32 end, std::string_view source);
// `xs.take(3)` to `xs[0..min(3, xs.len())]`, `xs.skip(3)` to `xs[min(3, xs.len())..xs.len()]`, given the name
[[nodiscard]] std::optional<Edit> part_edit(u32 begin, u32 end, std::string_view source);
// Turns `shape[0]` and `shape()[0]` into `len()`, and `.shape[1]` into `[0].len()`, from the name to `end`.
[[nodiscard]] std::optional<Edit> length_of_shape(u32 begin, u32 end, std::string_view source);
// The values of `xs.indices`, `xs.lastIndex` and `c.code`, at byte `begin`; empty for another field.
[[nodiscard]] std::string value_of_property(std::string_view field, u32 begin,
                                            std::string_view source);
// "x `mod` y" to `mod_floor(x, y)`, "x `rem` y" to `x % y`, given the text between the operands
[[nodiscard]] std::optional<Edit> call_of_infix(u32 begin, u32 end, std::string_view source);
// `guard c else {` to `if !(c) {`, given the word
[[nodiscard]] std::optional<Edit> if_of_guard(u32 begin, std::string_view source);
// `min(a, b, c)` to `min(min(a, b), c)`, given the call; empty if it is something else.
[[nodiscard]] std::string nested_call(std::string_view call);
// `a = b = 0` to `b = 0; a = 0`, given the second `=`
[[nodiscard]] std::optional<Edit> assignments_edit(u32 mark, std::string_view source);
// `b` in `(a, b) => b.cmp(a)`, which sorts whole elements from the largest on; empty if it is something else.
[[nodiscard]] std::string falling_name(std::string_view lambda);
// `[0] * 10`, `10 * [0]` to `[0; 10]`
[[nodiscard]] std::string repeated_array(std::string_view product);
// `floor(a / b)` of integers to `div_floor(a, b)`, `floor(n)` to `n`
[[nodiscard]] std::string whole_of_integer(std::string_view call);
// The same for `filter(p).len()` and `filter(p).length`, whose `(` is at a byte
[[nodiscard]] std::optional<Edit> count_edit(u32 open, std::string_view source);
// The type of the literal behind the `=` at or behind a byte, up to the `;`; empty if it is something else.
[[nodiscard]] std::string_view type_of_literal(std::string_view source, u32 at);
// `n.add(4)` to `(n + 4)`: the receiver starts at `first`, the name is in bytes [begin, end).
[[nodiscard]] std::optional<Edit> operator_edit(u32 first, u32 begin, u32 end,
                                                std::string_view source);
// `out = out + c` and `out += [c]` of a list to `out.push(c)`, `out = out + ys` to `out.extend(ys)`, `out = c + out`
// to a list that starts with c. For a row of ListSum, whose second argument tells which operand is no list.
[[nodiscard]] std::optional<Edit> list_sum_edit(const Diagnostic& d, std::string_view source);
// The operator for a number's method of other languages; empty if there is none.
[[nodiscard]] std::string_view operator_of_method(std::string_view name);

}  // namespace komuz
