// SPDX-License-Identifier: Apache-2.0
#include "services/excerpt.h"

#include <algorithm>

#include "lang/diagnostics.h"
#include "lang/tokens.h"
#include "services/display_text.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

constexpr Palette kColors = {"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m",
                             "\x1b[34m",   "\x1b[1m",    "\x1b[0m"};
constexpr Palette kNoColors = {};
constexpr u32 kLeastWidth = 40;

bool continues_character(char c) { return (static_cast<u8>(c) & 0xC0) == 0x80; }

struct Line {
  u32 begin, end;
};
Line line_of(std::string_view source, u32 at) {
  const size_t before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
  const size_t after = source.find('\n', at);
  u32 end = static_cast<u32>(std::min(after, source.size()));
  const u32 begin = before == std::string_view::npos ? 0 : static_cast<u32>(before) + 1;
  if (end > begin && source[end - 1] == '\r') --end;
  return {begin, end};
}

// The visible part of a line: in a line longer than `room` bytes, it begins so that the place is a third into it.
Line window_of(std::string_view source, Line line, u32 at, u32 room) {
  if (line.end - line.begin <= room) return line;
  const u32 before = room / 3;
  Line window = line;
  if (at - line.begin > before) window.begin = at - before;
  if (line.end - window.begin < room) window.begin = line.end - room;
  while (window.begin > line.begin && continues_character(source[window.begin])) --window.begin;
  window.end = std::min(line.end, window.begin + room);
  while (window.end < line.end && continues_character(source[window.end])) --window.end;
  return window;
}

}  // namespace

const Palette& palette(const RenderStyle& style) { return style.colors ? kColors : kNoColors; }

std::string excerpt(std::string_view source, u32 begin, u32 end, std::string_view mark_color,
                    const RenderStyle& style, i32 lines_more) {
  const auto line_number = [&](u32 at) {
    return static_cast<i32>(place_of(source, at).line) + lines_more;
  };
  begin = std::min(begin, static_cast<u32>(source.size()));
  end = std::clamp(end, begin, static_cast<u32>(source.size()));
  // At the end of the text, the mark is behind the last line that is not empty.
  const bool at_end = begin == source.size() && begin > 0 && source[begin - 1] == '\n';
  const Line line = line_of(source, at_end ? begin - 1 : begin);
  const u32 at = std::clamp(begin, line.begin, line.end);
  const u32 stop = std::clamp(end, at, line.end);

  std::string number = std::to_string(line_number(line.begin));
  if (number.size() < 3) number.insert(0, 3 - number.size(), ' ');
  const std::string margin(number.size(), ' ');
  const u32 room = std::max(style.width, kLeastWidth) - static_cast<u32>(number.size()) - 6;
  const Line window = window_of(source, line, at, room);

  std::string text = window.begin > line.begin ? "…" : "";
  u32 column = text.empty() ? 0 : 1;
  u32 mark_begin = column, mark_end = column;
  const std::string_view shown = source.substr(0, window.end);
  for (u32 i = window.begin; i < window.end;) {
    const Cell cell = cell_at(shown, i, column);
    if (i <= at) mark_begin = column;
    text += cell.text;
    column += cell.width;
    i += cell.bytes;
    if (i <= at) mark_begin = column;
    if (i <= stop) mark_end = column;
  }
  if (window.end < line.end) text += "…";
  while (text.ends_with(' ')) text.pop_back();

  const Palette& p = palette(style);
  std::string mark(mark_begin, ' ');
  mark += mark_color;
  mark += '^';
  if (mark_end > mark_begin + 1) mark.append(mark_end - mark_begin - 1, '~');
  if (end > line.end + 1 && !at_end) mark += " to line " + std::to_string(line_number(end - 1));
  mark += p.plain;
  std::string out;
  for (const std::string_view part :
       {p.place, std::string_view(number), std::string_view(" |"), p.plain}) {
    out += part;
  }
  out += text.empty() ? "\n" : " " + text + "\n";
  for (const std::string_view part :
       {p.place, std::string_view(margin), std::string_view(" | "), p.plain}) {
    out += part;
  }
  return out + mark + "\n";
}

u32 token_end(std::string_view source, u32 begin) {
  if (begin >= source.size()) return begin;
  u32 end = begin;
  while (end < source.size() && is_word_byte(source[end])) ++end;
  if (end > begin) return end;
  size_t longest = 1;
  for (const TokenRow& row : kTokenRows)
    if (source.substr(begin).starts_with(row.spelling))
      longest = std::max(longest, row.spelling.size());
  return begin + static_cast<u32>(longest);
}

}  // namespace komuz::services
