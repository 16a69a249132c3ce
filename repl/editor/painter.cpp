// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/painter.h"

#include <algorithm>

namespace komuz::editor {

namespace {

constexpr std::string_view kClearLine = "\x1b[K", kClearBelow = "\x1b[J";

std::string sequence(u32 count, char end) {
  return "\x1b[" + (count == 1 ? std::string() : std::to_string(count)) + end;
}

}  // namespace

void Painter::move_to(u32 row, u32 column, std::string& out) {
  if (row < shown_.cursor_row) out += sequence(shown_.cursor_row - row, 'A');
  const auto last = static_cast<u32>(std::max<size_t>(shown_.rows.size(), 1) - 1);
  if (row > shown_.cursor_row) {
    const u32 within = std::min(row, last);
    if (within > shown_.cursor_row) out += sequence(within - shown_.cursor_row, 'B');
    // Rows below the last one may not exist yet: a line end makes one.
    for (u32 k = within; k < row; ++k) out += "\r\n";
    if (row > last) {
      shown_.rows.resize(row + 1);
      shown_.cursor_column = 0;
    }
  }
  shown_.cursor_row = row;
  // Behind the last column, terminals differ about the cursor's place, so a column is never left by relative steps.
  if (column != shown_.cursor_column) out += column == 0 ? "\r" : sequence(column + 1, 'G');
  shown_.cursor_column = column;
}

void Painter::paint_row(u32 number, const Row& next, std::string& out) {
  const Row& old = number < shown_.rows.size() ? shown_.rows[number] : Row();
  if (old == next && number < shown_.rows.size()) return;
  size_t same = 0;
  u32 column = 0;
  while (same < old.size() && same < next.size() && old[same] == next[same])
    column += next[same++].width;
  const u32 old_width = width_of(old), width = width_of(next);
  size_t end = next.size();
  if (old_width == width)
    for (size_t old_end = old.size();
         end > same && old_end > same && old[old_end - 1] == next[end - 1];)
      --end, --old_end;
  move_to(number, column, out);
  Style style = Style::Plain;
  for (size_t k = same; k < end; ++k) {
    const Cell& cell = next[k];
    if (cell.style != style) out += start_of(cell.style, has_colors_);
    style = cell.style;
    out += cell.text;
    column += cell.width;
    if (!cell.is_simple && k + 1 < end) out += sequence(column + 1, 'G');
  }
  if (style != Style::Plain) out += start_of(Style::Plain, has_colors_);
  if (width < old_width) {
    // A terminal that takes the last glyph for narrower or wider has another cursor column.
    if (end > same && !next[end - 1].is_simple) out += sequence(column + 1, 'G');
    out += kClearLine;
  }
  shown_.cursor_column = end > same ? ~0u : column;  // the next move is then absolute
  shown_.rows[number] = next;
}

void Painter::paint(Picture next, std::string& out) {
  if (shown_.rows.empty()) {
    shown_ = {};
    shown_.rows.resize(1);
  }
  const auto count = static_cast<u32>(next.rows.size());
  for (u32 k = 0; k < count; ++k) {
    if (k >= shown_.rows.size()) move_to(k, 0, out);
    paint_row(k, next.rows[k], out);
  }
  if (shown_.rows.size() > count) {
    move_to(count, 0, out);
    out += kClearBelow;
    shown_.rows.resize(count);
  }
  move_to(next.cursor_row, next.cursor_column, out);
}

void Painter::leave(std::string& out) {
  if (!shown_.rows.empty()) move_to(static_cast<u32>(shown_.rows.size()), 0, out);
  forget();
}

void Painter::erase(std::string& out) {
  if (shown_.rows.empty()) return;
  move_to(0, 0, out);
  out += kClearBelow;
  forget();
}

// Terminals that rewrap split a row that is now too wide into several. Each of our rows ended with a line end.
void Painter::clear_after_resize(u32 columns, std::string& out) {
  if (shown_.rows.empty()) return;
  const u32 most = std::max(columns, 1u);
  const auto rows_of = [&](u32 width) { return width == 0 ? 0 : (width - 1) / most; };
  u32 up = shown_.cursor_row + rows_of(shown_.cursor_column + 1);
  for (u32 k = 0; k < shown_.cursor_row; ++k) up += rows_of(width_of(shown_.rows[k]));
  out += '\r';
  if (up > 0) out += sequence(up, 'A');
  out += kClearBelow;
  forget();
}

}  // namespace komuz::editor
