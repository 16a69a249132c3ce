// SPDX-License-Identifier: Apache-2.0
// The header of a CSV file: where it stands, and what is plainly none.
#pragma once
#include <string_view>
#include <vector>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// Where the header stands. Lines above it that start with `#` are comments, and so is a first line `sep=,`, as
// spreadsheets write it. But one of the comments is the header itself, with a `#` before it as NumPy writes it, where
// it has as many cells as the line below them, and names the expected value, or only numbers stand below. Of several
// such it is the one that names the expected value; where none does it has to be the only one.
struct HeaderPlace {
  size_t at = 0;
  u64 line = 1;
  bool is_behind_comment = false;
  // Of a comment: where the cases begin, behind the others.
  size_t cases_at = 0;
  u64 cases_line = 0;
};
Problem find_header(std::string_view text, std::string_view file, const CaseFields& fields,
                    HeaderPlace& out);

// What is plainly no header of a CSV file, before what it lacks is said.
// `is_behind_comment`: a line above it starts with `#`.
Problem check_header(const std::vector<TableCell>& header, const CasesTable& table,
                     const CaseFields& fields, bool is_behind_comment, InputPlace place);

}  // namespace komuz::engine
