// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/csv_separator.h"

#include <algorithm>
#include <vector>

#include "engine/cases/csv_records.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

constexpr size_t kRows = 16;                     // that are looked at
constexpr size_t kMostBytes = 4 * kMaxCaseLine;  // an open quote may take the rest of the file
constexpr std::string_view kOthers = ";\t|";

// The end of a record that begins at `at`, and how often its cells are separated by each character. Nothing is changed,
// unlike in CsvRecords.
struct Record {
  size_t begin = 0, end = 0, next = 0;
  size_t commas = 0, others[3] = {};
  bool has_quotes = false;
  [[nodiscard]] size_t count(char separator) const {
    return separator == ',' ? commas : others[kOthers.find(separator)];
  }
};
bool is_separator(char c) { return c == ',' || kOthers.find(c) != std::string_view::npos; }

Record read_record(std::string_view text, size_t at) {
  Record record;
  record.begin = at;
  bool may_open = true;  // a quote opens a cell only where the cell begins
  for (; at < text.size() && text[at] != '\n' && text[at] != '\r'; ++at) {
    const char c = text[at];
    if (c == '"' && may_open) {
      record.has_quotes = true;
      // Doubled quotes close and open again.
      const size_t close = text.find('"', at + 1);
      at = std::min(close, text.size() - 1);
    } else if (is_separator(c)) {
      if (c == ',')
        ++record.commas;
      else
        ++record.others[kOthers.find(c)];
      may_open = true;
    } else {
      may_open = may_open && c == ' ';
    }
  }
  record.end = at;
  while (at < text.size() && (text[at] == '\n' || text[at] == '\r')) ++at;
  record.next = at;
  return record;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = std::min(text.find_first_not_of(" \t\r", at), text.size());
    at = std::min(text.find_first_of(" \t\r", begin), text.size());
    if (at > begin) words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

}  // namespace

bool is_cell_number(std::string_view text, const TableForm& form) {
  u64 cell = 0;
  return !parse_scalar(Scalar::F64, text,
                       form.has_decimal_commas ? ValueStyle::CommaText : ValueStyle::Text, cell);
}

Problem find_separator(std::string_view text, const CsvHead& head, const CaseFields& fields,
                       InputPlace place, char& out) {
  const size_t most = std::max(head.header, head.rows) + kMostBytes;
  const bool is_cut = text.size() > most;
  text = text.substr(0, most);
  // Lines of blanks above the header are none.
  const size_t first = std::min(text.find_first_not_of(" \t\r\n", head.header), text.size());
  const size_t line = text.substr(0, first).find_last_of("\r\n");
  const bool is_below = line != std::string_view::npos && line + 1 > head.header;
  const Record header = read_record(text, is_below ? line + 1 : head.header);
  std::vector<Record> rows;
  for (size_t at = head.rows == 0 ? header.next : head.rows; rows.size() < kRows;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    // Only leading line ends are no part of the row.
    while (at > 0 && at < text.size() && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
    if (at >= text.size()) break;
    rows.push_back(read_record(text, at));
    at = rows.back().next;
  }
  if (is_cut && !rows.empty() && rows.back().end == text.size()) rows.pop_back();
  const auto fits = [&](char separator) {
    return header.count(separator) != 0 && std::ranges::all_of(rows, [&](const Record& row) {
             return row.count(separator) == header.count(separator);
           });
  };
  out = ',';
  if (fits(',')) return {};
  std::string there, fitting;
  for (const char c : kOthers) {
    if (header.count(c) != 0) there += c;
    if (fits(c)) fitting += c;
  }
  const std::string& possible = !fitting.empty() || header.commas != 0 ? fitting : there;
  if (possible.size() == 1) {
    out = possible[0];
    return {};
  }
  if (possible.size() > 1)
    return input_problem(std::move(place),
                         "the cells of this file may be separated by " +
                             std::string(separator_name(possible[0])) + " or by " +
                             std::string(separator_name(possible[1])),
                         "say which by `--separator`");
  if (header.commas != 0 || header.has_quotes || rows.empty()) return {};
  // A column may be alone, and its name may have blanks: who names it says so.
  const std::string whole(text.substr(header.begin, header.end - header.begin));
  const bool is_one_column = std::ranges::any_of(fields.inputs, [&](const std::string& input) {
    return input == whole || input.starts_with(whole + "=");
  });
  if (is_one_column) return {};
  const size_t words = words_of(text.substr(header.begin, header.end - header.begin)).size();
  const bool are_words =
      words > 1 && std::ranges::all_of(rows, [&](const Record& row) {
        const auto cells = words_of(text.substr(row.begin, row.end - row.begin));
        return cells.size() == words && std::ranges::all_of(cells, [&](std::string_view cell) {
                 return is_cell_number(cell, fields.form) || is_missing_word(cell);
               });
      });
  if (are_words) out = ' ';
  return {};
}

}  // namespace komuz::engine
