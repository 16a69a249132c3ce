// SPDX-License-Identifier: Apache-2.0
// The serial group: one lane, plain loops. Its primitives are the vocabulary that every group implements:
//
//   for_each(n, f)                 f(i) for every i, in any order
//   scan(n, zero, elem, emit)      emit(i, sum of elem(0..i-1), elem(i)) for every i; returns the sum of all.
//                                  `elem` reads only what `emit` does not write. The sum is `combine(left, right)`,
//                                  associative
//   expand(n, zero, f)             each element makes any number of things: f.count(i) says how many, f.write(i, sum
//                                  of all counts before i) makes them and returns the same count. Returns the sum of
//                                  all; the serial group does not count first
//   automaton<S>(n, s, step, ends) a finite automaton of S states over n elements: s = step(i, s). `step` also writes
//                                  what it finds. A cooperative group calls it for every state, for the true one last;
//                                  where ends(i) says that step(i, s) is the same for every s, it calls it for two
//                                  states
//   select_bits(n, bits, out, cap) out = positions of the one bits of n words; returns how many, stops above cap
//   nearest_smaller(n, key, visit) visit(i, left, right): the nearest elements with a smaller key, by the rule for
//                                  equal keys (below), with their keys; `right` also has the rank of i in post-order
//                                  of their tree. Where there is none, its number is -1 or n, and its key -1
//   up(n, order, f, needs)         f(order[k]) for all k, in dependency order: element i waits until the elements
//                                  that needs(i) names are done, all of which stand before it in `order`
//   down(n, order, f, needs)       the same, where all that it needs stands behind it in `order`
//   select(c, yes, no)             yes() or no(), integers; the serial group calls both, so that there is no branch
//   where(mask, read)              read() if the mask has all bits, 0 if it has none; the serial group reads always
//   store_if(c, slot, v)           compaction: serial may store always, because the next element overwrites
//   store_either(c, a, b, v)       stores v in the cell that a() or b() names; without a branch on the serial group
//   exchange(slot, v)              stores v, returns what was there
//   once(f)                        f() by one lane
//
// Between two primitives stands a barrier: what one primitive wrote, the next may read. Inside of a primitive,
// element i may write only what no other element of the same primitive reads or writes.
//
// Equal keys: an odd key groups to the right, an even one to the left. An element's right neighbour is the first
// one behind it whose key, rounded up to even, is not above the element's own key. Its left neighbour is the last
// one before it whose key is below the element's own key, rounded up to even.
#pragma once
#include <bit>
#include <vector>

#include "base/ints.h"

namespace komuz {

inline constexpr u32 kNoElement = ~0u;

// The elements for which an element of `up` or `down` waits; kNoElement: none.
struct Needs {
  u32 on[3] = {kNoElement, kNoElement, kNoElement};
};

// What nearest_smaller finds on either side of an element.
struct LeftSmaller {
  i32 at, key;
};
struct RightSmaller {
  u32 at;
  i32 key;
  u32 rank;  // of the element between them
};

class SerialGroup {
 public:
  static constexpr bool kSerial = true;
  // True if a pass may take a shorter way that gives the same as its definition.
  static constexpr bool kShortcuts = true;

