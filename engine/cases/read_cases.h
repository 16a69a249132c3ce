// SPDX-License-Identifier: Apache-2.0
// Functions that the readers of cases share. Not part of the engine's door.
#pragma once
#include <functional>

#include "engine/cases/cases_table.h"
#include "engine/values/value_text.h"

namespace komuz::engine {

// Extent of the text of cases, which is padded for simdjson.
struct CaseText {
  size_t end = 0;    // of the text proper
  size_t lines = 0;  // that are not empty
};
// Takes the file's bytes into `out`, padded and without a byte order mark. If only CRs end the lines, they become
// LFs. Errors: an empty text, a text that is not UTF-8, a line that is too long.
Problem take_case_text(std::string_view file, std::string bytes, const Watch& watch,
                       CasesTable& out, CaseText& text);
// Reserves memory for all possible rows, so that tables of millions are not copied as they grow.
void reserve_rows(const CaseText& text, CasesTable& out);

// Faults of the fields that do not depend on the file: an input is named twice, or is also the expected value.
Problem check_fields(const CaseFields& fields);

// Read the name of a trap, and a tolerance or a weight: a finite number that is not negative.
Problem read_expected_trap(std::string_view word, InputPlace place, Trap& out);
Problem read_tolerance(std::string_view text, ValueStyle style, InputPlace place, f64& out);
Problem read_weight(std::string_view text, ValueStyle style, InputPlace place, f64& out);

// The error for a column or field of weights that is not there.
Problem missing_weights(InputPlace place, std::string_view what, const std::string& name,
                        std::span<const std::string_view> there_are);

// The error for a name that no column or field has, of an input or of the expected value. `what`: "column" or
// "field".
Problem missing_field(InputPlace place, std::string_view what, const std::string& name,
                      bool is_input, std::span<const std::string_view> there_are,
                      const CaseFields& fields);

// True if the cell holds no value (kMissingWords); in JSON, if it is `null`.
[[nodiscard]] bool is_missing(const CasesTable& table, const TableCell& cell);
[[nodiscard]] bool is_missing(const CasesTable& table, CellAt cell);
// Rows that are left out, for the first of which the column is said.
void leave_out(u64 line, std::string_view column, CasesTable& out);
// True if the row is left out, since a cell is missing in it (TableForm::skips_missing); then `out` knows why.
[[nodiscard]] bool lacks_cell(const CaseFields& fields, const TableRow& row,
                              const std::function<bool(size_t column)>& is_missing_in,
                              CasesTable& out);
// The fault of a cell, which `what` says the name of, with what options say that it is none.
Problem value_problem(const CasesTable& table, CellAt cell, const std::string& what,
                      const ValueError& error);
// The error of a file that has rows, all of which are left out.
Problem no_rows_left(const CasesTable& table);

Problem too_many_cases(const CasesTable& table);

// A row must have an expected value or an expected trap, and not both.
Problem check_expectation(const TableRow& row, const CaseFields& fields, ValueStyle style,
                          InputPlace place);

}  // namespace komuz::engine
