// SPDX-License-Identifier: Apache-2.0
// CSV as in RFC 4180: cells in quotes may hold commas, line ends and doubled quotes; blanks around cells do not count.
#include <algorithm>

#include "base/counts.h"
#include "engine/read_cases.h"
#include "engine/value_text.h"

namespace komuz::engine {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Splits the text into records. Doubled quotes are undone in place, so that every cell is a range of the text.
class CsvRecords {
 public:
  CsvRecords(std::string& text, size_t end, std::string_view file)
      : text_(text), end_(end), file_(file) {}

  // The next record that is not a blank line; none: `cells` is empty.
  MaybeError next(std::vector<TableCell>& cells) {
    do {
      cells.clear();
      if (at_ >= end_) return std::nullopt;
      record_line_ = line_;
      line_begin_ = at_;
      for (bool more = true; more;)
        if (MaybeError error = read_cell(cells, more)) return error;
    } while (cells.size() == 1 && cells[0].length == 0);
    return std::nullopt;
  }
  [[nodiscard]] u64 line() const { return record_line_; }
  [[nodiscard]] InputError place(u64 column) const {
    return {std::string(file_), record_line_, column, {}, {}};
  }

 private:
  // One cell and what ends it; `more`: a comma did.
  MaybeError read_cell(std::vector<TableCell>& cells, bool& more) {
    while (at_ < end_ && is_blank(text_[at_])) ++at_;
    TableCell cell{at_, 0, static_cast<u32>(at_ - line_begin_ + 1)};
    if (at_ < end_ && text_[at_] == '"') {
      if (MaybeError error = read_quoted(cell)) return error;
    } else {
      while (at_ < end_ && text_[at_] != ',' && text_[at_] != '\n') ++at_;
      size_t behind = at_;
      while (behind > cell.begin && is_blank(text_[behind - 1])) --behind;
      cell.length = static_cast<u32>(behind - cell.begin);
    }
    cells.push_back(cell);
    more = at_ < end_ && text_[at_] == ',';
    if (at_ < end_ && text_[at_] == '\n') {
      ++line_;
      line_begin_ = at_ + 1;
    }
    ++at_;
    return std::nullopt;
  }

  MaybeError read_quoted(TableCell& cell) {
    InputError error = place(cell.column);
    error.line = line_;
    size_t write = ++at_;
    cell.begin = write;
    while (at_ < end_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= end_ || text_[at_ + 1] != '"') break;
        ++at_;
      } else if (text_[at_] == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
      }
      text_[write++] = text_[at_++];
    }
    cell.length = static_cast<u32>(write - cell.begin);
    if (at_ >= end_) {
      error.message = "the quote that opens here is not closed";
      error.remedy = "a quote inside a quoted cell is written twice";
      return error;
    }
    ++at_;
    while (at_ < end_ && is_blank(text_[at_])) ++at_;
    if (at_ >= end_ || text_[at_] == ',' || text_[at_] == '\n') return std::nullopt;
    error.message = "text after the closing quote of a cell";
    error.remedy = "a quote inside a quoted cell is written twice";
    return error;
  }

  std::string& text_;
  size_t end_;
  std::string_view file_;
  size_t at_ = 0, line_begin_ = 0;
  u64 line_ = 1, record_line_ = 1;
};

// What a column of the file is: a parameter if 0 or more, else one of these.
constexpr int kOutput = -1, kTrap = -2, kTolerance = -3, kIgnored = -4;

bool is_number(std::string_view text) {
  u64 cell = 0;
  return !parse_scalar(Scalar::F64, text, ValueStyle::Text, cell);
}

// What is plainly no header of a CSV file, before what it lacks is said.
MaybeError check_header(const std::vector<TableCell>& header, const CasesTable& table,
                        InputError place) {
  if (header.empty()) return std::nullopt;
  const std::string_view first = table.text_of(header[0]);
  const size_t other = header.size() == 1 ? first.find_first_of(";\t|") : std::string_view::npos;
  if (other != std::string_view::npos) {
    place.message = "the cells of this file are parted by " +
                    (first[other] == '\t' ? "tabs" : shown(first.substr(other, 1)));
    place.remedy = "part them by commas";
    return place;
  }
  for (const TableCell& cell : header)
    if (!is_number(table.text_of(cell))) return std::nullopt;
  place.message = "the first line is no header: it has numbers";
  place.remedy = "write the names of the columns above the cases";
  return place;
}

