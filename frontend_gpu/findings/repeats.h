// SPDX-License-Identifier: Apache-2.0
// Findings that repeat what has been said of the same name: that a variable does not change, for each assignment to
// it; that a name is unknown, for each of its uses in an item. Findings with an edit are told each time, because
// each place needs the edit.
#pragma once
#include <set>
#include <string_view>
#include <tuple>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

class Repeats {
 public:
  explicit Repeats(std::string_view source) : source_(source) {}
  // True for an unknown name that has been reported. This question comes before the search for similar names.
  [[nodiscard]] bool was_told(const Finding& finding) const;
  // True for a repetition. Has to be asked for one finding after the other, in the order of the source.
  [[nodiscard]] bool contain(const Finding& finding);

 private:
  std::string_view source_;
  // The item, the code, the values that the edit is made of, the name.
  std::set<std::tuple<Index, DiagnosticCode, u32, u32, std::string_view>> told_;
};

}  // namespace komuz::frontend
