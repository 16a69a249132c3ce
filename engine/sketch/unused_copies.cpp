// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/unused_copies.h"

#include <algorithm>
#include <set>

#include "engine/sketch/written_text.h"

namespace komuz::engine {
namespace {

// Names of copies are nobody else's (frontend_gpu/shared_spaces.h), so words say who needs them.
void add_words(std::string_view text, std::set<std::string, std::less<>>& words) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end != at) words.emplace(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

}  // namespace

void drop_unused_copies(std::span<const SketchCopy> copies, u32 own_size, const Fill& fill,
                        std::string& text) {
  if (copies.empty()) return;
  std::set<std::string, std::less<>> words;
  add_words(std::string_view(text).substr(0, fill.offset_of(own_size)), words);
  std::vector<SketchSpan> spans;
  for (const SketchCopy& copy : copies)
    spans.push_back({fill.offset_of(copy.span.begin), fill.offset_of(copy.span.end - 1) + 1});
  std::vector<bool> is_kept(copies.size());
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t k = 0; k < copies.size(); ++k) {
      const auto is_needed = [&](const std::string& name) { return words.contains(name); };
      if (is_kept[k] || !std::ranges::any_of(copies[k].names, is_needed)) continue;
      is_kept[k] = grows = true;
      add_words(std::string_view(text).substr(spans[k].begin, spans[k].end - spans[k].begin),
                words);
    }
  }
  for (size_t k = copies.size(); k-- > 0;)
    if (!is_kept[k]) text.erase(spans[k].begin, spans[k].end - spans[k].begin);
}

}  // namespace komuz::engine
