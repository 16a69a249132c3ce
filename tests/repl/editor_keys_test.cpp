// SPDX-License-Identifier: Apache-2.0
// Bytes of a terminal as keys, the actions of keys, and pastes.
#include "repl/editor/keys.h"

#include <gtest/gtest.h>

#include "repl/editor/bindings.h"
#include "repl/editor/line_editor.h"
#include "repl/editor/paste.h"

namespace komuz::editor {
namespace {

// As text: characters as they are, names in brackets.
std::string read(KeyReader& reader, std::string_view bytes, bool is_last = true) {
  std::vector<Key> keys;
  reader.add(bytes, keys);
  if (is_last) reader.flush(keys);
  std::string text;
  for (const Key& key : keys)
    text += key.kind == Key::Kind::Text    ? key.text
            : key.kind == Key::Kind::Named ? "[" + key.text + "]"
                                           : "{" + key.text + "}";
  return text;
}

TEST(Keys, HaveNames) {
  KeyReader reader("xterm-256color");
  EXPECT_EQ(read(reader, "aé語"), "aé語");
  EXPECT_EQ(read(reader, "\x01\x1a\r\t\x7f\x1f\x1b"),
            "[Ctrl-A][Ctrl-Z][Enter][Tab][Backspace][Ctrl-_][Escape]");
  EXPECT_EQ(read(reader, "\x1b[A\x1bOD\x1b[3~\x1b[1;5C\x1b[Z"),
            "[Up][Left][Delete][Ctrl-Right][Shift-Tab]");
  EXPECT_EQ(read(reader,
                 "\x1b\r\x1b"
                 "b\x1b\x7f\x1b<"),
            "[Alt-Enter][Alt-B][Alt-Backspace][Alt-<]");
}

TEST(Keys, ComeInPieces) {
  for (const std::string_view bytes :
       {"x\x1b[1;5Dy", "é\x1b[200~a\x1b[Ab\x1b[201~z", "\x1b[200~\x1b[201~"}) {
    KeyReader whole("xterm"), pieces("xterm");
    std::string text;
    for (const char byte : bytes) text += read(pieces, std::string_view(&byte, 1), false);
    text += read(pieces, "");
    EXPECT_EQ(text, read(whole, bytes));
  }
}

TEST(Keys, APasteIsOneKeyWhateverItHolds) {
  KeyReader reader("xterm");
  EXPECT_EQ(read(reader, "a\x1b[200~1\r\x1b[A\x03\x1b[201~b"), "a{1\r\x1b[A\x03}b");
  EXPECT_EQ(read(reader, "\x1b[200~1"), "");  // the rest is still to come
  EXPECT_EQ(read(reader, "2\x1b[201~"), "{12}");
}

TEST(Keys, CtrlCAloneEndsAPasteThatDoesNotEnd) {
  KeyReader reader("xterm");
  EXPECT_EQ(read(reader, "\x1b[200~1\r\x1b[20", false), "");
  EXPECT_TRUE(reader.is_waiting());
  EXPECT_EQ(read(reader, "\x03", false), "");  // too soon
  EXPECT_EQ(read(reader, "\r2"), "");
  EXPECT_FALSE(reader.is_waiting());
  EXPECT_TRUE(reader.is_pasting());
  EXPECT_EQ(read(reader, "\x03\r"), "");  // not alone
  EXPECT_EQ(read(reader, "\x03\x03"), "{1\r\x1b[20\x03\r2\x03\r}[Ctrl-C][Ctrl-C]");
  EXPECT_FALSE(reader.is_pasting());
  EXPECT_EQ(read(reader, "a\x1b[200~b\x1b[201~"), "a{b}");
}

TEST(Keys, APasteThatIsTooLongSaysHowMuchIsLost) {
  const std::string most(KeyReader::kMostPasted - 1, 'a');
  for (const std::string_view rest : {"b", "é", "éé"}) {
    KeyReader reader("xterm");
    std::vector<Key> keys;
    reader.add("\x1b[200~" + most + std::string(rest) + "\x1b[201~", keys);
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_EQ(keys[0].lost, rest == "b" ? 0 : rest.size());
    EXPECT_EQ(keys[0].text.size() + keys[0].lost, most.size() + rest.size());
    reader.add("\x1b[200~c\x1b[201~", keys);
    EXPECT_EQ(keys.at(1), Key({Key::Kind::Paste, "c", 0}));
  }
}

TEST(Keys, AnEscapeWaitsForWhatMayFollow) {
  KeyReader reader("xterm");
  EXPECT_EQ(read(reader, "\x1b", false), "");
  EXPECT_TRUE(reader.is_waiting());
  EXPECT_EQ(read(reader, ""), "[Escape]");
  EXPECT_FALSE(reader.is_waiting());
}

// libtermkey takes the numbers of a sequence for indices, those that are not there and those that do not fit, too.
TEST(Keys, NumbersOfSequencesAreNotBelieved) {
  for (const char* const term : {"xterm", "linux"})
    for (const char* const numbers :
         {"", ";", ";5", "99999999999999999999", "9223372036854775808", "4294967295", "27", "27;5",
          "27;5;", "27;;", "1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20", "-1", "?99999",
          "<", "=", ">", "?"})
      for (const char last : {'~', 'u', 'A', 'R', 'm', 'y'}) {
        KeyReader reader(term);
        std::vector<Key> keys;
        reader.add("\x1b[" + std::string(numbers) + last, keys);
        reader.flush(keys);
        keys.clear();
        reader.add("a", keys);
        ASSERT_EQ(keys.size(), 1u) << numbers << last;
        EXPECT_EQ(keys[0].text, "a");
      }
}

TEST(Bindings, SequencesHaveAPrefix) {
  EXPECT_EQ(action_of("Ctrl-A"), Action::LineStart);
  EXPECT_EQ(action_of("Ctrl-X"), Action::Prefix);
  EXPECT_EQ(action_of("Ctrl-X Ctrl-E"), Action::Edit);
  EXPECT_EQ(action_of("Ctrl-Q"), Action::None);
  EXPECT_NE(bindings_text().find("  Ctrl-A, Home "), std::string::npos);
}

TEST(Paste, LosesPromptsAndAnswers) {
  EXPECT_EQ(from_paste("1 +\r\n2\r"), "1 +\n2");
  EXPECT_EQ(from_paste("> let x = 1\nx = 1\n> fn f() -> i64 {\n…     x\n… }\n> \n"),
            "let x = 1\nfn f() -> i64 {\n    x\n}\n");
  EXPECT_EQ(from_paste("x\n> y"), "x\n> y");
  EXPECT_EQ(from_paste(""), "");
}

TEST(Paste, SaysThatItIsCutUntilTheNextKey) {
  const History history;
  LineEditor edited({}, history, false);
  edited.start({80, 24});
  static_cast<void>(edited.press({Key::Kind::Paste, "1 + 2", 1234}));
  edited.paint();
  EXPECT_NE(edited.take_output().find("the paste is cut: it has 1,239 bytes, and 5 fit"),
            std::string::npos);
  static_cast<void>(edited.press({Key::Kind::Text, "3"}));
  edited.forget_screen();
  edited.paint();
  EXPECT_EQ(edited.take_output().find("the paste"), std::string::npos);
}

}  // namespace
}  // namespace komuz::editor
