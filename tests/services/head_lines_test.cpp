// SPDX-License-Identifier: Apache-2.0
#include "services/editor/head_lines.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

std::string value_of(std::string_view text, HeadKey key) {
  const HeadLines head = read_head(text);
  const HeadLine* const line = head.find(key);
  if (line == nullptr) return "-";
  EXPECT_EQ(text.substr(line->value_begin, line->value_end - line->value_begin), line->value);
  return line->value;
}
// What is marked, and what is said of it.
std::string found(std::string_view text) {
  std::string out;
  for (const HeadFinding& one : read_head(text).findings)
    out += std::string(text.substr(one.begin, one.end - one.begin)) + ": " + one.message + "\n";
  return out;
}

TEST(HeadLines, AreReadUpToTheFirstItem) {
  constexpr std::string_view kText =
      "\xEF\xBB\xBF// words\r\n\n  //!  cases:  a b.csv \t\r\n/// more\n//! top: 7\nfn f() -> i64 "
      "{ 1 }\n//! score: squared\n";
  EXPECT_EQ(value_of(kText, HeadKey::Cases), "a b.csv");
  EXPECT_EQ(value_of(kText, HeadKey::Top), "7");
  EXPECT_EQ(value_of(kText, HeadKey::Score), "-");
  EXPECT_EQ(read_head(kText).top, 7u);
  EXPECT_EQ(read_head(kText).score, engine::ScoreKind::Exact);
  EXPECT_EQ(found(kText), "");
  EXPECT_TRUE(says(kText, HeadKey::Cases));
  EXPECT_FALSE(says(kText, HeadKey::Score));
}

TEST(HeadLines, ProseMeansNothing) {
  for (const std::string_view text :
       {"", "//!", "//! Cases: a.csv", "//! the cases: a.csv", "// cases: a.csv", "//! cases",
        "fn f() -> i64 { 1 } //! cases: a.csv"}) {
    EXPECT_EQ(value_of(text, HeadKey::Cases), "-") << text;
    EXPECT_EQ(found(text), "") << text;
  }
}

TEST(HeadLines, EachFaultIsSaidAtItsPlace) {
  EXPECT_EQ(found("//! case: a.csv\n"),
            "case: the head of a file has no `case`; did you mean `cases`?\n");
  EXPECT_EQ(
      found("//! xyzzy: 1\n"),
      "xyzzy: the head of a file has no `xyzzy`; it has `cases`, `score`, `top`, `harness`, and "
      "`// ` begins a comment\n");
  EXPECT_EQ(found("//! cases: \n"),
            "//! cases:: `cases:` says nothing; write `//! cases: data.csv`\n");
  EXPECT_EQ(found("//! top: 3\n//! top: 4\n"),
            "//! top: 4: the head says `top` twice; the first counts, so take this one out\n");
  EXPECT_EQ(found("//! top: 0\n"), "0: `top` is a number from 1 to 1,000, such as `//! top: 10`\n");
  EXPECT_EQ(found("//! score: square\n"),
            "square: there is no score `square`; did you mean `squared`?\n");
}

}  // namespace
}  // namespace komuz::services
