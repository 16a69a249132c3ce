// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/line_editor.h"

#include <algorithm>

#include "base/counts.h"
#include "repl/editor/paste.h"

namespace komuz::editor {

namespace {

constexpr size_t kIndent = 4;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}
std::string_view last_line(std::string_view text) {
  const size_t end = text.rfind('\n');
  return end == std::string_view::npos ? text : text.substr(end + 1);
}

}  // namespace

void LineEditor::start(ScreenSize size) {
  size_ = size;
  buffer_.reset();
  search_.close();
  menu_.close();
  painter_.forget();
  first_row_ = 0;
  keys_.clear();
  description_ = {};
  described_.clear();
  notice_.clear();
  offered_.clear();
  walk_at_ = History::kNone;
}

Outcome LineEditor::press(const Key& key) {
  notice_.clear();
  Action action = Action::None;
  if (key.kind == Key::Kind::Named) {
    keys_ += key.text;
    action = action_of(keys_);
    if (action == Action::Prefix) {
      keys_ += ' ';
      return Outcome::Editing;
    }
  }
  keys_.clear();
  if (search_.is_open() && press_in_search(key, action)) return Outcome::Editing;
  if (menu_.is_open() && press_in_menu(action)) return Outcome::Editing;
  switch (key.kind) {
    case Key::Kind::Text: type(key.text); return Outcome::Editing;
    case Key::Kind::Paste: paste(key); return Outcome::Editing;
    case Key::Kind::Named: break;
  }
  return press_action(action);
}

Outcome LineEditor::press_action(Action action) {
  switch (action) {
    case Action::None:
    case Action::Prefix: break;
    case Action::Submit:
      if (!assistance_.openness || !assistance_.openness(text()).is_open) return Outcome::Submitted;
      new_line();
      break;
    case Action::NewLine: new_line(); break;
    case Action::Complete:
    case Action::CompleteBack: complete(); break;
    case Action::Up:
      if (!buffer_.move_up()) walk_history(true);
      break;
    case Action::Down:
      if (!buffer_.move_down()) walk_history(false);
      break;
    case Action::Search:
    case Action::SearchLater: search_.start(); break;
    case Action::Cancel: break;
    case Action::Left: buffer_.move_left(); break;
    case Action::Right:
      if (!buffer_.move_right()) accept_suggestion(false);
      break;
    case Action::WordLeft: buffer_.move_word_left(); break;
    case Action::WordRight:
      if (!buffer_.is_at_end() || !accept_suggestion(true)) buffer_.move_word_right();
      break;
    case Action::LineStart: buffer_.move_to_line_start(); break;
    case Action::LineEnd:
      if (!buffer_.is_at_end() || !accept_suggestion(false)) buffer_.move_to_line_end();
      break;
    case Action::TextStart: buffer_.move_to_start(); break;
    case Action::TextEnd: buffer_.move_to_end(); break;
    case Action::Backspace: buffer_.erase_left(); break;
    case Action::Delete: buffer_.erase_right(); break;
    case Action::KillWordLeft: buffer_.kill_word_left(); break;
    case Action::KillWordRight: buffer_.kill_word_right(); break;
    case Action::KillToBlank: buffer_.kill_to_blank(); break;
    case Action::KillToStart: buffer_.kill_to_line_start(); break;
    case Action::KillToEnd: buffer_.kill_to_line_end(); break;
    case Action::Yank: buffer_.yank(); break;
    case Action::Undo: buffer_.undo(); break;
    case Action::Edit: return Outcome::EditOutside;
    case Action::ClearScreen:
      output_ += "\x1b[H\x1b[2J";
      painter_.forget();
      break;
    case Action::Interrupt: interrupt(); break;
    case Action::DeleteOrEnd:
      if (text().empty()) return Outcome::Ended;
      buffer_.erase_right();
      break;
    case Action::Suspend: return Outcome::Suspended;
  }
  return Outcome::Editing;
}

// A key unknown to the search ends it, and then acts on the found entry.
bool LineEditor::press_in_search(const Key& key, Action action) {
  if (key.kind == Key::Kind::Text) {
    search_.add(key.text);
    return true;
  }
  switch (action) {
    case Action::Search: search_.go_earlier(); return true;
    case Action::SearchLater: search_.go_later(); return true;
    case Action::Backspace: search_.erase(); return true;
    case Action::Cancel:
    case Action::Interrupt: search_.close(); return true;
    default: break;
  }
  const std::string* const found = search_.found();
  if (found != nullptr) {
    const size_t at = search_.match_begin();
    buffer_.replace_all(*found);
    buffer_.move_to(at);
  }
  search_.close();
  return action == Action::None && key.kind == Key::Kind::Named;
}

bool LineEditor::press_in_menu(Action action) {
  switch (action) {
    case Action::Complete:
    case Action::Down: menu_.walk(false, buffer_); return true;
    case Action::CompleteBack:
    case Action::Up: menu_.walk(true, buffer_); return true;
    case Action::Submit: menu_.close(); return true;
    case Action::Cancel: menu_.cancel(buffer_); return true;
    default: menu_.close(); return false;
  }
}

