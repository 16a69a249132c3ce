// SPDX-License-Identifier: Apache-2.0
// Guided inputs of a function, and of the function that took its place.
#pragma once
#include "engine/cases/case_columns.h"
#include "engine/testing/property_entry.h"

namespace komuz::neural {

// The functions of two codes with the same types, and inputs for both.
class GuidedCases {
 public:
  GuidedCases(const CodeView& a, const CodeView& b, u32 function, u64 inputs, u64 seed);

  // False: not even slices of one element fit into a frame, and there are no cases.
  [[nodiscard]] bool fits() const { return a_.fits() && b_.fits(); }
  [[nodiscard]] const engine::PropertyEntry& a() const { return a_; }
  [[nodiscard]] const engine::PropertyEntry& b() const { return b_; }
  [[nodiscard]] CasesView view() { return columns_.view(); }
  [[nodiscard]] u32 count() const { return columns_.count(); }
  // Another input behind the others, a cell for each slot.
  void add(std::span<const u64> cells) { columns_.add(cells); }

 private:
  engine::PropertyEntry a_, b_;
  engine::CaseColumns columns_;
};

}  // namespace komuz::neural
