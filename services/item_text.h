// SPDX-License-Identifier: Apache-2.0
// Words and items of a text: the bytes of a word, the beginning of an item, and the comment above it.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/view.h"

namespace komuz::services {

[[nodiscard]] constexpr bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}
[[nodiscard]] std::string_view text_of_token(const frontend::Columns& c, frontend::Index t);
// The tokens on one line, with one blank where there were any, without the `;` behind the last.
[[nodiscard]] std::string on_one_line(const frontend::Columns& c, frontend::TokenRange tokens);
// The tokens of an item's signature: for a function or space those before its body, else all.
[[nodiscard]] frontend::TokenRange signature_tokens(const frontend::Columns& c,
                                                    frontend::Index item,
                                                    frontend::TokenRange tokens);
// The lines `/// …` right above the line that starts at or contains `place`, without the `///`.
[[nodiscard]] std::string comment_above(std::string_view source, u32 place);
// The first sentence of such a comment, if it ends on the first line; else that line.
[[nodiscard]] std::string first_sentence(std::string_view comment);

}  // namespace komuz::services
