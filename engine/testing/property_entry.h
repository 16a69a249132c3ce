// SPDX-License-Identifier: Apache-2.0
// A property in a form that machines can run on cases: the ranges of its parameters and, for a property that takes
// slices, a function that takes lists in their place (engine/cases/slice_entry.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/testing/shrinkable_scalars.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::engine {

// The most elements of a tried slice; fewer if so many do not fit into a frame.
inline constexpr u32 kMostSliceElements = 16;

class PropertyEntry {
 public:
  // `function` is a property, or any other function, of checked code. `most_elements`: of a slice, at least 1.
  PropertyEntry(const CodeView& code, u32 function, u32 most_elements = kMostSliceElements);

  // False: slices of even one element do not fit into a frame, so the property cannot be run.
  [[nodiscard]] bool fits() const { return fits_; }
  // The elements that its slices have at most; 0: it takes none.
  [[nodiscard]] u32 slice_elements() const { return slice_elements_; }
  [[nodiscard]] CodeView code() const { return is_added_ ? own_.view() : code_; }
  [[nodiscard]] u32 function() const { return function_; }
  // The parameters as cases hold them, as one tuple, and their ranges; None for a parameter without a range.
  [[nodiscard]] std::string_view types() const { return types_; }
  [[nodiscard]] const std::vector<Domain>& domains() const { return domains_; }
  [[nodiscard]] std::span<const u8> slot_types() const;

  [[nodiscard]] u64 budget(u64 fuel) const;
  // Turns outcomes of the function that is run into outcomes of the property.
  void hide(const OutcomesView& outcomes) const;

 private:
  CodeView code_;
  u32 function_;
  std::string types_;
  std::vector<Domain> domains_;
  u32 slice_elements_ = 0;
  Code own_;  // with the function that takes lists
  bool is_added_ = false, fits_ = true;
};

}  // namespace komuz::engine
