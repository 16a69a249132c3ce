// SPDX-License-Identifier: Apache-2.0
// How much memory the system leaves a process. Part of memory.h alone.
#pragma once
#include <array>
#include <limits>
#include <span>

#include "base/machine/memory.h"

namespace komuz::machine {

struct MemoryLeft {
  u64 bytes = std::numeric_limits<u64>::max();
  MemoryBound bound = MemoryBound::None;

  void lower(u64 to, MemoryBound by) {
    if (to < bytes) *this = {to, by};
  }
};

// The files of the system that say this are opened once. Reading them again takes no memory, because that happens
// when there is none.
class MemoryBounds {
 public:
  void open();
  void close();
  [[nodiscard]] static bool has_scarce_addresses();
  // `held`: address space that is in use, but will be given back.
  [[nodiscard]] MemoryLeft left(u64 held) const;

 private:
  struct Group {
    u64 most = 0;
    int usage = -1, statistics = -1;  // open files
    bool is_of_version_two = false;
  };
  static constexpr size_t kMostGroups = 16;

  std::array<Group, kMostGroups> groups_{};
  size_t group_count_ = 0;
  int machine_ = -1, process_ = -1;
  u64 machine_floor_ = 0;
};

}  // namespace komuz::machine
