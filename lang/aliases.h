// SPDX-License-Identifier: Apache-2.0
// Words of other languages and their Komuz form.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class AliasKind : u8 { Operator, Value, Type, Item, Function, Prefix };

struct AliasRow {
  std::string_view wrong;
  std::string_view right;  // empty: there is advice alone
  AliasKind kind;
  std::string_view advice;
};
inline constexpr AliasRow kAliases[] = {
#define ALIAS(wrong, right, kind) {wrong, right, AliasKind::kind, {}},
#define ADVICE(wrong, kind, advice) {wrong, {}, AliasKind::kind, advice},
#include "lang/aliases.def"
};

// The row of a word, or nullptr.
constexpr const AliasRow* find_alias(std::string_view word) {
  for (const AliasRow& row : kAliases)
    if (row.wrong == word) return &row;
  return nullptr;
}

// What may be called instead of a word: a function, or a type of the language, whose name converts.
constexpr const AliasRow* find_function_alias(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  if (row == nullptr) return nullptr;
  const bool converts = row->kind == AliasKind::Type && row->right != "()" && !row->right.empty();
  return row->kind == AliasKind::Function || converts ? row : nullptr;
}

// … instead of a name that stands for a value.
constexpr const AliasRow* find_value_alias(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  return row == nullptr || row->kind == AliasKind::Function ? nullptr : row;
}

}  // namespace komuz
