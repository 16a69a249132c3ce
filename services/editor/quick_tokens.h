// SPDX-License-Identifier: Apache-2.0
// What token_kinds.h lists, for a text that is asked about again after each key. Where an edit is inside of one body
// (text_parts.h), the tokens of that item alone are found anew, with the items whose names stand in it; those of all others mean
// what they meant, and move. Where a bracket or an operator is missing, the whole text is read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "services/analysis.h"
#include "services/editor/text_parts.h"
#include "services/editor/token_kinds.h"

namespace komuz::services {

class QuickTokens {
 public:
  // The library outlives it.
  explicit QuickTokens(const Library* library) : part_(library) {}

  // `whole`: of the same library; it reads the text where all of it has to be read. Modules are loaded. What is returned holds until
  // the next call.
  const std::vector<KnownToken>& list(std::string_view text, Analysis& whole);
  // How many lists were found of a part of the text alone.
  [[nodiscard]] u64 quick() const { return quick_; }

 private:
  [[nodiscard]] bool list_edit(std::string_view text);

  bool is_usable_ = false;  // the parts are those of the text
  std::string text_;
  u32 library_size_ = 0;
  std::vector<KnownToken> tokens_;
  TextParts parts_;
  Analysis part_;
  u64 quick_ = 0;
};

}  // namespace komuz::services
