// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_keywords.h"

#include <algorithm>
#include <string>

#include "mend/near_miss.h"

namespace komuz::frontend {

namespace {

// True if a statement starts with the token.
bool starts_statement(const Columns& c, Index t) {
  const Index open = opener_of(c, t);
  if (open == kNone || token_at(c, open) != Token::LBrace) return false;
  const Token before = token_at(c, i64{t} - 1);
  return is_first_on_line(c, t) || before == Token::LBrace || before == Token::RBrace ||
         before == Token::Semi;
}
// True if what starts with token t may stand behind the keyword.
bool fits(const Columns& c, Token keyword, Index t) {
  // Behind a name, or behind names in parentheses.
  const bool is_group = token_at(c, t) == Token::LParen;
  const Index last = is_group ? closer_of(c, t) : t;
  if (last == kNone) return false;
  const bool is_bound = is_group || token_at(c, t) == Token::Name;
  const Token next = token_at(c, i64{last} + 1);
  switch (keyword) {
    case Token::Let:
    case Token::Var: return is_bound && (next == Token::Assign || next == Token::Colon);
    case Token::For:
      return is_bound && (text_of(c, i64{last} + 1) == "in" || (is_group && next == Token::LBrace));
    case Token::If:
    case Token::While:
    case Token::Match: return next_block(c, t) != kNone;
    case Token::Return:
    case Token::Assert: return true;
    default: return false;
  }
}
std::string in_small_letters(std::string_view word) {
  std::string small(word);
  std::ranges::transform(small, small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
  return small;
}
// True if at most `most` times one letter is wrong, missing or too many, or two letters have changed places.
bool is_misspelt(std::string_view spelled, std::string_view keyword, size_t most) {
  if (spelled.size() < 2) return false;
  const std::string word = in_small_letters(spelled);
  const bool starts_alike =
      word[0] == keyword[0] || (word[0] == keyword[1] && word[1] == keyword[0]);
  return starts_alike && letters_apart(word, keyword) <= most;
}
// True if a word has the letters of the keyword, but two neighbours have changed places, or one letter is there
// twice.
bool has_letters_of(std::string_view spelled, std::string_view keyword) {
  std::string word = in_small_letters(spelled);
  if (word == keyword) return true;
  for (size_t k = 0; k + 1 < word.size(); ++k) {
    std::string other = word;
    if (word[k] == word[k + 1])
      other.erase(k, 1);
    else
      std::swap(other[k], other[k + 1]);
    if (other == keyword) return true;
  }
  return false;
}

// True if a word has only the letters of the keyword, some of them twice or once too few.
bool has_letters_alone(std::string_view spelled, std::string_view keyword) {
  const auto letters = [](std::string word) {
    std::ranges::sort(word);
    word.erase(std::unique(word.begin(), word.end()), word.end());
    return word;
  };
  return letters(in_small_letters(spelled)) == letters(std::string(keyword));
}

// Looks among the first tokens, because a device hands back no names of items.
bool names_item(const Columns& c, std::string_view word) {
  constexpr Index kMostTokens = 8 * kLongestBrackets;
  const Index end = c.tokens < kMostTokens ? c.tokens : kMostTokens;
  count_work(c, end);
  for (Index t = 1; t < end; ++t) {
    const Token before = token_at(c, t - 1);
    const bool names = before == Token::Fn || before == Token::Type || before == Token::Const;
    if (names && text_of(c, t) == word) return true;
  }
  return false;
}

}  // namespace

bool refine_keyword(const Columns& c, Index t, Diagnostic& row) {
  if (t == 0 || token_at(c, i64{t} - 1) != Token::Name || is_first_on_line(c, t)) return false;
  const bool is_arm = token_at(c, i64{t} - 2) == Token::FatArrow;
  if (!is_arm && !starts_statement(c, t - 1)) return false;
  const std::string_view word = text_of(c, i64{t} - 1);
  Token meant = Token::Error;
  for (const Token keyword : {Token::Let, Token::Var, Token::For, Token::If, Token::While,
                              Token::Match, Token::Return, Token::Assert}) {
    constexpr size_t kLong = 5;
    const std::string_view spelling = token_row(keyword).spelling;
    const bool binds = keyword == Token::Let || keyword == Token::Var;
    if (!fits(c, keyword, t) || (is_arm && binds) ||
        !is_misspelt(word, spelling, spelling.size() < kLong ? 1 : 2))
      continue;
    if (meant != Token::Error) return false;
    meant = keyword;
  }
  if (meant == Token::Error) return false;
  if (token_at(c, t) == Token::LParen && names_item(c, word)) return false;
  const bool is_certain = has_letters_alone(word, token_row(meant).spelling);
  become(row, DiagnosticCode::MisspeltKeyword, static_cast<u32>(meant), is_certain ? 0 : kNoEdit);
  move_to(c, row, t - 1, t - 1);
  return true;
}

bool refine_keyword_of_group(const Columns& c, Index t, Diagnostic& row) {
  if (token_at(c, t) == Token::LParen) return refine_keyword(c, t, row);
  if (text_of(c, t) != "in" || token_at(c, i64{t} - 1) != Token::RParen) return false;
  const Index open = opener_of(c, t - 1);
  return open != kNone && refine_keyword(c, open, row);
}

bool refine_keyword_name(const Columns& c, Index t, Diagnostic& row) {
  if (!starts_statement(c, t)) return false;
  const Token next = token_at(c, i64{t} + 1);
  const bool is_call = next == Token::LParen;
  if (!is_call && next != Token::Minus && next != Token::Semi && next != Token::RBrace)
    return false;
  for (const Token keyword : {Token::Return, Token::Assert, Token::Break, Token::Continue}) {
    const bool leaves_loop = keyword == Token::Break || keyword == Token::Continue;
    const bool fits = leaves_loop ? next == Token::Semi || next == Token::RBrace
                                  : is_call || (next == Token::Minus && keyword == Token::Return);
    const std::string_view spelling = token_row(keyword).spelling;
    if (!fits || !is_misspelt(text_of(c, t), spelling, 1)) continue;
    const bool is_certain = leaves_loop || has_letters_of(text_of(c, t), spelling);
    become(row, DiagnosticCode::MisspeltKeyword, static_cast<u32>(keyword),
           is_certain ? 0 : kNoEdit);
    return true;
  }
  return false;
}

size_t letters_from_keyword(std::string_view word, Token keyword) {
  return letters_apart(in_small_letters(word), token_row(keyword).spelling);
}

}  // namespace komuz::frontend
