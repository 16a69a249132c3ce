// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/layout.h"

#include <algorithm>

#include "repl/editor/clusters.h"

namespace komuz::editor {

namespace {

constexpr std::string_view kPrompt = "> ", kNextPrompt = "… ";
constexpr u32 kPromptColumns = 2;
constexpr u32 kFewestColumnsForPrompt = 8;

// Reads the styles of a text at rising places.
class StyleReader {
 public:
  explicit StyleReader(const Spans& spans) : spans_(spans) {}
  [[nodiscard]] Style at(size_t byte, Style otherwise) {
    while (next_ < spans_.size() && spans_[next_].end <= byte) ++next_;
    return next_ < spans_.size() && spans_[next_].begin <= byte ? spans_[next_].style : otherwise;
  }

 private:
  const Spans& spans_;
  size_t next_ = 0;
};

class Writer {
 public:
  explicit Writer(u32 columns) : columns_(std::max(columns, 1u)) { start_row(); }

  // Puts a glyph on this row, or on the next one if it has no room.
  void put(std::string_view cluster, Style style) {
    Glyph glyph = glyph_of(cluster, column_, columns_);
    if (column_ + glyph.width > columns_) {
      start_row();
      glyph = glyph_of(cluster, column_, columns_);
    }
    if (glyph.is_escape) style = Style::Escape;
    rows_.back().push_back({std::move(glyph.text), glyph.width, style, glyph.is_simple});
    column_ += glyph.width;
  }
  void put_all(std::string_view text, Style style) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = next_cluster(text, at);
      put(text.substr(at, end - at), style);
      at = end;
    }
  }
  // Puts the line on one row, with `…` if it is cut.
  void put_cut(const StyledLine& line) {
    for (const StyledText& part : line) {
      for (size_t at = 0; at < part.text.size();) {
        const size_t end = next_cluster(part.text, at);
        const Glyph glyph =
            glyph_of(std::string_view(part.text).substr(at, end - at), column_, columns_);
        const bool is_last = end == part.text.size() && &part == &line.back();
        if (column_ + glyph.width + (is_last ? 0 : 1) > columns_) {
          put("…", part.style);
          return;
        }
        rows_.back().push_back({glyph.text, glyph.width, part.style, glyph.is_simple});
        column_ += glyph.width;
        at = end;
      }
    }
  }
  void start_row() {
    rows_.emplace_back();
    column_ = 0;
  }
  // True if there is no room for one more column.
  [[nodiscard]] bool is_full() const { return column_ == columns_; }
  [[nodiscard]] u32 column() const { return column_; }
  [[nodiscard]] std::vector<Row>& rows() { return rows_; }

 private:
  u32 columns_, column_ = 0;
  std::vector<Row> rows_;
};

// The text with its suggestion; `cursor`: the cursor's place.
void write_text(const Page& page, u32 columns, Writer& writer, size_t& cursor_row,
                u32& cursor_column) {
  const bool has_prompt = columns >= kFewestColumnsForPrompt;
  if (has_prompt) writer.put_all(kPrompt, Style::Prompt);
  StyleReader styles(page.spans), marks(page.marks);
  const auto note_cursor = [&] {
    if (writer.is_full()) writer.start_row();
    cursor_row = writer.rows().size() - 1;
    cursor_column = writer.column();
  };
  const auto put = [&](std::string_view cluster, Style style) {
    if (cluster != "\n") return writer.put(cluster, style);
    writer.start_row();
    if (has_prompt) writer.put_all(kNextPrompt, Style::Prompt);
  };
  for (size_t at = 0; at < page.text.size();) {
    const size_t end = next_cluster(page.text, at);
    if (page.cursor >= at && page.cursor < end) {
      // A glyph that moves to the next row takes the cursor with it.
      const std::string_view cluster = page.text.substr(at, end - at);
      if (cluster != "\n" &&
          writer.column() + glyph_of(cluster, writer.column(), columns).width > columns)
        writer.start_row();
      note_cursor();
    }
    const Style plain = styles.at(at, Style::Plain);
    put(page.text.substr(at, end - at), marks.at(at, plain));
    at = end;
  }
  if (page.cursor >= page.text.size()) note_cursor();
  for (size_t at = 0; at < page.suggestion.size();) {
    const size_t end = next_cluster(page.suggestion, at);
    put(page.suggestion.substr(at, end - at), Style::Suggestion);
    at = end;
  }
}

}  // namespace

u32 width_of(const Row& row) {
  u32 width = 0;
  for (const Cell& cell : row) width += cell.width;
  return width;
}

Picture lay_out(const Page& page, ScreenSize size, size_t& first_row) {
  const u32 columns = std::max(size.columns, 1u), most = std::max(size.rows, 1u);
  Picture picture;
  Writer writer(columns);
  size_t cursor_row = 0;
  write_text(page, columns, writer, cursor_row, picture.cursor_column);
  std::vector<Row>& rows = writer.rows();
  const size_t below = std::min<size_t>(page.below.size(), most / 2);
  const size_t room = most - below;
  first_row = std::min(first_row, rows.size() <= room ? 0 : rows.size() - room);
  first_row = std::min(first_row, cursor_row);
  if (cursor_row >= first_row + room) first_row = cursor_row + 1 - room;
  const size_t shown = std::min(room, rows.size() - first_row);
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first_row);
  picture.rows.assign(std::make_move_iterator(begin),
                      std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(shown)));
  picture.cursor_row = static_cast<u32>(cursor_row - first_row);
  for (size_t k = 0; k < below; ++k) {
    Writer line(columns);
    line.put_cut(page.below[k]);
    picture.rows.push_back(std::move(line.rows()[0]));
  }
  return picture;
}

}  // namespace komuz::editor
