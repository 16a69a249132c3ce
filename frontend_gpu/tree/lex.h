// SPDX-License-Identifier: Apache-2.0
// Turns source into tokens: first the token bits of each block, then the positions of the bits, then a kind for
// each token.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/text/name_hash.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Sums of token hashes: the identity of a text (architecture.md, "Identity"). Addition lets lanes go in any order.
struct HashSum {
  u64 low = 0, high = 0;
};
inline constexpr u64 kTextKey = 0xA076'1D64'78BD'642Fu, kSeedKey = 0xE703'7ED1'A0B4'28DBu,
                     kPlaceFactor = 0x9E37'79B9'7F4A'7C15u;
struct LexedToken {
  u64 low, high;
  u32 length;
  u32 hash;
  u8 kind;
};
HD HashSum combine(HashSum sum, const LexedToken& t) {
  return {sum.low + t.low, sum.high + t.high};
}

// What the bits say of the token that starts at byte o of block b.
struct TokenSpan {
  u32 length;
  u32 floaty;  // 1: a number with a `.` or an exponent
};
// The span of a token that continues in the blocks behind its own: its length, and above 32 bits whether it is floaty.
// Both are one number, so that the spans of other tokens stay in registers.
HD_COLD u64 long_span(const Columns& c, u32 b, u32 o) {
  u32 length = 64 - o;
  bool floaty = c.floaty[b] >> o != 0;
  while (c.extend[++b] == ~0ull) length += 64;  // the block behind the last one has no bits
  const u32 rest = static_cast<u32>(std::countr_one(u64{c.extend[b]}));
  const u64 own = (1ull << rest) - 1;
  floaty = floaty || (c.floaty[b] & own) != 0;
  return u64{length + rest} | u64{floaty} << 32;
}
HD TokenSpan token_span(const Columns& c, u32 b, u32 o) {
  const u64 extend = c.extend[b] >> o >> 1;
  TokenSpan span;
  span.length = 1 + static_cast<u32>(std::countr_one(extend));
  span.floaty = (c.floaty[b] >> o & ((1ull << span.length % 64) - 1)) != 0;
  if (o + span.length == 64) {
    const u64 longer = long_span(c, b, o);
    span.length = static_cast<u32>(longer);
    span.floaty = static_cast<u32>(longer >> 32);
  }
  return span;
}

HD HashSum combine(HashSum a, const HashSum& b) { return {a.low + b.low, a.high + b.high}; }

struct ClassifyToken {
  const Columns& c;
  const Tables& t;

  HD LexedToken operator()(u32 k) const {
    const u32 s = c.token_start[k], b = s >> 6, o = s & 63;
    const u8* const p = c.source + s;
    const TokenSpan span = token_span(c, b, o);
    const u64 text = text_key(p, span.length);
    const u64 mixed = mix_text(text);
    const u32 slot = word_slot(mixed);
    u32 kind = t.first_byte[p[0]];
    kind += static_cast<u32>(kind == static_cast<u32>(Token::Int)) & span.floaty;
    // Without a branch: which tokens are words cannot be foreseen.
    const u32 is_word = static_cast<u32>((t.word_text[slot] == text) & (span.length <= 8));
    kind ^= (kind ^ t.word_token[slot]) & (0 - is_word);
    kind |= static_cast<u32>(c.lines[b] >> o & 1) * kFirstOnLine;
    const u64 seed = (static_cast<u64>(kind) << 32 | span.length) + kPlaceFactor * (k + 1);
    // A multilinear hash: the token's text times a word that its position chooses, summed in 128 bits.
    const WideProduct hash = multiply_wide(text ^ kTextKey, seed ^ kSeedKey);
    return {hash.low, hash.high, span.length, name_hash(mixed), static_cast<u8>(kind)};
  }
};
static_assert(static_cast<u8>(Token::Float) == static_cast<u8>(Token::Int) + 1);

// True if the last thing before block b is a line end rather than a token. Before the first token it is true.
HD bool line_ends_before(const Columns& c, u32 b) {
  while (b-- != 0) {
    const u64 starts = c.starts[b], ends = c.masks[b].newline;
    if ((starts | ends) != 0)
      return ends > starts;  // no byte is both: the higher number has the later bit
  }
  return true;
}
// The tokens that start in block b and are the first on their lines. The carry of an addition runs from each line
// end over all bytes that start no token.
HD u64 first_on_lines(const Columns& c, u32 b) {
  const u64 starts = c.starts[b];
  return (~starts + c.masks[b].newline + line_ends_before(c, b)) & starts;
}

// Fills the bits of all blocks.
template <class G>
HD void mark_tokens(G& g, Columns& c) {
  g.template automaton<kLexStates>(
      c.blocks, kOutside,
      [&](u32 b, u32 state) {
        TokenBits bits;
        // A serial group has come to this block from the one before.
        const u64 starts_before = G::kSerial && b != 0 ? u64{c.starts[b - 1]} : 0;
        const u32 next = lex_block(c.source + 64 * static_cast<size_t>(b), c.masks[b], state,
                                   starts_before, bits);
        c.starts[b] = bits.starts;
        c.extend[b] = bits.extend;
        c.floaty[b] = bits.floaty;
        return next;
      },
      [&](u32 b) { return c.masks[b].newline != 0; });
  g.for_each(c.blocks, [&](u32 b) { c.lines[b] = first_on_lines(c, b); });
  g.once([&] { c.extend[c.blocks] = c.floaty[c.blocks] = 0; });
}
// Finds the positions of tokens; returns false if there are more than `limit`.
template <class G>
HD bool find_tokens(G& g, Columns& c, u32 limit) {
  mark_tokens(g, c);
  c.tokens = g.select_bits(c.blocks, c.starts, c.token_start, limit);
  return c.tokens <= limit;
}

// Puts sentinels behind the tokens. They neither end an operand nor start a line.
template <class G>
HD void put_sentinels(G& g, Columns& c) {
  g.for_each(4, [&](u32 k) {
    const i32 at = k < 2 ? static_cast<i32>(k) - 2 : static_cast<i32>(c.tokens + k) - 2;
    c.token_kind[at] = static_cast<u8>(Token::Semi);
    c.token_length[at] = 0;
    c.token_start[at] = at < 0 ? 0 : c.bytes;
  });
}
template <class G>
HD HashSum classify_tokens(G& g, Columns& c, const Tables& t) {
  const KeptHead& head = kept_head(c);
  const u32 first = head.tokens;
  const ClassifyToken classify{c, t};
  const HashSum sum = g.scan(
      c.tokens - first, HashSum{head.hash_low, head.hash_high},
      [&](u32 n) { return classify(first + n); },
      [&](u32 n, const HashSum&, const LexedToken& token) {
        const u32 k = first + n;
        c.token_length[k] = static_cast<u16>(token.length < 0xFFFF ? token.length : 0xFFFF);
        c.token_kind[k] = token.kind;
        c.token_hash[k] = token.hash;
      });
  put_sentinels(g, c);
  return sum;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
