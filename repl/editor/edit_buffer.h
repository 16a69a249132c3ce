// SPDX-License-Identifier: Apache-2.0
// The edited text, of any number of lines, and the cursor in it. Knows no keys and no screen.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::editor {

class EditBuffer {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] size_t cursor() const { return cursor_; }  // a byte between two clusters
  [[nodiscard]] bool is_at_end() const { return cursor_ == text_.size(); }
  [[nodiscard]] std::string_view before_cursor() const {
    return std::string_view(text_).substr(0, cursor_);
  }

  // Sets a new text with nothing to undo, and the cursor behind it.
  void reset(std::string text = {});
  // Replaces the text, which can be undone.
  void replace_all(std::string text);
  void insert(std::string_view text);
  // Replaces a part of the text; the cursor moves behind the replacement.
  void replace(size_t begin, size_t end, std::string_view text);

  // False, here and below: there is nothing there.
  bool move_left();
  bool move_right();
  void move_word_left();
  void move_word_right();
  void move_to_line_start();
  void move_to_line_end();
  void move_to_start() { cursor_ = 0; }
  void move_to_end() { cursor_ = text_.size(); }
  void move_to(size_t byte);
  bool move_up();
  bool move_down();

  bool erase_left();
  bool erase_right();
  // Killed text can be yanked; texts killed in sequence are joined.
  void kill_to_line_start();
  void kill_to_line_end();
  void kill_word_left();
  void kill_word_right();
  void kill_to_blank();  // back to the blank before the cursor
  void yank();
  bool undo();

 private:
  enum class Change : u8 { Move, Insert, Erase, Kill, Whole };
  struct State {
    std::string text;
    size_t cursor = 0;
  };
  void remember(Change change);
  void kill(size_t begin, size_t end);
  [[nodiscard]] size_t line_start(size_t at) const;
  [[nodiscard]] size_t line_end(size_t at) const;
  // The start of the cluster that contains the byte, or the byte itself between two clusters.
  [[nodiscard]] size_t cluster_start(size_t byte) const;
  [[nodiscard]] size_t cluster_end(size_t byte) const;
  [[nodiscard]] size_t word_left() const;
  [[nodiscard]] size_t word_right() const;
  // Moves to the place, in the line from `begin` on, in the column where vertical moves began.
  void move_to_column(size_t begin);

  std::string text_;
  size_t cursor_ = 0;
  std::string killed_;
  std::vector<State> before_;  // the last one is undone first
  size_t before_bytes_ = 0;
  Change last_ = Change::Move;  // the last call's action, if the cursor is still at `last_cursor_`
  size_t last_cursor_ = 0;
  size_t column_ = 0,
         column_cursor_ = 0;  // clusters from the line's start; valid while the cursor stays there
  bool has_column_ = false;
};

}  // namespace komuz::editor
