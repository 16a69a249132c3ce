// SPDX-License-Identifier: Apache-2.0
// Names of columns in programs. A header may say anything, such as `Time (s)`; where it is no name of the language, one
// is made of it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

// True for a name that a program may define: no keyword.
[[nodiscard]] bool is_program_name(std::string_view text);
// Turns any text into such a name: each run of bytes other than letters, digits and `_` becomes one `_`, but none at
// the ends. A name that would begin with a digit gets an `x` before it, and a keyword a `_` behind it.
[[nodiscard]] std::string usable_name(std::string_view text);
// True if usable_name(text) is `name`. It takes little time where it is not.
[[nodiscard]] bool is_usable_name_of(std::string_view text, std::string_view name);
// True if usable_name() of some text that goes on behind `text` and a `_` may be `name`.
[[nodiscard]] bool begins_usable_name(std::string_view text, std::string_view name);

// The names of a header's columns, in its order. A header that is a name, or empty, stays as it is. Of columns that
// would get the same name, the later ones get numbers: `rate`, `rate2`.
[[nodiscard]] std::vector<std::string> names_of_columns(std::span<const std::string_view> header);

// The fields of CaseFields as a header has them.
struct FoundFields {
  CaseFields fields;  // its inputs, output and weights are columns of the header, if it has them
  std::vector<std::string> names;  // of the inputs in programs
  // `--input COLUMN=NAME` said it: nobody has to be told.
  std::vector<bool> is_stated;
};
// An input is a column, or else, behind the last `=`, a column and its name. A column is said by its header, or else by
// the name that was made of it. `names`: names_of_columns().
Problem find_fields(const CaseFields& fields, std::span<const std::string_view> header,
                    std::span<const std::string> names, FoundFields& out);

// Gives the columns of a table that has been read their names. `header` and `names` as above; of cases by name, `found`
// has no inputs.
void take_names(const FoundFields& found, std::span<const std::string_view> header,
                std::span<const std::string> names, CasesTable& out);

// "`Time_s` is the column `Time (s)`, …", for the first few; empty if no name was made.
[[nodiscard]] std::string made_names_text(const CasesTable& table);
// "1 column without a name in the header is left out"; empty if there is none. A column that is left out stands among the
// made names, without any.
[[nodiscard]] std::string unnamed_columns_text(const CasesTable& table);
// "2 of 9 rows are left out, in which a cell is missing, the first on line 4 (`age`)"; empty if none was.
[[nodiscard]] std::string left_out_text(const CasesTable& table);
[[nodiscard]] std::string left_out_text(const LeftOutRows& left_out, size_t cases);

}  // namespace komuz::engine
