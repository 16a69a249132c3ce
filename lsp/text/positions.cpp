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
  find_begins(text, 0, text.size(), begins_);
}

void LineTable::find_begins(std::string_view text, size_t begin, size_t end,
                            std::vector<u32>& out) {
  for (size_t k = begin; k < end; ++k) {
    if (text[k] != '\n' && text[k] != '\r') continue;
    // Both together end one line.
    if (text[k] == '\r' && k + 1 < text.size() && text[k + 1] == '\n') continue;
    out.push_back(static_cast<u32>(k) + 1);
  }
}

void LineTable::edit(std::string_view text, u32 begin, u32 removed, u32 added) {
  // Whether a line begins at a byte depends on it and on the one before.
  const auto first = std::max(begins_.begin() + 1, std::ranges::lower_bound(begins_, begin));
  const auto last = std::max(first, std::ranges::upper_bound(begins_, begin + removed));
  std::vector<u32> found;
  find_begins(text, begin == 0 ? 0 : begin - 1, size_t{begin} + added, found);
  for (auto behind = last; behind != begins_.end(); ++behind) *behind += added - removed;
  const auto both = std::min(last - first, static_cast<std::ptrdiff_t>(found.size()));
  std::copy(found.begin(), found.begin() + both, first);
  const auto at = begins_.erase(first + both, last);
  begins_.insert(at, found.begin() + both, found.end());
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
  const u32 stop = std::min(byte, end(text, line));
  Position out{line, 0};
  for (u32 at = begin; at < stop;) {
    const Character next = character_at(text, at, encoding);
    // Inside of a character: its begin.
    if (at + next.bytes > stop) break;
    out.character += next.units;
    at += next.bytes;
  }
  return out;
}

u32 count_units(std::string_view text, Encoding encoding) {
  // Mostly so: then a character is a byte and a unit.
  const bool is_ascii =
      std::ranges::none_of(text, [](char byte) { return static_cast<u8>(byte) >= 0x80; });
  if (is_ascii || encoding == Encoding::Utf8) return static_cast<u32>(text.size());
  u32 units = 0;
  for (size_t at = 0; at < text.size();) {
    const Character next = character_at(text, at, encoding);
    units += next.units;
    at += next.bytes;
  }
  return units;
}

}  // namespace komuz::lsp
