// SPDX-License-Identifier: Apache-2.0
// Searches earlier inputs while the words are typed.
#pragma once
#include <string>

#include "repl/editor/history.h"
#include "repl/editor/layout.h"

namespace komuz::editor {

class HistorySearch {
 public:
  explicit HistorySearch(const History& history) : history_(history) {}

  void start();
  void close() { is_open_ = false; }
  [[nodiscard]] bool is_open() const { return is_open_; }

  void add(std::string_view text);
  void erase();
  void go_earlier();
  void go_later();

  // The found entry; null before a search, and if nothing was found.
  [[nodiscard]] const std::string* found() const;
  [[nodiscard]] size_t match_begin() const;
  [[nodiscard]] size_t match_end() const { return match_begin() + matched_.size(); }
  [[nodiscard]] StyledLine line() const;

 private:
  void search(size_t from);
  // Moves to the found entry, if there is one.
  void go_to(size_t next);

  const History& history_;
  bool is_open_ = false;
  bool has_failed_ = false;
  std::string query_, last_query_;
  std::string matched_;  // the query of the found entry
  size_t at_ = History::kNone;
};

}  // namespace komuz::editor
