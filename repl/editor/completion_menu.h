// SPDX-License-Identifier: Apache-2.0
// The list of what can complete a word. The one that is walked to stands in the text already.
#pragma once
#include "repl/editor/assistance.h"
#include "repl/editor/edit_buffer.h"

namespace komuz::editor {

class CompletionMenu {
 public:
  // Completes as far as all candidates agree. Is then open if there are several, and the text could not be completed.
  void start(Completion completion, EditBuffer& buffer);
  [[nodiscard]] bool is_open() const { return !completion_.candidates.empty(); }
  // To the next one, or the one before; around the ends.
  void walk(bool is_back, EditBuffer& buffer);
  void close() { completion_ = {}; }
  // As it was before it was open.
  void cancel(EditBuffer& buffer);

  [[nodiscard]] std::vector<StyledLine> lines(u32 columns) const;

 private:
  static constexpr size_t kNone = ~size_t{0};
  void put(std::string_view text, EditBuffer& buffer);

  Completion completion_;  // `end`: of what stands there now
  std::string original_;
  size_t selected_ = kNone;
};

}  // namespace komuz::editor
