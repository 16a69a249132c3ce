// SPDX-License-Identifier: Apache-2.0
// The first failing cases of candidates. Nearly every candidate may have one, so they are kept as bytes.
#pragma once
#include <string>
#include <vector>

#include "base/ints.h"
#include "engine/support/hash_slots.h"
#include "engine/support/text_list.h"
#include "engine/values/kept_value.h"
#include "lang/traps.h"

namespace komuz::engine {

// The first case that did not end as expected.
struct Failure {
  u32 case_index = 0;
  komuz::Trap trap = komuz::Trap::None;  // None: the case ended with the value `actual`
  u32 line = 0, column = 0, depth = 0;   // of the trap, in the source
  std::string function;                  // in which it trapped
  KeptValue actual;
  std::string file = {};  // of the module in which it trapped; empty: the candidate
  // For the trap ASSERT: `assert left > 0` as it is written, cut if it is long.
  std::string assertion = {};
  // For a candidate whose parameters differ from the suite's (own_signatures.h): the signature as text, the types as
  // the cases hold them, and the arguments of the case. Empty if they are the suite's.
  std::string signature = {}, argument_types = {};
  std::vector<KeptValue> arguments = {};

  // Resets everything, and keeps the memory.
  void clear();
};

class FailureList {
 public:
  void push_back(const Failure& failure);
  [[nodiscard]] Failure operator[](u64 i) const;
  [[nodiscard]] u64 size() const { return packed_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  void clear();
  // The number of kept signatures and arguments, each counted once.
  [[nodiscard]] u64 own_texts() const { return own_.size(); }

 private:
  void put_own(const Failure& failure);
  [[nodiscard]] u32 number_of(std::string_view text);

  TextList packed_;
  // Signatures with their types, and arguments, each kept once: many candidates fail the same case and take the same
  // columns.
  TextList own_;
  HashSlots own_numbers_;
  std::string bytes_, own_bytes_;  // of the failure being added
};

}  // namespace komuz::engine
