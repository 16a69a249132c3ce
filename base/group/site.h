// SPDX-License-Identifier: Apache-2.0
// The place where a pass calls a primitive, for an emulator's messages about it. A machine that does not look at
// sites pays nothing for them.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

struct Site {
  const char* primitive = "";
  const char* file = "";
  u32 line = 0;
  u32 step = 0;  // the number of the rendezvous inside of the primitive

  // As a default argument: the place where the primitive is called.
  HD static constexpr Site here(const char* file = __builtin_FILE(), u32 line = __builtin_LINE()) {
    return {"", file, line, 0};
  }
  [[nodiscard]] HD constexpr Site at(const char* name, u32 number) const {
    return {name, file, line, number};
  }
  bool operator==(const Site& other) const {
    return line == other.line && step == other.step &&
           std::string_view(primitive) == other.primitive && std::string_view(file) == other.file;
  }
};

}  // namespace komuz
