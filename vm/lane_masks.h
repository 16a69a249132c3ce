// SPDX-License-Identifier: Apache-2.0
// Sets of lanes of a tile (active, waiting, trapped), and the lanes' ticks. tile.h has their invariants.
//
// Frequent operations take the number of words in use as their argument `words`. Handlers for one word, which is a
// register, run tiles of up to 64 lanes; handlers for all words run the others. Rare operations look at all words of
// `active`, where unused words are 0; in a set of waiting lanes unused words are meaningless. Compiled once for each
// instruction set, in its namespace.
#pragma once
#include "lang/ops/op_eval.h"
#include "vm/tile.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// Bit i: lane i of the mask is set.
template <class M>
HD u64 mask_bits(M mask) {
  if constexpr (sizeof(M) > kRegisterBytes) {
    const auto parts = bits_as<Halves<M>>(mask);
    return mask_bits(parts.low) | (mask_bits(parts.high) << (lane_count<M> / 2));
  } else if constexpr (sizeof(M) == 8) {
    return mask_bits(widen_to_register(mask)) & ((u64{1} << lane_count<M>)-1);
  } else if constexpr (sizeof(M) == 16) {
    if constexpr (lane_bits<M> == 8)
      return static_cast<u32>(_mm_movemask_epi8(bits_as<__m128i>(mask)));
    else if constexpr (lane_bits<M> == 32)
      return static_cast<u32>(_mm_movemask_ps(bits_as<__m128>(mask)));
    else
      return static_cast<u32>(_mm_movemask_pd(bits_as<__m128d>(mask)));
  }
#if defined(__AVX2__)
  else if constexpr (sizeof(M) == 32) {
    if constexpr (lane_bits<M> == 8)
      return static_cast<u32>(_mm256_movemask_epi8(bits_as<__m256i>(mask)));
    else if constexpr (lane_bits<M> == 32)
      return static_cast<u32>(_mm256_movemask_ps(bits_as<__m256>(mask)));
    else
      return static_cast<u32>(_mm256_movemask_pd(bits_as<__m256d>(mask)));
  }
#endif
#if defined(__AVX512F__)
  else if constexpr (sizeof(M) == 64) {
    if constexpr (lane_bits<M> == 8)
      return _mm512_movepi8_mask(bits_as<__m512i>(mask));
    else if constexpr (lane_bits<M> == 32)
      return _mm512_movepi32_mask(bits_as<__m512i>(mask));
    else
      return _mm512_movepi64_mask(bits_as<__m512i>(mask));
  }
#endif
}

#if defined(__AVX512F__)
// In AVX-512 comparisons make bits, which would become a mask of lanes and then bits again: the compiler does not see
// through this.
template <Op comparison, class V>
HD u64 compare_registers(V a, V b) {
  constexpr u32 row = comparison_number(comparison);
  if constexpr (is_float_lanes<V>) {
    constexpr int kPredicates[] = {_CMP_EQ_OQ, _CMP_NEQ_UQ, _CMP_LT_OQ,
                                   _CMP_LE_OQ, _CMP_GT_OQ,  _CMP_GE_OQ};
    constexpr int predicate = kPredicates[row];
    if constexpr (lane_bits<V> == 32)
      return _mm512_cmp_ps_mask(bits_as<__m512>(a), bits_as<__m512>(b), predicate);
    else
      return _mm512_cmp_pd_mask(bits_as<__m512d>(a), bits_as<__m512d>(b), predicate);
  } else {
    constexpr int kPredicates[] = {_MM_CMPINT_EQ, _MM_CMPINT_NE,  _MM_CMPINT_LT,
                                   _MM_CMPINT_LE, _MM_CMPINT_NLE, _MM_CMPINT_NLT};
    constexpr int predicate = kPredicates[row];
    const auto x = bits_as<__m512i>(a), y = bits_as<__m512i>(b);
    if constexpr (lane_bits<V> == 8)
      return _mm512_cmp_epu8_mask(x, y, predicate);
    else if constexpr (lane_bits<V> == 32 && is_signed_lanes<V>)
      return _mm512_cmp_epi32_mask(x, y, predicate);
    else if constexpr (lane_bits<V> == 32)
      return _mm512_cmp_epu32_mask(x, y, predicate);
    else if constexpr (is_signed_lanes<V>)
      return _mm512_cmp_epi64_mask(x, y, predicate);
    else
      return _mm512_cmp_epu64_mask(x, y, predicate);
  }
}
#endif

// Bit i: the comparison is true for lanes i of a and b.
template <Op comparison, class V>
HD u64 compare_bits(V a, V b) {
  static_assert(sizeof(V) <= kRegisterBytes, "the compiler compares wider ones lane by lane");
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == kRegisterBytes)
    return compare_registers<comparison>(a, b);
  else
#endif
    return mask_bits(evaluate_compare<comparison>(a, b));
}

