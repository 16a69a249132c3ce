// SPDX-License-Identifier: Apache-2.0
// Handlers of LOAD_AT and STORE_AT, for one cell of an access. The cell of offset 0 lies at operand b of the frame
// (for a store at dst), the cell of the next offset a pitch behind it. Operand c is pitch << 32 | the number of valid
// offsets.
//
// If all active lanes have the same offset, which is usual in counting loops, the cell is read or written as a
// vector. Compiled once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_pure.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// Lanes of different types that are handled together, with an offset for each.
template <class T>
inline constexpr u32 kAreaLanes = lanes_for<T, i64>();
template <class T>
using Offsets = Vector<i64, sizeof(i64) * kAreaLanes<T>>;

struct AreaOperand {
  u64 offsets;
  i64 pitch;  // a power of two
  HD explicit AreaOperand(const LoweredOp* op)
      : offsets(static_cast<u32>(op->c)), pitch(op->c >> 32) {}
  // Each lane's distance from the cell of offset 0.
  template <class O>
  HD O bytes(O offset) const {
    return offset << __builtin_ctzll(static_cast<u64>(pitch));
  }
};

HD i64 read_value(const char* at) {
  i64 value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}

// True if all active lanes, of which there is at least one, have the value of the first one. The operand has 64 bits.
HD bool share_value(Operand operand, const Tile& t, i64& shared) {
  const char* const values = operand_address(t, operand);
  if ((operand & kForEachLane) == 0) {
    shared = read_value(values);
    return true;
  }
  u32 first = 0;
  while (t.active.words[first / 64] == 0) first += 64;
  first += static_cast<u32>(__builtin_ctzll(t.active.words[first / 64]));
  shared = read_value(values + first * sizeof(i64));
  using V = Vector<i64, kRegisterBytes>;
  const V wanted = splat<V>(shared);
  Reader<V> reader(t, operand, 0, false);
  u64 differing = 0;
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>)
    differing |= compare_bits<Op::Ne>(reader.next(), wanted) & active_bits(t, lane);
  return differing == 0;
}

#if defined(__AVX512F__)
// Distances from lane 0 to each lane of 8 bytes.
HD __m512i lane_steps() { return _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56); }
#endif

// Lane i of the result lies at `at` + bytes[i] + i · sizeof(T).
template <class V, class O>
HD V gather_lanes(const char* at, O bytes) {
  using T = Element<V>;
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    const __m512i from = _mm512_add_epi64(bits_as<__m512i>(bytes), lane_steps());
    return bits_as<V>(_mm512_mask_i64gather_epi64(_mm512_setzero_si512(), 0xFF, from, at, 1));
  }
#endif
  V gathered{};
  for (u32 i = 0; i < lane_count<V>; ++i) {
    T value;
    __builtin_memcpy(&value, at + bytes[i] + i * sizeof(T), sizeof value);
    gathered[i] = value;
  }
  return gathered;
}

// Lane i of `values` goes to `at` + bytes[i] + i · sizeof(T), if its bit is set.
template <class V, class O>
HD void scatter_lanes(char* at, O bytes, V values, u64 bits) {
  using T = Element<V>;
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    const __m512i to = _mm512_add_epi64(bits_as<__m512i>(bytes), lane_steps());
    _mm512_mask_i64scatter_epi64(at, static_cast<__mmask8>(bits), to, bits_as<__m512i>(values), 1);
    return;
  }
#endif
  // Stored to memory, since each extraction of a lane by number would store the whole register.
  i64 distances[lane_count<V>];
  T cells[lane_count<V>];
  __builtin_memcpy(distances, &bytes, sizeof bytes);
  __builtin_memcpy(cells, &values, sizeof values);
  for (; bits != 0; bits &= bits - 1) {
    const auto i = static_cast<u32>(__builtin_ctzll(bits));
    __builtin_memcpy(at + distances[i] + i * sizeof(T), &cells[i], sizeof(T));
  }
}

