// SPDX-License-Identifier: Apache-2.0
// The lists of lists.h, and what shape.h, synthesise.h and check_types.h do with nodes without children, on
// vectors, 16 nodes at a time. Those files describe what each does and gives.
#pragma once
#include "frontend_gpu/columns/metered_group.h"
#include "frontend_gpu/tree/lists.h"
#include "frontend_gpu/tree/shape.h"
#include "frontend_gpu/types/check_types.h"
#include "frontend_gpu/types/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Which nodes of a program are chosen. Up to 128 nodes take a byte each, so one instruction looks up 64 of them.
struct ChosenNodes {
  static constexpr u32 kMost = 128;

  __m512i low, high;

  // masks(i) says which of the 16 nodes from i on are chosen.
  template <class Masks>
  KOMUZ_WIDE static ChosenNodes of(u32 nodes, Masks masks) {
    const auto row = [&](u32 i) KOMUZ_WIDE {
      return _mm512_movm_epi8(u64{masks(i)} | u64{masks(i + 16)} << 16 | u64{masks(i + 32)} << 32 |
                              u64{masks(i + 48)} << 48);
    };
    return {row(0), nodes > 64 ? row(64) : _mm512_setzero_si512()};
  }
  // The bytes of 64 nodes, whose numbers are bytes.
  [[nodiscard]] KOMUZ_WIDE __m512i at(__m512i numbers) const {
    return _mm512_permutex2var_epi8(low, numbers, high);
  }
};

class WideLists {
 public:
  static constexpr u32 kLanes = 16;

  explicit WideLists(Columns& columns) : c(columns), first_(kept_head(columns).ranks) {}

