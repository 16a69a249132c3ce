// SPDX-License-Identifier: Apache-2.0
// Places of a text as clients count them, lines and code units of a line, and as bytes. Whatever a client says is a place of
// the text: a line behind the last one is its end, a column behind a line's end is that, one inside of a character its begin.
#pragma once
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::lsp {

// What a column counts.
enum class Encoding : u8 { Utf8, Utf16, Utf32 };
[[nodiscard]] std::string_view encoding_name(Encoding encoding);  // "utf-16"

// From 0.
struct Position {
  u32 line = 0, character = 0;
  auto operator<=>(const Position&) const = default;
};

// Bytes [begin, end).
struct ByteRange {
  u32 begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

// Where the lines of a text begin. A line ends by a line feed, by a carriage return, or by both.
class LineTable {
 public:
  explicit LineTable(std::string_view text = {});

  // `text` is what came of that of the table: so many bytes from `begin` on were replaced by so many others.
  void edit(std::string_view text, u32 begin, u32 removed, u32 added);

  [[nodiscard]] u32 lines() const { return static_cast<u32>(begins_.size()); }
  [[nodiscard]] u32 begin(u32 line) const { return begins_[line]; }
  // The line of a byte.
  [[nodiscard]] u32 line_of(u32 byte) const;
  // The place behind what stands on a line, before what ends it.
  [[nodiscard]] u32 end(std::string_view text, u32 line) const;

  [[nodiscard]] u32 byte_of(std::string_view text, Position position, Encoding encoding) const;
  [[nodiscard]] Position position_of(std::string_view text, u32 byte, Encoding encoding) const;

 private:
  // Of the lines that end in bytes [begin, end).
  static void find_begins(std::string_view text, size_t begin, size_t end, std::vector<u32>& out);

  std::vector<u32> begins_;
};

// How many code units the text has.
[[nodiscard]] u32 count_units(std::string_view text, Encoding encoding);

}  // namespace komuz::lsp