// Lanes of `fresh` where the bit is set, else of `old`.
template <class V>
HD V blend(u64 bits, V fresh, V old) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    const auto a = bits_as<__m512i>(old), b = bits_as<__m512i>(fresh);
    if constexpr (lane_bits<V> == 8)
      return bits_as<V>(_mm512_mask_blend_epi8(bits, a, b));
    else if constexpr (lane_bits<V> == 32)
      return bits_as<V>(_mm512_mask_blend_epi32(static_cast<__mmask16>(bits), a, b));
    else
      return bits_as<V>(_mm512_mask_blend_epi64(static_cast<__mmask8>(bits), a, b));
  } else if constexpr (sizeof(V) == 16 && lane_bits<V> == 8) {
    return bits_as<V>(_mm_mask_blend_epi8(static_cast<__mmask16>(bits), bits_as<__m128i>(old),
                                          bits_as<__m128i>(fresh)));
  } else
#endif
  {
    static_assert(lane_count<V> <= lane_bits<V>, "a bit for each lane");
    using U = UnsignedLanes<V>;
    U lane_bit{};
    for (u32 i = 0; i < lane_count<V>; ++i) lane_bit[i] = Element<U>{1} << i;
    return select<V>((splat<U>(static_cast<Element<U>>(bits)) & lane_bit) != U{}, fresh, old);
  }
}

// The bits of 64 bools.
HD u64 bool_bits(const char* bools) {
  constexpr u32 kLanes = kRegisterBytes;
  using V = Vector<i8, kLanes>;
  u64 bits = 0;
  for (u32 at = 0; at < 64; at += kLanes) {
    V v;
    __builtin_memcpy(&v, bools + at, sizeof v);
    bits |= mask_bits(static_cast<V>(v != V{})) << at;
  }
  return bits;
}

// The next two functions have no branches.
HD const char* operand_address(const Tile& t, Operand operand) {
  const i64 frame = reinterpret_cast<i64>(t.frame) & -((operand & kFromFrame) / kFromFrame);
  return reinterpret_cast<const char*>(frame + (operand & ~kOperandBits));
}
// The bytes from one lane to the next; 0 if all lanes have one value.
HD i64 operand_step(i64 bytes, Operand operand) { return bytes & -(operand & kForEachLane); }

template <u32 words>
HD bool is_empty(const LaneMask& m) {
  u64 any = 0;
  for (u32 k = 0; k < words; ++k) any |= m.words[k];
  return any == 0;
}
template <u32 words>
HD void clear(LaneMask& m) {
  for (u32 k = 0; k < words; ++k) m.words[k] = 0;
}

// Word `k` of the set of the first `count` lanes.
HD u64 lanes_below(u32 count, u32 k) {
  return count >= k * 64 + 64 ? ~u64{0} : count > k * 64 ? (u64{1} << (count - k * 64)) - 1 : 0;
}

// Must be called after `active` has changed.
template <u32 words>
HD void note_active(Tile& t) {
  for (u32 k = words; k-- > 0;) {
    if (t.active.words[k] == 0) continue;
    t.lanes = k * 64 + 64 - static_cast<u32>(__builtin_clzll(t.active.words[k]));
    return;
  }
  t.lanes = 0;
}

HD bool is_set(const LaneMask& m, u32 lane) { return (m.words[lane / 64] >> (lane % 64) & 1) != 0; }

// Bit i: lane `lane` + i is active. For the lanes of a vector that starts there.
HD u64 active_bits(const Tile& t, u32 lane) { return t.active.words[lane / 64] >> (lane % 64); }

// The fuel that a lane's case has used, without the ticks of the lane's set.
HD u64& fuel_of(Tile& t, u32 lane) { return t.fuel[t.rows[lane]]; }
HD u64 fuel_of(const Tile& t, u32 lane) { return t.fuel[t.rows[lane]]; }

// Adds `ticks`, modulo 2^64, to the fuel of each of the lanes.
template <u32 words>
[[gnu::noinline]] void add_fuel(Tile& t, const LaneMask& lanes, u64 ticks) {
  t.fuel_differs = true;
  for (u32 k = 0; k < words; ++k)
    for (u64 bits = lanes.words[k]; bits != 0; bits &= bits - 1)
      fuel_of(t, k * 64 + static_cast<u32>(__builtin_ctzll(bits))) += ticks;
}

// Adds the ticks of the departed lanes to `fuel`.
template <u32 words>
[[gnu::noinline]] void settle_departures(Tile& t) {
  Departures& d = t.departures;
  t.fuel_differs = true;
  for (u32 k = 0; k < words; ++k) {
    for (u64 bits = d.lanes.words[k]; bits != 0; bits &= bits - 1) {
      const u32 lane = k * 64 + static_cast<u32>(__builtin_ctzll(bits));
      fuel_of(t, lane) += d.ticks[d.step[lane]];
    }
    d.lanes.words[k] = 0;
  }
  d.steps = 0;
}

