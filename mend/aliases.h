// SPDX-License-Identifier: Apache-2.0
// Words of other languages, and their Komuz form.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class AliasKind : u8 { Operator, Value, Type, Item, Function, Method, Prefix };

// The edits for a word without a replacement, which also change its surroundings (mend/fix_words.cpp).
enum class AliasEdit : u8 {
  None,
  Array,
  ArrayFrom,
  DoWhile,
  ElementBy,
  FallingRange,
  FloatFormula,  // for arguments whose value is a float, even if they are integers
  Fold,
  FoldRight,
  ForEach,
  Formula,  // the advice's formula, with arguments x, y and z
  Guard,
  Import,
  Joined,  // the advice's operator between any number of arguments
  LeaveOut,
  New,
  NumberText,
  Otherwise,
  Piecewise,
  Power,
  Rational,
  Repeat,
  Shape,
  Sort,
  Spread,
  Then,
  TypeItem,
  Update,
  Where
};

struct AliasRow {
  std::string_view wrong;
  std::string_view right;  // empty: there is only advice
  AliasKind kind;
  AliasEdit edit;
  std::string_view advice;
};
// After this text, an advice continues with the formula for integers.
inline constexpr std::string_view kOfIntegers = ", of integers ";
// True if the edit writes a formula of the arguments.
constexpr bool is_formula_edit(AliasEdit edit) {
  return edit == AliasEdit::Formula || edit == AliasEdit::FloatFormula ||
         edit == AliasEdit::Joined || edit == AliasEdit::Piecewise || edit == AliasEdit::Rational;
}
inline constexpr AliasRow kAliases[] = {
#define ALIAS(wrong, right, kind) {wrong, right, AliasKind::kind, AliasEdit::None, {}},
#define ADVICE(wrong, kind, advice) {wrong, {}, AliasKind::kind, AliasEdit::None, advice},
#define EDITED(wrong, kind, edit, advice) {wrong, {}, AliasKind::kind, AliasEdit::edit, advice},
#include "mend/aliases.def"
};

// True if a row gives something to call instead of its word: a function, or a type whose name converts.
constexpr bool is_called_instead(const AliasRow& row) {
  switch (row.kind) {
    case AliasKind::Function:
    case AliasKind::Method: return true;
    case AliasKind::Type: return row.right != "()" && !row.right.empty();
    case AliasKind::Operator:
    case AliasKind::Value:
    case AliasKind::Item:
    case AliasKind::Prefix: return false;
  }
  return false;
}

// The row of a word, or nullptr.
constexpr const AliasRow* find_alias(std::string_view word) {
  for (const AliasRow& row : kAliases)
    if (row.wrong == word) return &row;
  return nullptr;
}

// The row that gives something to call instead of the word.
constexpr const AliasRow* find_function_alias(std::string_view word) {
  for (const AliasRow& row : kAliases)
    if (row.wrong == word && is_called_instead(row)) return &row;
  return nullptr;
}

// The row for a name that stands for a value.
constexpr const AliasRow* find_value_alias(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  const bool is_of_calls =
      row != nullptr && (row->kind == AliasKind::Function || row->kind == AliasKind::Method);
  return is_of_calls ? nullptr : row;
}

}  // namespace komuz
