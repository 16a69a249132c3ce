// SPDX-License-Identifier: Apache-2.0
// The variables of a session, in the order in which they got their names.
#pragma once
#include "repl/answer.h"
#include "repl/definitions.h"

namespace komuz::repl {

class Variables {
 public:
  [[nodiscard]] auto all() const { return kept_.all(); }
  // Null: there is none.
  [[nodiscard]] const NamedValue* find(std::string_view name) const;
  // The variables that the words name.
  [[nodiscard]] std::vector<const NamedValue*> named_by(
      std::span<const std::string_view> words) const;

  // An existing variable keeps its place.
  void set(NamedValue value);
  void remove(std::string_view name);
  // Removes variables whose types are strange, and returns their names. `is_strange` is asked once for each type.
  template <class IsStrange>
  std::vector<std::string> remove_types(const IsStrange& is_strange) {
    std::set<u64> strange;
    for (const auto& [codes, numbers] : kept_.index().by_type)
      if (is_strange(kept_.at(*numbers.begin()))) strange.insert(numbers.begin(), numbers.end());
    std::vector<std::string> names;
    for (const u64 number : strange) {
      names.push_back(kept_.at(number).name);
      kept_.remove(number);
    }
    return names;
  }
  void clear() { kept_.clear(); }

  void begin_step(size_t most) { kept_.begin_step(most); }
  auto take_step_back() { return kept_.take_step_back(); }

 private:
  struct Index {
    void add(const NamedValue& value, u64 number);
    void remove(const NamedValue& value, u64 number);
    void forget(u64 number);

    NumbersByName by_name;
    std::map<std::pair<std::string, std::string>, std::set<u64>>
        by_type;  // as written, and as codes
  };

  KeptList<NamedValue, Index> kept_;
};

}  // namespace komuz::repl
