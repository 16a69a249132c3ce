// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/columns/tables.h"

#include <cassert>

#include "frontend_gpu/text/byte_masks.h"
#include "frontend_gpu/text/example_mark.h"
#include "frontend_gpu/text/name_hash.h"

namespace komuz::frontend {

namespace {

using D = DiagnosticCode;

void add_words(Tables& t) {
  for (u32 k = 0; k < kTokenCount; ++k) {
    const Token token = static_cast<Token>(k);
    const std::string_view spelling = token_row(token).spelling;
    if (spelling.empty()) continue;
    u64 text = 0;
    std::memcpy(&text, spelling.data(), spelling.size());
    const u32 slot = word_slot(mix_text(text));
    assert(t.word_text[slot] == 0 && "two words in one slot: choose another factor in mix_text");
    t.word_text[slot] = text;
    t.word_token[slot] = static_cast<u8>(token);
  }
  // In the table of words, a text of nothing but NUL looks like a free slot.
  if (const u32 slot = word_slot(mix_text(kExampleMark)); t.word_text[slot] == kExampleMark)
    t.word_token[slot] = static_cast<u8>(Token::Example);
  for (u32 c = 0; c < 256; ++c) {
    const u8 byte = static_cast<u8>(c);
    Token token = Token::Error;
    if (is_digit_byte(byte))
      token = Token::Int;
    else if (is_word_byte(byte))
      token = Token::Name;
    else if (byte == '"')
      token = Token::String;
    else if (byte == '\'')
      token = Token::Char;
    else if (byte == '?')
      token = Token::Hole;
    else if (byte == kExampleMark)
      token = Token::Example;
    t.first_byte[c] = static_cast<u8>(token);
  }
}

bool continues_item(LeftNeighbour left, Token token) { return left == kPub && token != Token::Pub; }
u32 layout_flags(LeftNeighbour left, Token token) {
  const TokenRow& row = token_row(token);
  const u32 holes = token == Token::Hole || token == Token::Space ? LayoutRule::kHole : 0;
  if (row.act == Act::Item) return holes | (continues_item(left, token) ? 0 : LayoutRule::kItem);
  if (row.act == Act::Close) return LayoutRule::kCloses;
  if (token == Token::Comma && left != kOperand && left != kBlock) return LayoutRule::kGap;
  if (token == Token::Match) return LayoutRule::kMatch;
  if (holes != 0) return holes;
  return row.act == Act::Paren || row.act == Act::Brace ? LayoutRule::kOpens : 0;
}

LayoutRule layout_rule(LeftNeighbour left, bool new_line, Token token) {
  const TokenRow& row = token_row(token);
  Node insert = Node::None, node = row.alone;
  D error = D::None;
  const bool continues = left == kOperand && !new_line;  // an operand on the same line
  const bool separate = left == kBlock || (left == kOperand && new_line);
  switch (row.act) {
    case Act::Operand:
      if (continues || separate) insert = Node::Semi;
      if (continues) error = D::ExpectedOperator;
      break;
    case Act::Item:
      if (!continues_item(left, token)) insert = Node::ItemEnd;
      break;
    case Act::If:
      if (separate) insert = Node::Semi;
      if (continues) node = row.infix;
      break;
    case Act::Minus:
      if (left == kOperand) node = row.infix;
      if (left == kPower) node = Node::NegExponent;
      if (left == kBlock && new_line) insert = Node::Semi;
      if (left == kBlock && !new_line) node = row.infix, error = D::BlockOperand;
      break;
    case Act::Paren:
      if (separate) insert = Node::Semi;
      if (continues) insert = row.infix;
      break;
    case Act::Brace:
      if (left == kBlock) insert = Node::Semi;
      if (left == kOperand) insert = row.infix;
      break;
    case Act::Close: node = Node::None; break;
    case Act::Separator: node = row.infix; break;
    case Act::Foreign:
    case Act::Range:
    case Act::Infix:
      node = continues || separate ? row.infix : row.alone;
      if (left == kBlock) error = D::BlockOperand;
      if (row.act == Act::Foreign) error = D::WordOperator;
      break;
  }
  return LayoutRule::make(insert, token == Token::While, node, static_cast<u32>(error),
                          layout_flags(left, token));
}

void add_builtins(Tables& t) {
  u16 id = 0;
  const auto add = [&](std::string_view name) {
    const u32 hash = name_hash(name);
    u32 slot = hash % Tables::kBuiltinSlots;
    while (t.builtins[slot].id_plus_one != 0) slot = (slot + 1) % Tables::kBuiltinSlots;
    u64 text = 0;
    std::memcpy(&text, name.data(), name.size() < 8 ? name.size() : 8);
    t.builtins[slot] = {text, hash, ++id};
  };
  for (const BuiltinRow& row : kBuiltins) add(row.name);
  for (u32 k = 0; k < kConstantCount; ++k) add(builtin_constant(k).name);
  for (u32 k = 0; k < kCollectionCount; ++k) add(collection_row(k).name);
  for (u32 k = 0; k < kNamedChains; ++k) add(chain_row(static_cast<ChainOp>(k)).name);
}

Tables make_tables() {
  Tables t{};
  add_words(t);
  for (u32 token = 0; token < kTokenCount; ++token) {
    const TokenRow& row = token_row(static_cast<Token>(token));
    t.neighbourly[token] = is_contextual(static_cast<Token>(token));
    t.left_class[token] = row.ends == Ends::Block                        ? kBlock
                          : row.ends == Ends::Yes                        ? kOperand
                          : static_cast<Token>(token) == Token::StarStar ? kPower
                          : static_cast<Token>(token) == Token::Pub      ? kPub
                                                                         : kNoOperand;
    for (u32 left = 0; left < kLeftNeighbours; ++left)
      for (u32 line = 0; line < 2; ++line)
        t.layout[left][line * kFirstOnLine + token] =
            layout_rule(static_cast<LeftNeighbour>(left), line != 0, static_cast<Token>(token));
  }
  for (u32 n = 0; n < kNodeCount; ++n) t.children[n] = node_row(static_cast<Node>(n)).children;
  fill_grammar(t.grammar);
  add_builtins(t);
  return t;
}

}  // namespace

const Tables& tables() {
  static const Tables t = make_tables();
  return t;
}

}  // namespace komuz::frontend
