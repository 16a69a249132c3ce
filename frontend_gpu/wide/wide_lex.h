// SPDX-License-Identifier: Apache-2.0
// find_tokens and classify_tokens of lex.h on vectors. lex.h describes what they do and give. Positions, lengths,
// and kinds that follow from first bytes come from the bits of a block, for all of its tokens at once. Words,
// hashes and the identity come from the text of 8 tokens at a time.
#pragma once
#include "frontend_gpu/columns/metered_group.h"
#include "frontend_gpu/tree/lex.h"
#include "frontend_gpu/wide/wide_numbers.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Fills token_start, and token_length and token_kind as far as they follow from the bits.
struct WidePositions {
  Columns& c;
  const Tables& t;

  // Returns the number of tokens; stops above `limit`.
  KOMUZ_WIDE __attribute__((noinline)) u32 run(u32 limit) const {
    const KeptHead& head = kept_head(c);
    u32 n = head.tokens;
    // No token goes on from a kept head into the bytes behind it.
    u64 behind_head = bits_from(head.bytes & 63);
    for (u32 b = head.bytes / 64; b < c.blocks; ++b) {
      const u64 starts = c.starts[b] & behind_head;
      const u32 count = static_cast<u32>(std::popcount(starts));
      if (n + count > limit) return limit + 1;
      const u32 run = static_cast<u32>(std::countr_one(c.extend[b] & (0 - (behind_head & 1))));
      continue_token(static_cast<i64>(n) - 1, b, run);
      put_tokens(n, b, starts, count, behind_head & ~bits_below(run));
      n += count;
      behind_head = ~u64{0};
    }
    return n;
  }

 private:
  HD static u64 bits_below(u32 p) { return ~bits_from(p); }

  // Continues token k by `run` bytes of block b. `run` may be 0; a branch on that would be mispredicted. Before the
  // first token stands the cell of a sentinel.
  HD void continue_token(i64 k, u32 b, u32 run) const {
    const u32 length = c.token_length[k] + run;
    c.token_length[k] = static_cast<u16>(length < 0xFFFF ? length : 0xFFFF);
    const bool floaty = (c.floaty[b] & bits_below(run)) != 0;
    c.token_kind[k] += static_cast<u8>(floaty & (token_at(c, k) == Token::Int));
  }

