// SPDX-License-Identifier: Apache-2.0
#include "services/editor/find_items.h"

#include <algorithm>

#include "services/editor/item_tokens.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

char small(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}
bool is_capital(char byte) { return byte >= 'A' && byte <= 'Z'; }
// Where a word of a name begins: `first_fit`, `FirstFit`.
bool begins_word(std::string_view name, size_t at) {
  return at == 0 || name[at - 1] == '_' || (is_capital(name[at]) && !is_capital(name[at - 1]));
}

std::optional<NameKind> kind_of(Token word) {
  switch (word) {
    case Token::Fn: return NameKind::Function;
    case Token::Space: return NameKind::Space;
    case Token::Const: return NameKind::Constant;
    case Token::Type: return NameKind::Type;
    default: return std::nullopt;
  }
}

// Which of several equal letters of a name is meant.
enum class Prefer : u8 { Nearest, Words };

// The letters of a name that are passed over cost, at most so many; a letter in the middle of a word costs more.
std::optional<u32> cost_of(std::string_view name, std::string_view letters, Prefer prefer) {
  constexpr u32 kMostPassed = 50, kInside = 4, kOtherCase = 1;
  u32 cost = 0;
  size_t at = 0;
  for (const char letter : letters) {
    if (letter == ' ') continue;
    const auto fits = [&](size_t k) { return small(name[k]) == small(letter); };
    size_t found = at;
    while (found < name.size() && !fits(found)) ++found;
    for (size_t k = found; prefer == Prefer::Words && found != at && k < name.size(); ++k)
      if (fits(k) && begins_word(name, k)) {
        found = k;
        break;
      }
    if (found >= name.size()) return std::nullopt;
    cost += std::min(static_cast<u32>(found - at), kMostPassed);
    if (found != at && !begins_word(name, found)) cost += kInside;
    if (name[found] != letter) cost += kOtherCase;
    at = found + 1;
  }
  return cost + std::min(static_cast<u32>(name.size() - at), kMostPassed);
}

// Constructors have a capital, and stand behind `=` or `|` outside of all parentheses.
void add_constructors(const Columns& c, const TokenItem& item, std::string_view letters,
                      std::vector<FoundItem>& found) {
  u32 depth = 0;
  for (Index t = item.first; t < item.last; ++t) {
    const Token token = frontend::token_at(c, t);
    const Act act = token_row(token).act;
    depth += act == Act::Paren;
    if (act == Act::Close && depth != 0) --depth;
    if (token != Token::Name || depth != 0 || t == item.first) continue;
    const Node before = token_row(frontend::token_at(c, t - 1)).infix;
    const std::string_view name = text_of_token(c, t);
    if ((before != Node::Assign && before != Node::BitOr) || !is_capital(name[0])) continue;
    // A record is found by its type.
    const auto match = name == item.name ? std::nullopt : letters_match(name, letters);
    if (match)
      found.push_back({std::string(name), NameKind::Constructor, std::string(item.name),
                       c.token_start[t], c.token_start[t] + c.token_length[t], *match});
  }
}

}  // namespace

std::optional<u32> letters_match(std::string_view name, std::string_view letters) {
  const auto nearest = cost_of(name, letters, Prefer::Nearest);
  const auto words = cost_of(name, letters, Prefer::Words);
  if (!nearest || !words) return nearest;
  return std::min(*nearest, *words);
}

std::vector<FoundItem> find_items(frontend::Compiler& lexer, std::string_view text,
                                  std::string_view letters) {
  std::vector<FoundItem> found;
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  if (c.bytes != text.size()) return found;
  for (const TokenItem& item : list_token_items(c, text)) {
    const auto kind = kind_of(item.word);
    if (!kind || item.name.empty()) continue;
    if (const auto match = letters_match(item.name, letters))
      found.push_back({std::string(item.name), *kind, "", item.name_begin,
                       item.name_begin + static_cast<u32>(item.name.size()), *match});
    if (item.word == Token::Type) add_constructors(c, item, letters, found);
  }
  return found;
}

}  // namespace komuz::services
