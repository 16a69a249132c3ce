// SPDX-License-Identifier: Apache-2.0
// Words and items of a text: which bytes make a word, how an item begins, what the comment above it says.
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
// Tokens with one blank where there are any between them, without the `;` behind the last.
[[nodiscard]] std::string on_one_line(const frontend::Columns& c, frontend::TokenRange tokens);
// The tokens that say what an item is: of a function or a space those before its body, else all.
[[nodiscard]] frontend::TokenRange signature_tokens(const frontend::Columns& c,
                                                    frontend::Index item,
                                                    frontend::TokenRange tokens);
// The lines `/// …` right above the one that starts at or around `place`, without their `///`.
[[nodiscard]] std::string comment_above(std::string_view source, u32 place);
// Of such a comment the first sentence, if that ends on its first line; else that line.
[[nodiscard]] std::string first_sentence(std::string_view comment);

}  // namespace komuz::services
