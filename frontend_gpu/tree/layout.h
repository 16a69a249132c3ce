// SPDX-License-Identifier: Apache-2.0
// Turns tokens into nodes in one scan: contextual words, implicit operators, items, bracket depth, numbering.
#pragma once
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Sums over the tokens before one: how many nodes, items and brackets there are, and how deep the token lies in its
// item.
struct LayoutSum {
  u32 nodes = 0, items = 0, brackets = 0;
  i32 depth = 0;
};
struct LayoutToken {
  LayoutRule rule;
};
HD LayoutSum combine(const LayoutSum& s, const LayoutToken& t) {
  return {s.nodes + t.rule.nodes(), s.items + t.rule.item(),
          s.brackets + t.rule.opens() + t.rule.closes(),  // no token does both
          (t.rule.item() ? 0 : s.depth) + t.rule.opens() - t.rule.closes()};
}
// An item in the second part starts the depth anew.
HD LayoutSum combine(const LayoutSum& a, const LayoutSum& b) {
  return {a.nodes + b.nodes, a.items + b.items, a.brackets + b.brackets,
          (b.items != 0 ? 0 : a.depth) + b.depth};
}

// True for words that are names where they are not keywords.
HD bool may_be_name(Token t) {
  return (t >= Token::Limit && t <= Token::Rec) || t == Token::Space || t == Token::Test ||
         t == Token::Prop;
}

// True for tokens behind which an item may start on the same line.
HD bool may_precede_item(Token t) {
  return t == Token::Pub || t == Token::Semi || t == Token::RBrace;
}

// Decides words that are keywords in some places only (language.md, "Tokens"). Reads the neighbours' kinds as the
// lexer left them.
HD Token contextual(const Columns& c, const Tables& t, i32 k, Token raw, u32& error) {
  const Token before = token_at(c, k - 1), behind = token_at(c, k + 1);
  const bool first = (c.token_kind[k] & kFirstOnLine) != 0;
  switch (raw) {
    case Token::Limit:
    case Token::Depth:
    case Token::Rec:
    case Token::In: {
      // Two such words side by side are both names. The lexer classified neither as a number or a name.
      const bool behind_operand =
          k > 0 && (t.left_class[static_cast<u8>(before)] == kOperand || may_be_name(before));
      const Act act = token_row(behind).act;
      const bool operand = raw == Token::In
                               ? act == Act::Operand || act == Act::Paren || act == Act::Minus
                               : behind == Token::Int || behind == Token::Name;
      return behind_operand && (operand || may_be_name(behind)) ? raw : Token::Name;
    }
    case Token::Space:
    case Token::Test:
    case Token::Prop: {
      const Token wanted = raw == Token::Space ? Token::Name : Token::String;
      return (first || may_precede_item(before)) && behind == wanted ? raw : Token::Name;
    }
    case Token::Type:
    case Token::Use:
    case Token::Const:
      if (first || may_precede_item(before)) return raw;
      error = static_cast<u32>(DiagnosticCode::ReservedWord);
      return Token::Error;
    default: return raw;
  }
}
struct PlaceToken {
  const Columns& c;
  const Tables& t;

  HD LayoutToken operator()(u32 n) const {
    const u8 raw = c.token_kind[n], kind = raw & ~kFirstOnLine;
    const u8 before = c.token_kind[static_cast<i64>(n) - 1] & ~kFirstOnLine;
    if ((t.neighbourly[kind] | t.neighbourly[before]) != 0 || n == 0) return general(n);
    return {t.layout[t.left_class[before]][raw]};
  }

 private:
  HD Token kind_of(i32 k, u32& error) const {
    const Token raw = token_at(c, k);
    return is_contextual(raw) ? contextual(c, t, k, raw, error) : raw;
  }
  // Handles a word that depends on its neighbours, and the start of the text.
  HD_COLD LayoutToken general(u32 n) const {
    const i32 k = static_cast<i32>(n);
    u32 error = 0, ignored = 0;
    const Token kind = kind_of(k, error), before = kind_of(k - 1, ignored);
    const u8 left = n == 0 ? static_cast<u8>(kNoOperand) : t.left_class[static_cast<u8>(before)];
    const u8 line = c.token_kind[k] & kFirstOnLine;
    const LayoutRule rule = t.layout[left][line | static_cast<u8>(kind)];
    u32 flags = rule.flags();
    Node insert = rule.insert();
    if (n == 0) {  // text before the first item is an item of its own, in error
      insert = Node::ItemEnd;
      flags |= LayoutRule::kItem;
    }
    if (error == 0 && !(kind == Token::Semi && before == Token::Semi)) error = rule.error();
    return {LayoutRule::make(insert, rule.loop(), rule.node(), error, flags)};
  }
};

