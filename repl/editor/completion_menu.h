// SPDX-License-Identifier: Apache-2.0
// The list of completions of a word. The selected one is already in the text.
#pragma once
#include "repl/editor/assistance.h"
#include "repl/editor/edit_buffer.h"

namespace komuz::editor {

class CompletionMenu {
 public:
  // Completes the part that all candidates share. Opens the menu if there are several and the text could not be
  // completed.
  void start(Completion completion, EditBuffer& buffer);
  [[nodiscard]] bool is_open() const { return !completion_.candidates.empty(); }
  // Selects the next candidate, or the one before; wraps at the ends.
  void walk(bool is_back, EditBuffer& buffer);
  void close() { completion_ = {}; }
  // Restores the text from before the menu was open.
  void cancel(EditBuffer& buffer);

  [[nodiscard]] std::vector<StyledLine> lines(u32 columns) const;

 private:
  static constexpr size_t kNone = ~size_t{0};
  void put(std::string_view text, EditBuffer& buffer);

  Completion completion_;  // `end`: of the present text
  std::string original_;
  size_t selected_ = kNone;
};

}  // namespace komuz::editor
