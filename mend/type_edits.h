// SPDX-License-Identifier: Apache-2.0
// Edits that convert a value of one type to another.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `f64(n)` for an `i64`, `Some(n)`: converts type `b` of a diagnostic's row to type `a` without a loss.
[[nodiscard]] std::optional<Edit> type_edit(const Diagnostic& d, std::string_view source);
// Adds `.list(8)` to an operand of a list's type, which must become `a`.
[[nodiscard]] std::optional<Edit> capacity_edit(const Diagnostic& d, std::string_view source);
// `f64(n)` for the argument or receiver of a call that takes one float, `b`.
[[nodiscard]] std::optional<Edit> float_argument_edit(const Diagnostic& d, std::string_view source);
// True if a name in an operand got a quotient before a place: converting it later would not bring back the fraction.
[[nodiscard]] bool is_of_quotient(std::string_view operand, u32 place, std::string_view source);
// True if values of the type have elements.
[[nodiscard]] bool is_list_type(std::string_view type);
// The first value of a variable of a type; empty if there is no obvious one.
[[nodiscard]] std::string_view first_value(std::string_view type);
// True for a name or a number, with fields, calls and brackets behind it.
[[nodiscard]] bool is_postfix(std::string_view text);
// The same without a call, so that it may be repeated or moved.
[[nodiscard]] bool is_place(std::string_view text);

// True for a method whose value is an element, or its index, where other languages have an Option.
[[nodiscard]] bool gives_element(std::string_view method);

// `u8(i64('a') + i)` for `'a' + i`, in a row of ByteAndInteger, whose second argument tells on which side the
// character is: the value is a byte even if i is below zero.
[[nodiscard]] std::optional<Edit> byte_edit(const Diagnostic& d, std::string_view source);

}  // namespace komuz
