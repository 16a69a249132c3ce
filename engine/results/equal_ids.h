// SPDX-License-Identifier: Apache-2.0
// Finds candidates with the same id: a report's statements about the id could mean either of them.
#pragma once
#include <string>
#include <string_view>

#include "engine/support/block_vector.h"
#include "engine/support/hash_slots.h"

namespace komuz::engine {

// Keeps some 22 bytes for each id.
class EqualIds {
 public:
  // Adds the id of the next candidate.
  void add(std::string_view id);

  // The number of candidates whose id an earlier one has.
  [[nodiscard]] u64 repeated() const { return repeated_; }
  // The first of these candidates, the earlier one, and their id. Candidates are numbered from 0.
  [[nodiscard]] u32 next() const { return next_; }
  [[nodiscard]] u32 first() const { return first_; }
  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  HashSlots known_;
  BlockVector<u64> hashes_;  // by candidate
  u64 repeated_ = 0;
  u32 next_ = 0, first_ = 0;
  std::string id_;
};

}  // namespace komuz::engine