  KOMUZ_WIDE void put_tokens(u32 n, u32 b, u64 starts, u32 count, u64 own) const {
    const u64 extend = c.extend[b];
    // A token ends where the next byte does not continue it. The block's last token may end in a later block
    // (continue_token).
    const u64 ends = (starts | extend) & ~(extend >> 1) & own;
    const __m512i numbers = byte_numbers();
    const __m512i first = _mm512_maskz_compress_epi8(starts, numbers);
    const __m512i last = _mm512_maskz_compress_epi8(ends, numbers);
    const __m512i length = _mm512_add_epi8(_mm512_sub_epi8(last, first), _mm512_set1_epi8(1));
    put_positions<0>(n, b, first);
    put_positions<1>(n, b, first);
    if (count > 32) {
      put_positions<2>(n, b, first);
      put_positions<3>(n, b, first);
    }
    put_lengths<0>(n, length);
    if (count > 32) put_lengths<1>(n, length);
    // If a token has a `.` or an exponent before its end, the carry of an addition runs from there to its end.
    const u64 inside = (starts | extend) & own & ~ends, floaty = c.floaty[b] & own;
    const u64 floaty_ends = ((inside + (floaty & inside)) | floaty) & ends;
    _mm512_storeu_si512(&c.token_kind[n], kinds(b, starts, _pext_u64(floaty_ends, ends)));
  }
  template <i32 quarter>
  KOMUZ_WIDE void put_positions(u32 n, u32 b, __m512i first) const {
    const __m512i at = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(first, quarter));
    _mm512_storeu_si512(&c.token_start[n + 16 * quarter],
                        _mm512_add_epi32(at, _mm512_set1_epi32(static_cast<i32>(64 * b))));
  }
  template <i32 half>
  KOMUZ_WIDE void put_lengths(u32 n, __m512i length) const {
    _mm512_storeu_si512(&c.token_length[n + 32 * half],
                        _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(length, half)));
  }

  // The kinds of tokens by their first bytes, with kFirstOnLine. `floaty`: bit k is set if token k of the block has
  // a `.` or an exponent.
  KOMUZ_WIDE __m512i kinds(u32 b, u64 starts, u64 floaty) const {
    const __m512i text = _mm512_loadu_si512(c.source + 64 * static_cast<size_t>(b));
    const __m512i byte = _mm512_maskz_compress_epi8(starts, text);
    __m512i kind = _mm512_permutex2var_epi8(_mm512_loadu_si512(t.first_byte), byte,
                                            _mm512_loadu_si512(t.first_byte + 64));
    const __m512i beyond_ascii = _mm512_set1_epi8(static_cast<i8>(t.first_byte[0x80]));
    kind = _mm512_mask_mov_epi8(kind, _mm512_movepi8_mask(byte), beyond_ascii);
    const __mmask64 is_int =
        _mm512_cmpeq_epi8_mask(kind, _mm512_set1_epi8(static_cast<i8>(Token::Int)));
    kind = _mm512_mask_mov_epi8(kind, is_int & floaty,
                                _mm512_set1_epi8(static_cast<i8>(Token::Float)));
    const __m512i line = _mm512_set1_epi8(static_cast<i8>(kFirstOnLine));
    const __mmask64 first_on_line = _pext_u64(c.lines[b], starts);
    return _mm512_mask_or_epi64(kind, 0xFF, kind, _mm512_maskz_mov_epi8(first_on_line, line));
  }
};

// Words, hashes and the identity, 8 tokens at a time.
struct WideClassify {
  static constexpr u32 kLanes = 8;

  Columns& c;
  const Tables& t;

  KOMUZ_WIDE __attribute__((noinline)) HashSum run() const {
    __m512i low = _mm512_setzero_si512(), high = low;
    const KeptHead& head = kept_head(c);
    for (u32 k = head.tokens; k < c.tokens; k += kLanes) {
      const u32 n = c.tokens - k < kLanes ? c.tokens - k : kLanes;
      const auto real = static_cast<__mmask8>((1u << n) - 1);
      const Product product = classify(k, real);
      low = _mm512_mask_add_epi64(low, real, low, product.low);
      high = _mm512_mask_add_epi64(high, real, high, product.high);
    }
    return {head.hash_low + static_cast<u64>(_mm512_reduce_add_epi64(low)),
            head.hash_high + static_cast<u64>(_mm512_reduce_add_epi64(high))};
  }

 private:
  struct Product {
    __m512i low, high;
  };

  KOMUZ_WIDE static __m512i all(u64 word) { return _mm512_set1_epi64(static_cast<i64>(word)); }

