// SPDX-License-Identifier: Apache-2.0
// Many short texts in little memory: a text takes its bytes and six more, since texts are stored in groups.
#pragma once
#include <array>
#include <deque>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

class TextList {
 public:
  void add(std::string_view text) {
    if (size_ == groups_.size() * kGroup) {
      if (size_ != 0) groups_.back().bytes.shrink_to_fit();
      groups_.emplace_back();
    }
    Group& group = groups_.back();
    group.bytes += text;
    group.ends[size_++ % kGroup] = static_cast<u32>(group.bytes.size());
  }
  // Keeps the first `size` texts; there are at least as many.
  void cut(u64 size) {
    size_ = size;
    groups_.resize((size + kGroup - 1) / kGroup);
    if (size % kGroup != 0) groups_.back().bytes.resize(groups_.back().ends[(size - 1) % kGroup]);
  }
  // Valid until the next text is added.
  [[nodiscard]] std::string_view operator[](u64 i) const {
    const Group& group = groups_[i / kGroup];
    const u32 begin = i % kGroup == 0 ? 0 : group.ends[i % kGroup - 1];
    return std::string_view(group.bytes).substr(begin, group.ends[i % kGroup] - begin);
  }
  [[nodiscard]] u64 size() const { return size_; }
  void clear() {
    if (groups_.size() > 1) groups_.resize(1);
    if (!groups_.empty()) groups_[0].bytes.clear();
    size_ = 0;
  }

 private:
  // Few enough that their texts, which have up to 32 MiB each, end below 4 GiB.
  static constexpr u64 kGroup = 64;
  struct Group {
    std::string bytes;
    std::array<u32, kGroup> ends{};
  };

  std::deque<Group> groups_;
  u64 size_ = 0;
};

}  // namespace komuz::engine
