// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/edit_buffer.h"

#include <algorithm>

#include "repl/editor/clusters.h"

namespace komuz::editor {

namespace {

constexpr size_t kMostUndone = 1000, kMostUndoneBytes = size_t{1} << 24;

// Letters of other alphabets belong to words: all of their bytes count.
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<u8>(c) >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

}  // namespace

void EditBuffer::reset(std::string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
  before_.clear();
  before_bytes_ = 0;
  last_ = Change::Move;
  has_column_ = false;
}

// Consecutively typed characters are undone together, word by word; so are erased ones.
void EditBuffer::remember(Change change) {
  const bool goes_on = change == last_ && cursor_ == last_cursor_ && !before_.empty();
  const bool is_typing = change == Change::Insert || change == Change::Erase;
  const bool begins_word = change == Change::Insert && cursor_ > 0 && is_blank(text_[cursor_ - 1]);
  if (goes_on && is_typing && !begins_word) return;
  before_.push_back({text_, cursor_});
  before_bytes_ += text_.size();
  size_t old = 0;
  for (; before_.size() - old > kMostUndone || before_bytes_ > kMostUndoneBytes; ++old)
    before_bytes_ -= before_[old].text.size();
  before_.erase(before_.begin(), before_.begin() + static_cast<std::ptrdiff_t>(old));
}

void EditBuffer::replace_all(std::string text) {
  if (text == text_) return;
  remember(Change::Whole);
  text_ = std::move(text);
  cursor_ = text_.size();
  last_ = Change::Whole;
}

void EditBuffer::insert(std::string_view text) {
  if (text.empty()) return;
  remember(Change::Insert);
  text_.insert(cursor_, text);
  cursor_ += text.size();
  last_ = Change::Insert;
  last_cursor_ = cursor_;
}

void EditBuffer::replace(size_t begin, size_t end, std::string_view text) {
  remember(Change::Whole);
  text_.replace(begin, end - begin, text);
  cursor_ = begin + text.size();
  last_ = Change::Whole;
}

size_t EditBuffer::line_start(size_t at) const {
  const size_t end = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  return end == std::string::npos ? 0 : end + 1;
}
size_t EditBuffer::line_end(size_t at) const {
  return std::min(text_.find('\n', at), text_.size());
}

size_t EditBuffer::cluster_end(size_t byte) const {
  const size_t wanted = std::min(byte, text_.size());
  size_t end = line_start(wanted);
  while (end < wanted) end = next_cluster(text_, end);
  return end;
}
size_t EditBuffer::cluster_start(size_t byte) const {
  const size_t end = cluster_end(byte);
  return end == byte ? byte : previous_cluster(text_, end);
}

// A word may begin or end inside of a cluster with bytes of both kinds. No step may lead there, nor back to its
// start.
size_t EditBuffer::word_left() const {
  size_t at = cursor_;
  while (at > 0 && !is_word(text_[at - 1])) --at;
  while (at > 0 && is_word(text_[at - 1])) --at;
  return cluster_start(at);
}
size_t EditBuffer::word_right() const {
  size_t at = cursor_;
  while (at < text_.size() && !is_word(text_[at])) ++at;
  while (at < text_.size() && is_word(text_[at])) ++at;
  return cluster_end(at);
}

bool EditBuffer::move_left() {
  if (cursor_ == 0) return false;
  cursor_ = previous_cluster(text_, cursor_);
  return true;
}
bool EditBuffer::move_right() {
  if (is_at_end()) return false;
  cursor_ = next_cluster(text_, cursor_);
  return true;
}
void EditBuffer::move_word_left() { cursor_ = word_left(); }
void EditBuffer::move_word_right() { cursor_ = word_right(); }
void EditBuffer::move_to_line_start() { cursor_ = line_start(cursor_); }
void EditBuffer::move_to_line_end() { cursor_ = line_end(cursor_); }

void EditBuffer::move_to(size_t byte) { cursor_ = cluster_end(byte); }

void EditBuffer::move_to_column(size_t begin) {
  if (!has_column_ || column_cursor_ != cursor_) {
    column_ = 0;
    for (size_t at = line_start(cursor_); at < cursor_; at = next_cluster(text_, at)) ++column_;
  }
  cursor_ = begin;
  const size_t end = line_end(begin);
  for (size_t k = 0; k < column_ && cursor_ < end; ++k) cursor_ = next_cluster(text_, cursor_);
  has_column_ = true;
  column_cursor_ = cursor_;
}
bool EditBuffer::move_up() {
  const size_t begin = line_start(cursor_);
  if (begin == 0) return false;
  move_to_column(line_start(begin - 1));
  return true;
}
bool EditBuffer::move_down() {
  const size_t end = line_end(cursor_);
  if (end == text_.size()) return false;
  move_to_column(end + 1);
  return true;
}

bool EditBuffer::erase_left() {
  if (cursor_ == 0) return false;
  remember(Change::Erase);
  const size_t begin = previous_cluster(text_, cursor_);
  text_.erase(begin, cursor_ - begin);
  cursor_ = begin;
  last_ = Change::Erase;
  last_cursor_ = cursor_;
  return true;
}
bool EditBuffer::erase_right() {
  if (is_at_end()) return false;
  remember(Change::Erase);
  text_.erase(cursor_, next_cluster(text_, cursor_) - cursor_);
  last_ = Change::Erase;
  last_cursor_ = cursor_;
  return true;
}

void EditBuffer::kill(size_t begin, size_t end) {
  if (begin == end) return;
  const bool goes_on = last_ == Change::Kill && last_cursor_ == cursor_;
  remember(Change::Kill);
  const std::string_view part = std::string_view(text_).substr(begin, end - begin);
  if (!goes_on) killed_.clear();
  killed_.insert(end == cursor_ ? 0 : killed_.size(), part);
  text_.erase(begin, end - begin);
  cursor_ = begin;
  last_ = Change::Kill;
  last_cursor_ = cursor_;
}
void EditBuffer::kill_to_line_start() {
  const size_t begin = line_start(cursor_);
  kill(begin == cursor_ && begin > 0 ? begin - 1 : begin, cursor_);
}
// At a line's end the line end is killed, so that the next line joins it.
void EditBuffer::kill_to_line_end() {
  const size_t end = line_end(cursor_);
  kill(cursor_, end == cursor_ && !is_at_end() ? end + 1 : end);
}
void EditBuffer::kill_word_left() { kill(word_left(), cursor_); }
void EditBuffer::kill_word_right() { kill(cursor_, word_right()); }
void EditBuffer::kill_to_blank() {
  size_t at = cursor_;
  while (at > 0 && is_blank(text_[at - 1])) --at;
  while (at > 0 && !is_blank(text_[at - 1])) --at;
  kill(cluster_start(at), cursor_);
}
void EditBuffer::yank() {
  if (killed_.empty()) return;
  remember(Change::Whole);
  text_.insert(cursor_, killed_);
  cursor_ += killed_.size();
  last_ = Change::Whole;
}

bool EditBuffer::undo() {
  if (before_.empty()) return false;
  before_bytes_ -= before_.back().text.size();
  text_ = std::move(before_.back().text);
  cursor_ = before_.back().cursor;
  before_.pop_back();
  last_ = Change::Move;
  return true;
}

}  // namespace komuz::editor
