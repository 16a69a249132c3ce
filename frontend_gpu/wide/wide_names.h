// SPDX-License-Identifier: Apache-2.0
// list_names of names.h on vectors, 64 nodes at a time. names.h describes what it does and gives.
#pragma once
#include "frontend_gpu/columns/metered_group.h"
#include "frontend_gpu/names/names.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

struct WideNames {
  static constexpr u32 kLanes = 64;

  MeteredGroup& g;
  Columns& c;

  KOMUZ_WIDE __attribute__((noinline)) NameCounts run() const {
    const KeptHead& head = kept_head(c);
    for (u32 k = 0; k < head.open; ++k) c.ref[head.open_nodes[k]] = kNone;
    NameCounts sum{head.binds};
    for (u32 k = head.nodes; k < c.nodes; k += kLanes) {
      const u64 real = c.nodes - k < kLanes ? (1ull << (c.nodes - k)) - 1 : ~0ull;
      sum = list(k, real, sum);
    }
    return sum;
  }

 private:
  KOMUZ_WIDE NameCounts list(u32 k, u64 real, const NameCounts& before) const {
    const NameListing& listing = kNameListing;
    const __m512i what =
        _mm512_permutex2var_epi8(_mm512_loadu_si512(listing.row), _mm512_loadu_si512(&c.role[k]),
                                 _mm512_loadu_si512(listing.row + 64));
    const auto has = [&](u8 asked) KOMUZ_WIDE {
      return real & _mm512_test_epi8_mask(what, _mm512_set1_epi8(static_cast<i8>(asked)));
    };
    const u64 binds = has(NameListing::kBinds);
    u64 uses = has(NameListing::kUses);
    for (u64 m = has(NameListing::kMayUse); m != 0; m &= m - 1)
      if (names_type(c, k + static_cast<u32>(std::countr_zero(m)))) uses |= m & -m;
    put_numbers(&c.bind_node[before.binds], k, binds);
    put_numbers(&c.use_node[before.uses], k, uses);
    put_references<0>(k, before.binds, binds);
    put_references<1>(k, before.binds, binds);
    put_references<2>(k, before.binds, binds);
    put_references<3>(k, before.binds, binds);
    NameCounts sum = combine(
        before, {static_cast<u32>(std::popcount(binds)), static_cast<u32>(std::popcount(uses)), 0});
    u64 may_have_entry = has(NameListing::kMayEnter);
    for (; may_have_entry != 0; may_have_entry &= may_have_entry - 1) {
      const Index i = k + static_cast<u32>(std::countr_zero(may_have_entry));
      if (has_side_entry(c, i)) c.traps_node[sum.traps++] = i;
    }
    return sum;
  }

  // Writes the numbers of the chosen nodes one behind the other.
  KOMUZ_WIDE static void put_numbers(Index* out, u32 k, u64 chosen) {
    const __m512i numbers = _mm512_maskz_compress_epi8(chosen, byte_numbers());
    const u32 count = static_cast<u32>(std::popcount(chosen));
    const __m512i first = _mm512_set1_epi32(static_cast<i32>(k));
    const auto put = [&](u32 from, __m128i part) KOMUZ_WIDE {
      _mm512_storeu_si512(out + from, _mm512_add_epi32(_mm512_cvtepu8_epi32(part), first));
    };
    put(0, _mm512_castsi512_si128(numbers));
    if (count > 16) put(16, _mm512_extracti32x4_epi32(numbers, 1));
    if (count > 32) put(32, _mm512_extracti32x4_epi32(numbers, 2));
    if (count > 48) put(48, _mm512_extracti32x4_epi32(numbers, 3));
  }

  // Writes for a quarter of the nodes the number of each node's own binding, or kNone if the node binds nothing.
  template <u32 quarter>
  KOMUZ_WIDE void put_references(u32 k, u32 first, u64 binds) const {
    const u64 below = binds & ((1ull << 16 * quarter) - 1);
    const u32 number = first + static_cast<u32>(std::popcount(below));
    const __m512i numbers =
        _mm512_add_epi32(lane_numbers(), _mm512_set1_epi32(static_cast<i32>(number)));
    const auto mask = static_cast<__mmask16>(binds >> 16 * quarter);
    _mm512_storeu_si512(&c.ref[k + 16 * quarter],
                        _mm512_mask_expand_epi32(_mm512_set1_epi32(-1), mask, numbers));
  }
};

inline void list_names(MeteredGroup& g, Columns& c) {
  if (!g.wide()) return list_names<MeteredGroup>(g, c);
  g.count(c.nodes);
  keep_names(c, WideNames{g, c}.run());
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
