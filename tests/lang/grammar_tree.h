// SPDX-License-Identifier: Apache-2.0
// The rules of grammar_rules.def as trees, with the places of blanks in each. The grammar over characters for
// decoders with masks (grammar_ebnf.cpp) is made from them.
//
// Blanks beside a token belong to the rule that continues behind them. A decoder with masks for its vocabulary knows,
// for each place of a rule, which of its tokens stay within the rule. It has to try all others again for each token
// that is written. Half of all tokens begin with a blank: where a rule ends in optional blanks, or consists of blanks
// alone, all of these are tried. So blanks are not written where a token allows them behind itself. They are carried,
// as one of the kinds below, to the next symbol, out of the rule if need be, and are written before that symbol.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tests/lang/grammar_symbols.h"

namespace komuz::grammar {

// What may stand between two tokens. Carried: behind the first one; of a token: before it.
enum class Blanks : u8 {
  None,
  // Exactly one.
  One,
  // Any number.
  Gap,
  // Also line ends and comments.
  Lines,
  // One, then Lines.
  OneLines,
  // Gap, then one.
  GapOne,
  // Lines, but no comment right behind the `/`.
  Slash,
  // Before a line end: it takes what is there.
  LineEnd,
};
[[nodiscard]] Blanks together(Blanks carried, Blanks before);
// True if a token with `before` in front of it includes the carried blanks, so that these need not be written.
[[nodiscard]] bool takes(Blanks before, Blanks carried);
[[nodiscard]] std::string_view written(Blanks blanks);

// A token or terminal: its text without blanks, in the grammar's notation.
struct Spelled {
  std::string text;
  Blanks before, behind;
};

enum class Times : u8 { Once, Optional, Any, Some };
struct Item;
using Sequence = std::vector<Item>;
struct Item {
  Symbol symbol;
  Times times;
  // For a group.
  std::vector<Sequence> alternatives;
  [[nodiscard]] bool is_group() const { return symbol.kind == SymbolKind::Punctuation; }
};
[[nodiscard]] std::vector<Sequence> tree_of(std::string_view body);

}  // namespace komuz::grammar
