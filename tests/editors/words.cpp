// SPDX-License-Identifier: Apache-2.0
#include "tests/editors/words.h"

#include <algorithm>

#include "lang/builtins.h"
#include "lang/tokens.h"
#include "lang/types.h"
#include "tests/lang/grammar_symbols.h"

namespace komuz::editors {
namespace {

bool is_capital(std::string_view name) { return name[0] >= 'A' && name[0] <= 'Z'; }

void add_word(Words& w, Token token, std::string_view spelling) {
  if (grammar::is_reserved(token)) w.reserved.push_back(spelling);
  if (token == Token::Space) return w.before_name.push_back(spelling);
  if (token == Token::Test || token == Token::Prop) return w.before_string.push_back(spelling);
  if (token == Token::In) return w.in.push_back(spelling);
  if (grammar::is_infix_word(token)) return w.bounds.push_back(spelling);
  if (token_row(token).act == Act::Item) return w.items.push_back(spelling);
  if (token == Token::Let || token == Token::Var) return w.declarations.push_back(spelling);
  if (token == Token::True || token == Token::False) return w.values.push_back(spelling);
  if (token == Token::Return || token == Token::Assert) return w.statements.push_back(spelling);
  w.control.push_back(spelling);
}

void add_once(WordList& list, std::string_view word) {
  if (std::ranges::find(list, word) == list.end()) list.push_back(word);
}

Words words_of_tables() {
  Words w;
  for (u32 k = 0; k < kTokenCount; ++k) {
    const auto token = static_cast<Token>(k);
    const TokenRow& row = token_row(token);
    if (row.spelling.empty() || row.act == Act::Foreign) continue;
    if (grammar::is_word(row.spelling)) add_word(w, token, row.spelling);
    const bool is_bracket = std::string_view("()[]{}").find(row.spelling) != std::string_view::npos;
    const bool is_mark = row.spelling == "," || row.spelling == ";";
    if (!grammar::is_word(row.spelling) && !is_bracket && !is_mark)
      w.operators.push_back(row.spelling);
  }
  std::ranges::stable_sort(w.operators, [](auto a, auto b) { return a.size() > b.size(); });
#define SCALAR(Name, spelling, Type, bytes, class) w.types.push_back(spelling);
#include "lang/types.def"
  const auto add_named = [&w](std::string_view name, WordList& list) {
    if (is_capital(name)) return add_once(w.constructors, name);
    if (std::ranges::find(w.types, name) == w.types.end()) add_once(list, name);
  };
#define BUILTIN(name, ...) add_named(#name, w.functions);
#define CONSTANT(name, ...) add_once(w.constants, #name);
#define COLLECTION(name, ...) add_named(#name, w.methods);
#define CHAIN(name, ...) add_named(#name, w.methods);
#include "lang/builtins.def"
  return w;
}

}  // namespace

const Words& words() {
  static const Words kWords = words_of_tables();
  return kWords;
}

std::string join(const WordList& list, std::string_view between) {
  std::string text;
  for (const std::string_view word : list) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

WordList together(std::initializer_list<WordList> lists) {
  WordList all;
  for (const WordList& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\/.|^$*+?()[]{}-").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace komuz::editors
