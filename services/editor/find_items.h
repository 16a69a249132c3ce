// SPDX-License-Identifier: Apache-2.0
// Items of texts by a few letters of their names, found in their tokens alone.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "services/symbols.h"

namespace komuz::services {

// How badly a name fits the letters; 0: it is what was typed. Nothing: it does not have them in their order. Capitals
// do not matter, but for what fits equally well.
[[nodiscard]] std::optional<u32> letters_match(std::string_view name, std::string_view letters);

struct FoundItem {
  std::string name;
  NameKind kind = NameKind::Function;
  std::string container;   // of a constructor its type
  u32 begin = 0, end = 0;  // of the name, bytes of the text
  u32 match = 0;
};
// Functions, spaces, types, constructors and constants, in the order of the text.
[[nodiscard]] std::vector<FoundItem> find_items(frontend::Compiler& lexer, std::string_view text,
                                                std::string_view letters);

}  // namespace komuz::services
