// SPDX-License-Identifier: Apache-2.0
// The cooperative group: one or several warps of 32 lanes that all run the passes, each lane over its own copy of
// the columns' pointers and counts. serial.h describes the primitives. The group is written once against a Machine,
// which is a warp or a block of a GPU, or the lockstep emulator:
//   kWarps                        the number of warps
//   lane()                        0 … 32 · kWarps - 1
//   barrier(site)                 all lanes arrive; what a lane wrote before it, every lane reads behind it
//   shfl(v, from), shfl_up(v, d)  within the lane's warp: the value of lane `from`; of the lane d below, or its own.
//                                 They order no memory
//   ballot(b)                     bit l: the b of lane l of the warp. It orders no memory either
//   post(p, v), posted<T>(p, w)   where kWarps > 1: leaves the warp's v in box p, 0 or 1; what warp w left there
//   exchange, add_into, or_into, max_into, raise, load, store: atomic, on one cell
// All lanes must call the same primitives with the same counts. So a pass branches around a primitive only on
// values that all lanes know alike.
#pragma once
#include "base/group/column_extent.h"
#include "base/group/serial.h"
#include "base/group/site.h"

namespace komuz {

template <class T>
using RawPointer = T*;

// Memory that the primitives need for themselves, shared by the lanes, for lists of up to `capacity` elements. A
// Cell holds numbers of elements, one more than these, and numbers of rounds.
template <template <class> class Pointer, class Cell = u32>
struct ScratchOf {
  static constexpr u32 kBlock = 16;
  using Number = Cell;

  Pointer<u32>
      before;  // nearest_smaller: how many subtrees end before an element; capacity + 1 cells
  Pointer<i32> low, low_even;  // the smallest keys of each block of kBlock elements
  Pointer<Cell> left, right;   // the neighbours, plus 1
  Pointer<Cell> done;          // up, down: the round in which an element ran; 0: not yet
  u32 capacity;

  HD static constexpr size_t blocks(u32 capacity) { return capacity / kBlock + 1; }
  HD static constexpr size_t bytes(u32 capacity) {
    const size_t n = size_t{capacity} + 1;
    return (n + 2 * blocks(capacity)) * sizeof(u32) + 3 * n * sizeof(Cell);
  }
  HD static ScratchOf in(u32* memory, u32 capacity) {
    const size_t n = size_t{capacity} + 1;
    i32* const low = reinterpret_cast<i32*>(memory + n);
    Cell* const cells = reinterpret_cast<Cell*>(low + 2 * blocks(capacity));
    return {Pointer<u32>(memory),
            Pointer<i32>(low),
            Pointer<i32>(low + blocks(capacity)),
            Pointer<Cell>(cells),
            Pointer<Cell>(cells + n),
            Pointer<Cell>(cells + 2 * n),
            capacity};
  }
  // Tells a group about these columns.
  template <class G>
  HD void note(G& g) const {
    const u32 n = capacity + 1, low_cells = static_cast<u32>(blocks(capacity));
    const auto tell = [&g](const char* name, const auto& column, u32 cells, u32 bytes) {
      g.note_column({name, reinterpret_cast<const u8*>(raw(column)), cells, bytes});
    };
    tell("scratch.before", before, n, 4);
    tell("scratch.low", low, low_cells, 4);
    tell("scratch.low_even", low_even, low_cells, 4);
    tell("scratch.left", left, n, sizeof(Cell));
    tell("scratch.right", right, n, sizeof(Cell));
    tell("scratch.done", done, n, sizeof(Cell));
  }

 private:
  template <class T>
  HD static T* raw(T* column) {
    return column;
  }
  template <class Checked>
  HD static auto raw(const Checked& column) {
    return column.unchecked();
  }
};
using CoopScratch = ScratchOf<RawPointer>;

// The cell behind a slot, for atomic operations. The slot of a checked column has a cell of its own.
template <class T>
HD T& atomic_cell(T& slot) {
  return slot;
}

template <class Machine, class Scratch = CoopScratch>
class CoopGroup {
 public:
  static constexpr bool kSerial = false;
  static constexpr bool kShortcuts = false;
  static constexpr u32 kWarps = Machine::kWarps, kLanes = 32 * kWarps;

