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
  CsvRecords(std::string& text, size_t begin, u64 line, size_t end, std::string_view file,
             const Watch& watch)
      : text_(text),
        end_(end),
        file_(file),
        loop_(watch, end, "bytes", WatchedLoop::kBytes),
        at_(begin),
        line_begin_(begin),
        line_(line) {}

  // The next record that is not a blank line; none: `cells` is empty.
  MaybeError next(std::vector<TableCell>& cells) {
    do {
      cells.clear();
      if (at_ >= end_) return std::nullopt;
      if (loop_.is_stopped(at_)) return stopped();
      record_line_ = line_;
      line_begin_ = at_;
      for (bool more = true; more;)
        if (MaybeError error = read_cell(cells, more)) return error;
    } while (cells.size() == 1 && cells[0].length == 0);
    return std::nullopt;
  }
  // The next record begins there, on this line.
  void skip_to(size_t at, u64 line) {
    at_ = at;
    line_ = line;
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
        if (loop_.is_stopped(at_)) return stopped();
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
  WatchedLoop loop_;
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

InputError parted_by(std::string_view what, InputError place) {
  place.message = "the cells of this file are parted by " + std::string(what);
  place.remedy = "part them by commas";
  return place;
}

// The parts between blanks, where it is several.
bool are_parted_numbers(std::string_view text) {
  size_t parts = 0;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    if (blank != 0 && !is_number(text.substr(0, blank))) return false;
    parts += blank != 0;
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return parts > 1;
}

// What is plainly no header of a CSV file, before what it lacks is said.
// `is_behind_comment`: a line above it starts with `#`.
MaybeError check_header(const std::vector<TableCell>& header, const CasesTable& table,
                        const CaseFields& fields, bool is_behind_comment, InputError place) {
  if (header.empty()) return std::nullopt;
  const std::string_view first = table.text_of(header[0]);
  const size_t other = header.size() == 1 ? first.find_first_of(";\t|") : std::string_view::npos;
  if (other != std::string_view::npos)
    return parted_by(first[other] == '\t' ? "tabs" : shown(first.substr(other, 1)),
                     std::move(place));
  // One column has no arguments beside what is expected.
  const bool has_blanks = header.size() == 1 && first.find(' ') != std::string_view::npos;
  if (has_blanks && (fields.has_expectations || are_parted_numbers(first))) {
    InputError error = parted_by("blanks", std::move(place));
    error.remedy += R"(, as `numpy.savetxt` does with `delimiter=","`)";
    return error;
  }
  for (const TableCell& cell : header)
    if (!is_number(table.text_of(cell))) return std::nullopt;
  place.message =
      std::string(is_behind_comment ? "the first line behind the comments" : "the first line") +
      " is no header: it has numbers";
  place.remedy = "write the names of the columns above the cases";
  return place;
}

// Where the header stands. Lines above it that start with `#` are comments, and so is a first line `sep=,`, as spreadsheets write
// it. But one of the comments is the header itself, with a `#` before it as NumPy writes it, where it has as many cells as the line
// below them, and names the expected value, or only numbers stand below. Of several such it is the one that names the expected
// value; where none does it has to be the only one.
struct HeaderPlace {
  size_t at = 0;
  u64 line = 1;
  bool is_behind_comment = false;
  // Of a comment: where the cases begin, behind the others.
  size_t cases_at = 0;
  u64 cases_line = 0;
};

class HeaderFinder {
 public:
  HeaderFinder(std::string_view text, std::string_view file, const CaseFields& fields)
      : text_(text), file_(file), fields_(fields) {}

  MaybeError find(HeaderPlace& out) {
    if (MaybeError error = skip_separator()) return error;
    const HeaderPlace first = out = {at_, line_, false, 0, 0};
    read_comments();
    if (comments_.empty()) {
      out = first;
      return std::nullopt;
    }
    out = {at_, line_, true, 0, 0};
    const std::vector<std::string_view> below = plain_cells(line_text_);
    const bool has_numbers = std::ranges::all_of(below, is_number);
    const Comment* only = nullptr;
    const Comment* named = nullptr;
    size_t like_it = 0;
    for (const Comment& comment : comments_) {
      const std::vector<std::string_view> names = plain_cells(comment.text);
      if (names.size() != below.size()) continue;
      if (fields_.has_expectations && std::ranges::find(names, fields_.output) != names.end() &&
          std::ranges::find(below, fields_.output) == below.end())
        named = &comment;
      only = &comment;
      ++like_it;
    }
    if (named == nullptr && has_numbers) named = only;
    if (named == nullptr) return std::nullopt;
    if (named == only && like_it > 1 && !names_expected(*named)) return several(like_it);
    out = {named->at, named->line, false, at_, line_};
    return std::nullopt;
  }

 private:
  struct Comment {
    size_t at;  // behind its `#`
    u64 line;
    std::string_view text;
  };

  // Sets line_text_, and steps over it.
  size_t end_of_line() {
    const size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    line_text_ = text_.substr(at_, end - at_);
    return std::min(end + (text_.substr(end, 2) == "\r\n" ? 2 : 1), text_.size());
  }
  MaybeError skip_separator() {
    const size_t next = end_of_line();
    std::string_view line = line_text_;
    if (line.size() > 2 && line.front() == '"' && line.back() == '"')
      line = line.substr(1, line.size() - 2);
    constexpr std::string_view kWord = "sep=";
    if (!line.starts_with(kWord) && !line.starts_with("SEP=")) return std::nullopt;
    line.remove_prefix(kWord.size());
    if (line.size() > 1) return std::nullopt;
    if (line != ",") {
      const std::string_view other = line.empty() || line == "\t" ? "tabs" : line;
      return parted_by(other == "tabs" ? "tabs" : shown(other), {std::string(file_), 1, 0, {}, {}});
    }
    at_ = next;
    ++line_;
    return std::nullopt;
  }
  // And empty lines, up to the first line of another kind.
  void read_comments() {
    while (at_ < text_.size()) {
      const size_t next = end_of_line();
      const size_t first = line_text_.find_first_not_of(" \t");
      if (first != std::string_view::npos) {
        if (line_text_[first] != '#') return;
        comments_.push_back({at_ + first + 1, line_, line_text_.substr(first + 1)});
      }
      at_ = next;
      ++line_;
    }
    line_text_ = {};
  }
  [[nodiscard]] bool names_expected(const Comment& comment) const {
    const std::vector<std::string_view> names = plain_cells(comment.text);
    return fields_.has_expectations && std::ranges::find(names, fields_.output) != names.end();
  }
  [[nodiscard]] InputError several(size_t count) const {
    return {
        std::string(file_), 0, 0,
        counted(count, "comment") + " above the cases may be the header: all have as many cells",
        "take the `#` off the one that names the columns"};
  }

  std::string_view text_, file_;
  const CaseFields& fields_;
  size_t at_ = 0;
  u64 line_ = 1;
  std::string_view line_text_;  // looked at last
  std::vector<Comment> comments_;
};

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
  out.names_line = header.empty() ? 1 : out.place_of(header[0]).line;
  const auto missing = [&](const std::string& name, bool is_input) {
    InputError error = missing_field("column", name, is_input, names, fields);
    error.file = out.file;
    error.line = out.names_line;
    return error;
  };
  if (!fields.inputs.empty()) {
    out.by_name = false;
    out.fields.assign(names.begin(), names.end());
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
    } else if (MaybeError error = roles[i] == kTrap
                                      ? read_expected_trap(text, {}, row.trap)
                                      : read_tolerance(text, out.style, {}, row.tolerance)) {
      // Where it stands is found by reading the text up to there.
      const InputError place = out.place_of(record[i]);
      error->file = place.file;
      error->line = place.line;
      error->column = place.column;
      return error;
    }
  }
  return std::nullopt;
}

}  // namespace

MaybeError read_csv_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                          CasesTable& out, const Watch& watch) {
  CaseText text;
  if (MaybeError error = take_case_text(file, std::move(bytes), watch, out, text)) return error;
  out.style = ValueStyle::Text;
  HeaderPlace header;
  HeaderFinder finder(std::string_view(out.text).substr(0, text.end), out.file, fields);
  if (MaybeError error = finder.find(header)) return error;
  CsvRecords records(out.text, header.at, header.line, text.end, file, watch);
  std::vector<TableCell> record;
  std::vector<int> roles;
  if (MaybeError error = records.next(record)) return error;
  if (MaybeError error =
          check_header(record, out, fields, header.is_behind_comment, records.place(0)))
    return error;
  if (MaybeError error = assign_columns(record, fields, out, roles)) return error;
  reserve_rows(text, out);
  if (header.cases_at != 0) records.skip_to(header.cases_at, header.cases_line);
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
