// SPDX-License-Identifier: Apache-2.0
// Computes the bytes that turn the picture on the screen into the wanted one, and no more. All moves are relative to
// the cursor, since the screen row at which the input began is unknown.
#pragma once
#include <string>

#include "repl/editor/layout.h"

namespace komuz::editor {

class Painter {
 public:
  explicit Painter(bool has_colors) : has_colors_(has_colors) {}

  // Nothing of ours is on the screen; the cursor is at the start of an empty row.
  void forget() { shown_ = {}; }
  // Appends to `out`.
  void paint(Picture next, std::string& out);
  // Moves the cursor below everything that is shown, to the start of a row.
  void leave(std::string& out);
  // Clears everything that is shown, and forgets it.
  void erase(std::string& out);
  // The terminal's width has changed, and it has rewrapped its rows. Clears them, and forgets them.
  void clear_after_resize(u32 columns, std::string& out);

 private:
  void move_to(u32 row, u32 column, std::string& out);
  void paint_row(u32 number, const Row& next, std::string& out);

  bool has_colors_;
  Picture shown_;  // its cursor is the terminal's
};

}  // namespace komuz::editor
