// SPDX-License-Identifier: Apache-2.0
#include "services/completion/place.h"

#include "services/front_end_names.h"

namespace komuz::services {
namespace {

Act act_of(Token token) { return token_row(token).act; }
bool opens(Token token) { return act_of(token) == Act::Paren || act_of(token) == Act::Brace; }

// The bracket that is open in front of a token; kNone: none is in its item.
Index open_before(const Columns& c, Index token) {
  u32 depth = 0;
  for (Index t = token; t-- > 0;) {
    const Token kind = frontend::word_at(c, t);
    if (act_of(kind) == Act::Item && (c.token_kind[t] & kFirstOnLine) != 0) return kNone;
    if (act_of(kind) == Act::Close) ++depth;
    if (!opens(kind)) continue;
    if (depth == 0) return t;
    --depth;
  }
  return kNone;
}

// Does the brace open the arms of a `match`?
bool opens_arms(const Columns& c, Index brace) {
  u32 depth = 0;
  for (Index t = brace; t-- > 0;) {
    const Token kind = frontend::word_at(c, t);
    if (act_of(kind) == Act::Close) {
      // A block ends what stands before it.
      if (kind == Token::RBrace && depth == 0) return false;
      ++depth;
    } else if (opens(kind)) {
      if (depth == 0) return false;
      --depth;
    } else if (depth == 0) {
      if (kind == Token::Match) return true;
      if (act_of(kind) == Act::Item || act_of(kind) == Act::Separator) return false;
    }
  }
  return false;
}

}  // namespace

Index token_before(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  Index before = kNone;
  for (Index t = 0; t < analysis.written_tokens() && c.token_start[t] < byte; ++t) before = t;
  return before;
}

bool takes_new_name(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const Index before = token_before(analysis, byte);
  if (before == kNone) return false;
  // What stands behind `test` and its like tells them from names, and that is still to come.
  const bool may_begin_item = (c.token_kind[before] & kFirstOnLine) != 0;
  switch (may_begin_item ? frontend::token_at(c, before) : frontend::word_at(c, before)) {
    case Token::Const:
    case Token::Type:
    case Token::Fn:
    case Token::Space:
    case Token::Test:
    case Token::Prop:
    case Token::For: return true;
    default: return false;
  }
}

bool is_behind_operand(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const Index before = token_before(analysis, byte);
  if (before == kNone || token_row(frontend::word_at(c, before)).ends != Ends::Yes) return false;
  const u32 end = c.token_start[before] + c.token_length[before];
  return end < byte &&
         analysis.program().substr(end, byte - end).find('\n') == std::string_view::npos;
}

bool begins_arm(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const Index before = token_before(analysis, byte);
  if (before == kNone) return false;
  const Token token = frontend::word_at(c, before);
  if (token != Token::LBrace && token != Token::Comma && token != Token::Pipe) return false;
  const Index brace = token == Token::LBrace ? before : open_before(c, before);
  if (brace == kNone || frontend::word_at(c, brace) != Token::LBrace) return false;
  if (token == Token::Pipe) {
    // Between patterns, and not between the bits of a value.
    for (Index t = before; t-- > brace + 1;) {
      const Token kind = frontend::word_at(c, t);
      if (kind == Token::Comma) break;
      if (kind == Token::FatArrow) return false;
    }
  }
  return opens_arms(c, brace);
}

std::string open_brackets(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const Index before = token_before(analysis, byte);
  std::string closers;
  for (Index t = before == kNone ? kNone : open_before(c, before + 1); t != kNone;
       t = open_before(c, t))
    switch (frontend::word_at(c, t)) {
      case Token::LParen: closers += " )"; break;
      case Token::LBracket: closers += " ]"; break;
      default: closers += " }"; break;
    }
  return closers;
}

Index grid_around(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const Index before = token_before(analysis, byte);
  if (before == kNone || frontend::word_at(c, before) != Token::Comma) return kNone;
  const Index open = open_before(c, before);
  if (open == kNone || open == 0 || frontend::word_at(c, open) != Token::LParen) return kNone;
  if (frontend::word_at(c, open - 1) != Token::Hole) return kNone;
  for (Index t = open + 1; t < before; ++t) {
    const Token kind = frontend::word_at(c, t);
    if (kind == Token::DotDot || kind == Token::DotDotEq) return open + 1;
  }
  return kNone;
}

}  // namespace komuz::services
