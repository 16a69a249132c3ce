// SPDX-License-Identifier: Apache-2.0
// CSV as in RFC 4180, with any separator (table_form.h). Cells in quotes may hold separators, line ends and doubled
// quotes. Blanks around cells do not count. Lines end in LF, CRLF or CR alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/cases/cases_table.h"
#include "engine/support/watch.h"

namespace komuz::engine {

// A blank within a line.
[[nodiscard]] inline bool is_csv_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Splits the text into records. Doubled quotes are undone in place, so that every cell is a range of the text; the
// gap that this leaves before the closing quote is filled with quotes. A CR that ends a line becomes a LF. So line
// and column numbers of the changed text are those of the file (CasesTable::place_of).
class CsvRecords {
 public:
  // `begin`: where the header begins, on line `line`.
  CsvRecords(std::string& text, size_t begin, u64 line, size_t end, std::string_view file,
             char separator, const Watch& watch)
      : text_(text),
        end_(end),
        separator_(separator),
        file_(file),
        loop_(watch, end, "bytes", WatchedLoop::kBytes),
        at_(begin),
        line_begin_(begin),
        line_(line) {}

  // Reads the next record that is not a blank line. At the end `cells` is empty.
  Problem next(std::vector<TableCell>& cells);
  // The next record begins at `at`, on this line.
  void skip_to(size_t at, u64 line) {
    at_ = at;
    line_ = line;
  }
  [[nodiscard]] u64 line() const { return record_line_; }
  [[nodiscard]] InputPlace place(u64 column) const {
    return {std::string(file_), record_line_, column};
  }

 private:
  // Reads one cell and what ends it. Is there another one in its record?
  Result<bool> read_cell(std::vector<TableCell>& cells);
  Problem read_quoted(TableCell& cell);
  void skip_blanks();
  void skip_separators();
  bool is_at_line_end();
  // Blanks that separate are one separator, however many they are.
  [[nodiscard]] bool is_separator(char c) const {
    return separator_ == ' ' ? is_csv_blank(c) : c == separator_;
  }

  std::string& text_;
  size_t end_;
  char separator_;
  std::string_view file_;
  WatchedLoop loop_;
  size_t at_, line_begin_;
  size_t crs_end_ = 0;  // of the CRs that have been looked at
  u64 line_, record_line_ = 1;
};

}  // namespace komuz::engine
