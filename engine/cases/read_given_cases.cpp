// SPDX-License-Identifier: Apache-2.0
// Columns that lie in memory as cases. They play the roles that the columns of a file of CSV with the same header play, and what is
// said of a cell is what would be said of that file.
#include <algorithm>
#include <cmath>

#include "engine/cases/column_names.h"
#include "engine/cases/column_roles.h"
#include "engine/cases/read_cases.h"

namespace komuz::engine {
namespace {

class GivenReader {
 public:
  GivenReader(const CaseFields& fields, std::span<const int> roles, CasesTable& out)
      : fields_(fields), source_(*out.given.source), out_(out) {
    out.given.columns.resize(out.columns.size());
    for (size_t column = 0; column < roles.size(); ++column)
      if (roles[column] >= 0)
        out.given.columns[static_cast<size_t>(roles[column])] = column;
      else if (roles[column] == kOutput)
        out.given.expected = column;
      else if (roles[column] != kIgnored)
        others_.push_back({column, roles[column]});
  }

  Problem read(const Watch& watch) {
    WatchedLoop loop(watch, source_.rows, "rows", WatchedLoop::kRows);
    out_.rows.reserve(source_.rows);
    std::vector<u32> kept;
    for (size_t row = 0; row < source_.rows; ++row) {
      if (loop.is_stopped(row)) return stopped();
      TableRow read;
      read.line = row + kFirstLine;
      if (Problem error = read_row(row, read)) return error;
      const auto is_missing_in = [&](size_t parameter) {
        return is_missing(out_.given.column(out_.given.columns[parameter]), row);
      };
      if (fields_.form.skips_missing && lacks_cell(fields_, read, is_missing_in, out_)) continue;
      if (Problem error =
              check_expectation(read, fields_, ValueStyle::Text, {out_.file, read.line}))
        return error;
      out_.rows.push_back(read);
      kept.push_back(static_cast<u32>(row));
    }
    if (kept.size() != source_.rows) out_.given.rows = std::move(kept);
    return {};
  }

 private:
  static constexpr u64 kFirstLine = 2;  // the header is line 1

  struct Other {
    size_t column;
    int role;
  };

  bool is_missing(const GivenColumn& column, size_t row) {
    if (!column.texts || column.are_texts) return !column.has_value(row);
    return is_missing_word(text_of(column, row));
  }
  std::string_view text_of(const GivenColumn& column, size_t row) {
    text_.clear();
    column.append_text(text_, row);
    return text_;
  }

  Problem read_row(size_t row, TableRow& out) {
    if (const auto expected = out_.given.expected)
      out.expected.length = source_.columns[*expected].texts
                                ? !text_of(source_.columns[*expected], row).empty()
                                : source_.columns[*expected].has_value(row);
    for (const auto& [column, role] : others_) {
      const GivenColumn& from = source_.columns[column];
      if (role == kWeight && take_weight(from, row, out)) continue;
      const std::string_view text = text_of(from, row);
      const bool skips = fields_.form.skips_missing && is_missing_word(text);
      if (role == kWeight) out.weight = TableRow::kNoWeight;
      if (skips || (role != kWeight && text.empty())) continue;
      Problem error = role == kWeight ? read_weight(text, ValueStyle::Text, {}, out.weight)
                      : role == kTrap ? read_expected_trap(text, {}, out.trap)
                                      : read_tolerance(text, ValueStyle::Text, {}, out.tolerance);
      if (error)
        return std::move(error).at(
            {out_.file, row + kFirstLine, source_.place_in_line(row, column)});
    }
    return {};
  }
  // False: its text has to be looked at.
  static bool take_weight(const GivenColumn& from, size_t row, TableRow& out) {
    if (!from.is_of_numbers() || from.parts[0].kind == NumberKind::Bool) return false;
    out.weight = from.parts[0].number(row);
    return out.weight >= 0 && std::isfinite(out.weight);
  }

  const CaseFields& fields_;
  const GivenColumns& source_;
  CasesTable& out_;
  std::vector<Other> others_;
  std::string text_;
};

}  // namespace

Problem read_given_cases(std::string_view file, std::shared_ptr<const GivenColumns> given,
                         const CaseFields& fields, CasesTable& out, const Watch& watch) {
  if (Problem error = check_fields(fields)) return error;
  out = {};
  out.file = file;
  out.names_line = 1;
  std::vector<std::string_view> columns;
  for (const GivenColumn& column : given->columns) columns.emplace_back(column.name);
  out.given.source = given;
  const std::vector<std::string> names = names_of_columns(columns);
  FoundFields found;
  if (Problem error = find_fields(fields, columns, names, found)) return error;
  std::vector<int> roles;
  const auto place_of = [&](size_t column) {
    u64 at = 1;
    for (size_t k = 0; k < column; ++k) at += columns[k].size() + 1;
    return InputPlace{out.file, out.names_line, at};
  };
  if (Problem error = assign_columns(columns, place_of, found.fields, out, roles)) return error;
  if (Problem error = GivenReader(found.fields, roles, out).read(watch)) return error;
  take_names(found, columns, names, out);
  if (!out.rows.empty() && out.rows.size() <= kMaxCases) return {};
  if (!out.left_out.lines.empty()) return no_rows_left(out);
  return out.rows.empty() ? input_problem({out.file}, "there is no case", "give a row for each")
                          : too_many_cases(out);
}

}  // namespace komuz::engine
