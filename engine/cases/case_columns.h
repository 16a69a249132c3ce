// SPDX-License-Identifier: Apache-2.0
// Turns cells of cases into the columns that a machine reads (lang/cases.h).
#pragma once
#include <span>
#include <vector>

#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::engine {

class CaseColumns {
 public:
  explicit CaseColumns(std::span<const u8> slot_types);

  // Rows are added one after the other. `cells` has a cell for each slot.
  void clear() { count_ = 0; }
  void add(std::span<const u64> cells);

  // Valid until the next call of `add`.
  [[nodiscard]] CasesView view();
  [[nodiscard]] u32 count() const { return count_; }

 private:
  struct alignas(64) Line {
    u8 bytes[64];
  };
  std::vector<std::vector<Line>> memory_;
  std::vector<ArgumentColumn> columns_;
  u32 count_ = 0;
};

}  // namespace komuz::engine