MaybeError assign_columns(const std::vector<TableCell>& header, const CaseFields& fields,
                          InputError place, CasesTable& out, std::vector<int>& roles) {
  if (MaybeError error = check_header(header, out, place)) return error;
  std::vector<std::string_view> names;
  for (const TableCell& cell : header) {
    const std::string_view name = out.text_of(cell);
    place.column = cell.column;
    place.message = name.empty() ? "a column without a name"
                                 : "the column " + shown(name) + " stands here twice";
    place.remedy = "the header names every column once";
    if (name.empty() || std::ranges::find(names, name) != names.end()) return place;
    names.push_back(name);
    const auto input = std::ranges::find(fields.inputs, name);
    if (input != fields.inputs.end()) {
      roles.push_back(static_cast<int>(input - fields.inputs.begin()));
    } else if (!fields.has_expectations && fields.inputs.empty()) {
      roles.push_back(static_cast<int>(out.columns.size()));
      out.columns.emplace_back(name);
    } else if (name == fields.output) {
      roles.push_back(kOutput);
    } else if (name == fields.trap) {
      roles.push_back(kTrap);
    } else if (name == fields.tolerance) {
      roles.push_back(kTolerance);
    } else if (fields.inputs.empty()) {
      roles.push_back(static_cast<int>(out.columns.size()));
      out.columns.emplace_back(name);
    } else {
      roles.push_back(kIgnored);
    }
  }
  place.column = 0;
  const auto missing = [&](const std::string& name, bool is_input) {
    InputError error = missing_field("column", name, is_input, names, fields);
    error.file = place.file;
    error.line = place.line;
    return error;
  };
  if (!fields.inputs.empty()) {
    out.by_name = false;
    out.columns = fields.inputs;
    for (const std::string& input : fields.inputs)
      if (std::ranges::find(names, input) == names.end()) return missing(input, true);
  }
  if (fields.has_expectations && std::ranges::find(roles, kOutput) == roles.end() &&
      std::ranges::find(roles, kTrap) == roles.end())
    return missing(fields.output, false);
  return std::nullopt;
}

MaybeError read_row(const std::vector<TableCell>& record, const std::vector<int>& roles,
                    InputError place, CasesTable& out, TableRow& row) {
  const size_t first_cell = out.cells.size();
  out.cells.resize(first_cell + out.columns.size());
  for (size_t i = 0; i < record.size(); ++i) {
    const std::string_view text = out.text_of(record[i]);
    place.column = record[i].column;
    if (roles[i] >= 0) {
      out.cells[first_cell + static_cast<size_t>(roles[i])] = record[i];
    } else if (text.empty() || roles[i] == kIgnored) {
      continue;
    } else if (roles[i] == kOutput) {
      row.expected = record[i];
    } else if (roles[i] == kTrap) {
      if (MaybeError error = read_expected_trap(text, place, row.trap)) return error;
    } else if (MaybeError error = read_tolerance(text, place, row.tolerance)) {
      return error;
    }
  }
  return std::nullopt;
}

}  // namespace

MaybeError read_csv_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                          CasesTable& out) {
  size_t end = 0;
  if (MaybeError error = take_case_text(file, std::move(bytes), out, end)) return error;
  out.style = ValueStyle::Text;
  CsvRecords records(out.text, end, file);
  std::vector<TableCell> record;
  std::vector<int> roles;
  if (MaybeError error = records.next(record)) return error;
  if (MaybeError error = assign_columns(record, fields, records.place(0), out, roles)) return error;
  for (;;) {
    if (MaybeError error = records.next(record)) return error;
    if (record.empty()) break;
    InputError place = records.place(0);
    if (record.size() != roles.size()) {
      place.message = "this line has " + counted(record.size(), "cell") + ", the header has " +
                      grouped(roles.size());
      place.remedy = "a cell that holds a comma is put in quotes";
      return place;
    }
    TableRow row;
    row.line = records.line();
    if (MaybeError error = read_row(record, roles, place, out, row)) return error;
    if (MaybeError error = check_expectation(row, fields, place)) return error;
    out.rows.push_back(row);
  }
  if (!out.rows.empty() && out.rows.size() <= kMaxCases) return std::nullopt;
  if (out.rows.empty())
    return InputError{out.file, 0, 0, "there is a header but no case",
                      "write a case a line below the header"};
  return too_many_cases(out);
}

}  // namespace komuz::engine
