// SPDX-License-Identifier: Apache-2.0
// Foreign text as text of a page or a drawing: no byte of it is markup, and the result is well-formed XML and HTML
// whatever the text holds. Bytes that are no character, or are control characters, become U+FFFD (display_text.h).
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::services {

inline constexpr u32 kNoTextLimit = ~0u;

// For text between tags, and for attributes with double quotes. Line ends stay, tabs become blanks. Cut with `…` if
// it is longer than `most` columns.
void append_escaped(std::string& out, std::string_view text, u32 most = kNoTextLimit);
[[nodiscard]] std::string escaped(std::string_view text, u32 most = kNoTextLimit);

// Appends ` name="value"`, the value escaped.
void append_attribute(std::string& out, std::string_view name, std::string_view value);

}  // namespace komuz::services
