// SPDX-License-Identifier: Apache-2.0
#include "engine/results/equal_ids.h"

#include <functional>

namespace komuz::engine {

void EqualIds::add(std::string_view id) {
  const u64 hash = std::hash<std::string_view>()(id);
  const auto number = static_cast<u32>(hashes_.size());
  hashes_.push_back(hash);
  const u32 known =
      known_.find_or_add(hash, number, [&](u32 other) { return hashes_[other] == hash; });
  if (known == number || repeated_++ != 0) return;
  next_ = number;
  first_ = known;
  id_ = id;
}

}  // namespace komuz::engine
