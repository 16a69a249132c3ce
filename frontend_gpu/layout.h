// SPDX-License-Identifier: Apache-2.0
// Tokens to nodes: contextual words, implicit operators, items, bracket depth, numbering; one scan.
#pragma once
#include "frontend_gpu/columns.h"

namespace komuz::frontend {

// What stands before a token: how many nodes, items and brackets, and how deep it lies in its item.
struct LayoutSum {
  u32 nodes = 0, items = 0, brackets = 0;
  i32 depth = 0;
};
struct LayoutToken {
  LayoutRule rule;
  i8 depth;   // +1, -1 or 0
  bool item;  // starts an item, where depth starts at 0 again
  bool bracket;
};
HD LayoutSum combine(LayoutSum s, const LayoutToken& t) {
  return {s.nodes + t.rule.nodes, s.items + t.item, s.brackets + t.bracket,
          (t.item ? 0 : s.depth) + t.depth};
}

// An item behind the seam says where depth starts anew.
HD LayoutSum combine(const LayoutSum& a, const LayoutSum& b) {
  return {a.nodes + b.nodes, a.items + b.items, a.brackets + b.brackets,
          (b.items != 0 ? 0 : a.depth) + b.depth};
}

// Words that are keywords in some places only; language.md, "Tokens". Reads the neighbours' kinds as the lexer left them.
HD Token contextual(const Columns& c, const Tables& t, i32 k, Token raw, u8& error) {
  const Token before = token_at(c, k - 1), behind = token_at(c, k + 1);
  const bool first = (c.token_kind[k] & kFirstOnLine) != 0;
  switch (raw) {
    case Token::Limit:
    case Token::Depth:
    case Token::Rec:
    case Token::In: {
      const bool behind_operand = k > 0 && t.left_class[static_cast<u8>(before)] == kOperand;
      const Act act = token_row(behind).act;
      const bool operand = raw == Token::In
                               ? act == Act::Operand || act == Act::Paren || act == Act::Minus
                               : behind == Token::Int || behind == Token::Name;
      return behind_operand && operand ? raw : Token::Name;
    }
    case Token::Space:
    case Token::Test:
    case Token::Prop: {
      const Token wanted = raw == Token::Space ? Token::Name : Token::String;
      return (first || before == Token::Pub) && behind == wanted ? raw : Token::Name;
    }
    case Token::Type:
    case Token::Use:
    case Token::Const:
      if (first || before == Token::Pub || before == Token::Semi || before == Token::RBrace)
        return raw;
      error = static_cast<u8>(DiagnosticCode::ReservedWord);
      return Token::Error;
    default: return raw;
  }
}
HD bool is_contextual(Token t) {
  return (t >= Token::Limit && t <= Token::Rec) || t == Token::Space || t == Token::Test ||
         t == Token::Prop || t == Token::Type || t == Token::Use || t == Token::Const;
}

struct PlaceToken {
  const Columns& c;
  const Tables& t;

  HD Token kind_of(i32 k, u8& error) const {
    const Token raw = token_at(c, k);
    return is_contextual(raw) ? contextual(c, t, k, raw, error) : raw;
  }
  HD LayoutToken operator()(u32 n) const {
    const i32 k = static_cast<i32>(n);
    u8 error = 0, ignored = 0;
    const Token kind = kind_of(k, error);
    const Token before = kind_of(k - 1, ignored);
    const u8 left = n == 0 ? static_cast<u8>(kNoOperand) : t.left_class[static_cast<u8>(before)];
    const u32 line = c.token_kind[k] >> 7;
    LayoutToken r{t.layout[left][line][static_cast<u8>(kind)], 0, false, false};
    if (token_row(kind).act == Act::Item) {
      r.item = !(before == Token::Pub && n != 0 && kind != Token::Pub);
      if (!r.item) r.rule.insert = Node::None, r.rule.nodes = 1;
    }
    if (n == 0 && !r.item) {  // text before the first item is an item of its own, in error
      r.item = true;
      r.rule.insert = Node::ItemEnd;
      r.rule.nodes =
          static_cast<u8>(1 + (r.rule.node != Node::None) + (r.rule.node == Node::While));
    }
    if (error != 0) r.rule.error = error;
    const bool opens = kind == Token::LParen || kind == Token::LBracket || kind == Token::LBrace;
    const bool closes = kind == Token::RParen || kind == Token::RBracket || kind == Token::RBrace;
    r.bracket = opens || closes;
    r.depth = static_cast<i8>(opens - closes);
    if (kind == Token::Semi && before == Token::Semi && n != 0) r.rule.error = 0;
    return r;
  }
};

inline constexpr i32 kMaxDepth = 127;

template <class G>
HD void place_tokens(G& g, Columns& c, const Tables& t) {
  const LayoutSum total = g.scan(
      c.tokens, LayoutSum{}, PlaceToken{c, t},
      [&](u32 k, const LayoutSum& before, const LayoutToken& token) {
        const LayoutRule& rule = token.rule;
        i32 depth = token.item ? 0 : before.depth;
        if (depth < 0) depth = 0;
        const u32 item = before.items - (token.item ? 0 : 1);
        u32 n = before.nodes;
        const auto put = [&](bool real, Node kind) {
          const i32 inside = depth < kMaxDepth ? depth : kMaxDepth;
          g.store_if(real, c.kind[n], static_cast<u8>(kind));
          g.store_if(real, c.key[n],
                     static_cast<u16>(inside * static_cast<i32>(kKeysPerDepth) +
                                      t.key[static_cast<u8>(kind)]));
          g.store_if(real, c.token[n], k);
          g.store_if(real, c.item[n], item);
          g.store_if(real, c.error[n], u8{0});
          n += real;
        };
        if (token.item) c.item_node[before.items] = n;
        put(rule.insert != Node::None, rule.insert);
        if (rule.node == Node::While) put(true, Node::LoopStart);
        if (token.bracket) {
          const bool closes = token.depth < 0;
          const i32 outside = before.depth - closes;
          c.bracket_key[before.brackets] = static_cast<u16>(2 * (outside < 0       ? 0
                                                                 : outside > 16000 ? 16000
                                                                                   : outside) +
                                                            closes);
          c.bracket_token[before.brackets] = k;
          c.bracket_node[before.brackets] = closes ? (n == 0 ? 0 : n - 1) : n;
        }
        if (rule.node != Node::None) {
          put(true, rule.node);
          if (rule.error != 0) report(g, c, n - 1, static_cast<DiagnosticCode>(rule.error));
          if (depth >= kMaxDepth && token.depth > 0)
            report(g, c, n - 1, DiagnosticCode::DepthLimit);
        }
      });
  c.nodes = total.nodes;
  c.items = total.items;
  c.brackets = total.brackets;
}

}  // namespace komuz::frontend
