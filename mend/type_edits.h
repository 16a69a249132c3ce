// SPDX-License-Identifier: Apache-2.0
// Edits that make a value of one type into one of another.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `f64(n)` of an `i64`, `Some(n)`: what makes the type of a diagnostic's row `a` of the one of `b` without a loss.
[[nodiscard]] std::optional<Edit> type_edit(const Diagnostic& d, std::string_view source);
// `.list(8)` behind an operand of a list's type, which is to be `a`.
[[nodiscard]] std::optional<Edit> capacity_edit(const Diagnostic& d, std::string_view source);
// `f64(n)` of what stands in the parentheses or before the dot of a call that takes one float, `b`.
[[nodiscard]] std::optional<Edit> float_argument_edit(const Diagnostic& d, std::string_view source);
// Is a quotient given to a name of an operand before a place, whose fraction a conversion of it would not bring back?
[[nodiscard]] bool is_of_quotient(std::string_view operand, u32 place, std::string_view source);
// Has a value of the type elements?
[[nodiscard]] bool is_list_type(std::string_view type);
// What a variable of a type starts with; empty: nothing is plain.
[[nodiscard]] std::string_view first_value(std::string_view type);
// Is it a name or a number, with fields, calls and brackets behind it?
[[nodiscard]] bool is_postfix(std::string_view text);
// … without a call, so that it may be written twice, or at another place?
[[nodiscard]] bool is_place(std::string_view text);

// Is it a method whose value is an element, or its index, where other languages have an Option?
[[nodiscard]] bool gives_element(std::string_view method);

// `u8(i64('a') + i)` of `'a' + i`, of a row of ByteAndInteger, whose second argument says where the character stands: its value is
// a byte also where i is below zero.
[[nodiscard]] std::optional<Edit> byte_edit(const Diagnostic& d, std::string_view source);

}  // namespace komuz
