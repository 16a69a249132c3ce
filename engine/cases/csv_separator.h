// SPDX-License-Identifier: Apache-2.0
// Finds out what separates the cells of a CSV file. What stands in quotes does not count. A character fits if the header
// has it and the first rows have as many cells by it as the header. It is
//
//   1. the comma, if it fits;
//   2. else the one of `;`, tab and `|` that fits; if several fit, nobody can tell;
//   3. else blanks, if the header has none of these characters, it and the first rows have equally many words, more than
//      one, the words of the rows are numbers, or missing (table_form.h), and nobody names the whole header as a column;
//   4. else, if none fits, the comma, or the only one that the header has: messages then say what is wrong.
#pragma once
#include <string_view>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

struct CsvHead {
  size_t header = 0;           // where it begins
  size_t rows = 0;             // where the rows begin; 0: in the line below the header
  bool is_in_comment = false;  // the header stands behind a `#`
};
Problem find_separator(std::string_view text, const CsvHead& head, const CaseFields& fields,
                       InputPlace place, char& out);

// A number, as cells have it.
[[nodiscard]] bool is_cell_number(std::string_view text, const TableForm& form);

}  // namespace komuz::engine
