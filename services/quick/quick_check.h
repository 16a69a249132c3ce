// SPDX-License-Identifier: Apache-2.0
// What check_text.h finds, for a text that is checked again after each key. Where an edit is inside of one body
// (text_parts.h), only that item is compiled, with those that it needs and those that had findings; all others are left out. The
// findings of what is left are those of the text, because
//
// - an item without findings has none as long as it and the heads of what it names stay what they are; where an item is broken,
//   others do not see its head, so those that name it are compiled, too;
// - misspelled names are compared with all others: what is wrong is found in the text with_names, with those that may be near to a
//   word that is wrong, unless names are of no matter because items are broken;
// - what only code shows (bounds of recursion, stacks) is found in the text of what is needed, and only where nothing is wrong;
//   a caller's stack grows at most by what its callee's does;
// - what an item named since all was well is needed, too: a function may have become less recursive.
//
// What none of this covers is compiled as a whole: brackets that close nothing, edits of heads, of holes and of `use` items, harnesses and their candidates, the first key after
// which a text is without errors that it had when it was read.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "services/editor/check_text.h"
#include "services/quick/text_parts.h"

namespace komuz::services {

class QuickCheck {
 public:
  // The same as check_text, of the same modules and the same harness each time. What is returned holds until the next check.
  const CheckedText& check(std::string_view text, engine::ModuleLoader& modules,
                           const CheckOptions& how = {}, const std::stop_token& stop = {});
  // The text of what is known; nothing is known of a text that was stopped.
  [[nodiscard]] bool knows(std::string_view text, const engine::ModuleLoader& modules) const {
    return known_ && modules.library().size() == library_size_ && text == text_;
  }
  // The text that was checked with blanks in the place of items that those at a byte do not need: what `Analysis` finds there is what it
  // finds in all of it. Nothing: that text is not known, or its items are not.
  struct TextAround {
    std::string text;
    bool has_errors = false;  // all of it, but for its examples
  };
  [[nodiscard]] std::optional<TextAround> text_around(std::string_view text, u32 byte) const;
  // How many checks compiled a part of the text alone.
  [[nodiscard]] u64 quick() const { return quick_; }

 private:
  void check_all(std::string_view text, engine::ModuleLoader& modules, const CheckOptions& how,
                 const std::stop_token& stop);
  [[nodiscard]] bool check_edit(std::string_view text, const Library& library,
                                const std::stop_token& stop);
  void read_parts(const frontend::Columns& c, const frontend::Compilation& compilation);
  // What the parts of one text are compiled by, again and again.
  struct Look {
    frontend::Options options;
    frontend::Compiler& compiler;
    const std::stop_token& stop;
  };
  [[nodiscard]] bool is_proven(const Look& look);
  [[nodiscard]] bool find_in_code(std::string_view text, const Look& look);
  [[nodiscard]] bool find_in_syntax(std::string_view text, const Look& look);
  // `sought` as of TextParts::with_names.
  [[nodiscard]] bool find_with_names(std::string_view text, const Look& look,
                                     const std::vector<SoughtWord>* sought);
  // Compiles what `gather` leaves of a text. False: it was stopped, or what is found is not wanted.
  template <class Gather, class IsWanted>
  [[nodiscard]] bool find(const Look& look, Gather gather, IsWanted is_wanted);
  void keep(std::string_view text);

  bool known_ = false;
  std::string text_;
  u32 library_size_ = 0;
  CheckedText checked_;
  u64 quick_ = 0;

  TextParts parts_;
  bool is_usable_ = false;  // the parts are those of the text
  bool is_proven_ = false;  // what is kept of the text gave the findings of all of it
  bool has_code_ = false;   // the text has been without errors: so much is known of all items
  u64 code_size_ = 0, entries_ = 0;
  u64 most_stack_ = 0;  // no function of the text needs more bytes
  // What was left of the text that was compiled last; findings and places of functions are those of all of the text.
  GatheredText gathered_{{}, LeftOut::Blank};
  frontend::Compilation compilation_;
  std::string modules_text_;        // what modules say of themselves there, behind the text
  std::vector<SoughtWord> sought_;  // words that are wrong there
};

}  // namespace komuz::services
