// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/completion_menu.h"

#include <algorithm>

#include "repl/editor/clusters.h"

namespace komuz::editor {

namespace {

constexpr size_t kMostLines = 8;

// Clusters are not cut: a mark stays with its character.
std::string_view common_start(const std::vector<Candidate>& candidates) {
  std::string_view common = candidates[0].text;
  for (const Candidate& candidate : candidates) {
    const auto differ = std::ranges::mismatch(common, candidate.text);
    common = common.substr(0, static_cast<size_t>(differ.in1 - common.begin()));
  }
  const std::string_view first = candidates[0].text;
  size_t end = 0;
  while (end < common.size() && next_cluster(first, end) <= common.size())
    end = next_cluster(first, end);
  return common.substr(0, end);
}

size_t width_of_text(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = next_cluster(text, at);
    width += glyph_of(text.substr(at, end - at), 0, ~0u).width;
    at = end;
  }
  return width;
}

}  // namespace

void CompletionMenu::start(Completion completion, EditBuffer& buffer) {
  close();
  const std::string& text = buffer.text();
  if (completion.candidates.empty() || completion.begin > completion.end ||
      completion.end > text.size())
    return;
  completion_ = std::move(completion);
  selected_ = kNone;
  original_ = text.substr(completion_.begin, completion_.end - completion_.begin);
  const std::string common(common_start(completion_.candidates));
  const bool is_one = completion_.candidates.size() == 1;
  const bool is_longer = common.size() > original_.size();
  if (common != original_ && (is_one || is_longer)) put(common, buffer);
  if (is_one || is_longer) close();
}

void CompletionMenu::put(std::string_view text, EditBuffer& buffer) {
  buffer.replace(completion_.begin, completion_.end, text);
  completion_.end = completion_.begin + text.size();
}

void CompletionMenu::walk(bool is_back, EditBuffer& buffer) {
  const size_t count = completion_.candidates.size();
  if (selected_ == kNone)
    selected_ = is_back ? count - 1 : 0;
  else
    selected_ = (selected_ + (is_back ? count - 1 : 1)) % count;
  put(completion_.candidates[selected_].text, buffer);
}

void CompletionMenu::cancel(EditBuffer& buffer) {
  if (selected_ != kNone) put(original_, buffer);
  close();
}

std::vector<StyledLine> CompletionMenu::lines(u32 columns) const {
  const std::vector<Candidate>& all = completion_.candidates;
  std::vector<StyledLine> lines;
  const size_t selected = selected_ == kNone ? 0 : selected_;
  const size_t first = std::min(selected - std::min(selected, kMostLines / 2),
                                all.size() - std::min(all.size(), kMostLines));
  const size_t end = std::min(first + kMostLines, all.size());
  size_t width = 0;
  for (size_t k = first; k < end; ++k) width = std::max(width, width_of_text(all[k].text));
  width = std::min<size_t>(width, columns / 2);
  for (size_t k = first; k < end; ++k) {
    const size_t own = width_of_text(all[k].text);
    const Style style = k == selected_ ? Style::Selected : Style::Plain;
    StyledLine line = {{"  ", Style::Plain}, {all[k].text, style}};
    if (!all[k].detail.empty()) {
      line.push_back({std::string(width - std::min(width, own) + 2, ' '), Style::Plain});
      line.push_back({all[k].detail, Style::Detail});
    }
    lines.push_back(std::move(line));
  }
  if (end - first < all.size())
    lines.push_back({{"  " + std::to_string(first + 1) + "–" + std::to_string(end) + " of " +
                          std::to_string(all.size()),
                      Style::Detail}});
  return lines;
}

}  // namespace komuz::editor