  KOMUZ_WIDE Product classify(u32 k, __mmask8 real) const {
    const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&c.token_start[k]));
    __m512i length = _mm512_cvtepu16_epi64(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(&c.token_length[k])));
    __m512i kind =
        _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&c.token_kind[k])));
    __m512i text = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), real, start, c.source, 1);
    const __m512i drop =
        _mm512_sub_epi64(all(64), _mm512_slli_epi64(_mm512_min_epu64(length, all(8)), 3));
    text = _mm512_srlv_epi64(_mm512_sllv_epi64(text, drop), drop);
    const __mmask8 is_long = _mm512_mask_cmpgt_epu64_mask(real, length, all(8));
    for (u32 m = is_long; m != 0; m &= m - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(m));
      const auto only = static_cast<__mmask8>(1u << lane);
      const u32 exact = exact_length(k + lane);
      length = _mm512_mask_set1_epi64(length, only, exact);
      text = _mm512_mask_set1_epi64(
          text, only, static_cast<i64>(text_key(c.source + c.token_start[k + lane], exact)));
    }

    const __m512i mixed = _mm512_mullo_epi64(text, all(mix_text(1)));
    const __m512i slot = _mm512_srli_epi64(mixed, kWordSlotShift);
    const __m512i word =
        _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), real, slot, t.word_text, 8);
    const __mmask8 is_word =
        _mm512_mask_cmpeq_epi64_mask(static_cast<__mmask8>(real & ~is_long), word, text);
    // Reads four bytes at each slot; the first is the token's kind.
    static_assert(offsetof(Tables, word_token) + sizeof(Tables::word_token) + 4 <= sizeof(Tables));
    const __m512i four = _mm512_cvtepu32_epi64(
        _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), is_word, slot, t.word_token, 1));
    const __m512i line = _mm512_and_si512(kind, all(kFirstOnLine));
    kind = _mm512_mask_or_epi64(kind, is_word, line, _mm512_and_si512(four, all(0xFF)));

    _mm_storel_epi64(reinterpret_cast<__m128i*>(&c.token_kind[k]), _mm512_cvtepi64_epi8(kind));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&c.token_hash[k]),
                        _mm512_cvtepi64_epi32(_mm512_xor_si512(_mm512_srli_epi64(mixed, 32),
                                                               _mm512_srli_epi64(mixed, 53))));
    const __m512i number = _mm512_add_epi64(all(k), _mm512_set_epi64(8, 7, 6, 5, 4, 3, 2, 1));
    const __m512i what = _mm512_or_si512(_mm512_slli_epi64(kind, 32), length);
    const __m512i seed = _mm512_add_epi64(what, _mm512_mullo_epi64(number, all(kPlaceFactor)));
    return multiply(_mm512_xor_si512(text, all(kTextKey)), _mm512_xor_si512(seed, all(kSeedKey)));
  }
  // The column holds only 16 bits of a length.
  HD u32 exact_length(u32 k) const {
    const u32 length = c.token_length[k];
    return length < 0xFFFF ? length
                           : token_span(c, c.token_start[k] >> 6, c.token_start[k] & 63).length;
  }
  // Both halves of the products, as in base/hash.h, from halves of 32 bits.
  KOMUZ_WIDE static Product multiply(__m512i a, __m512i b) {
    const __m512i a_high = _mm512_srli_epi64(a, 32), b_high = _mm512_srli_epi64(b, 32);
    const __m512i low = _mm512_mul_epu32(a, b), high = _mm512_mul_epu32(a_high, b_high);
    const __m512i one = _mm512_add_epi64(_mm512_mul_epu32(a_high, b), _mm512_srli_epi64(low, 32));
    const __m512i half = all(0xFFFF'FFFFu);
    const __m512i other =
        _mm512_add_epi64(_mm512_mul_epu32(a, b_high), _mm512_and_si512(one, half));
    return {_mm512_or_si512(_mm512_slli_epi64(other, 32), _mm512_and_si512(low, half)),
            _mm512_add_epi64(
                high, _mm512_add_epi64(_mm512_srli_epi64(one, 32), _mm512_srli_epi64(other, 32)))};
  }
};

inline bool find_tokens(MeteredGroup& g, Columns& c, u32 limit) {
  if (!g.wide()) return find_tokens<MeteredGroup>(g, c, limit);
  mark_tokens(g, c);
  g.count(c.blocks);
  c.tokens = WidePositions{c, tables()}.run(limit);
  return c.tokens <= limit;
}
inline HashSum classify_tokens(MeteredGroup& g, Columns& c, const Tables& t) {
  if (!g.wide()) return classify_tokens<MeteredGroup>(g, c, t);
  g.count(c.tokens);
  const HashSum sum = WideClassify{c, t}.run();
  put_sentinels(g, c);
  return sum;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
