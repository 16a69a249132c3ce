// SPDX-License-Identifier: Apache-2.0
// An editor of inputs on a terminal: keys in, bytes for the terminal out. Knows neither the terminal nor the
// language. The owner of the terminal sends the keys and takes the bytes; the language is asked through `Assistance`.
//
//   editor.start(size)            a new input
//   editor.press(key) …           tells when it is done, or needs the caller
//   editor.paint()                the screen shows the present input
//   editor.take_output()          bytes to send to the terminal
//   editor.finish()               the cursor moves to a row of its own, below the input
#pragma once
#include <utility>

#include "repl/editor/assistance.h"
#include "repl/editor/bindings.h"
#include "repl/editor/completion_menu.h"
#include "repl/editor/edit_buffer.h"
#include "repl/editor/history_search.h"
#include "repl/editor/keys.h"
#include "repl/editor/painter.h"

namespace komuz::editor {

enum class Outcome : u8 {
  Editing,
  Submitted,
  Ended,       // no more inputs
  Suspended,   // the session should be suspended
  EditOutside  // another program should edit the text
};

class LineEditor {
 public:
  // The history outlives the editor.
  LineEditor(Assistance assistance, const History& history, bool has_colors)
      : assistance_(std::move(assistance)),
        history_(history),
        search_(history),
        painter_(has_colors) {}

  void start(ScreenSize size);
  [[nodiscard]] Outcome press(const Key& key);
  void resize(ScreenSize size);
  void finish();
  // Removes the input from the screen.
  void erase() { painter_.erase(output_); }
  // The terminal was used for something else: nothing of the input is on it.
  void forget_screen() { painter_.forget(); }

  [[nodiscard]] const std::string& text() const { return buffer_.text(); }
  void set_text(std::string text) { buffer_.replace_all(std::move(text)); }

  // A suggestion for texts that it begins with, until the next input.
  void offer(std::string text) { offered_ = std::move(text); }

  // True if there is something to ask about the text when the keys pause.
  [[nodiscard]] bool wants_description() const;
  void describe();
  // The description may no longer be valid.
  void forget_description() {
    described_.clear();
    description_ = {};
  }
  // A line below the input, until the next key.
  void tell(std::string notice) { notice_ = std::move(notice); }

  void paint();
  [[nodiscard]] std::string take_output() { return std::exchange(output_, {}); }

 private:
  Outcome press_action(Action action);
  bool press_in_search(const Key& key, Action action);
  bool press_in_menu(Action action);
  void type(std::string_view text);
  void paste(const Key& key);
  void new_line();
  void complete();
  void walk_history(bool is_back);
  // Takes the suggestion, or its first word.
  bool accept_suggestion(bool is_word);
  void interrupt();
  [[nodiscard]] std::string_view suggestion() const;
  [[nodiscard]] const Spans& highlight(std::string_view text);
  void paint_text(std::string_view behind);

  Assistance assistance_;
  const History& history_;
  EditBuffer buffer_;
  HistorySearch search_;
  CompletionMenu menu_;
  Painter painter_;
  ScreenSize size_;
  size_t first_row_ = 0;
  std::string keys_;  // an unfinished sequence of keys, each followed by a blank
  Spans spans_;
  std::string highlighted_;  // the text that they are of
  Description description_;
  std::string described_;  // the text that it is of
  std::string notice_;     // empty: none
  std::string offered_;    // empty: none
  // While the user walks through earlier inputs: the text from before, the shown entry, and that entry's unchanged
  // text.
  std::string walk_start_, walk_text_;
  size_t walk_at_ = History::kNone;
  std::string output_;
};

}  // namespace komuz::editor
