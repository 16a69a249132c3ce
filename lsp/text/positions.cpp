// SPDX-License-Identifier: Apache-2.0
#include "lsp/text/positions.h"

#include <algorithm>

namespace komuz::lsp {
namespace {

bool is_rest(char byte) { return (static_cast<u8>(byte) & 0xC0) == 0x80; }

// The character that begins at a byte: its bytes and its code units. A byte that begins none is one by itself.
struct Character {
  u32 bytes = 1, units = 1;
};
Character character_at(std::string_view text, size_t at, Encoding encoding) {
  const u8 first = static_cast<u8>(text[at]);
  const u32 wanted = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  Character out;
  while (out.bytes < wanted && at + out.bytes < text.size() && is_rest(text[at + out.bytes]))
    ++out.bytes;
  switch (encoding) {
    case Encoding::Utf8: out.units = out.bytes; break;
    case Encoding::Utf16: out.units = out.bytes == 4 ? 2 : 1; break;
    case Encoding::Utf32: break;
  }
  return out;
}

// Where the character begins that the byte is in; the byte itself, if it begins one or is in none.
u32 begin_of_character(std::string_view text, u32 line_begin, u32 byte) {
  if (byte >= text.size()) return byte;
  u32 at = byte;
  while (at > line_begin && byte - at < 3 && is_rest(text[at])) --at;
  return at + character_at(text, at, Encoding::Utf8).bytes > byte ? at : byte;
}

}  // namespace

std::string_view encoding_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8: return "utf-8";
    case Encoding::Utf16: return "utf-16";
    case Encoding::Utf32: return "utf-32";
  }
  return {};
}

LineTable::LineTable(std::string_view text) : begins_{0} {
  add_lines(text, 1, static_cast<u32>(text.size()), begins_);
}

void LineTable::add_lines(std::string_view text, u32 first, u32 last, std::vector<u32>& out) {
  for (u32 at = first; at <= last; ++at) {
    const char before = text[at - 1];
    const bool is_pair = before == '\r' && at < text.size() && text[at] == '\n';
    if (before == '\n' || (before == '\r' && !is_pair)) out.push_back(at);
  }
}

void LineTable::replace(std::string_view text, u32 begin, u32 end, u32 size) {
  // Whether a line begins at a byte follows from it and the one before.
  const auto first = std::ranges::lower_bound(begins_, std::max(begin, 1u));
  const auto behind = std::ranges::upper_bound(first, begins_.end(), end);
  std::vector<u32> lines;
  add_lines(text, std::max(begin, 1u), begin + size, lines);
  for (auto line = behind; line != begins_.end(); ++line) *line += begin + size - end;
  const auto kept = static_cast<size_t>(
      std::min<std::ptrdiff_t>(behind - first, static_cast<std::ptrdiff_t>(lines.size())));
  const auto at = std::copy_n(lines.begin(), kept, first);
  if (kept == lines.size())
    begins_.erase(at, behind);
  else
    begins_.insert(at, lines.begin() + static_cast<std::ptrdiff_t>(kept), lines.end());
}

u32 LineTable::line_of(u32 byte) const {
  return static_cast<u32>(std::ranges::upper_bound(begins_, byte) - begins_.begin()) - 1;
}

u32 LineTable::end(std::string_view text, u32 line) const {
  if (line + 1 == lines()) return static_cast<u32>(text.size());
  u32 end = begins_[line + 1] - 1;
  if (text[end] == '\n' && end > begins_[line] && text[end - 1] == '\r') --end;
  return end;
}

u32 LineTable::byte_of(std::string_view text, Position position, Encoding encoding) const {
  if (position.line >= lines()) return static_cast<u32>(text.size());
  const u32 line_end = end(text, position.line);
  u32 at = begins_[position.line];
  for (u32 units = 0; at < line_end;) {
    const Character next = character_at(text, at, encoding);
    units += next.units;
    if (units > position.character) break;
    at += next.bytes;
  }
  return std::min(at, line_end);
}

Position LineTable::position_of(std::string_view text, u32 byte, Encoding encoding) const {
  byte = std::min(byte, static_cast<u32>(text.size()));
  const u32 line = line_of(byte), begin = begins_[line];
  const u32 stop = begin_of_character(text, begin, std::min(byte, end(text, line)));
  return {line, count_units(text.substr(begin, stop - begin), encoding)};
}

u32 count_units(std::string_view text, Encoding encoding) {
  if (encoding == Encoding::Utf8) return static_cast<u32>(text.size());
  // Mostly so: then a character is a byte and a unit. A line may be a million bytes long and asked for at each of its
  // names, so no byte is a branch.
  u8 all = 0;
  for (const char byte : text) all |= static_cast<u8>(byte);
  if (all < 0x80) return static_cast<u32>(text.size());
  u32 units = 0;
  for (size_t at = 0; at < text.size();) {
    const Character next = character_at(text, at, encoding);
    units += next.units;
    at += next.bytes;
  }
  return units;
}

}  // namespace komuz::lsp
