// SPDX-License-Identifier: Apache-2.0
// The names of the language that need no `use`, numbered. A misspelt name is compared with them, and a diagnostic
// holds the intended one by its number.
#pragma once
#include <string_view>
#include <vector>

#include "lang/builtins.h"
#include "mend/aliases.h"

namespace komuz {

struct BuiltinWord {
  enum class Kind : u8 { Type, Constant, Function } kind;
  std::string_view spelling;
  std::string_view meant;  // the Komuz name, if this is a word of another language
  u32 arguments = 0;       // for a function, including the one before the `.`; 0: another kind
};

// In an order of their own. A name from several tables occurs several times.
[[nodiscard]] inline const std::vector<BuiltinWord>& builtin_words() {
  using Kind = BuiltinWord::Kind;
  static const std::vector<BuiltinWord> words = [] {
    std::vector<BuiltinWord> all;
    const auto add = [&all](Kind kind, std::string_view name, u32 arguments = 0) {
      all.push_back({kind, name, name, arguments});
    };
    for (u8 s = 1; s < kScalarCount; ++s) add(Kind::Type, scalar_name(static_cast<Scalar>(s)));
    for (const std::string_view name : {"List", "Bytes", "Option"}) add(Kind::Type, name);
    for (u32 k = 0; k < kConstantCount; ++k) add(Kind::Constant, builtin_constant(k).name);
    for (const BuiltinRow& row : kBuiltins) add(Kind::Function, row.name, builtin_arity(row));
    for (u32 k = 0; k < kCollectionCount; ++k)
      add(Kind::Function, collection_row(k).name, collection_row(k).arguments);
    for (u32 k = 0; k < kChainCount; ++k) {
      const ChainRow& row = chain_row(static_cast<ChainOp>(k));
      add(Kind::Function, row.name, row.arguments);
    }
    for (const AliasRow& row : kAliases)
      if (row.kind == AliasKind::Function && !row.right.empty())
        all.push_back({Kind::Function, row.wrong, row.right});
    return all;
  }();
  return words;
}

// Second argument of a diagnostic: marks the number of a word. No text is so long that this could be a place in it.
inline constexpr u32 kNearWord = u32{1} << 31;
[[nodiscard]] constexpr u32 near_word(size_t number) {
  return kNearWord | static_cast<u32>(number);
}
// Empty: it holds none.
[[nodiscard]] inline std::string_view builtin_word_of(u32 argument) {
  const u32 number = argument & ~kNearWord;
  const std::vector<BuiltinWord>& words = builtin_words();
  return (argument & kNearWord) != 0 && number < words.size() ? words[number].meant
                                                              : std::string_view{};
}

// True for a function that can be called without arguments in the parentheses: `xs.len()`.
[[nodiscard]] inline bool names_builtin_function(std::string_view name) {
  for (const BuiltinWord& word : builtin_words())
    if (word.kind == BuiltinWord::Kind::Function && word.spelling == name) return true;
  return false;
}
[[nodiscard]] inline bool takes_receiver_alone(std::string_view name) {
  for (const BuiltinWord& word : builtin_words())
    if (word.spelling == name && word.arguments == 1) return true;
  return false;
}
// True for a built-in function, constant or type. A function of the standard library is none, even if other languages
// have another word for it.
[[nodiscard]] inline bool is_builtin_word(std::string_view name) {
  for (const BuiltinWord& word : builtin_words())
    if (word.spelling == name && word.meant == name) return true;
  return false;
}
[[nodiscard]] inline bool names_builtin_constant(std::string_view name) {
  for (const BuiltinWord& word : builtin_words())
    if (word.kind == BuiltinWord::Kind::Constant && word.spelling == name) return true;
  return false;
}

}  // namespace komuz
