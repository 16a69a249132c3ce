// SPDX-License-Identifier: Apache-2.0
// What each token of a text is, names included: what an editor that asks colours it by. highlight.h tells the same of
// a text that nobody has analysed, with less about names.
#pragma once
#include <optional>
#include <vector>

#include "services/highlight.h"
#include "services/symbols.h"

namespace komuz::services {

struct KnownToken {
  u32 begin = 0, end = 0;  // bytes of the text
  TextKind kind = TextKind::Keyword;
  std::optional<NameKind> name;  // of a name that means something: then `kind` is no matter
  bool defines = false;          // it introduces the name
  bool is_variable = false;      // it may be assigned to
  bool is_given = false;         // it is built in, or of the standard library
};
// In the order of the text. In items that had to be mended, tokens are what they look like.
[[nodiscard]] std::vector<KnownToken> list_tokens(const Analysis& analysis);

}  // namespace komuz::services
