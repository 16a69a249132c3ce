// SPDX-License-Identifier: Apache-2.0
// The things that a session keeps, in order, each under a number, with an index. The changes of the last steps can be
// undone one by one. The cost of a change does not depend on how much is kept.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

// Maps names to numbers of things.
class NumbersByName {
 public:
  void add(std::string_view name, u64 number) { numbers_[std::string(name)].insert(number); }
  void remove(std::string_view name, u64 number) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return;
    found->second.erase(number);
    if (found->second.empty()) numbers_.erase(found);
  }
  // Removes the number everywhere; takes no memory.
  void forget(u64 number) {
    for (auto& [name, numbers] : numbers_) numbers.erase(number);
  }
  [[nodiscard]] const std::set<u64>& find(std::string_view name) const {
    static const std::set<u64> kNoNumbers;
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kNoNumbers : found->second;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::set<u64>, Hash, std::equal_to<>> numbers_;
};

// `Index` has add(const T&, number) and remove(const T&, number).
template <class T, class Index>
class KeptList {
 public:
  using Thing = std::shared_ptr<const T>;

  [[nodiscard]] auto all() const {
    return things_ | std::views::values |
           std::views::transform([](const Thing& thing) -> const T& { return *thing; });
  }
  [[nodiscard]] const T& at(u64 number) const { return *things_.at(number); }
  [[nodiscard]] const Index& index() const { return index_; }

  void add(T thing) { set(next_++, std::make_shared<const T>(std::move(thing))); }
  void replace(u64 number, T thing) { set(number, std::make_shared<const T>(std::move(thing))); }
  void remove(u64 number) { set(number, nullptr); }
  void clear() {
    while (!things_.empty()) remove(things_.begin()->first);
  }

  // Starts a step of changes. The first step is forgotten if there are more than `most`.
  void begin_step(size_t most) {
    if (steps_.size() == most) steps_.pop_front();
    steps_.emplace_back();
  }
  // Undoes the last step. Returns the previous values of all that it changed, in order.
  std::vector<Thing> take_step_back() {
    std::vector<Thing> replaced;
    const Step step = std::move(steps_.back());
    steps_.pop_back();
    for (const auto& [number, before] : step)
      if (Thing now = put(number, before)) replaced.push_back(std::move(now));
    return replaced;
  }

 private:
  using Step = std::map<u64, Thing>;  // previous values; null: none

  void set(u64 number, Thing thing) {
    const auto now = things_.find(number);
    if (!steps_.empty())
      steps_.back().try_emplace(number, now == things_.end() ? nullptr : now->second);
    put(number, std::move(thing));
  }
  // Returns the previous value.
  Thing put(u64 number, Thing thing) {
    const auto place = things_.try_emplace(number).first;
    if (place->second) index_.remove(*place->second, number);
    try {
      if (thing) index_.add(*thing, number);
    } catch (const std::bad_alloc&) {  // the list must not hold what the index lacks
      index_.forget(number);
      things_.erase(place);
      throw;
    }
    std::swap(place->second, thing);
    if (!place->second) things_.erase(place);
    return thing;
  }

  std::map<u64, Thing> things_;
  Index index_;
  std::deque<Step> steps_;
  u64 next_ = 0;
};

}  // namespace komuz::services
