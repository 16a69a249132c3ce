// SPDX-License-Identifier: Apache-2.0
// A run cut into independent parts: blocks of candidates, dealt out in turn. So every shard gets candidates from all
// over the input, even if the input is a stream of unknown length.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

struct Shard {
  u32 index = 0, of = 1;

  static constexpr u64 kBlock = 1024;  // candidates
  static constexpr u32 kMost = 4096;   // shards: a merge reads their logs side by side

  // True if the candidate at this place of the input belongs to this shard.
  [[nodiscard]] bool has(u64 position) const { return position / kBlock % of == index; }
  // The place in the input of the shard's n-th candidate.
  [[nodiscard]] u64 position_of(u64 n) const {
    return (n / kBlock * of + index) * kBlock + n % kBlock;
  }
  // How many of the first `all` candidates belong to this shard.
  [[nodiscard]] u64 count(u64 all) const {
    const u64 round = kBlock * of, begin = kBlock * index, rest = all % round;
    const u64 own = rest <= begin ? 0 : rest - begin < kBlock ? rest - begin : kBlock;
    return all / round * kBlock + own;
  }
};

// "2/4" is the second of four shards.
[[nodiscard]] std::string shard_text(const Shard& shard);
[[nodiscard]] std::optional<Shard> shard_from_text(std::string_view text);

}  // namespace komuz::engine
