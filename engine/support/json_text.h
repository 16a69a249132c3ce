// SPDX-License-Identifier: Apache-2.0
// The smallest writer of JSON: pieces that are appended to a string. And what UTF-8 is.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

// The bytes of the UTF-8 sequence that starts at `at`; 0 if none does. Overlong forms, surrogates and what lies beyond
// U+10FFFF are none.
[[nodiscard]] size_t utf8_length(std::string_view text, size_t at);

// Appends the text in quotes. Bytes that are not UTF-8 become U+FFFD, each one.
void append_json_string(std::string& out, std::string_view text);
// Appends the number, an integral one of less than 64 bits without a fraction; "NaN", "Infinity" and "-Infinity" in quotes.
void append_json_number(std::string& out, f64 value);
void append_json_number(std::string& out, u64 value);

}  // namespace komuz::engine
