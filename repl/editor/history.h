// SPDX-License-Identifier: Apache-2.0
// Earlier inputs, and the search in them. Knows no files: stored text comes and goes as lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::editor {

class History {
 public:
  static constexpr size_t kNone = ~size_t{0};

  // Only the newest `most` are kept.
  explicit History(size_t most = 10'000) : most_(most) {}

  // Ignores blank entries, and repetitions of the newest one. Returns whether it was added.
  bool add(std::string entry);
  [[nodiscard]] size_t size() const { return entries_.size(); }
  [[nodiscard]] const std::string& operator[](size_t i) const { return entries_[i]; }

  // The nearest entry before or behind number `from` that begins with the text, or contains it, and differs from
  // `but`.
  [[nodiscard]] size_t earlier_start(size_t from, std::string_view text,
                                     std::string_view but) const;
  [[nodiscard]] size_t later_start(size_t from, std::string_view text, std::string_view but) const;
  [[nodiscard]] size_t earlier_with(size_t from, std::string_view text, std::string_view but) const;
  [[nodiscard]] size_t later_with(size_t from, std::string_view text, std::string_view but) const;

  // The rest of the newest entry that begins with the text; empty if there is none.
  [[nodiscard]] std::string_view continuation(std::string_view text) const;

  // Converts entries to lines of a file, and back: a line end becomes `\n`, a backslash `\\`.
  [[nodiscard]] static std::string to_line(std::string_view entry);
  void add_lines(std::string_view lines);

 private:
  size_t most_;
  std::vector<std::string> entries_;  // the oldest first
};

}  // namespace komuz::editor
