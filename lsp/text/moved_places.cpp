// SPDX-License-Identifier: Apache-2.0
#include "lsp/text/moved_places.h"

#include <algorithm>

namespace komuz::lsp {

MovedPlaces::MovedPlaces(std::string_view before, std::string_view after)
    : shift_(static_cast<i64>(after.size()) - static_cast<i64>(before.size())) {
  const size_t most = std::min(before.size(), after.size());
  size_t front = 0, back = 0;
  while (front < most && before[front] == after[front]) ++front;
  while (back < most - front && before[before.size() - back - 1] == after[after.size() - back - 1])
    ++back;
  begin_ = static_cast<u32>(front);
  end_ = static_cast<u32>(before.size() - back);
}

std::optional<ByteRange> MovedPlaces::find(ByteRange range) const {
  if (range.end <= begin_) return range;
  if (range.begin < end_) return std::nullopt;
  const auto moved = [&](u32 byte) { return static_cast<u32>(static_cast<i64>(byte) + shift_); };
  return ByteRange{moved(range.begin), moved(range.end)};
}

}  // namespace komuz::lsp
