// SPDX-License-Identifier: Apache-2.0
#include "services/editor/head_words.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

// The texts that come of each word at `|`, or why there is none.
std::string listed(std::string text) {
  const size_t at = text.find('|');
  text.erase(at, 1);
  const auto words = list_head_words(text, static_cast<u32>(at));
  if (!words) return "no place of the head";
  std::string out;
  for (const HeadWord& one : words->list) {
    EXPECT_FALSE(one.what.empty());
    std::string made = text;
    out += made.replace(words->begin, words->end - words->begin, one.text) + "\n";
  }
  return out;
}

TEST(HeadWords, AreKeysBehindTheMark) {
  constexpr std::string_view kAll = "//! cases: \n//! score: \n//! top: \n//! harness: \n";
  EXPECT_EQ(listed("//!|"), kAll);
  EXPECT_EQ(listed("//! |"), kAll);
  EXPECT_EQ(listed("//! sc|"), kAll);
  EXPECT_EQ(listed("//! top: 3\n//! |\n"),
            "//! top: 3\n//! cases: \n\n//! top: 3\n//! score: \n\n//! top: 3\n//! harness: \n\n");
  // The one that is being changed may be the same again, and keeps its value.
  EXPECT_EQ(listed("//! to|p: 3"), "//! cases: 3\n//! score: 3\n//! top: 3\n//! harness: 3\n");
}

TEST(HeadWords, AreScoresBehindTheKey) {
  EXPECT_EQ(listed("//! score: |"),
            "//! score: exact\n//! score: absolute\n//! score: squared\n//! score: relative\n"
            "//! score: smape\n//! score: r2\n//! score: correlation\n"
            "//! score: huber\n//! score: log-cosh\n//! score: quantile\n//! score: logistic\n"
            "//! score: hinge\n");
  EXPECT_EQ(listed("//! score:|"), listed("//! score: |"));
  EXPECT_EQ(listed("//! score: sq|uared"), listed("//! score: |"));
  EXPECT_EQ(
      listed("//! harness: h.komuz\n//! score: |"),
      "//! harness: h.komuz\n//! score: maximize\n//! harness: h.komuz\n//! score: minimize\n");
  EXPECT_EQ(listed("//! cases: |"), "");
}

// `folder[blank] ending…`, and what the name takes the place of.
std::string wanted_file(std::string text) {
  const size_t at = text.find('|');
  text.erase(at, 1);
  const auto words = list_head_words(text, static_cast<u32>(at));
  if (!words || !words->files) return "no file";
  std::string out = words->files->folder + "[" + words->files->blank + "]";
  for (const std::string_view ending : words->files->endings) out.append(" ").append(ending);
  return out + " for `" + text.substr(words->begin, words->end - words->begin) + "`";
}

TEST(HeadWords, AFileIsNamedBehindItsKey) {
  EXPECT_EQ(wanted_file("//! cases: |"), "[] .csv .jsonl .ndjson for ``");
  EXPECT_EQ(wanted_file("//! cases:|"), "[ ] .csv .jsonl .ndjson for ``");
  EXPECT_EQ(wanted_file("//! cases: da|ta.csv\n"), "[] .csv .jsonl .ndjson for `data.csv`");
  EXPECT_EQ(wanted_file("//! harness: lib/judges/h|"), "lib/judges/[] .komuz for `h`");
  EXPECT_EQ(wanted_file("//! harness: lib/|judges/h"), "lib/[] .komuz for `judges/h`");
  EXPECT_EQ(wanted_file("//! score: |"), "no file");
  EXPECT_EQ(wanted_file("//! top: |"), "no file");
  EXPECT_EQ(wanted_file("//! other: |"), "no file");
}

TEST(HeadWords, StandInTheHeadAlone) {
  for (const char* text : {"|", "// |", "/// |", "//|!", "fn f() -> i64 { 1 }\n//! |", "x //! |"})
    EXPECT_EQ(listed(text), "no place of the head") << text;
  EXPECT_NE(listed("\xEF\xBB\xBF//! |"), "no place of the head");
  EXPECT_NE(listed("\xEF\xBB\xBF// words\n\n  //! |\nfn f() -> i64 { 1 }\n"),
            "no place of the head");
}

}  // namespace
}  // namespace komuz::services
