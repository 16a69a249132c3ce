// SPDX-License-Identifier: Apache-2.0
// Finds the header of a CSV file, and rejects what is plainly no header.
#pragma once
#include <string_view>
#include <vector>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// The place of the header, and what separates cells. Lines above the header that start with `#` are comments, and so is
// a first line `sep=;`, which spreadsheets write and which says the separator. A comment is itself the header, with a `#`
// before it as NumPy writes it, if it has as many cells as the line below the comments, and either names the expected
// value or has only numbers below it. If several comments qualify, the one that names the expected value is the
// header; if none names it, only a single candidate counts.
struct HeaderPlace {
  size_t at = 0;
  u64 line = 1;
  bool is_behind_comment = false;  // a line above it starts with `#`
  char separator = ',';
  bool has_stated_separator = false;  // by the user, or by `sep=`
  // Only for a header in a comment: where the cases begin, behind the remaining comments.
  size_t cases_at = 0;
  u64 cases_line = 0;
};
Problem find_header(std::string_view text, std::string_view file, const CaseFields& fields,
                    HeaderPlace& out);

// Rejects what is plainly no header of a CSV file, before anybody reports missing columns.
Problem check_header(const std::vector<TableCell>& header, const CasesTable& table,
                     const CaseFields& fields, const HeaderPlace& found, InputPlace place);

}  // namespace komuz::engine
