// SPDX-License-Identifier: Apache-2.0
// DeviceWork in memory of the host, for programs that run under the lockstep emulator.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/device/device_work.h"

namespace komuz::engine {

// `Work` is a DeviceWork.
template <class Work>
class HostWork : public Work {
 public:
  // `most`: limit on its memory in bytes, since a device is limited, too.
  explicit HostWork(size_t most = SIZE_MAX) : left_(most / sizeof(u64)) {}

 protected:
  Problem reserve(u32 part, size_t bytes, u8*& out) override {
    if (parts_.size() <= part) parts_.resize(part + 1);
    std::vector<u64>& memory = parts_[part];
    const size_t words = (bytes + sizeof(u64) - 1) / sizeof(u64);
    const size_t more = words - std::min(words, memory.size());
    this->is_full_ = more > left_;
    if (this->is_full_)
      return device_problem("there is no memory left for what is known of variants");
    left_ -= more;
    if (more != 0) memory.assign(words, kPoison);
    out = reinterpret_cast<u8*>(memory.data());
    return {};
  }
  Problem fetch(void* to, const void* from, size_t bytes) override { return copy(to, from, bytes); }
  Problem send(void* to, const void* from, size_t bytes) override { return copy(to, from, bytes); }

 private:
  static constexpr u64 kPoison = 0xDEAD'BEEF'DEAD'BEEF;

  static Problem copy(void* to, const void* from, size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
    return {};
  }

  size_t left_;  // words
  std::vector<std::vector<u64>> parts_;
};

}  // namespace komuz::engine
