// SPDX-License-Identifier: Apache-2.0
#include "engine/device/stretch_maker.h"

#include <algorithm>

namespace komuz::engine {
namespace {

constexpr u64 kMostCode = u64{1} << 26;  // operations and constants of all variants: 1.8 GB

}  // namespace

Stretched StretchMaker::settle(const MadeCounts& counts) {
  const bool has_room = counts.no_room == 0 && counts.no_output == 0;
  if (counts.left != 0) return Stretched::Never;
  if (has_room) return Stretched::Done;
  if (counts.no_room != 0 && !can_grow()) return Stretched::Never;
  if (counts.no_output != 0 && !grow_code_room(counts)) return Stretched::Never;
  if (counts.no_room != 0) grow();
  return Stretched::Again;
}

void StretchMaker::set_code_room(u64 each, u32 count) {
  code_room_ = static_cast<u32>(std::min(kMostCode, code_scale_ * each * count));
}

bool StretchMaker::grow_code_room(const MadeCounts& counts) {
  const u64 used = std::max(counts.ops, counts.constants);
  if (code_room_ == kMostCode) return false;
  if (used > code_room_) code_scale_ *= used / code_room_ + 1;
  return true;
}

}  // namespace komuz::engine