inline constexpr i32 kMaxDepth = 1024, kMaxBracketDepth = 16000;
static_assert(kMaxDepth * kKeysPerDepth + kKeysPerDepth <= 1u << 16);

template <class G>
struct PutToken {
  G& g;
  Columns& c;

  HD void operator()(u32 k, const LayoutSum& before, const LayoutToken& token) const {
    const LayoutRule rule = token.rule;
    const bool item = rule.item(), closes = rule.closes();
    Depth depth{static_cast<u32>(item ? 0 : before.depth), 0};
    depth.bracket_key = 2 * depth.level - closes;
    const bool is_usual = depth.level - closes < kMaxDepth;
    if (!is_usual) depth = limited(static_cast<i32>(depth.level), closes);
    const u32 level = depth.level * kKeysPerDepth;
    const Index in_item = before.items - (item ? 0 : 1);
    u32 n = before.nodes;
    g.store_if(item, c.item_node[before.items], n);
    if (rule.inserts()) {
      const bool inserts = rule.insert() != Node::None;
      put(inserts, n, k, in_item, rule.insert(), level + rule.insert_key());
      n += inserts;
      if (rule.loop()) put(true, n++, k, in_item, Node::LoopStart, level + rule.loop_key());
    }
    const bool bracket = rule.opens() || closes, has_node = rule.node() != Node::None;
    const u32 b = before.brackets;
    g.store_if(bracket, c.bracket_key[b], static_cast<u16>(depth.bracket_key));
    g.store_if(bracket, c.bracket_token[b], k);
    g.store_if(bracket, c.bracket_node[b], n - closes);
    put(has_node, n, k, in_item, rule.node(), level + rule.node_key());
    if (rule.is_rare() | !is_usual) raise(rule, n, !is_usual && depth.level == kMaxDepth);
  }

 private:
  struct Depth {
    u32 level, bracket_key;
  };
  // Of a token that lies too deep, or behind more closing brackets than opening ones.
  HD_COLD static Depth limited(i32 depth, bool closes) {
    if (depth < 0) depth = 0;
    const i32 outside = depth - (closes && depth != 0);
    return {
        static_cast<u32>(depth < kMaxDepth ? depth : kMaxDepth),
        static_cast<u32>(2 * (outside < kMaxBracketDepth ? outside : kMaxBracketDepth) + closes)};
  }
  HD_COLD void raise(LayoutRule rule, u32 n, bool too_deep) const {
    if (rule.gap()) g.raise(c.flags[kIrregular]);
    if (rule.match()) g.raise(c.flags[kMatches]);
    if (rule.hole()) g.raise(c.flags[kHoles]);
    if (rule.error() != 0 && rule.node() != Node::None)
      report(g, c, n, static_cast<DiagnosticCode>(rule.error()));
    if (too_deep && rule.opens()) report(g, c, n, DiagnosticCode::DepthLimit);
  }
  HD void put(bool real, u32 n, Index k, Index item, Node kind, u32 key) const {
    g.store_if(real, c.kind[n], static_cast<u8>(kind));
    g.store_if(real, c.key[n], static_cast<u16>(key));
    g.store_if(real, c.token[n], k);
    g.store_if(real, c.item[n], item);
    g.store_if(real, c.error[n], u8{0});
  }
};

// The sums before the first token behind the kept head, whose last token opens a bracket.
HD LayoutSum sum_of_head(const Columns& c) {
  const KeptHead& head = kept_head(c);
  const bool keeps = head.bytes != 0;
  return {head.nodes, keeps, head.brackets, keeps};
}
HD void keep_layout(Columns& c, const LayoutSum& total) {
  c.nodes = total.nodes;
  c.items = total.items;
  c.brackets = total.brackets;
}
template <class G>
HD void number_tokens(G& g, Columns& c, const Tables& t) {
  const u32 first = kept_head(c).tokens;
  const PlaceToken place{c, t};
  const PutToken<G> put{g, c};
  keep_layout(c, g.scan(
                     c.tokens - first, sum_of_head(c), [&](u32 n) { return place(first + n); },
                     [&](u32 n, const LayoutSum& before, const LayoutToken& token) {
                       put(first + n, before, token);
                     }));
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
