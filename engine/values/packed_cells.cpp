// SPDX-License-Identifier: Apache-2.0
// The format is a sequence of stretches: the number of zeros, the number of other cells (both seven bits a byte, the
// lowest first, each byte but the last with its highest bit set), the bytes of one such cell, then all of them,
// lowest byte first.
#include "engine/values/packed_cells.h"

#include <algorithm>
#include <bit>

namespace komuz::engine {
namespace {

void put_count(u64 count, std::string& out) {
  for (; count >= 0x80; count >>= 7) out += static_cast<char>(count | 0x80);
  out += static_cast<char>(count);
}
u64 take_count(std::string_view& packed) {
  u64 count = 0;
  for (u32 shift = 0; !packed.empty(); shift += 7) {
    const auto byte = static_cast<u8>(packed[0]);
    packed.remove_prefix(1);
    count |= u64{byte & 0x7Fu} << shift;
    if (byte < 0x80) break;
  }
  return count;
}

// True if enough zeros begin there that counting them pays.
bool is_gap(std::span<const u64> cells, size_t at) {
  constexpr size_t kZeros = 3;
  return std::ranges::all_of(cells.subspan(at, std::min(kZeros, cells.size() - at)),
                             [](u64 cell) { return cell == 0; });
}

}  // namespace

void pack_cells(std::span<const u64> cells, std::string& out) {
  for (size_t at = 0; at < cells.size();) {
    size_t begin = at;
    while (begin < cells.size() && cells[begin] == 0) ++begin;
    size_t end = begin;
    u64 all = 0;
    for (; end < cells.size() && !is_gap(cells, end); ++end) all |= cells[end];
    put_count(begin - at, out);
    put_count(end - begin, out);
    at = end;
    if (begin == end) break;
    const u32 width = (static_cast<u32>(std::bit_width(all)) + 7) / 8;
    out += static_cast<char>(width);
    for (const u64 cell : cells.subspan(begin, end - begin))
      for (u32 k = 0; k < width; ++k) out += static_cast<char>(cell >> 8 * k);
  }
}

std::vector<u64> unpack_cells(std::string_view packed) {
  std::vector<u64> cells;
  while (!packed.empty()) {
    cells.resize(cells.size() + take_count(packed));
    const u64 count = take_count(packed);
    if (count == 0) break;
    const auto width = static_cast<size_t>(packed[0]);
    packed.remove_prefix(1);
    for (u64 k = 0; k < count; ++k, packed.remove_prefix(width)) {
      u64 cell = 0;
      for (size_t byte = 0; byte < width; ++byte)
        cell |= u64{static_cast<u8>(packed[byte])} << 8 * byte;
      cells.push_back(cell);
    }
  }
  return cells;
}

}  // namespace komuz::engine
