// SPDX-License-Identifier: Apache-2.0
// Places and edits of texts, against a counterpart that counts characters one by one.
#include <gtest/gtest.h>

#include "base/random.h"
#include "lsp/text/documents.h"
#include "lsp/text/uri.h"

namespace komuz::lsp_test {
namespace {

using lsp::Encoding;
using lsp::LineTable;
using lsp::Position;

constexpr Encoding kEncodings[] = {Encoding::Utf8, Encoding::Utf16, Encoding::Utf32};
constexpr std::string_view kPieces[] = {"a",  "é",    "\u2028", "\U0001F600", "e\u0301",
                                        "\n", "\r\n", "\r",     "\uFEFF",     "xyz"};

std::string random_text(Random& random) {
  std::string text;
  for (u32 k = random.below(40); k > 0; --k) text += random.pick(kPieces);
  return text;
}

// The position of a byte that begins a character, or of the end.
Position counted(std::string_view text, u32 byte, Encoding encoding) {
  Position out;
  for (u32 k = 0; k < byte;) {
    const u8 first = static_cast<u8>(text[k]);
    const u32 size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (text[k] == '\n' || (text[k] == '\r' && (k + 1 == text.size() || text[k + 1] != '\n'))) {
      ++out.line;
      out.character = 0;
    } else if (text[k] != '\r') {
      out.character += encoding == Encoding::Utf8    ? size
                       : encoding == Encoding::Utf32 ? 1
                       : size == 4                   ? 2
                                                     : 1;
    }
    k += size;
  }
  return out;
}
bool begins_character(std::string_view text, u32 byte) {
  return byte == text.size() || (static_cast<u8>(text[byte]) & 0xC0) != 0x80;
}

TEST(Positions, AreThoseOfTheCharacters) {
  Random random(11);
  for (u32 round = 0; round < 500; ++round) {
    const std::string text = random_text(random);
    const LineTable lines(text);
    for (const Encoding encoding : kEncodings)
      for (u32 byte = 0; byte <= text.size(); ++byte) {
        if (!begins_character(text, byte)) continue;
        const Position wanted = counted(text, byte, encoding);
        EXPECT_EQ(lines.position_of(text, byte, encoding), wanted);
        // Between `\r` and `\n` there is no place of its own.
        const bool is_inside =
            byte > 0 && byte < text.size() && text[byte - 1] == '\r' && text[byte] == '\n';
        if (!is_inside) {
          EXPECT_EQ(lines.byte_of(text, wanted, encoding), byte);
        }
      }
  }
}

// Also of bytes that are no text, which a file may have.
TEST(Positions, InsideOfACharacterAreItsBegin) {
  Random random(12);
  for (u32 round = 0; round < 500; ++round) {
    std::string text = random_text(random);
    const bool is_text = round % 2 == 0;
    for (u32 k = 0; !is_text && k < 5; ++k)
      text.insert(random.below(static_cast<u32>(text.size()) + 1), 1,
                  "\x80\xC3\xF0"
                  "a"[k % 4]);
    const LineTable lines(text);
    for (const Encoding encoding : kEncodings)
      for (u32 byte = 0; byte < text.size(); ++byte) {
        if (byte > 0 && text[byte - 1] == '\r' && text[byte] == '\n') continue;
        const Position place = lines.position_of(text, byte, encoding);
        const u32 begin = lines.byte_of(text, place, encoding);
        EXPECT_LE(begin, byte);
        EXPECT_LE(byte - begin, 3u);
        EXPECT_EQ(lines.position_of(text, begin, encoding), place);
        if (is_text && begins_character(text, byte)) continue;
        for (u32 k = begin + 1; k <= byte; ++k) EXPECT_FALSE(begins_character(text, k));
      }
  }
}

TEST(Positions, OutsideOfTheTextAreCut) {
  const std::string_view text = "ab\r\n\U0001F600c";
  const LineTable lines(text);
  EXPECT_EQ(lines.byte_of(text, {0, 99}, Encoding::Utf16), 2u);
  EXPECT_EQ(lines.byte_of(text, {9, 0}, Encoding::Utf16), 9u);
  EXPECT_EQ(lines.byte_of(text, {~0u, ~0u}, Encoding::Utf8), 9u);
  // In the middle of a character: its begin.
  EXPECT_EQ(lines.byte_of(text, {1, 1}, Encoding::Utf16), 4u);
  EXPECT_EQ(lines.byte_of(text, {1, 3}, Encoding::Utf8), 4u);
  EXPECT_EQ(lines.position_of(text, 6, Encoding::Utf16), (Position{1, 0}));
  EXPECT_EQ(lines.position_of(text, 99, Encoding::Utf16), (Position{1, 3}));
}

// Also where an edit joins the two bytes of a line end, or parts them.
TEST(Positions, AreKeptByEdits) {
  Random random(17);
  for (u32 round = 0; round < 2000; ++round) {
    std::string text = random_text(random);
    LineTable lines(text);
    for (u32 k = 0; k < 3; ++k) {
      const std::string put = random_text(random);
      const auto begin = static_cast<u32>(random.below(text.size() + 1));
      const auto end = begin + static_cast<u32>(random.below(text.size() - begin + 1));
      text.replace(begin, end - begin, put);
      lines.replace(text, begin, end, static_cast<u32>(put.size()));
      EXPECT_EQ(lines, LineTable(text));
    }
  }
}

TEST(Documents, EditsAreThoseOfTheClient) {
  Random random(13);
  for (u32 round = 0; round < 400; ++round) {
    const Encoding encoding = random.pick(kEncodings);
    std::string text = random_text(random);
    const auto document = lsp::make_document("untitled:1", "", 1, text);
    std::vector<lsp::TextChange> changes;
    for (u32 k = 1 + random.below(4); k > 0; --k) {
      u32 begin = static_cast<u32>(random.below(text.size() + 1)),
          end = static_cast<u32>(random.below(text.size() + 1));
      if (begin > end) std::swap(begin, end);
      while (!begins_character(text, begin)) --begin;
      while (!begins_character(text, end)) ++end;
      const std::string put = random_text(random);
      const auto in_line_end = [&](u32 at) {
        return at > 0 && at < text.size() && text[at - 1] == '\r' && text[at] == '\n';
      };
      if (in_line_end(begin) || in_line_end(end)) continue;
      changes.push_back(
          {lsp::TextChange::Span{counted(text, begin, encoding), counted(text, end, encoding)},
           put});
      text.replace(begin, end - begin, put);
    }
    const auto now = lsp::changed(*document, 2, changes, encoding);
    EXPECT_EQ(now->text, text);
    EXPECT_EQ(now->lines, LineTable(text));
  }
}

TEST(Uris, NameFiles) {
  EXPECT_EQ(lsp::path_of_uri("file:///a%20b/%C3%A9.komuz"), "/a b/é.komuz");
  EXPECT_EQ(lsp::path_of_uri("FILE://localhost/x"), "/x");
  EXPECT_EQ(lsp::path_of_uri("file:/x%2"), "/x%2");
  EXPECT_EQ(lsp::path_of_uri("file:///a%00b"), std::nullopt);
  EXPECT_EQ(lsp::path_of_uri("file://other/x"), std::nullopt);
  EXPECT_EQ(lsp::path_of_uri("untitled:Untitled-1"), std::nullopt);
  EXPECT_EQ(lsp::path_of_uri(""), std::nullopt);
  EXPECT_EQ(lsp::uri_of_path("/a b/é:1"), "file:///a%20b/%C3%A9%3A1");
  EXPECT_EQ(lsp::uri_key("file:///c%3A/x"), lsp::uri_key("file:///c:/x"));
}

}  // namespace
}  // namespace komuz::lsp_test
