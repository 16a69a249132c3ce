// SPDX-License-Identifier: Apache-2.0
// The items of a text, found in its tokens alone: a hundred times sooner than by compiling it. For questions about
// many texts.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "lang/tokens.h"

namespace komuz::services {

struct TokenItem {
  Token word = Token::Fn;  // what it begins with, behind a `pub`
  bool is_public = false;
  std::string_view name;                // empty: it has none
  u32 name_begin = 0;                   // bytes of the text
  u32 begin = 0, end = 0;               // with the comments right above it
  frontend::Index first = 0, last = 0;  // its tokens [first, last)
};
// In the order of the text, which is what the columns begin with; their tokens are enough. Views point into the text.
// Empty: it has no items.
[[nodiscard]] std::vector<TokenItem> list_token_items(const frontend::Columns& c,
                                                      std::string_view text);

// Names of the functions of a text, and of those without a body, which a harness leaves to its candidates.
[[nodiscard]] std::vector<std::string> function_names(frontend::Compiler& lexer,
                                                      std::string_view text);
[[nodiscard]] std::vector<std::string> open_functions(frontend::Compiler& lexer,
                                                      std::string_view text);

// What is left of a text for questions about some names. Where a byte of it is in the text, and the other way around.
struct KeptText {
  std::string text;
  std::vector<std::string> modules;  // that the whole text names, `std.math`
  struct Piece {
    u32 kept = 0, begin = 0, size = 0;  // where it is here, and in the text
  };
  std::vector<Piece> pieces;

  // A byte between two pieces is the end of the first.
  [[nodiscard]] u32 in_text(u32 kept) const;
  // Nothing: it was left out.
  [[nodiscard]] std::optional<u32> in_kept(u32 byte) const;
};
// Leaves out items that have nothing to do with the names: neither do they spell one, nor do those need them that do.
// Items that are only needed have a free hole for a body.
[[nodiscard]] KeptText keep_items_naming(frontend::Compiler& lexer, std::string_view text,
                                         const std::vector<std::string_view>& names);
// A text that names the same modules, for those who load them.
[[nodiscard]] std::string uses_of(const std::vector<std::string>& modules);

// True if the text has the name as a word of its own, in comments, too.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

}  // namespace komuz::services
