// SPDX-License-Identifier: Apache-2.0
// Tokens as an enumeration, with a row for each.
#pragma once
#include <string_view>

#include "lang/nodes.h"

namespace komuz {

enum class Token : u8 {
#define TOKEN(Name, spelling, act, infix, alone, ends) Name,
#include "lang/tokens.def"
};
inline constexpr u32 kTokenCount = 0
#define TOKEN(Name, spelling, act, infix, alone, ends) +1
#include "lang/tokens.def"
    ;
// A token column holds the kind in the low bits and this flag.
inline constexpr u8 kFirstOnLine = 0x80;
static_assert(kTokenCount <= kFirstOnLine);

// How a token meets its left neighbour.
enum class Act : u8 {
  Operand,    // an operand or a word before one: after an operand a `;` is missing
  Item,       // starts an item
  If,         // prefix, or a guard after an operand
  Minus,      // prefix, or infix after an operand
  Paren,      // `(` and `[`: group, or applied to an operand on the same line
  Brace,      // `{`: block, or the body of what stands before it
  Close,      // a closing bracket
  Separator,  // `;` `,` `else`: also after a block
  Range,      // `..`: infix, or a spread
  Infix,      // needs an operand on its left
  Foreign,    // an infix operator of other languages; here an error
};
enum class Ends : u8 { No, Yes, Block };

struct TokenRow {
  std::string_view spelling;
  Act act;
  Node infix, alone;
  Ends ends;
};
HD_TABLE TokenRow kTokenRows[kTokenCount] = {
#define TOKEN(Name, spelling, act, infix, alone, ends) \
  {spelling, Act::act, Node::infix, Node::alone, Ends::ends},
#include "lang/tokens.def"
};
HD constexpr const TokenRow& token_row(Token t) { return kTokenRows[static_cast<u8>(t)]; }

// Words that are keywords only in some places; language.md, "Tokens".
HD constexpr bool is_contextual(Token t) {
  return (t >= Token::Limit && t <= Token::Rec) || t == Token::Space || t == Token::Test ||
         t == Token::Prop || t == Token::Type || t == Token::Use || t == Token::Const;
}

}  // namespace komuz
