// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/csv_header.h"

#include <algorithm>
#include <string>

#include "base/counts.h"
#include "engine/cases/csv_records.h"
#include "engine/cases/csv_separator.h"

namespace komuz::engine {
namespace {

// The cells of a line, split at separators. Quotes are ignored.
std::vector<std::string_view> plain_cells(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  const auto trim = [](std::string_view cell) {
    while (!cell.empty() && is_csv_blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && is_csv_blank(cell.back())) cell.remove_suffix(1);
    return cell;
  };
  if (separator == ' ') line = trim(line);
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
    while (separator == ' ' && begin < line.size() && is_csv_blank(line[begin])) ++begin;
  }
  return cells;
}

// True for several numbers that are separated by blanks.
bool are_parted_numbers(std::string_view text) {
  size_t parts = 0;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    if (blank != 0 && !is_cell_number(text.substr(0, blank), {})) return false;
    parts += blank != 0;
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return parts > 1;
}

class HeaderFinder {
 public:
  HeaderFinder(std::string_view text, std::string_view file, const CaseFields& fields)
      : text_(text), file_(file), fields_(fields) {}

  Problem find(HeaderPlace& out) {
    separator_ = fields_.form.separator;
    if (Problem error = skip_separator()) return error;
    out = {.at = at_, .line = line_};
    read_comments();
    if (!comments_.empty()) {
      out = {.at = at_, .line = line_, .is_behind_comment = true};
      for (const Separator& separator : kSeparators) {
        const bool may_be = separator_ == 0 || separator_ == separator.character;
        if (may_be && out.cases_at == 0)
          if (Problem error = find_in_comments(separator.character, out)) return error;
      }
    }
    out.has_stated_separator = separator_ != 0;
    out.separator = separator_;
    if (separator_ != 0) return {};
    const CsvHead head = {out.at, out.cases_at, out.cases_at != 0};
    return find_separator(text_, head, fields_, {std::string(file_), out.line}, out.separator);
  }

 private:
  struct Comment {
    size_t at;  // behind its `#`
    u64 line;
    std::string_view text;
  };

  // Sets the place if a comment is the header, by this separator.
  Problem find_in_comments(char separator, HeaderPlace& out) const {
    const std::vector<std::string_view> below = plain_cells(line_text_, separator);
    if (separator != ',' && below.size() == 1) return {};
    const bool has_numbers = std::ranges::all_of(
        below, [&](std::string_view cell) { return is_cell_number(cell, fields_.form); });
    const Comment* only = nullptr;
    const Comment* named = nullptr;
    bool is_named = false;
    size_t like_it = 0;
    for (const Comment& comment : comments_) {
      const std::vector<std::string_view> names = plain_cells(comment.text, separator);
      if (names.size() != below.size()) continue;
      const bool names_expected =
          fields_.has_expectations && std::ranges::find(names, fields_.output) != names.end();
      only = &comment;
      ++like_it;
      if (!names_expected || std::ranges::find(below, fields_.output) != below.end()) continue;
      named = &comment;
      is_named = true;
    }
    if (named == nullptr && has_numbers) named = only;
    if (named == nullptr) return {};
    if (named == only && like_it > 1 && !is_named) return several(like_it);
    out = {.at = named->at,
           .line = named->line,
           .is_behind_comment = true,
           .cases_at = at_,
           .cases_line = line_};
    return {};
  }

  // Sets line_text_, and steps over it.
  size_t end_of_line() {
    const size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    line_text_ = text_.substr(at_, end - at_);
    return std::min(end + (text_.substr(end, 2) == "\r\n" ? 2 : 1), text_.size());
  }
  Problem skip_separator() {
    const size_t next = end_of_line();
    std::string_view line = line_text_;
    if (line.size() > 2 && line.front() == '"' && line.back() == '"')
      line = line.substr(1, line.size() - 2);
    constexpr std::string_view kWord = "sep=";
    if (!line.starts_with(kWord) && !line.starts_with("SEP=")) return {};
    line.remove_prefix(kWord.size());
    if (line.size() > 1) return {};
    const char separator = line.empty() ? '\t' : line[0];
    if (separator_name(separator).empty())
      return input_problem({std::string(file_), 1},
                           "the cells of this file are separated by " + shown(line),
                           "separate them by `,`, `;`, `|` or tabs");
    if (separator_ == 0) separator_ = separator;
    at_ = next;
    ++line_;
    return {};
  }
  // Steps over comments and empty lines, up to the first other line.
  void read_comments() {
    while (at_ < text_.size()) {
      const size_t next = end_of_line();
      const size_t first = line_text_.find_first_not_of(" \t");
      if (first != std::string_view::npos) {
        if (line_text_[first] != '#') return;
        comments_.push_back({at_ + first + 1, line_, line_text_.substr(first + 1)});
      }
      at_ = next;
      ++line_;
    }
    line_text_ = {};
  }
  Problem several(size_t count) const {
    return input_problem(
        {std::string(file_)},
        counted(count, "comment") + " above the cases may be the header: all have as many cells",
        "take the `#` off the one that names the columns");
  }

  std::string_view text_, file_;
  const CaseFields& fields_;
  char separator_ = 0;  // 0: nobody has said it
  size_t at_ = 0;
  u64 line_ = 1;
  std::string_view line_text_;  // the last line that was read
  std::vector<Comment> comments_;
};

}  // namespace

Problem find_header(std::string_view text, std::string_view file, const CaseFields& fields,
                    HeaderPlace& out) {
  return HeaderFinder(text, file, fields).find(out);
}

Problem check_header(const std::vector<TableCell>& header, const CasesTable& table,
                     const CaseFields& fields, const HeaderPlace& found, InputPlace place) {
  if (header.empty()) return {};
  const std::string_view first = table.text_of(header[0]);
  const auto separated_by = [&](std::string_view what, std::string remedy) {
    return input_problem(std::move(place),
                         "the cells of this file are separated by " + std::string(what),
                         std::move(remedy));
  };
  const size_t other = header.size() == 1 && found.has_stated_separator
                           ? first.find_first_of(",;\t|")
                           : std::string_view::npos;
  if (other != std::string_view::npos)
    return separated_by(separator_name(first[other]),
                        "`--separator`, or a first line `sep=`, says otherwise");
  // A file of one column has no arguments beside the expected value.
  const bool has_blanks = header.size() == 1 && first.find(' ') != std::string_view::npos;
  if (has_blanks && (fields.has_expectations || are_parted_numbers(first)))
    return separated_by("blanks",
                        "the header and each line have as many words, and those of lines are "
                        "numbers; else separate cells by commas, as `numpy.savetxt` does with "
                        "`delimiter=\",\"`");
  for (const TableCell& cell : header)
    if (!is_cell_number(table.text_of(cell), fields.form)) return {};
  return input_problem(std::move(place),
                       std::string(found.is_behind_comment ? "the first line behind the comments"
                                                           : "the first line") +
                           " is no header: it has numbers",
                       "write the names of the columns above the cases");
}

}  // namespace komuz::engine
