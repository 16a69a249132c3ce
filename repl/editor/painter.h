// SPDX-License-Identifier: Apache-2.0
// From the picture that the screen shows to the one that it should: what to send to the terminal, and no more. All moves are
// relative to where the cursor is, as nobody knows on which row of the screen the input began.
#pragma once
#include <string>

#include "repl/editor/layout.h"

namespace komuz::editor {

class Painter {
 public:
  explicit Painter(bool has_colors) : has_colors_(has_colors) {}

  // Nothing of ours is on the screen; the cursor stands at the start of an empty row.
  void forget() { shown_ = {}; }
  // Appends to `out`.
  void paint(Picture next, std::string& out);
  // The cursor goes below all that is shown, to the start of a row.
  void leave(std::string& out);
  // Clears all that is shown, and forgets it.
  void erase(std::string& out);
  // The terminal has another width: what it showed is broken anew there. Clears it, and forgets it.
  void clear_after_resize(u32 columns, std::string& out);

 private:
  void move_to(u32 row, u32 column, std::string& out);
  void paint_row(u32 number, const Row& next, std::string& out);

  bool has_colors_;
  Picture shown_;  // its cursor is where the terminal's is
};

}  // namespace komuz::editor
