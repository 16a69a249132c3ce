// SPDX-License-Identifier: Apache-2.0
#include "repl/variables.h"

namespace komuz::repl {

void Variables::Index::add(const NamedValue& value, u64 number) {
  by_name.add(value.name, number);
  by_type[{value.type, value.type_codes}].insert(number);
}

void Variables::Index::remove(const NamedValue& value, u64 number) {
  by_name.remove(value.name, number);
  const auto found = by_type.find({value.type, value.type_codes});
  if (found == by_type.end()) return;
  found->second.erase(number);
  if (found->second.empty()) by_type.erase(found);
}

void Variables::Index::forget(u64 number) {
  by_name.forget(number);
  for (auto at = by_type.begin(); at != by_type.end();) {
    at->second.erase(number);
    at = at->second.empty() ? by_type.erase(at) : std::next(at);
  }
}

const NamedValue* Variables::find(std::string_view name) const {
  const std::set<u64>& numbers = kept_.index().by_name.find(name);
  return numbers.empty() ? nullptr : &kept_.at(*numbers.begin());
}

std::vector<const NamedValue*> Variables::named_by(std::span<const std::string_view> words) const {
  std::set<u64> numbers;
  for (const std::string_view word : words) {
    const std::set<u64>& found = kept_.index().by_name.find(word);
    numbers.insert(found.begin(), found.end());
  }
  std::vector<const NamedValue*> named;
  for (const u64 number : numbers) named.push_back(&kept_.at(number));
  return named;
}

void Variables::set(NamedValue value) {
  const std::set<u64>& numbers = kept_.index().by_name.find(value.name);
  if (numbers.empty())
    kept_.add(std::move(value));
  else
    kept_.replace(*numbers.begin(), std::move(value));
}

void Variables::remove(std::string_view name) {
  const std::set<u64>& numbers = kept_.index().by_name.find(name);
  if (!numbers.empty()) kept_.remove(*numbers.begin());
}

}  // namespace komuz::repl
