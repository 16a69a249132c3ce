// SPDX-License-Identifier: Apache-2.0
// The second argument of the error on a stack that is too large: further facts beside the bytes that are needed.
#pragma once
#include "base/ints.h"

namespace komuz {

struct StackNeed {
  u32 limit = 0;              // bytes; below 2^31
  bool is_recursive = false;  // a function of the largest chain of calls is in a cycle

  [[nodiscard]] u32 packed() const { return limit | static_cast<u32>(is_recursive) << 31; }
  [[nodiscard]] static StackNeed of(u32 packed) {
    return {packed & 0x7FFF'FFFF, packed >> 31 != 0};
  }
};

}  // namespace komuz
