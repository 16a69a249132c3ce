// SPDX-License-Identifier: Apache-2.0
// What the note on a function without `rec` says of its recursion, as the two arguments of a diagnostic.
#pragma once
#include "base/ints.h"

namespace komuz {

struct RecursionNote {
  u32 bound = 0;  // as which it is read; at most 4096
  // On the way back to the function: where the names of the functions that it passes are defined, by byte of the source,
  // which has at most 2^24; 0: there is none. `more`: it passes others behind these.
  u32 first = 0, second = 0;
  bool more = false;

  [[nodiscard]] HD u32 low() const { return bound | static_cast<u32>(more) << 13 | second << 14; }
  [[nodiscard]] HD u32 high() const { return first | second >> 18 << 24; }
  [[nodiscard]] static RecursionNote of(u32 low, u32 high) {
    return {low & 0x1FFF, high & 0xFF'FFFF, low >> 14 | high >> 24 << 18, (low >> 13 & 1) != 0};
  }
};

}  // namespace komuz
