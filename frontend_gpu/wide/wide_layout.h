// SPDX-License-Identifier: Apache-2.0
// number_tokens of layout.h on vectors, 16 tokens at a time. layout.h describes what it does and gives. Its functors
// take the tokens that need more than the table's row, and places whose depth is out of range.
#pragma once
#include "frontend_gpu/columns/metered_group.h"
#include "frontend_gpu/tree/layout.h"
#include "frontend_gpu/wide/wide_numbers.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

struct WideLayout {
  static constexpr u32 kLanes = 16;
  static constexpr i32 kMostWideDepth = 255;  // a depth takes a byte

  MeteredGroup& g;
  Columns& c;
  const Tables& t;

  KOMUZ_WIDE __attribute__((noinline)) LayoutSum run() const {
    LayoutSum sum = sum_of_head(c);
    for (u32 k = kept_head(c).tokens; k < c.tokens; k += kLanes) {
      const u32 n = c.tokens - k < kLanes ? c.tokens - k : kLanes;
      sum = place(k, static_cast<__mmask16>((1u << n) - 1), sum);
    }
    return sum;
  }

 private:
  // The rules of 16 tokens: the kinds of their nodes in three bytes of a lane, with flags in the fourth; and the
  // keys in the same way.
  struct Rules {
    __m512i kinds, keys;
  };
  // The counts before each of 16 tokens, in the bytes of a lane: nodes, opening brackets, closing ones, items.
  struct Sums {
    __m512i before, with;
  };