// The offsets of a vector of lanes. Offsets out of range become 0, and end those lanes that are active. `bits` are
// the lanes whose offsets are in range.
template <class O>
HD O valid_offsets(const LoweredOp* op, Tile& t, u32 lane, O offsets, u64 count, u64& bits) {
  using U = UnsignedLanes<O>;
  const Mask<O> is_valid = bits_as<U>(offsets) < splat<U>(count);
  constexpr u64 kAll = (u64{1} << lane_count<O>)-1;
  bits = mask_bits(is_valid);
  const u64 wrong = ~bits & kAll & active_bits(t, lane);
  if (wrong != 0) trap_lanes(t, lane / 64, wrong << (lane % 64), Trap::Index, op->place);
  return select<O>(is_valid, offsets, O{});
}

// Added to each lane's distance, to reach the lane that is its home.
template <class T>
HD Offsets<T> home_bytes(const Tile& t, u32 lane) {
  Offsets<T> home;
  __builtin_memcpy(&home, t.elements.home + lane, sizeof home);
  return home * splat<Offsets<T>>(i64{sizeof(T)});
}

// `at_home`: the cells belong to each lane's home.
template <class T, bool at_home = false>
HD void load_at_offsets(const LoweredOp* op, Tile& t) {
  using V = Vector<T, sizeof(T) * kAreaLanes<T>>;
  const AreaOperand area(op);
  const char* const cells = t.frame + op->b;
  Reader<Offsets<T>> offsets(t, op->a, 0, false);
  const Writer<V> writer(t, op);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>) {
    u64 bits = 0;
    const auto valid = valid_offsets(op, t, lane, offsets.next(), area.offsets, bits);
    auto bytes = area.bytes(valid);
    if constexpr (at_home) bytes += home_bytes<T>(t, lane);
    writer.store(t, lane, gather_lanes<V>(cells + lane * sizeof(T), bytes));
  }
}

template <class T>
HD void store_at_offsets(const LoweredOp* op, Tile& t) {
  using V = Vector<T, sizeof(T) * kAreaLanes<T>>;
  const AreaOperand area(op);
  char* const cells = t.frame + op->dst;
  Reader<Offsets<T>> offsets(t, op->a, 0, false);
  Reader<V> values(t, op->b, 0, false);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>) {
    u64 bits = 0;
    const auto bytes = area.bytes(valid_offsets(op, t, lane, offsets.next(), area.offsets, bits));
    const V value = values.next();
    scatter_lanes(cells + lane * sizeof(T), bytes, value, bits & active_bits(t, lane));
  }
}

template <class T>
const LoweredOp* run_load_at(const LoweredOp* op, Tile& t) {
  if (t.lanes == 0) return op + 1;
  i64 offset = 0;
  if (!share_value(op->a, t, offset)) {
    load_at_offsets<T>(op, t);
    return op + 1;
  }
  const AreaOperand area(op);
  if (static_cast<u64>(offset) >= area.offsets) {
    trap_active(t, Trap::Index, op->place);
    return op + 1;
  }
  using V = Vector<T, sizeof(T) * lanes_for<T>()>;
  Reader<V> values(t, (op->b + offset * area.pitch) | kInFrame, 0, false);
  const Writer<V> writer(t, op);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>) writer.store(t, lane, values.next());
  return op + 1;
}

template <class T>
const LoweredOp* run_load_at_home(const LoweredOp* op, Tile& t) {
  load_at_offsets<T, true>(op, t);
  return op + 1;
}

// Stores only for active lanes.
template <class T>
const LoweredOp* run_store_at(const LoweredOp* op, Tile& t) {
  if (t.lanes == 0) return op + 1;
  i64 offset = 0;
  if (!share_value(op->a, t, offset)) {
    store_at_offsets<T>(op, t);
    return op + 1;
  }
  const AreaOperand area(op);
  if (static_cast<u64>(offset) >= area.offsets) {
    trap_active(t, Trap::Index, op->place);
    return op + 1;
  }
  using V = Vector<T, sizeof(T) * lanes_for<T>()>;
  char* at = t.frame + op->dst + offset * area.pitch;
  Reader<V> values(t, op->b, 0, false);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>, at += sizeof(V)) {
    V old;
    __builtin_memcpy(&old, at, sizeof old);
    const V value = blend(active_bits(t, lane), values.next(), old);
    __builtin_memcpy(at, &value, sizeof value);
  }
  return op + 1;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
