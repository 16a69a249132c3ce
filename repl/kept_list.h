// SPDX-License-Identifier: Apache-2.0
// Things that a session keeps, in their order, each under a number, with an index of theirs; and what has changed in the last steps,
// which can be taken back one by one. A change costs the same however much is kept.
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

namespace komuz::repl {

// Which things have a name, by their numbers.
class NumbersByName {
 public:
  void add(std::string_view name, u64 number) { numbers_[std::string(name)].insert(number); }
  void remove(std::string_view name, u64 number) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return;
    found->second.erase(number);
    if (found->second.empty()) numbers_.erase(found);
  }
  // Wherever it stands; takes no memory.
  void forget(u64 number) {
    for (auto& [name, numbers] : numbers_) numbers.erase(number);
  }
  [[nodiscard]] const std::set<u64>& find(std::string_view name) const {
    static const std::set<u64> kNone;
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kNone : found->second;
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

  // What changes from here on is a step. The first one is forgotten where there are more than `most`.
  void begin_step(size_t most) {
    if (steps_.size() == most) steps_.pop_front();
    steps_.emplace_back();
  }
  // Takes the last step back, and returns what was there, of that which it changed, in its order.
  std::vector<Thing> take_step_back() {
    std::vector<Thing> replaced;
    const Step step = std::move(steps_.back());
    steps_.pop_back();
    for (const auto& [number, before] : step)
      if (Thing now = put(number, before)) replaced.push_back(std::move(now));
    return replaced;
  }

 private:
  using Step = std::map<u64, Thing>;  // what was there before it; null: nothing

  void set(u64 number, Thing thing) {
    const auto now = things_.find(number);
    if (!steps_.empty())
      steps_.back().try_emplace(number, now == things_.end() ? nullptr : now->second);
    put(number, std::move(thing));
  }
  // Returns what was there.
  Thing put(u64 number, Thing thing) {
    const auto place = things_.try_emplace(number).first;
    if (place->second) index_.remove(*place->second, number);
    try {
      if (thing) index_.add(*thing, number);
    } catch (const std::bad_alloc&) {  // what the index has not as a whole is not here
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

}  // namespace komuz::repl
