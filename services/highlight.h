// SPDX-License-Identifier: Apache-2.0
// Classifies the parts of a program, for colours. The tokens are those of the front end's lexer; a contextual keyword
// counts as a keyword where the front end took it for one.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "lang/tokens.h"

namespace komuz::services {

enum class TextKind : u8 {
  Keyword,
  Type,      // a scalar type, or a name with a capital
  Function,  // a name before `(`
  Number,    // also `true` and `false`
  String,
  Comment,
  Hole,
};
[[nodiscard]] std::string_view text_kind_name(TextKind kind);  // "keyword"

struct Stretch {
  u32 begin = 0, end = 0;  // bytes of the source
  TextKind kind = TextKind::Keyword;
};
// How a token looks, by itself; nothing: like what is around it.
struct TokenLook {
  bool is_name = false;    // the front end made a name of it
  bool is_called = false;  // `(` stands behind it
};
[[nodiscard]] std::optional<TextKind> text_kind_of(Token token, std::string_view text,
                                                   TokenLook look);
// In the order of the source; other parts are left out. Empty if the source is no text.
[[nodiscard]] std::vector<Stretch> highlight(frontend::Compiler& compiler, std::string_view source);

}  // namespace komuz::services
