// SPDX-License-Identifier: Apache-2.0
// What the readers of cases share. Not part of the engine's door.
#pragma once
#include "engine/cases/cases_table.h"

namespace komuz::engine {

// Of the text of cases, which is padded for simdjson.
struct CaseText {
  size_t end = 0;    // of the text proper
  size_t lines = 0;  // that are not empty
};
// Takes the file's bytes into `out`, padded, without a byte order mark; where CRs alone end its lines they become LFs. Errors:
// empty, not UTF-8, a line that is too long.
Problem take_case_text(std::string_view file, std::string bytes, const Watch& watch,
                       CasesTable& out, CaseText& text);
// Room for the rows that there may be: tables of millions are not copied as they grow.
void reserve_rows(const CaseText& text, CasesTable& out);

// What is wrong with the fields whatever is in the file: an input that is named twice, or is what is expected.
Problem check_fields(const CaseFields& fields);

// The name of a trap, and a tolerance: a finite number that is not negative.
Problem read_expected_trap(std::string_view word, InputPlace place, Trap& out);
Problem read_tolerance(std::string_view text, ValueStyle style, InputPlace place, f64& out);

// There is none of the name that was asked for, for an input or the expected value. `what`: "column", "field".
Problem missing_field(InputPlace place, std::string_view what, const std::string& name,
                      bool is_input, std::span<const std::string_view> there_are,
                      const CaseFields& fields);

Problem too_many_cases(const CasesTable& table);

// Both an expected value and an expected trap, or neither, is an error.
Problem check_expectation(const TableRow& row, const CaseFields& fields, InputPlace place);

}  // namespace komuz::engine
