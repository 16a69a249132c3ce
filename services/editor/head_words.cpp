// SPDX-License-Identifier: Apache-2.0
#include "services/editor/head_words.h"

#include <algorithm>

#include "services/editor/head_lines.h"

namespace komuz::services {
namespace {

constexpr std::string_view kWordBlanks = " \t\r";

struct KeyWords {
  HeadKey key;
  std::string_view word, what;
};
constexpr KeyWords kKeyWords[] = {
#define HEAD_KEY(Name, key, value, what) {HeadKey::Name, key, what},
#include "services/editor/head_keys.def"
};
struct ScoreWords {
  std::string_view name, what;
};
constexpr std::string_view kLargerIsBetter = "what the harness gives; larger is better",
                           kSmallerIsBetter = "what the harness gives; smaller is better";
constexpr ScoreWords kScoreWords[] = {
#define SCORE(Name, name, Sums, Error, Score, Better, what, part) {name, what},
#define VALUE_SCORE(Name, name, Sums, Error, Score, Better) {name, k##Better##IsBetter},
#include "engine/scores/score_kinds.def"
};

// Behind the byte order mark that a text may begin with.
size_t first_line(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}
// Is all before this byte comments and blank lines?
bool is_head(std::string_view text, size_t line) {
  size_t at = first_line(text);
  while (at < line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = text.find_first_not_of(kWordBlanks, at);
    if (first < end && !text.substr(first).starts_with("//")) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

std::optional<HeadWords> list_head_words(std::string_view text, u32 byte) {
  constexpr std::string_view kHead = "//!";
  if (byte > text.size()) return std::nullopt;
  const size_t line = std::max(byte == 0 ? 0 : text.rfind('\n', byte - 1) + 1, first_line(text));
  const size_t mark = std::min(text.find_first_not_of(kWordBlanks, line), text.size());
  const size_t behind = mark + kHead.size();
  if (!text.substr(mark).starts_with(kHead) || byte < behind || !is_head(text, line))
    return std::nullopt;
  const std::string_view written = text.substr(0, std::min(text.find('\n', byte), text.size()));
  const size_t word = std::min(written.find_first_not_of(kWordBlanks, behind), size_t{byte});
  const size_t colon = std::min(written.find(':', behind), written.size());
  const HeadLines head = read_head(text);
  HeadWords out;
  if (byte <= colon) {
    out.begin = static_cast<u32>(word);
    // A key that is there gives way with its colon, and the blank behind it.
    const size_t value =
        std::min(written.find_first_not_of(kWordBlanks, colon + 1), written.size());
    out.end = colon < written.size() ? static_cast<u32>(value) : byte;
    for (const KeyWords& one : kKeyWords) {
      const HeadLine* const known = head.find(one.key);
      if (known != nullptr && (known->begin > byte || known->end < byte)) continue;
      std::string key = word == behind ? " " : "";
      out.list.push_back({key.append(one.word).append(": "), std::string(one.what)});
    }
    return out;
  }
  const std::string_view key = written.substr(word, colon - word);
  const auto* const row = std::ranges::find(kKeyWords, key, &KeyWords::word);
  if (row == std::end(kKeyWords)) return out;
  const size_t value = std::min(written.find_first_not_of(kWordBlanks, colon + 1), size_t{byte});
  const std::string blank = value == colon + 1 ? " " : "";
  out.begin = static_cast<u32>(value);
  out.end = static_cast<u32>(std::max(written.find_last_not_of(kWordBlanks) + 1, size_t{byte}));
  switch (row->key) {
    case HeadKey::Top: return out;
    case HeadKey::Cases:
    case HeadKey::Harness: {
      const std::string_view path = written.substr(value, byte - value);
      const size_t name = path.rfind('/') + 1;
      out.begin += static_cast<u32>(name);
      out.files = {std::string(path.substr(0, name)), name == 0 ? blank : "", {}, row->what};
      if (row->key == HeadKey::Harness)
        out.files->endings = {".komuz"};
      else
        out.files->endings = {".csv", ".jsonl", ".ndjson"};
      return out;
    }
    case HeadKey::Score: break;
  }
  const bool has_harness = head.find(HeadKey::Harness) != nullptr;
  for (const ScoreWords& one : kScoreWords)
    if (engine::is_value_score(*engine::score_from_name(one.name)) == has_harness)
      out.list.push_back({blank + std::string(one.name), std::string(one.what)});
  return out;
}

}  // namespace komuz::services
