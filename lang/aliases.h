// SPDX-License-Identifier: Apache-2.0
// Words of other languages and their Komuz form.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class AliasKind : u8 { Operator, Value, Type, Item };

struct AliasRow {
  std::string_view wrong, right;
  AliasKind kind;
};
inline constexpr AliasRow kAliases[] = {
#define ALIAS(wrong, right, kind) {wrong, right, AliasKind::kind},
#include "lang/aliases.def"
};

// The row of a word, or nullptr.
constexpr const AliasRow* find_alias(std::string_view word) {
  for (const AliasRow& row : kAliases)
    if (row.wrong == word) return &row;
  return nullptr;
}

}  // namespace komuz