// A closing bracket that starts its line gets the indentation of its opening bracket's line.
void LineEditor::type(std::string_view text) {
  if (text == "}" || text == ")" || text == "]") {
    const std::string_view line = last_line(buffer_.before_cursor());
    size_t blanks = 0;
    while (is_blank(line) && blanks < std::min(kIndent, line.size()) &&
           line[line.size() - 1 - blanks] == ' ')
      ++blanks;
    if (blanks > 0) {
      buffer_.replace(buffer_.cursor() - blanks, buffer_.cursor(), text);
      return;
    }
  }
  buffer_.insert(text);
}

void LineEditor::paste(const Key& key) {
  buffer_.insert(from_paste(key.text));
  if (key.lost > 0)
    tell("the paste is cut: it has " + grouped(key.text.size() + key.lost) + " bytes, and " +
         grouped(key.text.size()) + " fit; `:load FILE` takes a file");
}

void LineEditor::new_line() {
  const size_t indent =
      assistance_.openness ? assistance_.openness(buffer_.before_cursor()).indent : 0;
  buffer_.insert("\n" + std::string(indent, ' '));
}

void LineEditor::complete() {
  // At the start of a line there is nothing to complete.
  if (is_blank(last_line(buffer_.before_cursor()))) {
    type(std::string(kIndent, ' '));
    return;
  }
  if (assistance_.complete) menu_.start(assistance_.complete(text(), buffer_.cursor()), buffer_);
}

void LineEditor::walk_history(bool is_back) {
  const bool goes_on = walk_at_ != History::kNone && text() == walk_text_;
  if (!goes_on) {
    if (!is_back) return;
    walk_start_ = text();
    walk_at_ = history_.size();
  }
  const size_t next = is_back ? history_.earlier_start(walk_at_, walk_start_, text())
                              : history_.later_start(walk_at_, walk_start_, text());
  if (next == History::kNone && is_back) {
    if (!goes_on) walk_at_ = History::kNone;
    return;
  }
  walk_at_ = next;
  buffer_.replace_all(next == History::kNone ? walk_start_ : history_[next]);
  walk_text_ = text();
}

std::string_view LineEditor::suggestion() const {
  const bool is_walking = walk_at_ != History::kNone && text() == walk_text_;
  if (!buffer_.is_at_end() || menu_.is_open() || is_walking) return {};
  if (offered_.starts_with(text())) {
    const std::string_view rest = std::string_view(offered_).substr(text().size());
    if (!rest.empty()) return rest;
  }
  return history_.continuation(text());
}
bool LineEditor::accept_suggestion(bool is_word) {
  std::string rest(suggestion());
  if (rest.empty()) return false;
  if (is_word) {
    EditBuffer words;
    words.reset(rest);
    words.move_to_start();
    words.move_word_right();
    rest.resize(words.cursor());
  }
  buffer_.replace(buffer_.cursor(), buffer_.cursor(), rest);
  return true;
}

void LineEditor::interrupt() {
  buffer_.move_to_end();
  paint_text("^C");
  painter_.leave(output_);
  start(size_);
}

void LineEditor::resize(ScreenSize size) {
  if (size == size_) return;
  size_ = size;
  painter_.clear_after_resize(size.columns, output_);
}

void LineEditor::finish() {
  search_.close();
  menu_.close();
  paint_text({});
  painter_.leave(output_);
}

bool LineEditor::wants_description() const {
  return assistance_.describe && described_ != text() && !search_.is_open() && !menu_.is_open();
}
void LineEditor::describe() {
  if (!wants_description()) return;
  described_ = text();
  description_ = assistance_.describe(text());
}

// Most keys that move the cursor leave the text unchanged.
const Spans& LineEditor::highlight(std::string_view text) {
  if (text != highlighted_) {
    highlighted_ = text;
    spans_ = assistance_.highlight ? assistance_.highlight(text) : Spans();
  }
  return spans_;
}

// Paints only the text; `behind`: follows the text, and was not typed.
void LineEditor::paint_text(std::string_view behind) {
  Page page;
  page.text = text();
  page.spans = highlight(page.text);
  page.cursor = page.text.size();
  page.suggestion = behind;
  painter_.paint(lay_out(page, size_, first_row_), output_);
}

void LineEditor::paint() {
  Page page;
  if (search_.is_open()) {
    const std::string* const found = search_.found();
    page.text = found == nullptr ? text() : *found;
    page.cursor = found == nullptr ? buffer_.cursor() : search_.match_begin();
    if (found != nullptr) page.marks = {{search_.match_begin(), search_.match_end(), Style::Found}};
    page.below = {search_.line()};
  } else {
    page.text = text();
    page.cursor = buffer_.cursor();
    page.suggestion = suggestion();
    if (described_ == text() && description_.mark_end > description_.mark_begin)
      page.marks = {{description_.mark_begin, description_.mark_end, Style::Marked}};
    if (menu_.is_open())
      page.below = menu_.lines(size_.columns);
    else if (!notice_.empty())
      page.below = {{{notice_, Style::Problem}}};
    else if (!description_.line.empty() && !text().empty())
      page.below = {description_.line};
  }
  page.spans = highlight(page.text);
  painter_.paint(lay_out(page, size_, first_row_), output_);
}

}  // namespace komuz::editor
