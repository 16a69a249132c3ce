// SPDX-License-Identifier: Apache-2.0
#include "services/editor/head_lines.h"

#include <algorithm>
#include <charconv>

#include "base/counts.h"
#include "mend/near_miss.h"

namespace komuz::services {
namespace {

struct KeyRow {
  HeadKey key;
  std::string_view word, example;
};
constexpr KeyRow kKeys[] = {
#define HEAD_KEY(Name, key, value, what) {HeadKey::Name, key, value},
#include "services/editor/head_keys.def"
};
const KeyRow& row_of(HeadKey key) { return kKeys[static_cast<size_t>(key)]; }

constexpr std::string_view kBlanks = " \t\r";

// A line of the head that has the form of `//! word: value`.
struct WrittenLine {
  u32 begin = 0, end = 0;
  u32 word_begin = 0, word_end = 0;
  u32 value_begin = 0, value_end = 0;
};

// Calls see(line) for each until that says false.
template <class See>
void for_each_line(std::string_view text, See see) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF", kComment = "//", kHead = "//!";
  size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (at < text.size()) {
    const size_t line_end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, line_end - at);
    const size_t first = line.find_first_not_of(kBlanks);
    if (first != std::string_view::npos && !line.substr(first).starts_with(kComment)) return;
    const size_t last = line.find_last_not_of(kBlanks);
    if (first != std::string_view::npos && line.substr(first).starts_with(kHead)) {
      const size_t word =
          std::min(line.find_first_not_of(kBlanks, first + kHead.size()), line.size());
      size_t word_end = word;
      while (word_end < line.size() && line[word_end] >= 'a' && line[word_end] <= 'z') ++word_end;
      if (word_end != word && word_end < line.size() && line[word_end] == ':') {
        const size_t value = std::min(line.find_first_not_of(kBlanks, word_end + 1), last + 1);
        const auto place = [&](size_t byte) { return static_cast<u32>(at + byte); };
        const WrittenLine written{place(first),    place(last + 1), place(word),
                                  place(word_end), place(value),    place(last + 1)};
        if (!see(written)) return;
      }
    }
    at = line_end + 1;
  }
}

std::string listed_keys() {
  std::string words;
  for (const KeyRow& row : kKeys)
    words += (words.empty() ? "`" : ", `") + std::string(row.word) + "`";
  return words;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  HeadLines read() {
    for_each_line(text_, [&](const WrittenLine& line) {
      take(line);
      return true;
    });
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string slice(u32 begin, u32 end) const {
    return std::string(text_.substr(begin, end - begin));
  }
  void find(u32 begin, u32 end, std::string message) {
    out_.findings.push_back({begin, end, std::move(message)});
  }

  void take(const WrittenLine& line) {
    const std::string word = slice(line.word_begin, line.word_end);
    const auto* const row = std::ranges::find(kKeys, std::string_view(word), &KeyRow::word);
    if (row == std::end(kKeys)) return find_unknown(line, word);
    std::string value = slice(line.value_begin, line.value_end);
    if (value.empty())
      return find(line.begin, line.end,
                  "`" + word + ":` says nothing; write `//! " + word + ": " +
                      std::string(row->example) + "`");
    if (out_.find(row->key) != nullptr)
      return find(line.begin, line.end,
                  "the head says `" + word + "` twice; the first counts, so take this one out");
    if (row->key == HeadKey::Score && !take_score(line, value)) return;
    if (row->key == HeadKey::Top && !take_top(line, value)) return;
    out_.lines.push_back(
        {row->key, std::move(value), line.begin, line.end, line.value_begin, line.value_end});
  }
  void find_unknown(const WrittenLine& line, std::string_view word) {
    std::vector<std::string_view> words;
    for (const KeyRow& row : kKeys) words.push_back(row.word);
    const std::string_view near = nearest_word(word, words);
    find(line.word_begin, line.word_end,
         "the head of a file has no `" + std::string(word) + "`; " +
             (near.empty() ? "it has " + listed_keys() + ", and `// ` begins a comment"
                           : "did you mean `" + std::string(near) + "`?"));
  }
  bool take_score(const WrittenLine& line, std::string_view value) {
    const auto kind = engine::score_from_name(value);
    if (kind) {
      out_.score = *kind;
      return true;
    }
    const std::string_view near = nearest_word(value, engine::kScoreNames);
    std::string names;
    for (const std::string_view name : engine::kScoreNames)
      names += (names.empty() ? "`" : ", `") + std::string(name) + "`";
    find(line.value_begin, line.value_end,
         "there is no score `" + std::string(value) + "`; " +
             (near.empty() ? "there are " + names : "did you mean `" + std::string(near) + "`?"));
    return false;
  }
  bool take_top(const WrittenLine& line, std::string_view value) {
    u32 top = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), top);
    if (error == std::errc{} && end == value.data() + value.size() && top >= 1 && top <= kMostTop) {
      out_.top = top;
      return true;
    }
    find(line.value_begin, line.value_end,
         "`top` is a number from 1 to " + grouped(kMostTop) +
             ", such as `//! top: " + std::string(row_of(HeadKey::Top).example) + "`");
    return false;
  }

  std::string_view text_;
  HeadLines out_;
};

}  // namespace

const HeadLine* HeadLines::find(HeadKey key) const {
  const auto found = std::ranges::find(lines, key, &HeadLine::key);
  return found == lines.end() ? nullptr : &*found;
}

HeadLines read_head(std::string_view text) { return Reader(text).read(); }

bool says(std::string_view text, HeadKey key) {
  bool found = false;
  for_each_line(text, [&](const WrittenLine& line) {
    found = text.substr(line.word_begin, line.word_end - line.word_begin) == row_of(key).word;
    return !found;
  });
  return found;
}

}  // namespace komuz::services