  KOMUZ_WIDE __attribute__((noinline)) u32 untyped() const {
    const __m512i all = _mm512_set1_epi32(-1);
    const auto waiting = [&](__m128i visits, __mmask16 typed) KOMUZ_WIDE -> __mmask16 {
      const __mmask16 variable = has(visits, Visits::kVariable);
      return static_cast<__mmask16>(
          ~(has(visits, Visits::kIdle | Visits::kLiteral) | (variable & typed)));
    };
    if (is_short())
      return put_chosen(
          &c.order[first_], c.nodes - first_, ChosenNodes::of(c.nodes, [&](u32 i) KOMUZ_WIDE {
            const __m128i roles = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&c.role[i]));
            return waiting(visits_of_roles(roles),
                           _mm512_test_epi32_mask(_mm512_loadu_si512(&c.type[i]), all));
          }));
    u32 count = 0;
    for (u32 r = first_; r < c.nodes; r += kLanes) {
      const __m512i order = _mm512_loadu_si512(&c.order[r]);
      const __mmask16 real = real_lanes(r);
      const __m128i visits = visits_by(real, order);
      const __mmask16 variable = has(visits, Visits::kVariable);
      const __mmask16 typed =
          _mm512_test_epi32_mask(gather(variable & real, order, &c.type[0]), all);
      count += put(&c.listed[count], real & waiting(visits, typed), order);
    }
    return count;
  }

  KOMUZ_WIDE __attribute__((noinline)) NodeCounts live() const {
    NodeCounts sum;
    if (is_short()) {
      const ChosenNodes visits{wide_visits(0), wide_visits(64)};
      for (u32 r = first_; r < c.nodes; r += 64) {
        const __m512i order = bytes_of(&c.order[r]);
        put_live(sum, order, visits.at(order), lanes_below(c.nodes - r));
      }
      return sum;
    }
    for (u32 r = first_; r < c.nodes; r += kLanes) {
      const __m512i order = _mm512_loadu_si512(&c.order[r]);
      const __mmask16 real = real_lanes(r);
      const __m128i visits = visits_by(real, order);
      const __mmask16 idle = has(visits, Visits::kIdle);
      const __mmask16 leaf = has(visits, Visits::kVariable | Visits::kLiteral);
      sum.live += put(&c.live[sum.live], real & ~idle, order);
      const __mmask16 inner = real & ~idle & ~leaf, literals = real & has(visits, Visits::kLiteral);
      put_only(&c.listed[sum.inner], inner, order);
      sum.inner += size_of(inner);
      sum.literals += size_of(literals);
      put_only(&c.listed[c.nodes - sum.literals], literals, order);
    }
    return sum;
  }

  KOMUZ_WIDE __attribute__((noinline)) u32 marked(u32 marks) const {
    const __m512i bits = _mm512_set1_epi32(static_cast<i32>(marks));
    if (is_short())
      return put_chosen(&c.live[0], c.live_nodes, ChosenNodes::of(c.nodes, [&](u32 i) KOMUZ_WIDE {
        return _mm512_test_epi32_mask(_mm512_loadu_si512(&c.offset[i]), bits);
      }));
    u32 count = 0;
    for (u32 k = 0; k < c.live_nodes; k += kLanes) {
      const __m512i live = _mm512_loadu_si512(&c.live[k]);
      const auto real = static_cast<__mmask16>(lanes_below(c.live_nodes - k));
      const __mmask16 chosen =
          _mm512_mask_test_epi32_mask(real, gather(real, live, &c.offset[0]), bits);
      count += put(&c.listed[count], chosen, live);
    }
    return count;
  }

  // Calls visit(i, mask); the mask says which of the 16 nodes from i on exist. Nodes of a kept head are left out.
  template <class Visit>
  KOMUZ_WIDE void each_row(Visit visit) const {
    for (u32 i = kept_head(c).nodes; i < c.nodes; i += kLanes) visit(i, real_lanes(i));
  }
  // The nodes whose roles have one of the visits `asked`.
  KOMUZ_WIDE static __mmask16 has(__m128i visits, u8 asked) {
    return _mm_test_epi8_mask(visits, _mm_set1_epi8(static_cast<i8>(asked)));
  }
  KOMUZ_WIDE static __m128i visits_of_roles(__m128i roles) {
    return _mm512_castsi512_si128(visits_of_roles(_mm512_castsi128_si512(roles)));
  }

 private:
  Columns& c;
  const u32 first_;  // by rank; the nodes before it belong to a kept head

  [[nodiscard]] bool is_short() const { return c.nodes <= ChosenNodes::kMost; }
  KOMUZ_WIDE static u64 lanes_below(u32 left) { return left < 64 ? (u64{1} << left) - 1 : ~u64{0}; }
  KOMUZ_WIDE __mmask16 real_lanes(u32 first) const {
    return static_cast<__mmask16>(lanes_below(c.nodes - first));
  }

  // Takes 64 nodes at a time, whose numbers are bytes.

  KOMUZ_WIDE static __m512i visits_of_roles(__m512i roles) {
    const Visits& visits = kVisits;
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(visits.row), roles,
                                    _mm512_loadu_si512(visits.row + 64));
  }
  KOMUZ_WIDE __m512i wide_visits(u32 i) const {
    return visits_of_roles(_mm512_loadu_si512(&c.role[i]));
  }
  KOMUZ_WIDE static __m512i bytes_of(const u32* numbers) {
    const auto bytes = [&](u32 k) KOMUZ_WIDE {
      return _mm512_cvtepi32_epi8(_mm512_loadu_si512(numbers + k));
    };
    const __m256i low = _mm256_set_m128i(bytes(16), bytes(0));
    const __m256i high = _mm256_set_m128i(bytes(48), bytes(32));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  KOMUZ_WIDE u32 put_chosen(const u32* numbers, u32 count, const ChosenNodes& chosen) const {
    u32 listed = 0;
    for (u32 r = 0; r < count; r += 64) {
      const __m512i bytes = bytes_of(numbers + r);
      const u64 lanes = _mm512_movepi8_mask(chosen.at(bytes)) & lanes_below(count - r);
      listed += put_bytes(&c.listed[listed], lanes, bytes);
    }
    return listed;
  }
  KOMUZ_WIDE void put_live(NodeCounts& sum, __m512i order, __m512i visits, u64 real) const {
    const auto has = [&](u8 asked) KOMUZ_WIDE {
      return real & _mm512_test_epi8_mask(visits, _mm512_set1_epi8(static_cast<i8>(asked)));
    };
    const u64 live = real & ~has(Visits::kIdle), literals = has(Visits::kLiteral);
    const u64 inner = live & ~has(Visits::kVariable | Visits::kLiteral);
    sum.live += put_bytes(&c.live[sum.live], live, order);
    put_only_bytes(&c.listed[sum.inner], inner, order);
    sum.inner += size_of(inner);
    sum.literals += size_of(literals);
    put_only_bytes(&c.listed[c.nodes - sum.literals], literals, order);
  }
  // Writes the chosen numbers one behind the other, and behind them as many others as fill 16. Returns how many are
  // chosen.
  KOMUZ_WIDE static u32 put_bytes(u32* out, u64 chosen, __m512i numbers) {
    const u32 count = size_of(chosen);
    const __m512i packed = _mm512_maskz_compress_epi8(chosen, numbers);
    _mm512_storeu_si512(out, widened<0>(packed));
    if (count > 16) _mm512_storeu_si512(out + 16, widened<1>(packed));
    if (count > 32) _mm512_storeu_si512(out + 32, widened<2>(packed));
    if (count > 48) _mm512_storeu_si512(out + 48, widened<3>(packed));
    return count;
  }
  // Writes the chosen numbers, and nothing behind them.
  KOMUZ_WIDE static void put_only_bytes(u32* out, u64 chosen, __m512i numbers) {
    const u64 first = lanes_below(size_of(chosen));
    const __m512i packed = _mm512_maskz_compress_epi8(chosen, numbers);
    const auto put = [&](u32 k, __m512i words) KOMUZ_WIDE {
      _mm512_mask_storeu_epi32(out + k, static_cast<__mmask16>(first >> k), words);
    };
    put(0, widened<0>(packed));
    if (first >> 16 == 0) return;
    put(16, widened<1>(packed));
    put(32, widened<2>(packed));
    put(48, widened<3>(packed));
  }
  template <int quarter>
  KOMUZ_WIDE static __m512i widened(__m512i bytes) {
    return _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, quarter));
  }

  // Takes 16 nodes at a time.

  KOMUZ_WIDE static __m512i gather(__mmask16 lanes, __m512i at, const u32* column) {
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, at, column, 4);
  }
  // The visits of the node in each lane.
  KOMUZ_WIDE __m128i visits_by(__mmask16 lanes, __m512i nodes) const {
    const __m512i words =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, nodes, &c.role[0], 1);
    return visits_of_roles(_mm512_cvtepi32_epi8(words));
  }
  // Writes the chosen numbers one behind the other; returns how many there are.
  KOMUZ_WIDE static u32 put(u32* out, __mmask16 chosen, __m512i numbers) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(chosen, numbers));
    return size_of(chosen);
  }
  // Writes the chosen numbers, and nothing behind them.
  KOMUZ_WIDE static void put_only(u32* out, __mmask16 chosen, __m512i numbers) {
    const auto first = static_cast<__mmask16>((1u << size_of(chosen)) - 1);
    _mm512_mask_storeu_epi32(out, first, _mm512_maskz_compress_epi32(chosen, numbers));
  }
  KOMUZ_WIDE static u32 size_of(u64 lanes) { return static_cast<u32>(std::popcount(lanes)); }
};

