// SPDX-License-Identifier: Apache-2.0
#include "services/display_text.h"

#include <algorithm>
#include <span>

namespace komuz::services {
namespace {

constexpr u32 kTabStop = 4;
constexpr u32 kInvalid = 0xFFFFFFFF;

struct Decoded {
  u32 character = kInvalid;
  u32 bytes = 1;
};

// One UTF-8 sequence. An invalid or overlong sequence counts as one byte of kInvalid.
Decoded decode(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> u32 {
    return at + i < text.size() ? static_cast<u8>(text[at + i]) : 0;
  };
  const u32 first = byte(0);
  if (first < 0x80) return {first, 1};
  const u32 bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (bytes == 0 || first > 0xF4) return {};
  u32 character = first & (0x7Fu >> bytes);
  for (u32 i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3F);
  }
  constexpr u32 kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (character < kLeast[bytes] || character > 0x10FFFF || surrogate) return {};
  return {character, bytes};
}

struct Range {
  u32 first, last;
};
// Control characters: C0 and C1 controls, line separators, marks that reorder text. The last two are no characters,
// and XML forbids them.
constexpr Range kSteering[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x200B, 0x200F},
                               {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                               {0xFFFE, 0xFFFF}};
constexpr Range kCombining[] = {
    {0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                           {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                           {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

bool any_holds(std::span<const Range> ranges, u32 character) {
  return std::ranges::any_of(
      ranges, [&](const Range& r) { return character >= r.first && character <= r.last; });
}

}  // namespace

Cell cell_at(std::string_view line, size_t at, u32 column) {
  const Decoded d = decode(line, at);
  if (d.character == '\t') {
    const u32 width = kTabStop - column % kTabStop;
    return {1, width, std::string(width, ' ')};
  }
  if (d.character == kInvalid || any_holds(kSteering, d.character))
    return {d.bytes, 1, "\xEF\xBF\xBD"};
  const u32 width = any_holds(kCombining, d.character) ? 0 : any_holds(kWide, d.character) ? 2 : 1;
  return {d.bytes, width, std::string(line.substr(at, d.bytes))};
}

std::string printable(std::string_view text, u32 most) {
  std::string shown;
  u32 column = 0;
  for (size_t at = 0; at < text.size();) {
    const Cell cell = cell_at(text, at, column);
    if (column + cell.width > most) return shown + "…";
    shown += cell.text;
    column += cell.width;
    at += cell.bytes;
  }
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    shown += printable(text.substr(at, end - at), ~0u);
    if (end < text.size()) shown += '\n';
    at = end + 1;
  }
  return shown;
}

std::string fitted(std::string_view text, u32 width) {
  return printable(text, shown_width(text) <= width ? width : width - 1);
}

std::string fitted_at_both_ends(std::string_view text, u32 width) {
  const std::string shown = printable(text, ~0u);
  const size_t all = shown_width(shown);
  if (all <= width) return shown;
  const u32 end_width = (width - 1) / 2;
  u32 column = 0;
  size_t at = 0;
  while (all - column > end_width) {
    const Cell cell = cell_at(shown, at, column);
    column += cell.width;
    at += cell.bytes;
  }
  // Combining marks would attach to the text that is cut off.
  while (at < shown.size() && cell_at(shown, at, column).width == 0)
    at += cell_at(shown, at, column).bytes;
  return printable(shown, width - 1 - end_width) + shown.substr(at);
}

namespace {

// The length of "\x1b[1;31m"; 0 if there is none.
size_t color_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end == std::string_view::npos || text[end] != 'm' ? 0 : end + 1;
}

// A line without its end.
void wrap_line(std::string_view line, u32 width, std::string& out) {
  constexpr u32 kHang = 2;
  const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  const auto indent = static_cast<u32>(blanks == 0 ? 0 : blanks + kHang);
  u32 column = 0, first_column = static_cast<u32>(blanks);
  size_t begin = 0, last_blank = 0;  // of the present row; 0: it has none
  for (size_t at = 0; at < line.size();) {
    if (const size_t length = color_length(line.substr(at)); length > 0) {
      at += length;
      continue;
    }
    if (line[at] == ' ' && column > first_column) last_blank = at;
    const Cell cell = cell_at(line, at, column);
    if (column + cell.width > width && last_blank > begin) {
      const size_t end = line.find_last_not_of(' ', last_blank) + 1;
      const size_t next = line.find_first_not_of(' ', last_blank);
      if (next == std::string_view::npos) break;
      out.append(line.substr(begin, end - begin)).append("\n").append(indent, ' ');
      at = begin = next;
      column = first_column = indent;
      last_blank = 0;
      continue;
    }
    column += cell.width;
    at += cell.bytes;
  }
  out += line.substr(begin);
}

}  // namespace

std::string wrapped(std::string_view text, u32 width) {
  constexpr u32 kLeast = 20;  // narrower widths break words anyway
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (width < kLeast)
      out += text.substr(0, end);
    else
      wrap_line(text.substr(0, end), width, out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string wrapped_paragraphs(std::string_view text, u32 width) {
  // Lines that are indented, or belong to lists and examples, stay as they are.
  const auto is_prose = [](std::string_view line) {
    return !line.empty() && std::string_view(" >-*|#").find(line.front()) == std::string_view::npos;
  };
  std::string joined;
  bool goes_on = false;  // the line before belongs to a paragraph
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!joined.empty()) joined += goes_on && is_prose(line) ? ' ' : '\n';
    joined += line;
    goes_on = is_prose(line);
    if (end + 1 == text.size()) joined += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped(joined, width);
}

size_t shown_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const Cell cell = cell_at(text, at, static_cast<u32>(width));
    width += cell.width;
    at += cell.bytes;
  }
  return width;
}

}  // namespace komuz::services
