// SPDX-License-Identifier: Apache-2.0
// Lists of decisions in the memory of a device. All lists have room for the longest possible one.
#pragma once
#include <span>

#include "base/rows.h"

namespace komuz::engine {

struct DecisionRows {
  u32* words = nullptr;  // null: there are none
  u32* sizes = nullptr;
  u32 room = 0;  // words of a list

  [[nodiscard]] HD std::span<const u32> operator[](u64 row) const {
    return {words + row * room, sizes[row]};
  }
  // A list that may be changed. keep() stores its new length.
  [[nodiscard]] HD Rows<u32> list(u64 row) const { return {words + row * room, room, sizes[row]}; }
  HD void keep(u64 row, const Rows<u32>& list) const { sizes[row] = static_cast<u32>(list.size()); }
  HD void copy(u64 row, std::span<const u32> from) const {
    sizes[row] = static_cast<u32>(from.size());
    for (size_t k = 0; k < from.size(); ++k) words[row * room + k] = from[k];
  }
  // The lists from a row on.
  [[nodiscard]] HD DecisionRows behind(u64 row) const {
    return {words + row * room, sizes + row, room};
  }
};

}  // namespace komuz::engine
