// SPDX-License-Identifier: Apache-2.0
// Bytes as text in quotes, and back. Not part of the engine's door.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "engine/values/value_text.h"

namespace komuz::engine {

// Takes the text in quotes that starts at `at`, which moves behind it. Escapes are those of JSON; the style Text also
// has those of the language: \0 \' \xHH. Text beyond ASCII is the bytes of its UTF-8.
[[nodiscard]] std::optional<ValueError> take_quoted(std::string_view text, size_t& at,
                                                    ValueStyle style, std::string& bytes);
// Writes in quotes, with the escapes of the style. JSON has no text for bytes that are not UTF-8: they become an
// array of numbers.
void append_quoted(std::string& out, std::string_view bytes, ValueStyle style);

}  // namespace komuz::engine