  HD CoopGroup(Machine machine, const Scratch& scratch)
      : m_(machine), scratch_(scratch), lane_(machine.lane()) {}

  // Uses another scratch memory from now on. All lanes give the same.
  HD void use_scratch(const Scratch& scratch) { scratch_ = scratch; }
  // Tells the machine about a column, if it watches over cells.
  HD void note_column(const ColumnExtent& extent) { m_.note_column(extent); }
  // Adds n to a counter that other groups share; returns the counter's old value.
  HD u64 take(u64& counter, u64 n, Site site = Site::here()) {
    return of_first(lane_ == 0 ? m_.fetch_add(counter, n) : 0, site.at("take", 0));
  }
  // Calls f() on one lane, and returns its value to all lanes.
  template <class F>
  HD auto ask_one(F f, Site site = Site::here()) {
    decltype(f()) answer{};
    if (lane_ == 0) answer = f();
    return of_first(answer, site.at("ask_one", 0));
  }
  // Turns 64 elements with kPlanes bits each into kPlanes words: emit(w, plane, bits), where bit k of `bits` is bit
  // `plane` of classes(64 · w + k).
  template <u32 kPlanes, class Classes, class Emit>
  HD void bit_planes(u32 words, Classes classes, Emit emit, Site site = Site::here()) {
    static_assert(kPlanes <= 32);
    const u32 own = lane_ % 32;
    for (u32 w = lane_ / 32; w < words; w += kWarps) {
      const u32 low = classes(64 * w + own), high = classes(64 * w + 32 + own);
      for (u32 plane = 0; plane < kPlanes; ++plane) {
        const u64 bits = m_.ballot((low >> plane & 1) != 0, site.at("bit_planes", 0)) |
                         u64{m_.ballot((high >> plane & 1) != 0, site.at("bit_planes", 1))} << 32;
        if (own == plane) emit(w, plane, bits);
      }
    }
    m_.barrier(site.at("bit_planes", 2));
  }

  template <class F>
  HD void for_each(u32 n, F f, Site site = Site::here()) {
    for (u32 i = lane_; i < n; i += kLanes) f(i);
    m_.barrier(site.at("for_each", 0));
  }

  template <class Sum, class Elem, class Emit>
  HD Sum scan(u32 n, Sum sum, Elem elem, Emit emit, Site site = Site::here()) {
    sum = scan_part(n, sum, elem, emit, site.at("scan", 0));
    m_.barrier(site.at("scan", 1));
    return sum;
  }

  template <class Sum, class F>
  HD Sum expand(u32 n, Sum sum, F f, Site site = Site::here()) {
    return scan(
        n, sum, [&](u32 i) { return f.count(i); },
        [&](u32 i, const Sum& before, const Sum&) { (void)f.write(i, before); }, site);
  }

  // A block maps the state before it to the state behind it, with four bits for each state. Maps compose, so a scan
  // combines them.
  template <u32 kStates, class Step, class Ends>
  HD u32 automaton(u32 n, u32 state, Step step, Ends ends, Site site = Site::here()) {
    static_assert(kStates <= 16);
    for (u32 base = 0; base < n; base += kLanes) {
      const u32 i = base + lane_;
      u64 map = kIdentity;
      if (i < n) {
        map = 0;
        const u32 distinct = ends(i) ? 1 : kStates;
        for (u32 s = 0; s < distinct; ++s) map |= u64{step(i, s)} << (4 * s);
        if (distinct == 1) map *= 0x1111'1111'1111'1111u;
      }
      for (u32 d = 1; d < 32; d *= 2) {
        const u64 below = m_.shfl_up(map, d, site.at("automaton", 0));
        if (lane_ % 32 >= d) map = composed<kStates>(below, map);
      }
      const u64 before = m_.shfl_up(map, 1, site.at("automaton", 1));
      u32 warp_state = state;  // before the lane's warp
      const u64 whole = m_.shfl(map, 31, site.at("automaton", 2));
      each_warp(whole, site.at("automaton", 3), [&](u32 warp, u64 of_warp) {
        if (warp == lane_ / 32) warp_state = state;
        state = mapped(of_warp, state);
      });
      if (i < n) (void)step(i, lane_ % 32 == 0 ? warp_state : mapped(before, warp_state));
    }
    m_.barrier(site.at("automaton", 4));
    return state;
  }

