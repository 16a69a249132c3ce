// SPDX-License-Identifier: Apache-2.0
// Tokens as text, and rows that point at them. All refinements of diagnostics are made of these functions.
#pragma once
#include <string_view>

#include "frontend_gpu/tree/layout.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend {

// Types as type_brief.h packs them.
inline constexpr u32 kUnitBrief = 0xBu << 28, kNothingBrief = 0xFu << 28;
inline constexpr u32 kIntegerLiteralBrief = 0x9u << 28, kFloatLiteralBrief = 0xAu << 28;
inline constexpr u32 kTypeBrief = 0xEu << 28;  // plus the position of a type in the source
[[nodiscard]] constexpr u32 brief_of(Scalar scalar) { return static_cast<u32>(scalar) << 28; }
[[nodiscard]] constexpr bool is_float_brief(u32 type) {
  return type == brief_of(Scalar::F64) || type == brief_of(Scalar::F32);
}
[[nodiscard]] constexpr bool is_integer_brief(u32 type) {
  for (u8 s = 1; s < kScalarCount; ++s)
    if (type == brief_of(static_cast<Scalar>(s))) return is_integer(static_cast<Scalar>(s));
  return false;
}

// The source, for those who read a program as text.
[[nodiscard]] inline std::string_view source_of(const Columns& c) {
  return {reinterpret_cast<const char*>(c.source), c.bytes};
}

// True for an array or a list.
[[nodiscard]] inline bool is_list_brief(const Columns& c, u32 type) {
  const u32 form = type >> 24 & 15;
  if (type >> 28 == 0xD) return form >= 1;
  const u32 place = type & 0xFF'FFFF;
  if (type >> 28 != 0xE || place >= c.bytes) return false;
  const std::string_view text{reinterpret_cast<const char*>(c.source) + place, c.bytes - place};
  return text.starts_with("[") || text.starts_with("List[") || text.starts_with("Bytes[");
}

// The text of a token; empty before the first token and behind the last.
[[nodiscard]] inline std::string_view text_of(const Columns& c, i64 t) {
  if (t < 0 || t >= static_cast<i64>(c.tokens)) return {};
  return {reinterpret_cast<const char*>(token_text(c, static_cast<Index>(t))), c.token_length[t]};
}
[[nodiscard]] inline u32 end_of(const Columns& c, Index t) {
  return c.token_start[t] + c.token_length[t];
}
// True if nothing stands between a token and the next one.
[[nodiscard]] inline bool touches_next(const Columns& c, i64 t) {
  return t >= 0 && t + 1 < static_cast<i64>(c.tokens) &&
         end_of(c, static_cast<Index>(t)) == c.token_start[t + 1];
}
[[nodiscard]] inline bool is_first_on_line(const Columns& c, Index t) {
  return (c.token_kind[t] & kFirstOnLine) != 0;
}
// True if `space` starts an item here; elsewhere it is a name.
[[nodiscard]] inline bool starts_space(const Columns& c, Index t) {
  return token_at(c, t) == Token::Space && token_at(c, i64{t} + 1) == Token::Name &&
         (is_first_on_line(c, t) || may_precede_item(token_at(c, i64{t} - 1)));
}
[[nodiscard]] inline bool opens(Token token) {
  return token == Token::LParen || token == Token::LBracket || token == Token::LBrace;
}
[[nodiscard]] inline bool closes(Token token) {
  return token == Token::RParen || token == Token::RBracket || token == Token::RBrace;
}

