// SPDX-License-Identifier: Apache-2.0
// Reads the cases of a CSV file: decides what its columns are, and takes its rows. csv_records.h splits the text,
// csv_header.h finds the header.
#include <algorithm>

#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/cases/column_roles.h"
#include "engine/cases/csv_header.h"
#include "engine/cases/csv_records.h"
#include "engine/cases/csv_separator.h"
#include "engine/cases/read_cases.h"
#include "engine/values/foreign_numbers.h"
#include "mend/source_text.h"

namespace komuz::engine {
namespace {

Problem read_row(const std::vector<TableCell>& record, const std::vector<int>& roles,
                 const CaseFields& fields, CasesTable& out, TableRow& row) {
  const size_t first_cell = out.cells.size();
  out.cells.resize(first_cell + out.columns.size());
  const bool skips = fields.form.skips_missing;
  for (size_t i = 0; i < record.size(); ++i) {
    const std::string_view text = out.text_of(record[i]);
    if (roles[i] == kWeight) {
      row.weight = TableRow::kNoWeight;
      if (skips && is_missing_word(text)) continue;
      if (Problem error = read_weight(text, out.style, {}, row.weight))
        return std::move(error).at(out.place_of(record[i]));
    } else if (roles[i] >= 0) {
      out.cells[first_cell + static_cast<size_t>(roles[i])] = record[i];
    } else if (roles[i] == kIgnored || text.empty() || (skips && is_missing_word(text))) {
      continue;
    } else if (roles[i] == kOutput) {
      row.expected = record[i];
    } else if (Problem error = roles[i] == kTrap
                                   ? read_expected_trap(text, {}, row.trap)
                                   : read_tolerance(text, out.style, {}, row.tolerance)) {
      // The search for the position reads the text up to there.
      return std::move(error).at(out.place_of(record[i]));
    }
  }
  return {};
}

// True if the row that was read last is left out, since a cell is missing in it.
bool is_left_out(const CaseFields& fields, const TableRow& row, CasesTable& out) {
  if (!fields.form.skips_missing) return false;
  const size_t columns = out.columns.size(), first_cell = out.cells.size() - columns;
  const auto is_missing_in = [&](size_t column) {
    return is_missing(out, out.cells[first_cell + column]);
  };
  if (!lacks_cell(fields, row, is_missing_in, out)) return false;
  out.cells.resize(first_cell);
  return true;
}

// The remedy for a line whose number of cells differs from the header's.
std::string cells_remedy(const std::vector<TableCell>& record, size_t columns, char separator,
                         const CasesTable& table) {
  if (table.text_of(record[0]).starts_with('#')) return "comments stand above the header alone";
  const bool has_commas = separator == ',';
  for (size_t k = 0; has_commas && k + 1 < record.size() && record.size() > columns; ++k) {
    const std::string before(table.text_of(record[k])), behind(table.text_of(record[k + 1]));
    const std::string both = shown(before + "," + behind);
    if (table.style == ValueStyle::CommaText && are_digits(behind) && !behind.empty() &&
        is_cell_number(before, {}))
      return both +
             " is two cells: where commas separate cells, a number with a decimal comma is "
             "put in quotes";
    if (are_thousands(before, behind))
      return both + " is two cells; a number has no separators of thousands: write " + before +
             behind;
  }
  if (separator == ' ') return "a cell that holds a blank is put in quotes";
  const std::string_view name = separator_name(separator);
  return "a cell that holds a " +
         std::string(has_commas          ? "comma"
                     : separator == '\t' ? "tab"
                                         : name) +
         " is put in quotes";
}

}  // namespace

Problem read_csv_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                       CasesTable& out, const Watch& watch) {
  CaseText text;
  if (Problem error = take_case_text(file, std::move(bytes), watch, out, text)) return error;
  out.style = fields.form.has_decimal_commas ? ValueStyle::CommaText : ValueStyle::Text;
  HeaderPlace header;
  const std::string_view whole = std::string_view(out.text).substr(0, text.end);
  if (Problem error = find_header(whole, out.file, fields, header)) return error;
  out.separator = header.separator;
  CsvRecords records(out.text, header.at, header.line, text.end, file, header.separator, watch);
  std::vector<TableCell> record;
  std::vector<int> roles;
  if (Problem error = records.next(record)) return error;
  if (Problem error = check_header(record, out, fields, header, records.place(0))) return error;
  std::vector<std::string_view> columns;
  for (const TableCell& cell : record) columns.push_back(out.text_of(cell));
  const std::vector<std::string> names = names_of_columns(columns);
  FoundFields found;
  if (Problem error = find_fields(fields, columns, names, found)) return error;
  out.names_line = record.empty() ? 1 : out.place_of(record[0]).line;
  const auto place_of = [&](size_t column) { return out.place_of(record[column]); };
  if (Problem error = assign_columns(columns, place_of, found.fields, out, roles)) return error;
  reserve_rows(text, out);
  if (header.cases_at != 0) records.skip_to(header.cases_at, header.cases_line);
  for (;;) {
    if (Problem error = records.next(record)) return error;
    if (record.empty()) break;
    InputPlace place = records.place(0);
    if (record.size() != roles.size())
      return input_problem(std::move(place),
                           "this line has " + counted(record.size(), "cell") + ", the header has " +
                               grouped(roles.size()),
                           cells_remedy(record, roles.size(), header.separator, out));
    TableRow row;
    row.line = records.line();
    if (Problem error = read_row(record, roles, found.fields, out, row)) return error;
    if (is_left_out(found.fields, row, out)) continue;
    if (Problem error = check_expectation(row, found.fields, out.style, std::move(place)))
      return error;
    out.rows.push_back(row);
  }
  take_names(found, columns, names, out);
  if (!out.rows.empty() && out.rows.size() <= kMaxCases) return {};
  if (!out.left_out.lines.empty()) return no_rows_left(out);
  if (out.rows.empty())
    return input_problem({out.file}, "there is a header but no case",
                         "write a case a line below the header");
  return too_many_cases(out);
}

}  // namespace komuz::engine
