// SPDX-License-Identifier: Apache-2.0
// A minimal writer of JSON, which appends pieces to a string, and a decoder of UTF-8.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

// The length of the UTF-8 sequence that starts at `at`; 0 if there is none. Overlong forms, surrogates and numbers
// beyond U+10FFFF are no sequences.
[[nodiscard]] size_t utf8_length(std::string_view text, size_t at);

// Appends the text in quotes. Each byte that is not UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);
// Appends the number, without a fraction if it is integral and below 64 bits; "NaN", "Infinity" and "-Infinity" in
// quotes.
void append_json_number(std::string& out, f64 value);
void append_json_number(std::string& out, u64 value);

}  // namespace komuz::engine
