// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/csv_records.h"

#include <algorithm>

namespace komuz::engine {

Problem CsvRecords::next(std::vector<TableCell>& cells) {
  do {
    cells.clear();
    if (at_ >= end_) return {};
    if (loop_.is_stopped(at_)) return stopped();
    record_line_ = line_;
    line_begin_ = at_;
    for (bool has_more = true; has_more;) {
      Result<bool> more = read_cell(cells);
      if (more.problem()) return std::move(more).problem();
      has_more = more.value();
    }
  } while (cells.size() == 1 && cells[0].length == 0);
  return {};
}

Result<bool> CsvRecords::read_cell(std::vector<TableCell>& cells) {
  if (separator_ == ' ')
    skip_separators();
  else
    skip_blanks();
  TableCell cell{at_, 0, static_cast<u32>(at_ - line_begin_ + 1)};
  if (at_ < end_ && text_[at_] == '"') {
    if (Problem error = read_quoted(cell)) return error;
  } else {
    while (!is_at_line_end() && !is_separator(text_[at_])) ++at_;
    size_t behind = at_;
    while (behind > cell.begin && is_csv_blank(text_[behind - 1])) --behind;
    cell.length = static_cast<u32>(behind - cell.begin);
  }
  cells.push_back(cell);
  if (separator_ == ' ') {
    skip_separators();
    if (!is_at_line_end()) return true;
  }
  const bool more = !is_at_line_end() && is_separator(text_[at_]);
  if (at_ < end_ && !more) {
    ++line_;
    line_begin_ = at_ + 1;
  }
  ++at_;
  return more;
}

Problem CsvRecords::read_quoted(TableCell& cell) {
  const u64 line = line_;
  size_t write = ++at_;
  cell.begin = write;
  while (at_ < end_) {
    if (text_[at_] == '"') {
      if (at_ + 1 >= end_ || text_[at_ + 1] != '"') break;
      ++at_;
    } else if (text_[at_] == '\n') {
      if (loop_.is_stopped(at_)) return stopped();
      ++line_;
      line_begin_ = at_ + 1;
    }
    text_[write++] = text_[at_++];
  }
  cell.length = static_cast<u32>(write - cell.begin);
  std::fill(text_.begin() + static_cast<std::ptrdiff_t>(write),
            text_.begin() + static_cast<std::ptrdiff_t>(at_), '"');
  const auto opened_here = [&](const char* message) {
    return input_problem({std::string(file_), line, cell.column}, message,
                         "a quote inside a quoted cell is written twice");
  };
  if (at_ >= end_) return opened_here("the quote that opens here is not closed");
  ++at_;
  if (separator_ != ' ') skip_blanks();
  if (is_at_line_end() || is_separator(text_[at_])) return {};
  return opened_here("text after the closing quote of a cell");
}

void CsvRecords::skip_blanks() {
  while (!is_at_line_end() && is_csv_blank(text_[at_]) && text_[at_] != separator_) ++at_;
}

void CsvRecords::skip_separators() {
  while (!is_at_line_end() && is_separator(text_[at_])) ++at_;
}

// CRs before a LF are blanks of its line: Windows makes them of CRLF when it takes the CRLF for a LF.
bool CsvRecords::is_at_line_end() {
  if (at_ >= end_ || text_[at_] == '\n') return true;
  if (text_[at_] != '\r') return false;
  if (at_ >= crs_end_) crs_end_ = text_.find_first_not_of('\r', at_);
  if (crs_end_ >= end_ || text_[crs_end_] == '\n') return false;
  text_[at_] = '\n';
  return true;
}

}  // namespace komuz::engine
