// SPDX-License-Identifier: Apache-2.0
#include "engine/native/code_family.h"

#include <algorithm>

#include "backend/backend.h"
#include "base/hash.h"

namespace komuz::engine {

FamilyKey family_key(const CodeView& code, u32 function, Company company) {
  Hash128 hash;
  hash.add(u64{function} << 8 | static_cast<u64>(company));
  const auto add = [&hash](const auto& column) {
    add_text(hash, {reinterpret_cast<const char*>(column.data()), column.size_bytes()});
  };
  add(code.instructions);
  add(code.slot_types);
  hash.add(code.constants.size());
  const std::vector<Scalar> types = backend::loadable_types(code);
  for (size_t k = 0; k < types.size(); ++k)
    if (types[k] == Scalar::None || company == Company::Crowd) hash.add(code.constants[k]);
  for (const Function& f : code.functions) {
    hash.add(u64{f.code_begin} << 32 | f.slots_begin);
    hash.add(u64{f.parameter_slots} << 48 | u64{f.result_cells} << 32 | u64{f.slots} << 16 | f.rec);
  }
  return {hash.low, hash.high};
}

CodeFamily::CodeFamily(const CodeView& first)
    : first_(first.constants.begin(), first.constants.end()), differs_(first_.size(), false) {
  for (const Scalar type : backend::loadable_types(first))
    is_loadable_.push_back(type != Scalar::None);
}

void CodeFamily::add(std::span<const u64> constants) {
  for (size_t k = 0; k < constants.size(); ++k) {
    if (constants[k] == first_[k % first_.size()]) continue;
    differs_[k % first_.size()] = true;
    has_several_ = true;
  }
}

std::vector<u32> CodeFamily::differing(const CodeView& code) const {
  std::vector<bool> is_loaded = differs_;
  backend::complete(code, is_loaded);
  std::vector<u32> found;
  for (u32 k = 0; k < is_loaded.size(); ++k)
    if (is_loaded[k]) found.push_back(k);
  return found;
}
std::vector<u32> CodeFamily::loadable() const {
  std::vector<u32> found;
  for (u32 k = 0; k < is_loadable_.size(); ++k)
    if (is_loadable_[k]) found.push_back(k);
  return found;
}

bool CodeFamily::fit(std::span<const u64> constants, std::span<const u32> loaded) const {
  for (size_t begin = 0; begin < constants.size(); begin += first_.size()) {
    size_t next = 0;
    for (size_t k = 0; k < first_.size(); ++k) {
      const bool is_loaded = next < loaded.size() && loaded[next] == k;
      next += is_loaded ? 1 : 0;
      if (!is_loaded && constants[begin + k] != first_[k]) return false;
    }
  }
  return true;
}

}  // namespace komuz::engine