  template <class Words, class Positions>
  HD u32 select_bits(u32 words, const Words& bits, const Positions& out, u32 cap,
                     Site site = Site::here()) {
    const Count total = scan_part(
        words, Count{}, [&](u32 w) { return Count{static_cast<u32>(std::popcount(u64{bits[w]}))}; },
        [&](u32 w, const Count& before, const Count&) {
          u32 at = before.n;
          for (u64 word = bits[w]; word != 0 && at < cap; word &= word - 1)
            out[at++] = 64 * w + static_cast<u32>(std::countr_zero(word));
        },
        site.at("select_bits", 0));
    m_.barrier(site.at("select_bits", 1));
    return total.n <= cap ? total.n : cap + 1;
  }

  // Each element looks for its neighbours by itself; it skips whole blocks by their minima. The rank needs no sort.
  // Where an element's subtree ends, at its right neighbour, all elements before are done except its ancestors on
  // the left. These ancestors are the elements before i whose right neighbour lies behind i.
  template <class Key, class Visit>
  HD void nearest_smaller(u32 n, Key key, Visit visit, Site site = Site::here()) {
    const Scratch& s = scratch_;
    constexpr u32 kBlock = Scratch::kBlock;
    for (u32 b = lane_; b * kBlock < n; b += kLanes) {
      i32 low = kMaxKey, low_even = kMaxKey;
      for (u32 i = b * kBlock; i < n && i < (b + 1) * kBlock; ++i) {
        const i32 k = key(i), even = k + (k & 1);
        low = k < low ? k : low;
        low_even = even < low_even ? even : low_even;
      }
      s.low[b] = low;
      s.low_even[b] = low_even;
    }
    for (u32 i = lane_; i <= n; i += kLanes) s.before[i] = 0;
    m_.barrier(site.at("nearest_smaller", 0));
    for (u32 i = lane_; i < n; i += kLanes) {
      const i32 k = key(i);
      const u32 right = right_of(i, n, k, key);
      s.left[i] = static_cast<Number>(left_of(i, k + (k & 1), key) + 1);
      s.right[i] = static_cast<Number>(right + 1);
      auto&& ends = s.before[right];
      m_.add_into(atomic_cell(ends), 1);
    }
    m_.barrier(site.at("nearest_smaller", 1));
    (void)scan_part(
        n, Count{}, [&](u32 i) { return Count{s.before[i]}; },
        [&](u32 i, const Count& sum, const Count& own) {
          const u32 closed = sum.n + own.n;  // elements whose right neighbour is i or before it
          const i32 left = static_cast<i32>(u32{s.left[i]}) - 1;
          const u32 right = u32{s.right[i]} - 1;
          visit(i, LeftSmaller{left, left < 0 ? -1 : key(static_cast<u32>(left))},
                RightSmaller{right, right == n ? -1 : key(right), right - 1 - (i - closed)});
        },
        site.at("nearest_smaller", 2));
    m_.barrier(site.at("nearest_smaller", 3));
  }

  template <class Order, class F, class NeedsOf>
  HD void up(u32 n, const Order& order, F f, NeedsOf needs, Site site = Site::here()) {
    rounds(
        n, [&](u32 k) { return u32{order[k]}; }, f, needs, site, "up");
  }
  template <class Order, class F, class NeedsOf>
  HD void down(u32 n, const Order& order, F f, NeedsOf needs, Site site = Site::here()) {
    rounds(
        n, [&](u32 k) { return u32{order[n - 1 - k]}; }, f, needs, site, "down");
  }