  KOMUZ_WIDE static __m512i look_up(const u8* table, __m512i index) {
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(table), index,
                                    _mm512_loadu_si512(table + 64));
  }

  KOMUZ_WIDE Rules rules(u32 k, __mmask16 real) const {
    const __m128i own = load_kinds(k), before = load_kinds(static_cast<i64>(k) - 1);
    const __m512i own_wide = _mm512_castsi128_si512(own);
    const __m512i before_wide = _mm512_castsi128_si512(before);
    // The look-ups ignore the highest bit, kFirstOnLine.
    const __m512i left = look_up(t.left_class, before_wide);
    const __m512i neighbourly =
        _mm512_or_si512(look_up(t.neighbourly, own_wide), look_up(t.neighbourly, before_wide));
    const __m512i index =
        _mm512_add_epi32(_mm512_cvtepu8_epi32(own),
                         _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(left)), 8));
    const u64* const table = &t.layout[0][0].bits;
    Rules r;
    r.kinds = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), real, index, table, 8);
    r.keys = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), real, index,
                                         reinterpret_cast<const u8*>(table) + 4, 8);
    u32 unusual = _mm_test_epi8_mask(_mm512_castsi512_si128(neighbourly),
                                     _mm512_castsi512_si128(neighbourly)) &
                  real;
    unusual |= k == 0;
    for (; unusual != 0; unusual &= unusual - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(unusual));
      const u64 bits = PlaceToken{c, t}(k + lane).rule.bits;
      const auto only = static_cast<__mmask16>(1u << lane);
      r.kinds = _mm512_mask_set1_epi32(r.kinds, only, static_cast<i32>(bits));
      r.keys = _mm512_mask_set1_epi32(r.keys, only, static_cast<i32>(bits >> 32));
    }
    return r;
  }
  KOMUZ_WIDE __m128i load_kinds(i64 k) const {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(&c.token_kind[k]));
  }

  // What a token adds to each of the four counts, by the flags of its rule.
  static constexpr u32 addend(u32 flags) {
    const u32 nodes = flags & 3, opens = flags >> 2 & 1, closes = flags >> 3 & 1,
              items = flags >> 4;
    return nodes | opens << 8 | closes << 16 | items << 24;
  }
  KOMUZ_WIDE static Sums sum_up(__m512i kinds) {
    struct Table {
      u32 row[32];
    };
    static constexpr Table kAddends = [] {
      Table table{};
      for (u32 k = 0; k < 32; ++k) table.row[k] = addend(k);
      return table;
    }();
    const __m512i own =
        _mm512_permutex2var_epi32(_mm512_loadu_si512(kAddends.row), _mm512_srli_epi32(kinds, 24),
                                  _mm512_loadu_si512(kAddends.row + 16));
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum = _mm512_add_epi32(own, _mm512_alignr_epi32(own, zero, 15));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 14));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 12));
    sum = _mm512_add_epi32(sum, _mm512_alignr_epi32(sum, zero, 8));
    return {_mm512_sub_epi32(sum, own), sum};
  }
  // The number of opening brackets minus that of closing ones.
  KOMUZ_WIDE static __m512i balance(__m512i sums) {
    const __m512i byte = _mm512_set1_epi32(0xFF);
    return _mm512_sub_epi32(_mm512_and_si512(_mm512_srli_epi32(sums, 8), byte),
                            _mm512_and_si512(_mm512_srli_epi32(sums, 16), byte));
  }

  KOMUZ_WIDE static u32 lane_of(__m512i v, u32 lane) {
    const __m512i index = _mm512_set1_epi32(static_cast<i32>(lane));
    return static_cast<u32>(
        _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_permutexvar_epi32(index, v))));
  }

  KOMUZ_WIDE LayoutSum place(u32 k, __mmask16 real, const LayoutSum& sum) const {
    const Rules r = rules(k, real);
    const Sums s = sum_up(r.kinds);
    const u32 items = has_flag(r.kinds, LayoutRule::kItem);
    // An item starts the depth anew.
    const __m512i own_balance = balance(s.before);
    __m512i depth = _mm512_add_epi32(own_balance, _mm512_set1_epi32(sum.depth));
    for (u32 m = items; m != 0; m &= m - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(m));
      const auto behind = static_cast<__mmask16>(~0u << lane);
      const __m512i there = _mm512_set1_epi32(static_cast<i32>(lane_of(depth, lane)));
      depth = _mm512_mask_sub_epi32(depth, behind, depth, there);
    }
    const __mmask16 out_of_range =
        _mm512_cmp_epu32_mask(depth, _mm512_set1_epi32(kMostWideDepth), _MM_CMPINT_NLT);
    if ((out_of_range & real) != 0) return place_each(k, real, sum);

    const u32 written = put_nodes(k, r, s, depth, sum);
    put_brackets(k, r, s, depth, sum);
    for (u32 m = items; m != 0; m &= m - 1) {
      const u32 before = lane_of(s.before, static_cast<u32>(std::countr_zero(m)));
      c.item_node[sum.items + (before >> 24)] = sum.nodes + (before & 0xFF);
    }
    const __m512i error = _mm512_set1_epi32(static_cast<i32>(0xFF00'0000u));
    if (const u32 errors = _mm512_test_epi32_mask(r.keys, error); errors != 0)
      report_errors(errors, r, s, sum);
    if (has_flag(r.kinds, LayoutRule::kGap | LayoutRule::kMatch | LayoutRule::kHole) != 0) {
      if (has_flag(r.kinds, LayoutRule::kGap) != 0) g.raise(c.flags[kIrregular]);
      if (has_flag(r.kinds, LayoutRule::kMatch) != 0) g.raise(c.flags[kMatches]);
      if (has_flag(r.kinds, LayoutRule::kHole) != 0) g.raise(c.flags[kHoles]);
    }
    const u32 total = lane_of(s.with, kLanes - 1);
    const u32 last = lane_of(
        _mm512_add_epi32(depth, _mm512_sub_epi32(balance(s.with), own_balance)), kLanes - 1);
    return {sum.nodes + written, sum.items + (total >> 24),
            sum.brackets + (total >> 8 & 0xFF) + (total >> 16 & 0xFF), static_cast<i32>(last)};
  }

  KOMUZ_WIDE static __mmask16 has_flag(__m512i kinds, u32 flags) {
    return _mm512_test_epi32_mask(kinds, _mm512_set1_epi32(static_cast<i32>(flags << 26)));
  }

  // Writes the nodes of the tokens one behind the other; returns their number.
  KOMUZ_WIDE u32 put_nodes(u32 k, const Rules& r, const Sums& s, __m512i depth,
                           const LayoutSum& sum) const {
    const __mmask64 real = _mm512_test_epi8_mask(r.kinds, _mm512_set1_epi32(0x00FF'FFFF));
    const u32 count = static_cast<u32>(std::popcount(static_cast<u64>(real)));
    const u32 n = sum.nodes;
    const __m512i zero = _mm512_setzero_si512();
    _mm512_storeu_si512(&c.kind[n], _mm512_maskz_compress_epi8(real, r.kinds));
    _mm512_storeu_si512(&c.error[n], zero);
    // Takes one byte of each lane, for all three nodes that the lane may make.
    const __m512i low = spread(depth, 0), item = spread(s.with, 3),
                  token = spread(lane_numbers(), 0);
    const __m512i keys = _mm512_maskz_compress_epi8(real, r.keys);
    const __m512i depths = _mm512_maskz_compress_epi8(real, low);
    const __m512i items = _mm512_maskz_compress_epi8(real, item);
    const __m512i tokens = _mm512_maskz_compress_epi8(real, token);
    put_keys<0>(n, keys, depths);
    if (count > 32) put_keys<1>(n + 32, keys, depths);
    put_numbers<0>(n, k, tokens, items, sum.items - 1);
    if (count > 16) put_numbers<1>(n + 16, k, tokens, items, sum.items - 1);
    if (count > 32) put_numbers<2>(n + 32, k, tokens, items, sum.items - 1);
    return count;
  }
  // Copies byte `b` of each lane to all bytes of the lane.
  KOMUZ_WIDE static __m512i spread(__m512i lanes, i32 b) {
    const __m512i from = _mm512_set4_epi32(12 * 0x0101'0101, 8 * 0x0101'0101, 4 * 0x0101'0101, 0);
    return _mm512_shuffle_epi8(lanes, _mm512_add_epi8(from, _mm512_set1_epi8(static_cast<i8>(b))));
  }
  template <i32 half>
  KOMUZ_WIDE void put_keys(u32 n, __m512i keys, __m512i depths) const {
    const __m512i key = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(keys, half));
    const __m512i depth = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(depths, half));
    const __m512i level = _mm512_mullo_epi16(depth, _mm512_set1_epi16(kKeysPerDepth));
    _mm512_storeu_si512(&c.key[n], _mm512_add_epi16(key, level));
  }
  template <i32 quarter>
  KOMUZ_WIDE void put_numbers(u32 n, u32 k, __m512i tokens, __m512i items, u32 item) const {
    const __m512i token_part = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(tokens, quarter));
    const __m512i item_part = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(items, quarter));
    _mm512_storeu_si512(&c.token[n],
                        _mm512_add_epi32(token_part, _mm512_set1_epi32(static_cast<i32>(k))));
    _mm512_storeu_si512(&c.item[n],
                        _mm512_add_epi32(item_part, _mm512_set1_epi32(static_cast<i32>(item))));
  }

  KOMUZ_WIDE void put_brackets(u32 k, const Rules& r, const Sums& s, __m512i depth,
                               const LayoutSum& sum) const {
    const __mmask16 closes = has_flag(r.kinds, LayoutRule::kCloses);
    const __mmask16 brackets = closes | has_flag(r.kinds, LayoutRule::kOpens);
    const u32 b = sum.brackets;
    const __m512i one = _mm512_set1_epi32(1), byte = _mm512_set1_epi32(0xFF);
    const __mmask16 inside = closes & _mm512_test_epi32_mask(depth, depth);
    const __m512i outside = _mm512_mask_sub_epi32(depth, inside, depth, one);
    __m512i key = _mm512_add_epi32(outside, outside);
    key = _mm512_mask_add_epi32(key, closes, key, one);
    const __m512i number = _mm512_add_epi32(lane_numbers(), _mm512_set1_epi32(static_cast<i32>(k)));
    __m512i node = _mm512_add_epi32(_mm512_and_si512(s.before, byte),
                                    _mm512_set1_epi32(static_cast<i32>(sum.nodes)));
    node = _mm512_mask_add_epi32(node, _mm512_test_epi32_mask(r.kinds, byte), node, one);
    node = _mm512_mask_sub_epi32(node, closes, node, one);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&c.bracket_key[b]),
                        _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(brackets, key)));
    _mm512_storeu_si512(&c.bracket_token[b], _mm512_maskz_compress_epi32(brackets, number));
    _mm512_storeu_si512(&c.bracket_node[b], _mm512_maskz_compress_epi32(brackets, node));
  }

  KOMUZ_WIDE __attribute__((noinline)) void report_errors(u32 errors, const Rules& r, const Sums& s,
                                                          const LayoutSum& sum) const {
    for (; errors != 0; errors &= errors - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(errors));
      const LayoutRule rule{u64{lane_of(r.keys, lane)} << 32 | lane_of(r.kinds, lane)};
      if (rule.node() == Node::None) continue;
      const u32 own =
          sum.nodes + (lane_of(s.with, lane) & 0xFF) - 1;  // a token's own node is its last
      report(g, c, own, static_cast<DiagnosticCode>(rule.error()));
    }
  }

  // Places token by token, as layout.h does.
  __attribute__((noinline)) LayoutSum place_each(u32 k, u32 real, LayoutSum sum) const {
    for (; real != 0; real >>= 1, ++k) {
      const LayoutToken token = PlaceToken{c, t}(k);
      PutToken<MeteredGroup>{g, c}(k, sum, token);
      sum = combine(sum, token);
    }
    return sum;
  }
};

inline void number_tokens(MeteredGroup& g, Columns& c, const Tables& t) {
  if (!g.wide()) return number_tokens<MeteredGroup>(g, c, t);
  g.count(c.tokens);
  keep_layout(c, WideLayout{g, c, t}.run());
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
