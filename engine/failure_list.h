// SPDX-License-Identifier: Apache-2.0
// The first failing cases of candidates. Nearly every one may have one, so they are kept as bytes.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "engine/text_list.h"
#include "lang/traps.h"

namespace komuz::engine {

// The first case that did not end as expected.
struct Failure {
  u32 case_index = 0;
  komuz::Trap trap = komuz::Trap::None;  // None: it ended with the value `actual`
  u32 line = 0, column = 0, depth = 0;   // of the trap, in the source
  std::string function;                  // in which it trapped
  std::string actual;                    // cells of the result, packed (packed_cells.h)
  // Of a result whose JSON is longer than is kept: how it begins, and all its bytes; `actual` is empty then.
  std::string actual_begin = {};
  u64 actual_bytes = 0;
  std::string file = {};  // of the module in which it trapped; empty: the candidate
  // Of the trap ASSERT: `assert left > 0`, as it is written, cut if it is long.
  std::string assertion = {};
  // Of a candidate whose parameters are others than the suite's (own_signatures.h): as text, their types as the cases hold
  // them, and the case's cells of these that are not 0, in order. Empty: they are the suite's.
  struct Cell {
    u32 slot = 0;
    u64 value = 0;
  };
  std::string signature = {}, argument_types = {};
  std::vector<Cell> arguments = {};

  // As it was made, but with its memory.
  void clear();
  // Without a trap: it ended with these cells, which are a value of the type.
  void keep_actual(std::string_view type, std::span<const u64> cells);
};

// Of values of failures, those of their cases, too, what is longer than this as JSON is neither kept nor written, but how it
// begins.
inline constexpr size_t kMostValueBytes = 4096;
[[nodiscard]] std::string_view beginning_of(std::string_view text);

class FailureList {
 public:
  void push_back(const Failure& failure);
  [[nodiscard]] Failure operator[](u64 i) const;
  [[nodiscard]] u64 size() const { return packed_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  void clear();

 private:
  [[nodiscard]] u32 own_number(const Failure& failure);

  TextList packed_;
  // Signatures with their types, which many have: the failure has its number.
  std::map<std::string, u32, std::less<>> own_numbers_;
  std::vector<std::string> own_;
  std::string bytes_;  // of the one that is added
};

}  // namespace komuz::engine
