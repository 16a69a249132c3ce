// SPDX-License-Identifier: Apache-2.0
// The result of an operation: a value for each lane, and the lanes that trap instead.
#pragma once
#include "lang/ops/lanes.h"
#include "lang/traps.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// `first` are the lanes that end in the trap kFirst, `second` those that end in kSecond; a lane in both ends in
// kFirst. The value of a trapped lane is meaningless. A trap that is None has an empty mask.
template <class V, Trap first_trap = Trap::None, Trap second_trap = Trap::None>
struct Evaluated {
  static constexpr Trap kFirst = first_trap;
  static constexpr Trap kSecond = second_trap;
  V value;
  Mask<V> first{};
  Mask<V> second{};
};

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
