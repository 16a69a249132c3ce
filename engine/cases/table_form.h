// SPDX-License-Identifier: Apache-2.0
// How the text of a table is read where its user says so, and the options that say it, which command lines and sessions
// share.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/support/shown.h"

namespace komuz::engine {

struct TableForm {
  char separator = 0;               // one of kSeparators; 0: as the table shows (csv_separator.h)
  bool has_decimal_commas = false;  // numbers are `3,14`
  bool skips_missing = false;       // rows in which a cell is missing are no cases
  std::string weights = {};         // the column of the cases' weights; empty: there is none
  bool operator==(const TableForm&) const = default;
};

// What stands between cells. A blank stands for any run of blanks and tabs.
struct Separator {
  char character;
  std::string_view word;  // for `--separator`
  std::string_view name;  // in messages
};
inline constexpr Separator kSeparators[] = {
    {',', ",", "commas"}, {';', ";", "`;`"},        {'\t', "tab", "tabs"},
    {'|', "|", "`|`"},    {' ', "blank", "blanks"},
};
[[nodiscard]] std::string_view separator_name(char separator);

// Texts of cells that hold no value: nothing, and what R, pandas, spreadsheets, databases, Weka, people and SAS write for it.
// NaN is a value.
inline constexpr std::string_view kMissingWords[] = {"",     "NA",   "N/A", "n/a", "#N/A", "<NA>",
                                                     "NULL", "null", "?",   "-",   "--",   "."};
[[nodiscard]] bool is_missing_word(std::string_view text);

// The options, without dashes; no `value`: a flag.
struct FormOption {
  std::string_view name, value, help;
};
inline constexpr FormOption kFormOptions[] = {
    {"separator", "CHAR",
     "what separates cells of CSV: `,`, `;`, `|`, tab or blank; default: as the header shows"},
    {"decimal", "MARK", "`,` reads numbers of CSV such as 3,14; default: `.`"},
    {"skip-missing", "", "leave out rows in which a cell is empty, NA, N/A, null, ?, - or ."},
    {"weights", "COLUMN", "a column that errors of cases are multiplied by; it is no parameter"},
};
// Takes an option of the table above into the form.
Problem read_form_option(std::string_view name, std::string_view value, TableForm& out);
// The options that say the form: "--decimal , --weights w"; empty: none is needed. A column stands as `word` writes it.
[[nodiscard]] std::string form_text(const TableForm& form,
                                    std::string (*word)(std::string_view) = &shell_word);

}  // namespace komuz::engine
