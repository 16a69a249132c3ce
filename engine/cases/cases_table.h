// SPDX-License-Identifier: Apache-2.0
// Cases as they stand in a file: a table of texts, without types. suite.h types the table for one signature.
//
//   CSV    a header of names, then a case on each line, with any separator (csv_separator.h). Quotes, CRLF, a byte order
//          mark and blank lines as usual; lines above the header that start with `#` are comments.
//            x,y,expected          every column but `expected`, `trap` and `tol` is a parameter, by its name; a column
//                                  without a name is read only on request
//            1,2.5,3.5             a cell holds a value in the style Text of engine/values/value_text.h: "[1, 2]", B
//   JSONL  an object on each line:
//            {"args": {"x": 1, "y": 2.5}, "expected": 3.5}       parameters by name
//            {"args": [1, 0], "trap": "DIV_ZERO", "tol": 1e-9}   parameters by position
//            {"x": 1, "y": 2.5, "expected": 3.5}                 no `args`: every other field is a parameter
//            {"x": null, "expected": null}                       `None`; beside a trap, null is no value
//   Both   TableForm::weights names a column of weights, which is no parameter: numbers from 0 on. `inputs` of CaseFields names the fields that parameters may take: by name, where a field has the parameter's
//          name, else in the order of `inputs` (typed_columns.h). Columns whose names no program can use have others
//          in programs (column_names.h). Files that gzip has packed are unpacked.
//
// Or they are columns in memory (given_columns.h), whose cells are what a file of CSV with these columns would have.
#pragma once
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/cases/given_columns.h"
#include "engine/cases/table_form.h"
#include "engine/support/watch.h"
#include "engine/values/value_text.h"
#include "lang/traps.h"

namespace komuz::engine {

inline constexpr size_t kMaxCaseBytes = size_t{1} << 32;  // of a file, unpacked

// The roles of a case's fields.
struct CaseFields {
  // See above, each also as `COLUMN=NAME` (column_names.h); empty: by `args` or by parameter names.
  std::vector<std::string> inputs;
  std::string args = "args";
  std::string output = "expected";
  // For messages: the option with which the user names the expected value, if any, and the command that does so with
  // a given word.
  std::string_view output_option = "--output", output_command = "komuz eval --output";
  std::string (*output_word)(std::string_view word) = &shell_word;
  std::string trap = "trap";
  std::string tolerance = "tol";
  bool has_expectations = true;  // false: every field is a parameter
  TableForm form;
  size_t most_bytes = kMaxCaseBytes;  // of what is unpacked
};

// A cell's text is CasesTable::text[begin, begin + length). An absent cell has the length 0.
struct TableCell {
  u64 begin = 0;
  u32 length = 0;
  u32 column = 0;  // where it begins: a byte of its line, from 1
};

struct TableRow {
  u64 line = 0;
  TableCell expected;  // absent if `trap` is set; of given columns, there is one if it has a length
  Trap trap = Trap::None;        // the trap that is expected
  f64 tolerance = kNoTolerance;  // the case's own tolerance
  f64 weight = 1;                // of its error (CasesTable::weights)
  static constexpr f64 kNoTolerance = -1.0, kNoWeight = -1.0;
};

// A cell of a table, whatever its texts are: of a parameter, or what is expected.
struct CellAt {
  size_t row = 0;
  size_t column = 0;  // of CasesTable::columns
  static constexpr size_t kExpected = ~size_t{0};
};

// A column that has another name in programs, which nobody has said.
struct MadeName {
  std::string column, name;
};
// Rows that are no cases, since a cell is missing in them (TableForm).
struct LeftOutRows {
  std::vector<u64> lines;  // in rising order
  std::string column;      // whose cell is missing in the first
};

struct CasesTable {
  std::string file;
  std::string text;  // owns what the cells show; padded behind the end
  ValueStyle style = ValueStyle::Text;
  char separator = ',';  // of the cells of a CSV file
  bool by_name = true;   // columns are parameters by name; else see `fields`
  // The names of the columns in programs; of positional `args`: "args[0]", …
  std::vector<std::string> columns;
  // Where there are inputs, the names of all columns in programs; else none.
  std::vector<std::string> fields;
  std::vector<MadeName> made_names;
  LeftOutRows left_out;
  std::string
      weights;  // the column of weights, as its header has it; empty: there is none, and all are 1
  u64 names_line = 0;  // where the names stand
  std::vector<TableRow> rows;
  std::vector<TableCell> cells;  // rows × columns
  GivenCells given;              // in place of `text` and `cells`, if it has a source

  [[nodiscard]] std::string_view text_of(const TableCell& cell) const {
    return std::string_view(text).substr(cell.begin, cell.length);
  }
  // The cell's text, in the table or in `room`.
  [[nodiscard]] std::string_view text_of(CellAt cell, std::string& room) const;
  // The file position of the cell's byte `at`. Takes time in proportion to the file.
  [[nodiscard]] InputPlace place_of(const TableCell& cell, size_t at = 0) const;
  [[nodiscard]] InputPlace place_of(CellAt cell, size_t at = 0) const;
  // The column of numbers in memory that the cells are of; null: they are texts, or tuples.
  [[nodiscard]] const NumberColumn* numbers_of(size_t column) const;
  // The column that the cells are given by; null: none.
  [[nodiscard]] const GivenColumn* given_column(size_t column) const;
  [[nodiscard]] const TableCell& cell(size_t row, size_t column) const {
    return cells[row * columns.size() + column];
  }
};

inline constexpr size_t kMaxCaseLine = 1u << 20;  // bytes
inline constexpr size_t kMaxCases = std::numeric_limits<u32>::max() - 64;

// `file` is the name for messages; `bytes` is the file's content. After a requested stop the error is stopped().
Problem read_csv_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                       CasesTable& out, const Watch& watch = Watch());
Problem read_jsonl_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                         CasesTable& out, const Watch& watch = Watch());
// One case without arguments, which expects nothing.
[[nodiscard]] CasesTable single_case();
// Keeps the rows with these numbers alone, which rise.
void keep_rows(std::span<const u32> rows, CasesTable& table);
// Columns in memory, which stay there as long as the table, as the cases that a file of CSV of this name with these columns has.
Problem read_given_cases(std::string_view file, std::shared_ptr<const GivenColumns> given,
                         const CaseFields& fields, CasesTable& out, const Watch& watch = Watch());
// Chooses the reader by the file's name where it ends in ".csv", ".jsonl" or ".json", with or without ".gz"; else, as for
// a pipe, by the content: JSONL starts with `{`. Unpacks what gzip has packed, whatever its name is.
Problem read_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                   CasesTable& out, const Watch& watch = Watch());

}  // namespace komuz::engine
