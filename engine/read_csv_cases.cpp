// SPDX-License-Identifier: Apache-2.0
// CSV as in RFC 4180: cells in quotes may hold commas, line ends and doubled quotes; blanks around cells do not count. Lines
// end in LF, CRLF or CR alone.
#include <algorithm>
#include <unordered_set>

#include "base/counts.h"
#include "engine/read_cases.h"
#include "engine/value_text.h"

namespace komuz::engine {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Splits the text into records. Doubled quotes are undone in place, so that every cell is a range of the text; what that leaves
// between the cell and its closing quote is filled with quotes. A CR that ends a line becomes a LF. So lines and columns are
// those of the file wherever they are counted (CasesTable::place_of).
class CsvRecords {
 public:
  // `begin`: of the header, on line `line`.
  CsvRecords(std::string& text, size_t begin, u64 line, size_t end, std::string_view file)
      : text_(text), end_(end), file_(file), at_(begin), line_begin_(begin), line_(line) {}

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
    skip_blanks();
    TableCell cell{at_, 0, static_cast<u32>(at_ - line_begin_ + 1)};
    if (at_ < end_ && text_[at_] == '"') {
      if (MaybeError error = read_quoted(cell)) return error;
    } else {
      while (!is_at_line_end() && text_[at_] != ',') ++at_;
      size_t behind = at_;
      while (behind > cell.begin && is_blank(text_[behind - 1])) --behind;
      cell.length = static_cast<u32>(behind - cell.begin);
    }
    cells.push_back(cell);
    more = at_ < end_ && text_[at_] == ',';
    if (at_ < end_ && !more) {
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
    std::fill(text_.begin() + static_cast<std::ptrdiff_t>(write),
              text_.begin() + static_cast<std::ptrdiff_t>(at_), '"');
    if (at_ >= end_) {
      error.message = "the quote that opens here is not closed";
      error.remedy = "a quote inside a quoted cell is written twice";
      return error;
    }
    ++at_;
    skip_blanks();
    if (is_at_line_end() || text_[at_] == ',') return std::nullopt;
    error.message = "text after the closing quote of a cell";
    error.remedy = "a quote inside a quoted cell is written twice";
    return error;
  }

  void skip_blanks() {
    while (!is_at_line_end() && is_blank(text_[at_])) ++at_;
  }
  // CRs before a LF, as Windows makes of CRLF where it takes it for a LF, are blanks of its line.
  bool is_at_line_end() {
    if (at_ >= end_ || text_[at_] == '\n') return true;
    if (text_[at_] != '\r') return false;
    if (at_ >= crs_end_) crs_end_ = text_.find_first_not_of('\r', at_);
    if (crs_end_ >= end_ || text_[crs_end_] == '\n') return false;
    text_[at_] = '\n';
    return true;
  }

  std::string& text_;
  size_t end_;
  std::string_view file_;
  size_t at_, line_begin_;
  size_t crs_end_ = 0;  // of the CRs that have been looked at
  u64 line_, record_line_ = 1;
};

// What a column of the file is: a parameter if 0 or more, else one of these.
constexpr int kOutput = -1, kTrap = -2, kTolerance = -3, kIgnored = -4;

bool is_number(std::string_view text) {
  u64 cell = 0;
  return !parse_scalar(Scalar::F64, text, ValueStyle::Text, cell);
}

// What is plainly no header of a CSV file, before what it lacks is said.
// `is_behind_comment`: a line above it starts with `#`.
MaybeError check_header(const std::vector<TableCell>& header, const CasesTable& table,
                        bool is_behind_comment, InputError place) {
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
  place.message =
      std::string(is_behind_comment ? "the first line behind the comments" : "the first line") +
      " is no header: it has numbers";
  place.remedy = "write the names of the columns above the cases";
  return place;
}

// The cells of a line that are parted by commas; quotes are not looked at.
std::vector<std::string_view> plain_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t comma = std::min(line.find(',', begin), line.size());
    std::string_view cell = line.substr(begin, comma - begin);
    while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
    cells.push_back(cell);
    begin = comma + 1;
  }
  return cells;
}

// Where the header stands. Lines above it that start with `#` are comments; but the last of them is the header itself, with a
// `#` before it as NumPy writes it, where it names the expected value or only numbers stand below it.
struct HeaderPlace {
  size_t at = 0;
  u64 line = 1;
  bool is_behind_comment = false;
};
HeaderPlace find_header(std::string_view text, const CaseFields& fields) {
  HeaderPlace header, comment;
  std::string_view commented, line;
  for (size_t at = 0; at < text.size(); ++header.line) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    line = text.substr(at, end - at);
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (first < line.size() && line[first] != '#') break;
    if (first < line.size()) {
      comment = {at + first + 1, header.line, true};
      commented = line.substr(first + 1);
    }
    at = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
    header.at = std::min(at, text.size());
  }
  if (!comment.is_behind_comment) return {};
  header.is_behind_comment = true;
  const std::vector<std::string_view> names = plain_cells(commented), below = plain_cells(line);
  const bool has_numbers = std::ranges::all_of(below, is_number);
  const bool is_header = names.size() == below.size() &&
                         (has_numbers || (fields.has_expectations &&
                                          std::ranges::find(names, fields.output) != names.end() &&
                                          std::ranges::find(below, fields.output) == below.end()));
  if (is_header) comment.is_behind_comment = false;
  return is_header ? comment : header;
}

