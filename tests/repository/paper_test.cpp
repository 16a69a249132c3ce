// SPDX-License-Identifier: Apache-2.0
// Reads docs/paper.md: each claim has something in each cell, and one of four verdicts, which the page's first table counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/ints.h"
#include "tests/repository/arrows.h"

namespace komuz::arrows {
namespace {

constexpr std::array<std::string_view, 4> kVerdicts = {"Holds with a condition", "Holds",
                                                       "Does not hold", "Cannot be tested"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The cells of a table's line; none: it is no such line. `\|` is a part of a cell.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  if (!line.starts_with("|")) return cells;
  std::string cell;
  for (size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '|' && line[at - 1] != '\\') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[at];
    }
  }
  return cells;
}

// Its place in kVerdicts, by the first bold words.
size_t verdict_of(std::string_view cell) {
  const size_t bold = cell.find("**");
  for (size_t verdict = 0; verdict < kVerdicts.size() && bold != cell.npos; ++verdict)
    if (cell.substr(bold + 2).starts_with(kVerdicts[verdict])) return verdict;
  return kVerdicts.size();
}

TEST(Paper, EachClaimHasFiguresAndAVerdictAndTheyAreCounted) {
  const std::string text = read_text(std::filesystem::path(KOMUZ_SOURCE_DIR) / "docs/paper.md");
  std::array<u64, kVerdicts.size()> found{}, said{};
  std::vector<std::string> head;
  size_t at = 0;
  for (u64 number = 1; at < text.size(); ++number) {
    SCOPED_TRACE("docs/paper.md:" + std::to_string(number));
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<std::string> cells = cells_of(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (cells.empty() || head.empty()) {
      head = cells;
      continue;
    }
    if (cells.front() == "---") continue;
    ASSERT_EQ(cells.size(), head.size());
    for (const std::string& cell : cells) {
      EXPECT_FALSE(cell.empty());
      EXPECT_EQ(cell.find("not measured"), cell.npos) << cell;
    }
    if (head.front() == "verdict") {
      const size_t verdict = verdict_of(cells.front());
      ASSERT_LT(verdict, kVerdicts.size()) << cells.front();
      said[verdict] = std::stoul(cells[1]);
      continue;
    }
    const auto column = std::find(head.begin(), head.end(), "verdict");
    ASSERT_NE(column, head.end()) << "the table says no verdict";
    const size_t verdict = verdict_of(cells[static_cast<size_t>(column - head.begin())]);
    ASSERT_LT(verdict, kVerdicts.size()) << cells.front() << " has none of the four verdicts";
    ++found[verdict];
  }
  EXPECT_EQ(said, found) << "the counts of the first table";
}

}  // namespace
}  // namespace komuz::arrows