// Lanes leave for `w`, whose ticks differ from theirs by `ticks`.
template <u32 words>
HD void depart(Tile& t, [[maybe_unused]] const Waiting& w, const LaneMask& lanes, u64 ticks) {
#if defined(__AVX512F__)
  Departures& d = t.departures;
  if (d.steps != 0 && d.to != &w) settle_departures<words>(t);
  d.to = &w;
  const __m512i step = _mm512_set1_epi8(static_cast<char>(d.steps));
  d.ticks[d.steps++] = ticks;
  for (u32 k = 0; k < words; ++k) {
    _mm512_mask_storeu_epi8(d.step + k * 64, lanes.words[k], step);
    d.lanes.words[k] |= lanes.words[k];
  }
#else  // without stores for the bits of a set
  add_fuel<words>(t, lanes, ticks);
#endif
}

// Lanes that are not active any more wait in `w`.
template <u32 words>
HD void join(Tile& t, Waiting& w, const LaneMask& lanes) {
  if (is_empty<words>(w.lanes)) {
    w.ticks = t.ticks;
  } else if (w.ticks != t.ticks) {
    depart<words>(t, w, lanes, t.ticks - w.ticks);
  }
  for (u32 k = 0; k < words; ++k) w.lanes.words[k] |= lanes.words[k];
}

// The lanes that wait in `w` join the active ones.
template <u32 words>
HD void resume(Tile& t, Waiting& w) {
  if (is_empty<words>(w.lanes)) return;
  if (t.departures.steps != 0 && t.departures.to == &w) settle_departures<words>(t);
  if (t.lanes == 0) {
    t.ticks = w.ticks;
  } else if (w.ticks != t.ticks) {
    add_fuel<words>(t, w.lanes, w.ticks - t.ticks);
  }
  for (u32 k = 0; k < words; ++k) t.active.words[k] |= w.lanes.words[k];
  clear<words>(w.lanes);
  note_active<words>(t);
}

// The active lanes and those that wait in `w` are exchanged.
template <u32 words>
HD void change_places(Tile& t, Waiting& w) {
  LaneMask were_active{};
  for (u32 k = 0; k < words; ++k) were_active.words[k] = t.active.words[k];
  for (u32 k = 0; k < words; ++k) t.active.words[k] = w.lanes.words[k];
  for (u32 k = 0; k < words; ++k) w.lanes.words[k] = were_active.words[k];
  const u64 ticks = t.ticks;
  t.ticks = w.ticks;
  w.ticks = ticks;
  note_active<words>(t);
}

// Ends the active ones of the lanes [64 · word, 64 · word + 64) whose bit is set in `trap`.
[[gnu::noinline, gnu::cold]] inline void trap_lanes(Tile& t, u32 word, u64 bits, Trap trap,
                                                    u32 place) {
  bits &= t.active.words[word];
  // The trap of an element is not reported: its case meets it again if it comes so far.
  for (u64 left = t.elements.are_set ? 0 : bits; left != 0; left &= left - 1) {
    const u32 lane = word * 64 + static_cast<u32>(__builtin_ctzll(left));
    const u32 row = t.first_case + t.rows[lane];
    t.out.traps.data()[row] = trap;
    t.out.places.data()[row] = place;
    t.out.depths.data()[row] = t.calls_live + 1;
    t.out.fuel.data()[row] = fuel_of(t, lane) + t.ticks;
  }
  t.active.words[word] &= ~bits;
  note_active<kMaskWords>(t);
}
inline void trap_active(Tile& t, Trap trap, u32 place) {
  for (u32 k = 0; k < kMaskWords; ++k) trap_lanes(t, k, ~u64{0}, trap, place);
}

// Some lane may have used up its fuel: checks each.
[[gnu::noinline, gnu::cold]] inline void trap_out_of_fuel(Tile& t, u32 place) {
  for (u32 k = 0; k < kMaskWords; ++k) {
    u64 spent = 0;
    for (u64 left = t.active.words[k]; left != 0; left &= left - 1) {
      const u64 bit = left & -left;
      if (fuel_of(t, k * 64 + static_cast<u32>(__builtin_ctzll(left))) + t.ticks >= t.budget)
        spent |= bit;
    }
    if (spent != 0) trap_lanes(t, k, spent, Trap::Fuel, place);
  }
}

inline void set_next_look(Tile& t) {
  const u64 next = t.ticks_seen + kTicksBetweenLooks;
  t.next_look = t.stop != nullptr && next < t.budget ? next : t.budget;
}
[[gnu::noinline, gnu::cold]] inline void look(Tile& t, u32 place) {
  if (t.stop != nullptr && is_stopped(t)) t.budget = 0;  // all lanes end here
  if (t.ticks_seen >= t.budget) trap_out_of_fuel(t, place);
  set_next_look(t);
}

HD void tick(Tile& t, u32 place) {
  if (t.ticks_seen >= t.next_look) look(t, place);
  ++t.ticks_seen;
  ++t.ticks;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
