// SPDX-License-Identifier: Apache-2.0
#include "neural/tier/window_cache.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace komuz::neural {

WindowCache::Entry& WindowCache::entry(const std::string& key) {
  if (entries_.size() >= kMost && !entries_.contains(key)) {
    std::vector<u64> uses;
    uses.reserve(entries_.size());
    for (const auto& [other, row] : entries_) uses.push_back(row.used_at);
    const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
    std::ranges::nth_element(uses, middle);
    const u64 least = *middle;
    std::erase_if(entries_, [&](const auto& row) { return row.second.used_at < least; });
  }
  Entry& found = entries_[key];
  found.used_at = ++used_;
  return found;
}

std::shared_ptr<const KnownWindow> WindowCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  found->second.used_at = ++used_;
  return found->second.known;
}

std::shared_ptr<const KnownWindow> WindowCache::add(const std::string& key, KnownWindow known) {
  auto made = std::make_shared<const KnownWindow>(std::move(known));
  const std::lock_guard lock(mutex_);
  Entry& to = entry(key);
  if (to.known == nullptr || to.known->asked < made->asked) {
    to.known = std::move(made);
    to.missed_ns = 0;
  }
  return to.known;
}

f64 WindowCache::note_missed_gain(const std::string& key, f64 ns) {
  const std::lock_guard lock(mutex_);
  return entry(key).missed_ns += ns;
}

size_t WindowCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace komuz::neural
