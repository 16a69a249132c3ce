// SPDX-License-Identifier: Apache-2.0
// Handlers of operations on many cells at once. Compiled once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_pure.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// Moves one cell after the other, since a moved cell may be the source of the next move.
template <class T>
const LoweredOp* run_move_cells(const LoweredOp* op, Tile& t) {
  constexpr u32 count = lanes_for<T>();
  using V = Vector<T, sizeof(T) * count>;
  const CellSteps steps = CellSteps::of(op->c);
  Reader<V> from(t, op->a, 0, false);
  Writer<V> writer(t, op);
  const u32 lanes = t.lanes;
  for (u32 cell = 0; cell < steps.cells; ++cell) {
    Reader<V> reader = from;
    for (u32 lane = 0; lane < lanes; lane += count) writer.store(t, lane, reader.next());
    from.at += steps.a;
    writer.at += steps.b;
  }
  return op + 1;
}

// Stores a bool for each lane: whether it is in the set.
HD void store_bools(const Tile& t, const LoweredOp* op, const LaneMask& set) {
  constexpr u32 count = kRegisterBytes == 64 ? 64 : 8;
  using V = Vector<u8, count>;
  const Writer<V> writer(t, op);
  for (u32 lane = 0; lane < t.lanes; lane += count)
    writer.store(t, lane, blend(set.words[lane / 64] >> (lane % 64), splat<V>(1), V{}));
}

// Compares cell by cell, as long as some lane has had only equal pairs.
template <class T>
const LoweredOp* run_compare_cells(const LoweredOp* op, Tile& t) {
  constexpr u32 count = lanes_for<T>();
  using V = Vector<T, sizeof(T) * count>;
  const CellSteps steps = CellSteps::of(op->c);
  LaneMask equal = t.active;
  const u32 lanes = t.lanes;
  if (op->flag != 0)
    for (u32 k = 0; k * 64 < lanes; ++k) equal.words[k] &= bool_bits(t.frame + op->dst + k * 64);
  Reader<V> first(t, op->a, 0, false), second(t, op->b, 0, false);
  for (u32 cell = 0; cell < steps.cells; ++cell) {
    Reader<V> a = first, b = second;
    u64 any = 0;
    for (u32 lane = 0; lane < lanes;) {
      const u32 end = lane + 64 < lanes ? lane + 64 : lanes;
      u64& word = equal.words[lane / 64];
      u64 bits = 0;
      for (; lane < end; lane += count)
        bits |= compare_bits<Op::Eq>(a.next(), b.next()) << (lane % 64);
      word &= bits;
      any |= word;
    }
    if (any == 0) break;
    first.at += steps.a;
    second.at += steps.b;
  }
  store_bools(t, op, equal);
  return op + 1;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
