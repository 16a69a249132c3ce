// SPDX-License-Identifier: Apache-2.0
// The edited text: clusters, words, lines, killing and undoing.
#include <gtest/gtest.h>

#include "repl/editor/clusters.h"
#include "repl/editor/edit_buffer.h"

namespace komuz::editor {
namespace {

// The text with `|` where the cursor is.
std::string shown(const EditBuffer& buffer) {
  std::string text = buffer.text();
  return text.insert(buffer.cursor(), "|");
}
EditBuffer buffer_of(std::string text) {
  EditBuffer buffer;
  buffer.reset(std::move(text));
  return buffer;
}

TEST(EditBuffer, TheCursorStepsOverWholeClusters) {
  // A letter with two marks, a flag, a family of four joined, Hangul in parts.
  for (const char* const cluster :
       {"e\u0301\u0323", "🇰🇬", "👨‍👩‍👧‍👦", "\u1112\u1161\u11ab", "語"}) {
    EditBuffer buffer = buffer_of(std::string("a") + cluster + "b");
    EXPECT_TRUE(buffer.move_left());
    EXPECT_TRUE(buffer.move_left());
    EXPECT_EQ(shown(buffer), std::string("a|") + cluster + "b");
    EXPECT_TRUE(buffer.move_right());
    EXPECT_TRUE(buffer.erase_left());
    EXPECT_EQ(shown(buffer), "a|b") << cluster;
  }
}

// A key cap is a sign, which no word has, and bytes of words.
TEST(EditBuffer, WordsBeginAndEndBetweenClusters) {
  EditBuffer buffer = buffer_of("x #\uFE0F\u20E3");
  buffer.move_word_left();
  EXPECT_EQ(shown(buffer), "x |#\uFE0F\u20E3");
  buffer.move_word_left();
  EXPECT_EQ(shown(buffer), "|x #\uFE0F\u20E3");
  buffer.move_word_right();
  buffer.move_word_right();
  EXPECT_EQ(shown(buffer), "x #\uFE0F\u20E3|");
  buffer.kill_word_left();
  EXPECT_EQ(shown(buffer), "x |");
}

TEST(EditBuffer, BytesThatAreNoTextAreStepsToo) {
  EditBuffer buffer = buffer_of("a\xff\xe8\xaa");
  for (int k = 0; k < 4; ++k) EXPECT_TRUE(buffer.erase_left());
  EXPECT_FALSE(buffer.erase_left());
}

TEST(EditBuffer, WordsAndLines) {
  EditBuffer buffer = buffer_of("let größe = a.b_2 + 1");
  buffer.move_word_left();
  EXPECT_EQ(shown(buffer), "let größe = a.b_2 + |1");
  buffer.move_word_left();
  EXPECT_EQ(shown(buffer), "let größe = a.|b_2 + 1");
  buffer.kill_word_left();
  buffer.kill_word_left();
  EXPECT_EQ(shown(buffer), "let |b_2 + 1");
  buffer.yank();
  EXPECT_EQ(shown(buffer), "let größe = a.|b_2 + 1");
  buffer.kill_to_blank();
  EXPECT_EQ(shown(buffer), "let größe = |b_2 + 1");
  buffer.kill_to_line_end();
  EXPECT_EQ(shown(buffer), "let größe = |");
  buffer.yank();
  buffer.move_word_left();
  buffer.kill_to_line_start();
  EXPECT_EQ(shown(buffer), "|1");
  buffer.yank();
  EXPECT_EQ(shown(buffer), "let größe = a.b_2 + |1");
}

TEST(EditBuffer, VerticalMovesKeepTheColumn) {
  EditBuffer buffer = buffer_of("abcdef\nxy\n語語語語語");
  EXPECT_TRUE(buffer.move_up());
  EXPECT_EQ(shown(buffer), "abcdef\nxy|\n語語語語語");
  EXPECT_TRUE(buffer.move_up());
  EXPECT_EQ(shown(buffer), "abcde|f\nxy\n語語語語語");
  EXPECT_FALSE(buffer.move_up());
  EXPECT_TRUE(buffer.move_down());
  EXPECT_TRUE(buffer.move_down());
  EXPECT_EQ(shown(buffer), "abcdef\nxy\n語語語語語|");
  EXPECT_FALSE(buffer.move_down());
}

TEST(EditBuffer, ChangesAreTakenBackWordByWord) {
  EditBuffer buffer;
  for (const char c : std::string_view("let x = 1")) buffer.insert(std::string(1, c));
  buffer.erase_left();
  buffer.erase_left();
  const char* const steps[] = {"let x = 1|", "let x = |", "let x |", "let |", "|"};
  for (const char* const step : steps) {
    EXPECT_TRUE(buffer.undo());
    EXPECT_EQ(shown(buffer), step);
  }
  EXPECT_FALSE(buffer.undo());
}

TEST(EditBuffer, AtALinesEndItsEndIsKilled) {
  EditBuffer buffer = buffer_of("a\nb");
  buffer.move_to(1);
  buffer.kill_to_line_end();
  EXPECT_EQ(shown(buffer), "a|b");
  buffer.kill_to_line_end();
  buffer.yank();
  EXPECT_EQ(shown(buffer), "a\nb|");
}

TEST(Clusters, WidthsAreThoseOfTerminals) {
  const auto width = [](std::string_view cluster) { return glyph_of(cluster, 0, 80).width; };
  EXPECT_EQ(width("a"), 1u);
  EXPECT_EQ(width("語"), 2u);
  EXPECT_EQ(width("🎉"), 2u);
  EXPECT_EQ(width("e\u0301"), 1u);
  EXPECT_EQ(width("\u0301"), 1u);  // on a blank of its own
  EXPECT_EQ(glyph_of("\t", 2, 80).width, 2u);
}

TEST(Clusters, NothingSteersATerminal) {
  EXPECT_EQ(glyph_of("\x1b", 0, 80).text, "^[");
  EXPECT_EQ(glyph_of("\x7f", 0, 80).text, "^?");
  EXPECT_EQ(glyph_of("\u0085", 0, 80).text, "\\u{85}");
  EXPECT_EQ(glyph_of("\u202e", 0, 80).text, "\\u{202E}");
  EXPECT_EQ(glyph_of("\xff", 0, 80).text, "\uFFFD");
  EXPECT_EQ(glyph_of("\u202e", 0, 3).text, "\uFFFD");
}

}  // namespace
}  // namespace komuz::editor