inline u32 list_untyped(MeteredGroup& g, Columns& c) {
  if (!g.wide()) return list_untyped<MeteredGroup>(g, c);
  g.count(c.nodes);
  return WideLists(c).untyped();
}
inline NodeCounts list_live(MeteredGroup& g, Columns& c) {
  if (!g.wide()) return list_live<MeteredGroup>(g, c);
  g.count(c.nodes);
  const NodeCounts sum = WideLists(c).live();
  c.live_nodes = sum.live;
  return sum;
}
inline u32 list_marked(MeteredGroup& g, Columns& c, u32 marks) {
  if (!g.wide()) return list_marked<MeteredGroup>(g, c, marks);
  g.count(c.live_nodes);
  return WideLists(c).marked(marks);
}

struct WideLeaves {
  MeteredGroup& g;
  Columns& c;

  KOMUZ_WIDE __attribute__((noinline)) void check_shape(
      const CheckShape<MeteredGroup>& check) const {
    const u64 looked_at =
        u64{static_cast<u32>(kNeedsLeft | kNeedsRight | check.unusual)} << 48 | 0xFFFF'0000u;
    const __m512i odd_bits = _mm512_set1_epi64(static_cast<i64>(looked_at));
    WideLists(c).each_row([&](u32 i, __mmask16 real) KOMUZ_WIDE {
      const __m512i begin = _mm512_loadu_si512(&c.begin[i]), end = _mm512_loadu_si512(&c.end[i]);
      const __mmask16 leaves =
          _mm512_mask_cmpeq_epi32_mask(real, _mm512_sub_epi32(end, begin), _mm512_set1_epi32(1));
      const __m512i contexts = _mm512_cvtepu8_epi32(bytes(&c.context[i]));
      const __m512i kinds = _mm512_cvtepu8_epi32(bytes(&c.kind[i]));
      static_assert(kGrammarColumns == 128);
      const __m512i at = _mm512_or_si512(_mm512_slli_epi32(contexts, 7), kinds);
      const auto mask = static_cast<u32>(leaves);
      const __m512i low = rules(check.t, static_cast<__mmask8>(mask), _mm512_castsi512_si256(at));
      const __m512i high =
          rules(check.t, static_cast<__mmask8>(mask >> 8), _mm512_extracti64x4_epi64(at, 1));
      u32 odd = _mm512_test_epi64_mask(low, odd_bits) |
                static_cast<u32>(_mm512_test_epi64_mask(high, odd_bits)) << 8;
      const __m128i errors = bytes(&c.error[i]);
      odd |= _mm_test_epi8_mask(errors, errors);
      const __m128i roles = _mm_unpacklo_epi64(_mm512_cvtepi64_epi8(_mm512_srli_epi64(low, 32)),
                                               _mm512_cvtepi64_epi8(_mm512_srli_epi64(high, 32)));
      const __m128i types = _mm_unpacklo_epi64(_mm512_cvtepi64_epi8(_mm512_srli_epi64(low, 40)),
                                               _mm512_cvtepi64_epi8(_mm512_srli_epi64(high, 40)));
      _mm_mask_storeu_epi8(&c.role[i], leaves, roles);
      _mm512_mask_storeu_epi32(&c.type[i], leaves, _mm512_cvtepu8_epi32(types));
      for (odd &= mask; odd != 0; odd &= odd - 1)
        check.leaf(i + static_cast<u32>(std::countr_zero(odd)));
    });
    const KeptHead& head = kept_head(c);
    for (u32 k = 0; k < head.open; ++k)
      if (!has_children(c, head.open_nodes[k])) check.leaf(head.open_nodes[k]);
  }