  template <class F>
  HD void for_each(u32 n, F f) {
    for (u32 i = 0; i < n; ++i) f(i);
  }
  template <class Sum, class Elem, class Emit>
  HD Sum scan(u32 n, Sum sum, Elem elem, Emit emit) {
    for (u32 i = 0; i < n; ++i) {
      const auto element = elem(i);
      emit(i, sum, element);
      sum = combine(sum, element);
    }
    return sum;
  }
  template <class Sum, class F>
  HD Sum expand(u32 n, Sum sum, F f) {
    for (u32 i = 0; i < n; ++i) sum = combine(sum, f.write(i, sum));
    return sum;
  }
  template <u32 kStates, class Step, class Ends>
  HD u32 automaton(u32 n, u32 state, Step step, Ends) {
    for (u32 i = 0; i < n; ++i) state = step(i, state);
    return state;
  }
  HD u32 select_bits(u32 words, const u64* bits, u32* out, u32 cap) {
    u32 n = 0;
    for (u32 w = 0; w < words; ++w) {
      u64 word = bits[w];
      const u32 count = static_cast<u32>(std::popcount(word));
      if (n + count > cap) return cap + 1;
      // Four at a time, without a branch for each bit. The next word overwrites what is written past `count`.
      for (u32 k = 0; k < count; k += 4) {
        for (u32 j = 0; j < 4; ++j) {
          out[n + k + j] = 64 * w + static_cast<u32>(std::countr_zero(word));
          word &= word - 1;
        }
      }
      n += count;
    }
    return n;
  }
  // One stack. An element is visited when it is popped, which gives post-order.
  template <class Key, class Visit>
  HD void nearest_smaller(u32 n, Key key, Visit visit) {
    nearest_smaller(n, key, visit, 0, nullptr, 0);
  }
  // Goes on at element `first`. The elements before it have been visited, but for the `open` ones.
  template <class Key, class Visit>
  HD void nearest_smaller(u32 n, Key key, Visit visit, u32 first, const u32* open, u32 open_count) {
    if (stack_.size() < n + 2) stack_.resize(n + 2 + n / 2);
    Entry* const bottom = stack_.data();
    Entry* top = bottom;
    *top = {-1, -1};
    for (u32 k = 0; k < open_count; ++k) *++top = {key(open[k]), static_cast<i32>(open[k])};
    u32 rank = first - open_count;
    for (u32 i = first; i < n; ++i) {
      const i32 k = key(i);
      const i32 bound = k + (k & 1);
      while (top->key >= bound) {
        const i32 popped = top->index;
        --top;
        visit(static_cast<u32>(popped), LeftSmaller{top->index, top->key},
              RightSmaller{i, k, rank++});
      }
      *++top = {k, static_cast<i32>(i)};
    }
    while (top != bottom) {
      const i32 popped = top->index;
      --top;
      visit(static_cast<u32>(popped), LeftSmaller{top->index, top->key},
            RightSmaller{n, -1, rank++});
    }
  }
  template <class Order, class F, class NeedsOf>
  HD void up(u32 n, const Order& order, F f, NeedsOf) {
    for (u32 r = 0; r < n; ++r) f(order[r]);
  }
  template <class Order, class F, class NeedsOf>
  HD void down(u32 n, const Order& order, F f, NeedsOf) {
    for (u32 r = n; r-- > 0;) f(order[r]);
  }
  template <class T>
  HD void store_if(bool, T& slot, T value) {
    slot = value;
  }
  template <class Yes, class No>
  HD auto select(bool condition, Yes yes, No no) {
    const auto a = yes(), b = no();
    const auto mask = static_cast<decltype(yes())>(0 - static_cast<decltype(yes())>(condition));
    return static_cast<decltype(yes())>((a & mask) | (b & ~mask));
  }
  template <class Read>
  HD auto where(u32 mask, Read read) {
    using Value = decltype(read());
    return static_cast<Value>(read() & static_cast<Value>(static_cast<i32>(mask)));
  }
  template <class First, class Second, class T>
  HD void store_either(bool is_first, First first, Second second, T value) {
    auto* const slot = __builtin_expect_with_probability(is_first, 1, 0.5) ? &first() : &second();
    *slot = value;
  }
  template <class T>
  HD T exchange(T& slot, T value) {
    const T old = slot;
    slot = value;
    return old;
  }
  template <class F>
  HD void once(F f) {
    f();
  }
  // Writes that several elements of one primitive may make to the same place.
  template <class T>
  HD void raise(T& flag) {
    flag = 1;
  }
  HD void or_into(u64& slot, u64 bits) { slot |= bits; }
  HD void max_into(u32& slot, u32 value) { slot = value > slot ? value : slot; }

 private:
  struct Entry {
    i32 key, index;
  };
  std::vector<Entry> stack_;
};

}  // namespace komuz
