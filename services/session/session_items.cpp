// SPDX-License-Identifier: Apache-2.0
#include "services/session/session_items.h"

#include <algorithm>
#include <set>

#include "frontend_gpu/doc_examples.h"
#include "services/editor/item_tokens.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

using Names = std::set<std::string, std::less<>>;

// The names that a `use` brings: those between its braces, else the last of its path.
void add_imported(const Columns& c, const TokenItem& item, Names& names) {
  std::string_view last;
  bool has_braces = false;
  for (Index t = item.first; t < item.last; ++t) {
    const Token token = frontend::word_at(c, t);
    has_braces |= token == Token::LBrace;
    if (token != Token::Name) continue;
    last = text_of_token(c, t);
    if (has_braces) names.emplace(last);
  }
  if (!has_braces && !last.empty()) names.emplace(last);
}
// … and that a type gives to its alternatives.
void add_constructors(const Columns& c, const TokenItem& item, Names& names) {
  for (Index t = item.first + 1; t < item.last; ++t) {
    const Token before = frontend::token_at(c, t - 1);
    if (frontend::word_at(c, t) == Token::Name &&
        (before == Token::Assign || before == Token::Pipe))
      names.emplace(text_of_token(c, t));
  }
}

// What a text defines or imports.
Names names_of(frontend::Compiler& lexer, std::string_view text) {
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  Names names;
  for (const TokenItem& item : list_token_items(c, text)) {
    if (item.word == Token::Use) add_imported(c, item, names);
    if (item.word == Token::Type) add_constructors(c, item, names);
    if (item.word != Token::Use && item.word != Token::Test && item.word != Token::Prop &&
        !item.name.empty())
      names.emplace(item.name);
  }
  return names;
}

// Blanks take the place of what is left out: places stay.
void hide_word(std::string& text, size_t begin, std::string_view word) {
  const size_t at = text.find_first_not_of(" \t\r\n", begin);
  if (at != std::string::npos && std::string_view(text).substr(at).starts_with(word))
    text.replace(at, word.size(), word.size(), ' ');
}
// Where an item begins behind the comments above it.
size_t head_of(std::string_view item) {
  size_t at = 0;
  for (;;) {
    const size_t word = item.find_first_not_of(" \t\r\n", at);
    if (word == std::string_view::npos || !item.substr(word).starts_with("//")) return at;
    at = std::min(item.find('\n', word), item.size());
  }
}
void hide_examples(std::string& text) {
  using frontend::kExampleComment;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(" \t", at);
    if (begin != std::string::npos &&
        std::string_view(text).substr(begin).starts_with(kExampleComment))
      text.replace(begin, kExampleComment.size(), kExampleComment.size(), '/');
    const size_t end = text.find('\n', at);
    at = end == std::string::npos ? text.size() : end + 1;
  }
}

bool is_open(const Definition& definition) {
  const size_t last = definition.text.find_last_not_of(" \t\r\n");
  return definition.form == ItemForm::Function && last != std::string::npos &&
         definition.text[last] == ';';
}

}  // namespace

DefinitionText items_behind(std::string_view text, const Definitions& session, SessionItems which) {
  frontend::Compiler lexer;
  const Names own = names_of(lexer, text);
  const Definitions::IsLeftOut is_left_out = [&](const Definition& definition) {
    if (is_open(definition)) return true;
    if (definition.form != ItemForm::Use)
      return std::ranges::any_of(definition.gives,
                                 [&](const std::string& name) { return own.contains(name); });
    const Names names = names_of(lexer, definition.text);
    return std::ranges::any_of(names, [&](const std::string& name) { return own.contains(name); });
  };
  DefinitionText out;
  if (which == SessionItems::All)
    for (const Definition& definition : session.all())
      if (!is_left_out(definition)) out.add(definition);
  const bool is_too_much = out.text.size() > kMostItemBytes;
  if (which == SessionItems::Named || is_too_much) out = session.needed_by(text, is_left_out);
  for (const DefinitionText::Part& part : out.parts)
    if (part.definition->form == ItemForm::Function)
      hide_word(out.text, part.begin + head_of(part.definition->text), "pub");
  if (which == SessionItems::Named) hide_examples(out.text);
  return out;
}

std::string with_items(std::string_view text, std::string_view items) {
  std::string out(text);
  if (!items.empty()) out.append("\n").append(items);
  return out;
}

bool has_holes(std::string_view items) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(items));
  const Columns& c = lexer.columns();
  for (Index t = 0; t < c.tokens; ++t)
    if (frontend::token_at(c, t) == Token::Hole) return true;
  return false;
}

}  // namespace komuz::services
