// SPDX-License-Identifier: Apache-2.0
// The serial group, with its work counted. Each primitive counts the elements that it visits, and checks from time
// to time whether to go on (work_meter.h). The compact build counts nothing, because its programs are short; there
// the phases count (frontend.cpp).
#pragma once
#include <algorithm>

#include "base/group/wide.h"
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

#ifdef KOMUZ_COMPACT_PASSES
class MeteredGroup : public WideGroup {
 public:
  using WideGroup::WideGroup;
  void use(WorkMeter*) {}
  void count(u32) {}
};
#else
class MeteredGroup : public WideGroup {
 public:
  using WideGroup::WideGroup;
  void use(WorkMeter* meter) { meter_ = meter; }
  // Counts work that primitives do not do.
  void count(u32 steps) {
    if (meter_ != nullptr) meter_->count(steps);
  }

  template <class F>
  void for_each(u32 n, F f) {
    for (u32 i = 0; i < n;)
      for (const u32 end = stretch(i, n); i < end; ++i) f(i);
  }
  template <class Sum, class Elem, class Emit>
  Sum scan(u32 n, Sum sum, Elem elem, Emit emit) {
    for (u32 i = 0; i < n;)
      for (const u32 end = stretch(i, n); i < end; ++i) {
        const auto element = elem(i);
        emit(i, sum, element);
        sum = combine(sum, element);
      }
    return sum;
  }
  template <class Sum, class F>
  Sum expand(u32 n, Sum sum, F f) {
    for (u32 i = 0; i < n;)
      for (const u32 end = stretch(i, n); i < end; ++i) sum = combine(sum, f.write(i, sum));
    return sum;
  }
  template <u32 kStates, class Step, class Ends>
  u32 automaton(u32 n, u32 state, Step step, Ends) {
    for (u32 i = 0; i < n;)
      for (const u32 end = stretch(i, n); i < end; ++i) state = step(i, state);
    return state;
  }
  u32 select_bits(u32 words, const u64* bits, u32* out, u32 cap) {
    count(words);
    return WideGroup::select_bits(words, bits, out, cap);
  }
  template <class Key, class Visit>
  void nearest_smaller(u32 n, Key key, Visit visit) {
    const auto counted_key = [&](u32 i) {
      if (i % kStretch == 0) count(std::min(kStretch, n - i));
      return key(i);
    };
    WideGroup::nearest_smaller(n, counted_key, visit);
  }
  template <class Order, class F, class NeedsOf>
  void up(u32 n, const Order& order, F f, NeedsOf) {
    for (u32 r = 0; r < n;)
      for (const u32 end = stretch(r, n); r < end; ++r) f(order[r]);
  }
  template <class Order, class F, class NeedsOf>
  void down(u32 n, const Order& order, F f, NeedsOf) {
    for (u32 k = 0; k < n;)
      for (const u32 end = stretch(k, n); k < end; ++k) f(order[n - 1 - k]);
  }

 private:
  static constexpr u32 kStretch = 1u << 14;

  // Counts the next stretch of elements, and returns its end.
  u32 stretch(u32 i, u32 n) {
    const u32 length = std::min(kStretch, n - i);
    count(length);
    return i + length;
  }

  WorkMeter* meter_ = nullptr;
};
#endif

}  // namespace komuz::frontend::inline KOMUZ_PASSES
