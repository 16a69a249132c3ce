// SPDX-License-Identifier: Apache-2.0
// Expressions and statements of other languages, written as Komuz writes them. Each function gives an empty text where
// no one text is certainly meant.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `pow(n, 2)`, `n.pow(2)` to `n ** 2`
[[nodiscard]] std::string power_of_call(std::string_view call);
// Does a value in bytes [begin, end) stand alone in brackets, behind an assignment or before a `;`, so that an operator in
// its place needs no parentheses?
[[nodiscard]] bool stands_in_brackets(u32 begin, u32 end, std::string_view source);
// `(a, b) => a - b` to `a => a`, `(a, b) => b - a` to `a => -a`
[[nodiscard]] std::string key_of_comparison(std::string_view lambda);
// `o ?? 0`, `o ?: 0` to `o.or(0)`, of the sign; nothing where more may belong to its operands
[[nodiscard]] std::optional<Edit> or_edit(u32 begin, u32 end, std::string_view source);
// `n.to_string()`, `str(n)` to `bytes.from_i64(n)`: the number starts at `first`, the name is in bytes [begin, end).
[[nodiscard]] std::optional<Edit> text_edit(u32 first, u32 begin, u32 end, std::string_view source);
// `IntArray(8)`, `Array(repeating: 0, count: 8)`, `Array(8).fill(0)` to `[0; 8]`, `listOf(1, 2)` to `[1, 2]`, of the
// name
[[nodiscard]] std::optional<Edit> array_edit(u32 begin, u32 end, std::string_view source);
// `xs.take(3)` to `xs[0..min(3, xs.len())]`, `xs.skip(3)` to `xs[min(3, xs.len())..xs.len()]`, of the name
[[nodiscard]] std::optional<Edit> part_edit(u32 begin, u32 end, std::string_view source);
// `shape[0]` and `shape()[0]` to `len()`, `.shape[1]` to `[0].len()`, of the name
[[nodiscard]] std::optional<Edit> length_of_shape(u32 begin, u32 end, std::string_view source);
// What `xs.indices`, `xs.lastIndex` and `c.code` are, at byte `begin`; empty: it is another field.
[[nodiscard]] std::string value_of_property(std::string_view field, u32 begin,
                                            std::string_view source);
// "x `mod` y" to `mod_floor(x, y)`, "x `rem` y" to `x % y`, of what stands between the operands
[[nodiscard]] std::optional<Edit> call_of_infix(u32 begin, u32 end, std::string_view source);
// `guard c else {` to `if !(c) {`, of the word
[[nodiscard]] std::optional<Edit> if_of_guard(u32 begin, std::string_view source);
// `min(a, b, c)` to `min(min(a, b), c)`, of the call; empty: it is something else.
[[nodiscard]] std::string nested_call(std::string_view call);
// `a = b = 0` to `b = 0; a = 0`, of the second `=`
[[nodiscard]] std::optional<Edit> assignments_edit(u32 mark, std::string_view source);
// `b` of `(a, b) => b.cmp(a)`, which sorts whole elements from the largest on; empty: it is something else.
[[nodiscard]] std::string falling_name(std::string_view lambda);
// `[0] * 10`, `10 * [0]` to `[0; 10]`
[[nodiscard]] std::string repeated_array(std::string_view product);
// `floor(a / b)` of integers to `div_floor(a, b)`, `floor(n)` to `n`
[[nodiscard]] std::string whole_of_integer(std::string_view call);
// … of `filter(p).len()` and `filter(p).length`, whose `(` is at a byte
[[nodiscard]] std::optional<Edit> count_edit(u32 open, std::string_view source);
// The type of the literal behind the `=` at or behind a byte, up to the `;`; empty: it is something else.
[[nodiscard]] std::string_view type_of_literal(std::string_view source, u32 at);
// `n.add(4)` to `(n + 4)`: the receiver starts at `first`, the name is in bytes [begin, end).
[[nodiscard]] std::optional<Edit> operator_edit(u32 first, u32 begin, u32 end,
                                                std::string_view source);
// `out = out + c` and `out += [c]` of a list to `out.push(c)`, `out = out + ys` to `out.extend(ys)`, `out = c + out`
// to a list that starts with c: of a row of ListSum, whose second argument says what is no list.
[[nodiscard]] std::optional<Edit> list_sum_edit(const Diagnostic& d, std::string_view source);
// The operator that does what the method of a number does in other languages; empty: none does.
[[nodiscard]] std::string_view operator_of_method(std::string_view name);

}  // namespace komuz
