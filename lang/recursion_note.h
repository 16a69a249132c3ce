// SPDX-License-Identifier: Apache-2.0
// The arguments of the note on a function without `rec`: a description of its recursion.
#pragma once
#include "base/ints.h"

namespace komuz {

struct RecursionNote {
  u32 bound = 0;  // the assumed bound; at most 4096
  // The functions on the way back to the function: the bytes of the source, which has at most 2^24, where their names
  // are defined; 0: none. `more`: further functions follow.
  u32 first = 0, second = 0;
  bool more = false;

  [[nodiscard]] HD u32 low() const { return bound | static_cast<u32>(more) << 13 | second << 14; }
  [[nodiscard]] HD u32 high() const { return first | second >> 18 << 24; }
  [[nodiscard]] static RecursionNote of(u32 low, u32 high) {
    return {low & 0x1FFF, high & 0xFF'FFFF, low >> 14 | high >> 24 << 18, (low >> 13 & 1) != 0};
  }
};

}  // namespace komuz
