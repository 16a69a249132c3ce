// SPDX-License-Identifier: Apache-2.0
#include "services/editor/complete_head.h"

#include <algorithm>

namespace komuz::services {
namespace {

struct HeadKeyRow {
  HeadKey key;
  std::string_view word, what;
};
constexpr HeadKeyRow kHeadKeys[] = {
#define HEAD_KEY(Name, key, value, what) {HeadKey::Name, key, what},
#include "services/editor/head_keys.def"
};

constexpr std::string_view kBlanks = " \t\r";

// Is all above the line comments?
bool is_in_head(std::string_view above) {
  while (!above.empty()) {
    const std::string_view line = above.substr(0, above.find('\n'));
    const size_t first = line.find_first_not_of(kBlanks);
    if (first != std::string_view::npos && !line.substr(first).starts_with("//")) return false;
    above.remove_prefix(std::min(above.size(), line.size() + 1));
  }
  return true;
}

}  // namespace

std::optional<HeadWords> complete_head(std::string_view text, u32 place) {
  place = std::min(place, static_cast<u32>(text.size()));
  const size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  while (line.ends_with('\r')) line.remove_suffix(1);
  const size_t at = place - begin;
  const size_t first = line.find_first_not_of(kBlanks);
  constexpr std::string_view kHead = "//!";
  if (first == std::string_view::npos || !line.substr(first).starts_with(kHead) ||
      at < first + kHead.size() || at > line.size() || !is_in_head(text.substr(0, begin)))
    return std::nullopt;

  const auto is_letter = [](char byte) { return byte >= 'a' && byte <= 'z'; };
  const size_t word = std::min(line.find_first_not_of(kBlanks, first + kHead.size()), at);
  size_t word_end = word;
  while (word_end < line.size() && is_letter(line[word_end])) ++word_end;
  HeadWords out;
  if (at <= word_end) {
    out.begin = static_cast<u32>(begin + word);
    out.end = static_cast<u32>(begin + word_end);
    const bool has_colon = word_end < line.size() && line[word_end] == ':';
    const std::string_view prefix = line.substr(word, at - word);
    const HeadLines head = read_head(text);
    for (const HeadKeyRow& row : kHeadKeys) {
      const HeadLine* const said = head.find(row.key);
      const bool is_there = said != nullptr && (place < said->begin || place > said->end);
      if (is_there || !row.word.starts_with(prefix)) continue;
      out.list.push_back({std::string(row.word) + (has_colon ? "" : ": "), std::string(row.what)});
    }
    return out;
  }
  const auto* const row =
      std::ranges::find(kHeadKeys, line.substr(word, word_end - word), &HeadKeyRow::word);
  if (row == std::end(kHeadKeys) || line[word_end] != ':') return out;
  const size_t value = std::min(line.find_first_not_of(kBlanks, word_end + 1), at);
  const size_t value_end = std::max(at, line.find_last_not_of(kBlanks) + 1);
  out.begin = static_cast<u32>(begin + std::max(value, word_end + 1));
  out.end = static_cast<u32>(begin + value_end);
  out.key = row->key;
  if (row->key == HeadKey::Score)
    for (const std::string_view name : engine::kScoreNames)
      if (name.starts_with(line.substr(value, at - value)))
        out.list.push_back({std::string(name), ""});
  return out;
}

}  // namespace komuz::services