  KOMUZ_WIDE __attribute__((noinline)) void type_variables() const {
    // If there are no more bindings than two vectors hold, types are looked up in these vectors.
    const bool are_few = c.binds <= 2 * WideLists::kLanes;
    const __m512i first = _mm512_loadu_si512(&c.bind_type[0]),
                  second = _mm512_loadu_si512(&c.bind_type[WideLists::kLanes]);
    WideLists(c).each_row([&](u32 i, __mmask16 real) KOMUZ_WIDE {
      const __mmask16 variables = real & are_variables(i);
      const __m512i refs = _mm512_loadu_si512(&c.ref[i]);
      const __m512i types = are_few ? _mm512_permutex2var_epi32(first, refs, second)
                                    : _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), variables,
                                                                  refs, &c.bind_type[0], 4);
      _mm512_mask_storeu_epi32(&c.type[i], variables, types);
    });
  }

  KOMUZ_WIDE __attribute__((noinline)) void check_variables(
      const CheckTypes<MeteredGroup>& check) const {
    WideLists(c).each_row([&](u32 i, __mmask16 real) KOMUZ_WIDE {
      const __mmask16 variables = real & are_variables(i);
      const __m512i types = _mm512_loadu_si512(&c.type[i]), wants = _mm512_loadu_si512(&c.want[i]);
      const __mmask16 scalar = _mm512_cmplt_epu32_mask(
          _mm512_sub_epi32(types, _mm512_set1_epi32(1)), _mm512_set1_epi32(8));
      const __mmask16 wanted =
          _mm512_cmpeq_epi32_mask(types, wants) | _mm512_testn_epi32_mask(wants, wants);
      for (u32 odd = variables & ~(scalar & wanted) & 0xFFFFu; odd != 0; odd &= odd - 1)
        check.variable(i + static_cast<u32>(std::countr_zero(odd)));
    });
  }

 private:
  KOMUZ_WIDE static __m128i bytes(const void* at) {
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
  }
  KOMUZ_WIDE static __m512i rules(const Tables& t, __mmask8 lanes, __m256i at) {
    return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), lanes, at, &t.grammar[0][0], 8);
  }
  KOMUZ_WIDE __mmask16 are_variables(u32 i) const {
    return WideLists::has(WideLists::visits_of_roles(bytes(&c.role[i])), Visits::kVariable);
  }
};

inline void check_leaves(MeteredGroup& g, Columns& c, const CheckShape<MeteredGroup>& check,
                         u32 inner) {
  if (!g.wide()) return check_leaves<MeteredGroup>(g, c, check, inner);
  g.count(c.nodes - inner);
  WideLeaves{g, c}.check_shape(check);
}
inline void type_variables(MeteredGroup& g, Columns& c) {
  if (!g.wide()) return type_variables<MeteredGroup>(g, c);
  g.count(c.uses);
  WideLeaves{g, c}.type_variables();
}
inline void check_variables(MeteredGroup& g, Columns& c, const CheckTypes<MeteredGroup>& check) {
  if (!g.wide()) return check_variables<MeteredGroup>(g, c, check);
  g.count(c.uses);
  WideLeaves{g, c}.check_variables(check);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
