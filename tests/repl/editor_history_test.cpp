// SPDX-License-Identifier: Apache-2.0
// Earlier inputs: keeping, finding, walking through and suggesting them.
#include "repl/editor/history.h"

#include <gtest/gtest.h>

#include "repl/editor/history_search.h"
#include "repl/editor/line_editor.h"

namespace komuz::editor {
namespace {

void press(LineEditor& editor, std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const auto kind = name.size() == 1 ? Key::Kind::Text : Key::Kind::Named;
    EXPECT_EQ(editor.press({kind, std::string(name)}), Outcome::Editing) << name;
  }
}
History history_of(std::initializer_list<const char*> entries) {
  History history;
  for (const char* const entry : entries) history.add(entry);
  return history;
}

TEST(History, LinesOfAFileHoldEveryEntry) {
  History history;
  const std::string entries[] = {"1 + 2", "fn f() {\n  \"\\n\"\n}", "\\", "a\\nb"};
  std::string lines;
  for (const std::string& entry : entries) lines += History::to_line(entry);
  history.add_lines(lines + "cut \\");
  ASSERT_EQ(history.size(), 5u);
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(history[k], entries[k]);
}

TEST(History, ForgetsTheOldest) {
  History history(2);
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(history.add(std::to_string(k)));
  EXPECT_LE(history.size(), 4u);
  EXPECT_EQ(history[history.size() - 1], "9");
  EXPECT_FALSE(history.add("9"));
  EXPECT_FALSE(history.add(" \n"));
}

TEST(History, UpWalksInputsThatBeginLikeTheOneThatIsThere) {
  const History history = history_of({"let a = 1", "sqrt(2.0)", "let b = 2", "let b = 2 + 1"});
  LineEditor editor({}, history, false);
  editor.start({});
  press(editor, "l e Up");
  EXPECT_EQ(editor.text(), "let b = 2 + 1");
  press(editor, "Up Up Up");
  EXPECT_EQ(editor.text(), "let a = 1");
  press(editor, "Down");
  EXPECT_EQ(editor.text(), "let b = 2");
  press(editor, "Down Down");
  EXPECT_EQ(editor.text(), "le");
  press(editor, "Ctrl-U Up Up Up");
  EXPECT_EQ(editor.text(), "sqrt(2.0)");
}

TEST(History, TheNewestGoesOnWhereTheTextEnds) {
  const History history = history_of({"let a = 1", "let b = 2"});
  LineEditor editor({}, history, false);
  editor.start({});
  press(editor, "l Alt-F");
  EXPECT_EQ(editor.text(), "let");
  press(editor, "Right");
  EXPECT_EQ(editor.text(), "let b = 2");
  press(editor, "Ctrl-U l Ctrl-E Ctrl-_");
  EXPECT_EQ(editor.text(), "l");
}

TEST(History, EnterRunsWhatASearchFound) {
  const History history = history_of({"sqrt(4.0)", "1 + 1"});
  LineEditor editor({}, history, false);
  editor.start({});
  press(editor, "Ctrl-R s q");
  EXPECT_EQ(editor.press({Key::Kind::Named, "Enter"}), Outcome::Submitted);
  EXPECT_EQ(editor.text(), "sqrt(4.0)");
}

TEST(History, ASearchEndsInWhatItFoundOrInNothing) {
  const History history = history_of({"sqrt(4.0)", "1 + 1", "sqrt(9.0)", "2 + 2"});
  LineEditor editor({}, history, false);
  editor.start({});
  press(editor, "x Ctrl-R s q Ctrl-A");
  EXPECT_EQ(editor.text(), "sqrt(9.0)");
  press(editor, "Ctrl-R s q Ctrl-R Ctrl-E");
  EXPECT_EQ(editor.text(), "sqrt(4.0)");
  press(editor, "Ctrl-R 2 Ctrl-G");
  EXPECT_EQ(editor.text(), "sqrt(4.0)");
  press(editor, "Ctrl-R z Ctrl-R Backspace 1 Ctrl-S Escape");
  EXPECT_EQ(editor.text(), "sqrt(4.0)");
}

TEST(History, ASearchThatFailsStaysAtWhatItFoundBefore) {
  const History history = history_of({"alpha + 1", "beta"});
  HistorySearch search(history);
  search.start();
  search.add("+");
  search.add(" 1");
  ASSERT_NE(search.found(), nullptr);
  EXPECT_EQ(search.match_begin(), 6u);
  EXPECT_EQ(search.match_end(), 9u);
  search.add("zz");
  ASSERT_NE(search.found(), nullptr);
  EXPECT_EQ(*search.found(), "alpha + 1");
  EXPECT_EQ(search.match_begin(), 6u);
  EXPECT_EQ(search.match_end(), 9u);
}

}  // namespace
}  // namespace komuz::editor
