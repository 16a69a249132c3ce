// SPDX-License-Identifier: Apache-2.0
// What token_kinds.h lists, for a text that is asked about again after each key. Where an edit is inside of one body
// (text_parts.h), the tokens of that item alone are found anew, with the items whose names stand in it; those of all others mean
// what they meant, and move. An item that lacks a bracket or an operator is mended by itself, from its first token to what stands
// behind it (services/mend_text.h), so it is the same item in a part of the text and in all of it. The whole text is read where
// others come to see the head of an item that could not be mended, or see it no more.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/analysis.h"
#include "services/editor/token_kinds.h"
#include "services/quick/text_parts.h"

namespace komuz::services {

class QuickTokens {
 public:
  // The library outlives it.
  explicit QuickTokens(const Library* library) : part_(library) {}

  // `whole`: of the same library; it reads the text where all of it has to be read. Modules are loaded. What is returned holds until
  // the next call.
  const std::vector<KnownToken>& list(std::string_view text, Analysis& whole);
  // Tokens [first, first + removed) of a list have become [first, first + added); those before are what they were, those behind have
  // moved together.
  struct Change {
    u32 first = 0, removed = 0, added = 0;
  };
  // What has become of the list since the mark; nothing: nobody knows.
  [[nodiscard]] const std::optional<Change>& change() const { return change_; }
  void mark() { change_ = Change{}; }
  // How many lists were found of a part of the text alone.
  [[nodiscard]] u64 quick() const { return quick_; }

 private:
  void read_parts(std::string_view text, const Analysis& whole);
  [[nodiscard]] bool list_edit(std::string_view text);
  void note(const Change& next);

  bool is_usable_ = false;  // the parts are those of the text
  std::string text_;
  u32 library_size_ = 0;
  std::vector<KnownToken> tokens_;
  std::optional<Change> change_;
  TextParts parts_;
  Analysis part_;
  u64 quick_ = 0;
};

}  // namespace komuz::services