  template <class Slot, class T>
  HD void store_if(bool condition, Slot&& slot, T value) {
    if (condition) slot = value;
  }
  template <class Yes, class No>
  HD auto select(bool condition, Yes yes, No no) {
    return condition ? yes() : no();
  }
  template <class Read>
  HD auto where(u32 mask, Read read) {
    return mask != 0 ? read() : decltype(read()){0};
  }
  template <class First, class Second, class T>
  HD void store_either(bool is_first, First first, Second second, T value) {
    if (is_first)
      first() = value;
    else
      second() = value;
  }
  template <class Slot, class T>
  HD T exchange(Slot&& slot, T value) {
    return m_.exchange(atomic_cell(slot), value);
  }
  template <class F>
  HD void once(F f, Site site = Site::here()) {
    if (lane_ == 0) f();
    m_.barrier(site.at("once", 0));
  }
  template <class Slot>
  HD void raise(Slot&& flag) {
    m_.raise(atomic_cell(flag));
  }
  template <class Slot>
  HD void or_into(Slot&& slot, u64 bits) {
    m_.or_into(atomic_cell(slot), bits);
  }
  template <class Slot>
  HD void max_into(Slot&& slot, u32 value) {
    m_.max_into(atomic_cell(slot), value);
  }

 private:
  using Number = typename Scratch::Number;
  static constexpr u64 kIdentity = 0xFEDC'BA98'7654'3210u;
  static constexpr i32 kMaxKey = 0x7FFF'FFFF;

  struct Count {
    u32 n = 0;
    friend HD Count combine(Count a, Count b) { return {a.n + b.n}; }
  };

  HD static u32 mapped(u64 map, u32 state) { return map >> (4 * state) & 15; }
  template <u32 kStates>
  HD static u64 composed(u64 first, u64 second) {
    u64 map = 0;
    for (u32 s = 0; s < kStates; ++s) map |= u64{mapped(second, mapped(first, s))} << (4 * s);
    return map;
  }

  // The scan without the barrier at its end.
  template <class Sum, class Elem, class Emit>
  HD Sum scan_part(u32 n, Sum sum, const Elem& elem, const Emit& emit, Site site) {
    using Element = decltype(elem(u32{}));
    for (u32 base = 0; base < n; base += kLanes) {
      const u32 i = base + lane_;
      Element element{};
      Sum upto{};
      if (i < n) {
        element = elem(i);
        upto = combine(Sum{}, element);
      }
      for (u32 d = 1; d < 32; d *= 2) {
        const Sum below = m_.shfl_up(upto, d, site);
        if (lane_ % 32 >= d) upto = combine(below, upto);
      }
      const Sum before = m_.shfl_up(upto, 1, site);
      const Sum whole = m_.shfl(upto, 31, site);
      Sum warp_sum{};  // before the lane's warp
      each_warp(whole, site.at(site.primitive, 8), [&](u32 warp, const Sum& of_warp) {
        if (warp == lane_ / 32) warp_sum = sum;
        sum = combine(sum, of_warp);
      });
      if (i < n) emit(i, lane_ % 32 == 0 ? warp_sum : combine(warp_sum, before), element);
    }
    return sum;
  }

  // Calls f(warp, its value) for all warps in order, on every lane. All lanes of a warp give the same value.
  template <class T, class F>
  HD void each_warp(const T& value, Site site, F f) {
    if constexpr (kWarps == 1) {
      f(0, value);
    } else {
      if (lane_ % 32 == 0) m_.post(parity_, value);
      m_.barrier(site);
      for (u32 warp = 0; warp < kWarps; ++warp) f(warp, m_.template posted<T>(parity_, warp));
      parity_ ^= 1;  // the next post must not disturb lanes that still read this one
    }
  }
  // The first lane's value.
  template <class T>
  HD T of_first(const T& value, Site site) {
    T first = m_.shfl(value, 0, site);
    const T own = first;
    each_warp(own, site.at(site.primitive, 8), [&](u32 warp, const T& of_warp) {
      if (warp == 0) first = of_warp;
    });
    return first;
  }
  // The first lane that votes; kLanes: none.
  HD u32 first_of(bool vote, Site site) {
    const u32 votes = m_.ballot(vote, site);
    u32 first = kLanes;
    each_warp(votes, site.at(site.primitive, 8 + site.step), [&](u32 warp, u32 of_warp) {
      if (first == kLanes && of_warp != 0)
        first = 32 * warp + static_cast<u32>(std::countr_zero(of_warp));
    });
    return first;
  }

