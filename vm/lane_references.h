// SPDX-License-Identifier: Apache-2.0
// Handlers of REF, REF_PART and LOAD_REF. The address in a reference counts cells from the tile's first frame on, so
// it means the same in every function. As in lane_areas.h, operand c is the pitch of cells << 32 | a number. Compiled
// once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_areas.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// A reference to the first of the c slots from b of the frame on, as many as a says.
inline const LoweredOp* run_refer(const LoweredOp* op, Tile& t) {
  const AreaOperand area(op);
  const u64 slots = area.offsets;
  const auto address = static_cast<u64>((t.frame - t.first_frame + op->b) / area.pitch);
  return map_lanes<u64>(
      op, t, [slots, address](auto count) { return evaluate_reference(count, slots, address); },
      u64{});
}

inline const LoweredOp* run_part_of_reference(const LoweredOp* op, Tile& t) {
  return map_lanes<u64>(
      op, t, [](auto whole, auto low, auto high) { return evaluate_part(whole, low, high); }, u64{},
      u64{}, u64{});
}

// The rest of the reference b from offset a on, which must have c cells.
inline const LoweredOp* run_rest_of_reference(const LoweredOp* op, Tile& t) {
  const auto least = static_cast<u64>(op->c);
  return map_lanes<u64>(
      op, t, [least](auto offset, auto whole) { return evaluate_rest(whole, offset, least); },
      u64{}, u64{});
}

// Loads the cell at offset a of what b refers to, or the cell at the offset in c, which exists. `at_home`: from each
// lane's home.
template <class T, bool is_checked, bool at_home = false>
HD void load_by_references(const LoweredOp* op, Tile& t) {
  using V = Vector<T, sizeof(T) * kAreaLanes<T>>;
  using U = UnsignedLanes<Offsets<T>>;
  const AreaOperand area(op);
  const Operand offset_operand = is_checked ? op->a : op->b;
  Reader<U> offsets(t, offset_operand, 0, false), references(t, op->b, 0, false);
  const Writer<V> writer(t, op);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>) {
    const U whole = references.next();
    U first = whole & splat<U>(0xFFFF'FFFFu);
    if constexpr (is_checked) {
      const auto rest = evaluate_rest(whole, offsets.next(), 1);
      take_traps(t, op, lane, rest);
      first = rest.value & splat<U>(0xFFFF'FFFFu);
    } else {
      first += splat<U>(area.offsets);
    }
    // Lanes that are not active may hold anything.
    first = blend(active_bits(t, lane), first, U{});
    auto bytes = bits_as<Offsets<T>>(area.bytes(first));
    if constexpr (at_home) bytes += home_bytes<T>(t, lane);
    writer.store(t, lane, gather_lanes<V>(t.first_frame + lane * sizeof(T), bytes));
  }
}

template <class T, bool is_checked>
const LoweredOp* run_load_ref(const LoweredOp* op, Tile& t) {
  if (t.lanes == 0) return op + 1;
  i64 offset = 0, reference = 0;
  if (!share_value(op->b, t, reference) || (is_checked && !share_value(op->a, t, offset))) {
    load_by_references<T, is_checked>(op, t);
    return op + 1;
  }
  const AreaOperand area(op);
  const u64 whole = static_cast<u64>(reference);
  u64 first = whole + area.offsets;
  if constexpr (is_checked) {
    const auto rest = evaluate_rest(whole, static_cast<u64>(offset), 1);
    if (rest.first) {
      trap_active(t, Trap::Index, op->place);
      return op + 1;
    }
    first = rest.value;
  }
  using V = Vector<T, sizeof(T) * lanes_for<T>()>;
  const char* at = t.first_frame + area.bytes(u64{static_cast<u32>(first)});
  const Writer<V> writer(t, op);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += lane_count<V>, at += sizeof(V)) {
    V value;
    __builtin_memcpy(&value, __builtin_assume_aligned(at, sizeof(V)), sizeof value);
    writer.store(t, lane, value);
  }
  return op + 1;
}

template <class T, bool is_checked>
const LoweredOp* run_load_ref_home(const LoweredOp* op, Tile& t) {
  load_by_references<T, is_checked, true>(op, t);
  return op + 1;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
