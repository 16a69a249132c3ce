// SPDX-License-Identifier: Apache-2.0
// Earlier inputs, and what is looked for among them. Knows no files: text that is kept comes and goes as lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::editor {

class History {
 public:
  static constexpr size_t kNone = ~size_t{0};

  // Older ones than the newest `most` are forgotten.
  explicit History(size_t most = 10'000) : most_(most) {}

  // Not what is blank, nor what the newest one is. Returns whether it was added.
  bool add(std::string entry);
  [[nodiscard]] size_t size() const { return entries_.size(); }
  [[nodiscard]] const std::string& operator[](size_t i) const { return entries_[i]; }

  // The nearest entry before or behind number `from`, which begins with the text or holds it, and is not `but`.
  [[nodiscard]] size_t earlier_start(size_t from, std::string_view text,
                                     std::string_view but) const;
  [[nodiscard]] size_t later_start(size_t from, std::string_view text, std::string_view but) const;
  [[nodiscard]] size_t earlier_with(size_t from, std::string_view text, std::string_view but) const;
  [[nodiscard]] size_t later_with(size_t from, std::string_view text, std::string_view but) const;

  // How the newest entry goes on that begins with the text; empty: there is none.
  [[nodiscard]] std::string_view continuation(std::string_view text) const;

  // Entries as lines of a file, and back: a line end is `\n` there, a backslash `\\`.
  [[nodiscard]] static std::string to_line(std::string_view entry);
  void add_lines(std::string_view lines);

 private:
  size_t most_;
  std::vector<std::string> entries_;  // the oldest first
};

}  // namespace komuz::editor