  // The last element before i whose key is below `bound`; -1: none.
  template <class Key>
  HD i32 left_of(u32 i, i32 bound, const Key& key) const {
    constexpr u32 kBlock = Scratch::kBlock;
    for (u32 behind = i; behind != 0;) {
      if (behind % kBlock == 0 && scratch_.low[behind / kBlock - 1] >= bound)
        behind -= kBlock;
      else if (key(--behind) < bound)
        return static_cast<i32>(behind);
    }
    return -1;
  }
  // The first element behind i whose key, rounded up to even, is not above k; n: none.
  template <class Key>
  HD u32 right_of(u32 i, u32 n, i32 k, const Key& key) const {
    constexpr u32 kBlock = Scratch::kBlock;
    for (u32 j = i + 1; j < n;) {
      if (j % kBlock == 0 && scratch_.low_even[j / kBlock] > k) {
        j += kBlock;
        continue;
      }
      const i32 other = key(j);
      if (other + (other & 1) <= k) return j;
      ++j;
    }
    return n;
  }

  HD void set_done(u32 i, u32 round) {
    auto&& cell = scratch_.done[i];
    m_.store(atomic_cell(cell), static_cast<Number>(round));
  }
  // True if everything that the element needs was done in an earlier round. A cell that another lane sets in this
  // round reads as not yet done, or as done in this round; both mean no.
  HD bool is_ready(const Needs& needs, u32 round) {
    for (const u32 other : needs.on) {
      if (other == kNoElement) continue;
      auto&& cell = scratch_.done[other];
      const u32 done = m_.load(atomic_cell(cell));
      if (done == 0 || done >= round) return false;
    }
    return true;
  }

  // Runs elements in rounds, over a window of 32 rows of lanes. The window moves along the order when its first row
  // is done. If no lane finds anything to do, the first pending element runs, as it would in serial order.
  template <class At, class F, class NeedsOf>
  HD void rounds(u32 n, const At& at, const F& f, const NeedsOf& needs, Site site,
                 const char* name) {
    for (u32 k = lane_; k < n; k += kLanes) scratch_.done[at(k)] = 0;
    m_.barrier(site.at(name, 0));
    u32 base = 0;
    u32 pending = rows_from(0, n);
    for (u32 round = 1; base < n; ++round) {
      bool moved = false;
      const auto run = [&](u32 row) {
        const u32 i = at(base + row * kLanes + lane_);
        f(i);
        set_done(i, round);
        pending &= ~(1u << row);
      };
      for (u32 rows = pending; rows != 0; rows &= rows - 1) {
        const u32 row = static_cast<u32>(std::countr_zero(rows));
        if (!is_ready(needs(at(base + row * kLanes + lane_)), round)) continue;
        run(row);
        moved = true;
      }
      m_.barrier(site.at(name, 1));
      if (first_of(moved, site.at(name, 2)) == kLanes) {
        u32 row = 0, first = kLanes;
        while ((first = first_of((pending >> row & 1) != 0, site.at(name, 3))) == kLanes) ++row;
        if (lane_ == first) run(row);
        m_.barrier(site.at(name, 4));
      }
      while (base < n && first_of((pending & 1) != 0, site.at(name, 5)) == kLanes) {
        base += kLanes;
        pending = pending >> 1 | (rows_from(base, n) & 1u << 31);
      }
    }
  }
  // Bit r: this lane has an element in row r of the window.
  HD u32 rows_from(u32 base, u32 n) const {
    const u32 first = base + lane_;
    if (first >= n) return 0;
    const u32 rows = (n - first + kLanes - 1) / kLanes;
    return rows >= 32 ? ~0u : (1u << rows) - 1;
  }

  Machine m_;
  Scratch scratch_;
  u32 lane_;
  u32 parity_ = 0;  // the box to which the warps post next
};

}  // namespace komuz
