// SPDX-License-Identifier: Apache-2.0
// Values that are the same in all lanes: each is repeated to fill a vector, at a fixed address.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/ints.h"
#include "lang/types.h"

namespace komuz::vm {

inline constexpr u32 kBroadcastBytes = 64;

struct alignas(kBroadcastBytes) BroadcastValue {
  std::array<u64, kBroadcastBytes / sizeof(u64)> words;
};

// Sets it to a cell of the type. Out of line: inline functions of the library must not be compiled for one instruction set.
void set_broadcast(BroadcastValue& value, Scalar type, u64 cell);

// Any number of values: the number that a program takes is not known before it is lowered, since parts of nested
// loops over elements begin with the same variables. clear() keeps the memory for the next program.
class BroadcastValues {
 public:
  void clear() { used_ = 0; }
  // A vector to be set by the caller; valid until clear().
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
