// SPDX-License-Identifier: Apache-2.0
// Values that are the same in all lanes: each repeated as often as fills a vector, at an address that stays.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/ints.h"

namespace komuz::vm {

inline constexpr u32 kBroadcastBytes = 64;

struct alignas(kBroadcastBytes) BroadcastValue {
  std::array<u64, kBroadcastBytes / sizeof(u64)> words;
};

// Any number of them: how many a program takes is not known before it is lowered, as parts of loops over elements that
// stand in each other begin with the same variables. Memory is kept by clear(), for the next program.
class BroadcastValues {
 public:
  void clear() { used_ = 0; }
  // Of no value yet; valid until clear().
  [[nodiscard]] BroadcastValue& add() {
    if (used_ == chunks_.size() * kOfChunk)
      chunks_.push_back(std::make_unique_for_overwrite<BroadcastValue[]>(kOfChunk));
    BroadcastValue& value = chunks_[used_ / kOfChunk][used_ % kOfChunk];
    ++used_;
    return value;
  }

 private:
  static constexpr size_t kOfChunk = 256;
  std::vector<std::unique_ptr<BroadcastValue[]>> chunks_;
  size_t used_ = 0;
};

}  // namespace komuz::vm