// True if there is a node, and it is of this kind.
[[nodiscard]] inline bool is(const Columns& c, Index node, Node kind) {
  return node != kNone && node_kind(c, node) == kind;
}
// How many tokens a question that is asked for each of many may look at, and how many nodes around one.
inline constexpr u32 kLongestBrackets = 1024, kLongestLook = 128, kMostLevels = 1024;
// The nearest wanted node: the node itself or one around it; kNone: there is none near.
template <class IsWanted>
[[nodiscard]] Index nearest_around(const Columns& c, Index node, IsWanted is_wanted) {
  for (u32 level = 0; node != kNone && level < kMostLevels; ++level) {
    if (is_wanted(node_kind(c, node))) return node;
    node = parent_of(c, node);
  }
  return kNone;
}
// The bracket in which a token stands directly; kNone: none is near.
[[nodiscard]] inline Index opener_of(const Columns& c, Index t) {
  u32 depth = 0;
  for (Index k = t; k > 0 && t - k < kLongestBrackets; --k) {
    const Token before = token_at(c, i64{k} - 1);
    if (opens(before) && depth == 0) return k - 1;
    if (opens(before)) --depth;
    if (closes(before)) ++depth;
  }
  return kNone;
}
// True if a token stands between the parentheses behind the name of a function.
[[nodiscard]] inline bool is_parameter(const Columns& c, Index t) {
  const Index open = opener_of(c, t);
  return open != kNone && token_at(c, open) == Token::LParen &&
         token_at(c, i64{open} - 2) == Token::Fn;
}
// The token that closes a bracket.
[[nodiscard]] inline Index closer_of(const Columns& c, Index open) {
  u32 depth = 0;
  for (Index k = open + 1; k < c.tokens && k - open < kLongestBrackets; ++k) {
    const Token token = token_at(c, k);
    if (closes(token) && depth == 0) return k;
    if (closes(token)) --depth;
    if (opens(token)) ++depth;
  }
  return kNone;
}

// The first token of the operand that ends with a token: a name or a literal, with its fields, calls and brackets.
// operand_start() finds the same in a text. kNone: it is too far away.
[[nodiscard]] inline Index first_of_operand(const Columns& c, Index last) {
  const Index end = last < kLongestBrackets ? 0 : last - kLongestBrackets;
  Index t = last;
  while (t > 0) {
    if (end != 0 && t <= end) return kNone;
    if (token_at(c, t) == Token::RParen || token_at(c, t) == Token::RBracket) {
      u32 depth = 0;
      for (;; --t) {
        const Token token = token_at(c, t);
        depth += token == Token::RParen || token == Token::RBracket;
        depth -= token == Token::LParen || token == Token::LBracket;
        if (depth == 0 || t == end) break;  // nothing before it opens the bracket
      }
      if (depth != 0 && end != 0) return kNone;
      const Token before = t > 0 ? token_at(c, static_cast<i64>(t) - 1) : Token::Error;
      const bool is_behind =
          before == Token::Name || before == Token::RParen || before == Token::RBracket;
      if (!is_behind || !touches_next(c, i64{t} - 1)) return t;
      --t;
    } else if (token_at(c, static_cast<i64>(t) - 1) == Token::Dot && t > 1) {
      t -= 2;
    } else {
      return t;
    }
  }
  return t;
}

// The `{` of the statement in which a token stands, at or behind the token on its line; kNone: there is none.
[[nodiscard]] inline Index next_block(const Columns& c, Index t) {
  for (Index k = t; k < c.tokens && k - t < kLongestLook; ++k) {
    const Token token = token_at(c, k);
    if (token == Token::LBrace) return k;
    if (token == Token::Semi || token == Token::RBrace || (k != t && is_first_on_line(c, k))) break;
  }
  return kNone;
}
[[nodiscard]] inline Index token_from(const Columns& c, u32 place) {
  Index first = 0, end = c.tokens;
  while (first < end) {
    const Index middle = first + (end - first) / 2;
    if (c.token_start[middle] < place)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

inline void become(Diagnostic& row, DiagnosticCode code) {
  row = make_diagnostic(code, row.begin, row.length, row.a, row.b);
}
inline void become(Diagnostic& row, DiagnosticCode code, u32 a, u32 b) {
  row = make_diagnostic(code, row.begin, row.length, a, b);
}
inline void span(Diagnostic& row, u32 begin, u32 end) {
  row = make_diagnostic(row.code(), begin, end - begin, row.a, row.b);
}
inline void move_to(const Columns& c, Diagnostic& row, Index first, Index last) {
  span(row, c.token_start[first], end_of(c, last));
}

}  // namespace komuz::frontend
