// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/history.h"

#include <algorithm>

namespace komuz::editor {

bool History::add(std::string entry) {
  if (entry.find_first_not_of(" \t\r\n") == std::string::npos) return false;
  if (!entries_.empty() && entries_.back() == entry) return false;
  // Drops half of them at once, so that adding stays cheap.
  if (entries_.size() >= 2 * most_)
    entries_.erase(entries_.begin(), entries_.end() - static_cast<std::ptrdiff_t>(most_));
  entries_.push_back(std::move(entry));
  return true;
}

size_t History::earlier_start(size_t from, std::string_view text, std::string_view but) const {
  for (size_t i = std::min(from, size()); i-- > 0;)
    if (entries_[i].starts_with(text) && entries_[i] != but) return i;
  return kNone;
}
size_t History::later_start(size_t from, std::string_view text, std::string_view but) const {
  for (size_t i = from + 1; i < size(); ++i)
    if (entries_[i].starts_with(text) && entries_[i] != but) return i;
  return kNone;
}
size_t History::earlier_with(size_t from, std::string_view text, std::string_view but) const {
  for (size_t i = std::min(from, size()); i-- > 0;)
    if (entries_[i].find(text) != std::string::npos && entries_[i] != but) return i;
  return kNone;
}
size_t History::later_with(size_t from, std::string_view text, std::string_view but) const {
  for (size_t i = from + 1; i < size(); ++i)
    if (entries_[i].find(text) != std::string::npos && entries_[i] != but) return i;
  return kNone;
}

std::string_view History::continuation(std::string_view text) const {
  if (text.empty()) return {};
  const size_t found = earlier_start(size(), text, text);
  return found == kNone ? std::string_view()
                        : std::string_view(entries_[found]).substr(text.size());
}

std::string History::to_line(std::string_view entry) {
  std::string line;
  for (const char c : entry) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
  return line + "\n";
}

void History::add_lines(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    std::string entry;
    for (size_t k = 0; k < line.size(); ++k) {
      const bool is_escape = line[k] == '\\' && k + 1 < line.size();
      if (is_escape) ++k;
      entry += is_escape && line[k] == 'n' ? '\n' : line[k];
    }
    add(std::move(entry));
  }
}

}  // namespace komuz::editor
