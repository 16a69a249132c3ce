// SPDX-License-Identifier: Apache-2.0
// Source to tokens: token bits of each block, positions of the bits, then a kind for each token.
#pragma once
#include "frontend_gpu/columns.h"
#include "frontend_gpu/name_hash.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Sums of token hashes: the identity of a text (architecture.md, "Identity"). Addition, so that lanes may go in any order.
struct HashSum {
  u64 low = 0, high = 0;
};
struct LexedToken {
  u64 low, high;
  u32 length;
  u8 kind;
};
HD HashSum combine(HashSum sum, const LexedToken& t) {
  return {sum.low + t.low, sum.high + t.high};
}

// Bytes of the token that starts at byte s, from the bits that say which bytes go on.
template <class Words>
HD u32 token_extent(const Words& extend, u32 s) {
  u32 b = s >> 6;
  const u32 o = s & 63;
  u64 run = (extend[b] >> o >> 1) | (extend[b + 1] << (63 - o));
  if (~run != 0) return 1 + static_cast<u32>(std::countr_one(run));
  u32 length = 65;  // the byte at s and 64 more
  for (u32 p = s + 65;; ++p, ++length) {
    b = p >> 6;
    if ((extend[b] >> (p & 63) & 1) == 0) return length;
  }
}

HD HashSum combine(HashSum a, const HashSum& b) { return {a.low + b.low, a.high + b.high}; }

struct ClassifyToken {
  const Columns& c;
  const Tables& t;

  HD LexedToken operator()(u32 k) const {
    const u32 s = c.token_start[k];
    const u8* const p = c.source + s;
    const u32 length = token_extent(c.extend, s);
    u64 text = load_text(p, length);
    const u32 slot = word_slot(text);
    u32 kind = t.first_byte[p[0]];
    const u32 b = s >> 6, o = s & 63;
    const u64 floaty = (c.floaty[b] >> o) | (c.floaty[b + 1] << 1 << (63 - o));
    const u64 own = length >= 64 ? ~0ull : (1ull << length) - 1;
    kind += static_cast<u32>((kind == static_cast<u32>(Token::Int)) & ((floaty & own) != 0));
    const bool is_word = (t.word_text[slot] == text) & (length <= 8);
    kind = is_word ? t.word_token[slot] : kind;
    kind |= first_on_line(k, s) ? u32{kFirstOnLine} : 0;
    for (u32 q = 8; q < length; q += 8)
      text = fold_multiply(text ^ 0x9FB2'1C65'1E98'DF25u, load_text(p + q, length - q) + q);
    const u64 seed = (static_cast<u64>(kind) << 32 | length) + 0x9E37'79B9'7F4A'7C15u * (k + 1);
    // A multilinear hash: a product of what stands here and of a word that the place chooses, summed in 128 bits.
    const WideProduct hash =
        multiply_wide(text ^ 0xA076'1D64'78BD'642Fu, seed ^ 0xE703'7ED1'A0B4'28DBu);
    return {hash.low, hash.high, length, static_cast<u8>(kind)};
  }

 private:
  // Is there a line end between the token before it and this one? The first token counts as one on a new line.
  HD bool first_on_line(u32 k, u32 s) const {
    if (k == 0) return true;
    const u32 from = c.token_start[k - 1], b = s >> 6;
    if (from >> 6 == b) return (c.masks[b].newline & ((1ull << (s & 63)) - 1)) >> (from & 63) != 0;
    u64 seen = c.masks[b].newline & ((1ull << (s & 63)) - 1);
    u32 a = from >> 6;
    seen |= c.masks[a].newline >> (from & 63);
    while (++a < b) seen |= c.masks[a].newline;
    return seen != 0;
  }
};
static_assert(static_cast<u8>(Token::Float) == static_cast<u8>(Token::Int) + 1);

// Fills the bits of all blocks.
template <class G>
HD void mark_tokens(G& g, Columns& c) {
  g.template automaton<kLexStates>(
      c.blocks, kOutside,
      [&](u32 b, u32 state) {
        TokenBits bits;
        const u32 next = lex_block(c.source + 64 * static_cast<size_t>(b), c.masks[b], state, bits);
        c.starts[b] = bits.starts;
        c.extend[b] = bits.extend;
        c.floaty[b] = bits.floaty;
        return next;
      },
      [&](u32 b) { return c.masks[b].newline != 0; });
  g.once([&] { c.extend[c.blocks] = c.floaty[c.blocks] = 0; });
}
// … and the positions of tokens; false when there are more than `limit`.
template <class G>
HD bool find_tokens(G& g, Columns& c, u32 limit) {
  mark_tokens(g, c);
  c.tokens = g.select_bits(c.blocks, c.starts, c.token_start, limit);
  return c.tokens <= limit;
}

template <class G>
HD HashSum classify_tokens(G& g, Columns& c, const Tables& t) {
  const HashSum sum = g.scan(c.tokens, HashSum{}, ClassifyToken{c, t},
                             [&](u32 k, const HashSum&, const LexedToken& token) {
                               c.token_length[k] =
                                   static_cast<u16>(token.length < 0xFFFF ? token.length : 0xFFFF);
                               c.token_kind[k] = token.kind;
                             });
  g.for_each(4, [&](u32 k) {  // sentinels: nothing that ends an operand or starts a line
    const i32 at = k < 2 ? static_cast<i32>(k) - 2 : static_cast<i32>(c.tokens + k) - 2;
    c.token_kind[at] = static_cast<u8>(Token::Semi);
    c.token_length[at] = 0;
    c.token_start[at] = at < 0 ? 0 : c.bytes;
  });
  return sum;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