MaybeError assign_columns(const std::vector<TableCell>& header, const CaseFields& fields,
                          CasesTable& out, std::vector<int>& roles) {
  std::vector<std::string_view> names;
  std::unordered_set<std::string_view> known;
  for (const TableCell& cell : header) {
    const std::string_view name = out.text_of(cell);
    const bool is_known = !known.insert(name).second;
    names.push_back(name);
    const auto input = std::ranges::find(fields.inputs, name);
    const bool is_input = input != fields.inputs.end();
    const bool takes_all = !fields.has_expectations && fields.inputs.empty();
    const bool is_output = !is_input && !takes_all && name == fields.output;
    // Columns without a name, as an index is written, are read by who asks for them.
    if (is_known && (!name.empty() || is_input || is_output)) {
      InputError place = out.place_of(cell);
      place.message = name.empty() ? "there are several columns without a name"
                                   : "the column " + shown(name) + " stands here twice";
      place.remedy =
          name.empty() ? "give the one that is meant a name" : "the header names every column once";
      return place;
    }
    if (is_input) {
      roles.push_back(static_cast<int>(input - fields.inputs.begin()));
    } else if (is_output) {
      roles.push_back(kOutput);
    } else if (name.empty()) {
      roles.push_back(kIgnored);
    } else if (!takes_all && name == fields.trap) {
      roles.push_back(kTrap);
    } else if (!takes_all && name == fields.tolerance) {
      roles.push_back(kTolerance);
    } else if (fields.inputs.empty()) {
      roles.push_back(static_cast<int>(out.columns.size()));
      out.columns.emplace_back(name);
    } else {
      roles.push_back(kIgnored);
    }
  }
  const auto missing = [&](const std::string& name, bool is_input) {
    InputError error = missing_field("column", name, is_input, names, fields);
    error.file = out.file;
    error.line = header.empty() ? 1 : out.place_of(header[0]).line;
    return error;
  };
  if (!fields.inputs.empty()) {
    out.by_name = false;
    out.columns = fields.inputs;
    for (const std::string& input : fields.inputs)
      if (!known.contains(input)) return missing(input, true);
  }
  if (fields.has_expectations && std::ranges::find(roles, kOutput) == roles.end() &&
      std::ranges::find(roles, kTrap) == roles.end())
    return missing(fields.output, false);
  return std::nullopt;
}

MaybeError read_row(const std::vector<TableCell>& record, const std::vector<int>& roles,
                    CasesTable& out, TableRow& row) {
  const size_t first_cell = out.cells.size();
  out.cells.resize(first_cell + out.columns.size());
  for (size_t i = 0; i < record.size(); ++i) {
    const std::string_view text = out.text_of(record[i]);
    if (roles[i] >= 0) {
      out.cells[first_cell + static_cast<size_t>(roles[i])] = record[i];
    } else if (text.empty() || roles[i] == kIgnored) {
      continue;
    } else if (roles[i] == kOutput) {
      row.expected = record[i];
    } else if (roles[i] == kTrap) {
      if (MaybeError error = read_expected_trap(text, out.place_of(record[i]), row.trap))
        return error;
    } else if (MaybeError error =
                   read_tolerance(text, out.style, out.place_of(record[i]), row.tolerance)) {
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
  const HeaderPlace header = find_header(std::string_view(out.text).substr(0, end), fields);
  CsvRecords records(out.text, header.at, header.line, end, file);
  std::vector<TableCell> record;
  std::vector<int> roles;
  if (MaybeError error = records.next(record)) return error;
  if (MaybeError error = check_header(record, out, header.is_behind_comment, records.place(0)))
    return error;
  if (MaybeError error = assign_columns(record, fields, out, roles)) return error;
  for (;;) {
    if (MaybeError error = records.next(record)) return error;
    if (record.empty()) break;
    InputError place = records.place(0);
    if (record.size() != roles.size()) {
      place.message = "this line has " + counted(record.size(), "cell") + ", the header has " +
                      grouped(roles.size());
      place.remedy = out.text_of(record[0]).starts_with('#')
                         ? "comments stand above the header alone"
                         : "a cell that holds a comma is put in quotes";
      return place;
    }
    TableRow row;
    row.line = records.line();
    if (MaybeError error = read_row(record, roles, out, row)) return error;
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
