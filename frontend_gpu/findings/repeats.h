// SPDX-License-Identifier: Apache-2.0
// Findings that say again what was said of the same name: a variable that does not change, of each assignment to it, and a
// name that nobody knows, of each of its uses in an item. What an edit mends is said each time, as each place needs it.
#pragma once
#include <set>
#include <string_view>
#include <tuple>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

class Repeats {
 public:
  explicit Repeats(std::string_view source) : source_(source) {}
  // A name that nobody knows, and it has been told so; before it is sought what it may have been meant as.
  [[nodiscard]] bool was_told(const Finding& finding) const;
  // To be asked of one after the other, in the order of the source.
  [[nodiscard]] bool contain(const Finding& finding);

 private:
  std::string_view source_;
  // The item, the code, what the edit is made of, the name
  std::set<std::tuple<Index, DiagnosticCode, u32, u32, std::string_view>> told_;
};

}  // namespace komuz::frontend
