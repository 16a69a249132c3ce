// SPDX-License-Identifier: Apache-2.0
// Differences of texts: their form; and applying them turns one text into the other.
#include "services/line_diff.h"

#include <gtest/gtest.h>

#include <charconv>
#include <random>
#include <sstream>
#include <vector>

#include "base/ints.h"

namespace komuz::services {
namespace {

TEST(LineDiff, ShowsTheLinesThatDiffer) {
  EXPECT_EQ(line_diff({"f", "a\nb\nc\nd\n"}, {"f", "a\nB\nc\nD\n"}),
            "--- f\n+++ f\n@@ -2,1 +2,1 @@\n-b\n+B\n@@ -4,1 +4,1 @@\n-d\n+D\n");
  EXPECT_EQ(line_diff({"f", "a\nb\nc\n"}, {"f", "a\nc\n"}), "--- f\n+++ f\n@@ -2,1 +1,0 @@\n-b\n");
  EXPECT_EQ(line_diff({"f", ""}, {"f", "a\n"}), "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(line_diff({"f", "a"}, {"f", "a\n"}),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(line_diff({"f", "a\n"}, {"g", "b\n"}), "--- f\n+++ g\n@@ -1,1 +1,1 @@\n-a\n+b\n");
  EXPECT_EQ(line_diff({"f", "a\n"}, {"f", "a\n"}), "");
}

TEST(LineDiff, LeavesOutWhatStaysBetweenLinesThatCameAndWent) {
  EXPECT_EQ(line_diff({"f", "a\nb\nc\nd\ne\n"}, {"f", "b\nc\nX\nd\ne\nf\n"}),
            "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n@@ -3,0 +3,1 @@\n+X\n@@ -5,0 +6,1 @@\n+f\n");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A number behind `at`, which is moved to behind it.
size_t read_number(const std::string& text, size_t& at) {
  size_t number = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
  at = static_cast<size_t>(read.ptr - text.data());
  return number;
}

// Applies a difference to a text whose lines all have an end; `changed` counts the lines that it names.
std::string patched(const std::string& text, const std::string& diff, size_t& changed) {
  const std::vector<std::string> olds = lines_of(text), steps = lines_of(diff);
  std::string out;
  size_t old_line = 0;
  changed = 0;
  for (size_t k = 2; k < steps.size(); ++k) {
    const std::string& step = steps[k];
    if (step[0] == '@') {
      size_t at = step.find('-') + 1;
      const size_t first = read_number(step, at);
      const size_t count = read_number(step, ++at);
      const size_t until = count == 0 ? first : first - 1;
      while (old_line < until) out += olds.at(old_line++) + "\n";
      continue;
    }
    ++changed;
    if (step[0] == '+')
      out += step.substr(1) + "\n";
    else
      EXPECT_EQ(step, "-" + olds.at(old_line++));
  }
  while (old_line < olds.size()) out += olds[old_line++] + "\n";
  return out;
}

// How many lines have to go or come, by the table of all beginnings.
size_t least_changes(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = a[i - 1] == b[j - 1] ? diagonal : std::min(above, row[j - 1]) + 1;
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string random_text(std::mt19937_64& random, u64 most_lines, u64 kinds) {
  std::string text;
  for (u64 lines = random() % (most_lines + 1); lines > 0; --lines)
    text += std::string(1, static_cast<char>('a' + random() % kinds)) + "\n";
  return text;
}

TEST(LineDiff, LeadsFromOneTextToTheOtherByTheFewestLines) {
  std::mt19937_64 random(20261124);
  for (int round = 0; round < 3000; ++round) {
    const u64 kinds = 1 + random() % 5;
    const std::string before = random_text(random, 12, kinds),
                      after = random_text(random, 12, kinds);
    size_t changed = 0;
    EXPECT_EQ(patched(before, line_diff({"a", before}, {"b", after}), changed), after) << before;
    EXPECT_EQ(changed, least_changes(lines_of(before), lines_of(after))) << before << after;
  }
}

TEST(LineDiff, LeadsToATextThatIsFarApart) {
  std::mt19937_64 random(20261124);
  for (const bool same_length : {false, true}) {
    std::string before, after;
    for (int k = 0; k < 4000; ++k) {
      before += std::to_string(random() % 3) + "\n";
      after += std::to_string(random() % 3 + 2) + "\n";
    }
    if (!same_length) after += "end\n";
    size_t changed = 0;
    EXPECT_EQ(patched(before, line_diff({"a", before}, {"b", after}), changed), after);
  }
}

}  // namespace
}  // namespace komuz::services
