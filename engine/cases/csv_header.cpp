// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/csv_header.h"

#include <algorithm>
#include <string>

#include "base/counts.h"
#include "engine/cases/csv_records.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

constexpr std::string_view kPartByCommas = "part them by commas";

bool is_number(std::string_view text) {
  u64 cell = 0;
  return !parse_scalar(Scalar::F64, text, ValueStyle::Text, cell);
}

// The cells of a line, split at commas. Quotes are ignored.
std::vector<std::string_view> plain_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t comma = std::min(line.find(',', begin), line.size());
    std::string_view cell = line.substr(begin, comma - begin);
    while (!cell.empty() && is_csv_blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && is_csv_blank(cell.back())) cell.remove_suffix(1);
    cells.push_back(cell);
    begin = comma + 1;
  }
  return cells;
}

Problem parted_by(std::string_view what, InputPlace place) {
  return input_problem(std::move(place),
                       "the cells of this file are parted by " + std::string(what),
                       std::string(kPartByCommas));
}

// True for several numbers that are separated by blanks.
bool are_parted_numbers(std::string_view text) {
  size_t parts = 0;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    if (blank != 0 && !is_number(text.substr(0, blank))) return false;
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
    if (Problem error = skip_separator()) return error;
    const HeaderPlace first = out = {at_, line_, false, 0, 0};
    read_comments();
    if (comments_.empty()) {
      out = first;
      return {};
    }
    out = {at_, line_, true, 0, 0};
    const std::vector<std::string_view> below = plain_cells(line_text_);
    const bool has_numbers = std::ranges::all_of(below, is_number);
    const Comment* only = nullptr;
    const Comment* named = nullptr;
    size_t like_it = 0;
    for (const Comment& comment : comments_) {
      const std::vector<std::string_view> names = plain_cells(comment.text);
      if (names.size() != below.size()) continue;
      if (fields_.has_expectations && std::ranges::find(names, fields_.output) != names.end() &&
          std::ranges::find(below, fields_.output) == below.end())
        named = &comment;
      only = &comment;
      ++like_it;
    }
    if (named == nullptr && has_numbers) named = only;
    if (named == nullptr) return {};
    if (named == only && like_it > 1 && !names_expected(*named)) return several(like_it);
    out = {named->at, named->line, false, at_, line_};
    return {};
  }

 private:
  struct Comment {
    size_t at;  // behind its `#`
    u64 line;
    std::string_view text;
  };

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
    if (line != ",") {
      const std::string_view other = line.empty() || line == "\t" ? "tabs" : line;
      return parted_by(other == "tabs" ? "tabs" : shown(other), {std::string(file_), 1});
    }
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
  [[nodiscard]] bool names_expected(const Comment& comment) const {
    const std::vector<std::string_view> names = plain_cells(comment.text);
    return fields_.has_expectations && std::ranges::find(names, fields_.output) != names.end();
  }
  Problem several(size_t count) const {
    return input_problem(
        {std::string(file_)},
        counted(count, "comment") + " above the cases may be the header: all have as many cells",
        "take the `#` off the one that names the columns");
  }

  std::string_view text_, file_;
  const CaseFields& fields_;
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
                     const CaseFields& fields, bool is_behind_comment, InputPlace place) {
  if (header.empty()) return {};
  const std::string_view first = table.text_of(header[0]);
  const size_t other = header.size() == 1 ? first.find_first_of(";\t|") : std::string_view::npos;
  if (other != std::string_view::npos)
    return parted_by(first[other] == '\t' ? "tabs" : shown(first.substr(other, 1)),
                     std::move(place));
  // A file of one column has no arguments beside the expected value.
  const bool has_blanks = header.size() == 1 && first.find(' ') != std::string_view::npos;
  if (has_blanks && (fields.has_expectations || are_parted_numbers(first)))
    return parted_by("blanks", std::move(place))
        .with_remedy(std::string(kPartByCommas) +
                     R"(, as `numpy.savetxt` does with `delimiter=","`)");
  for (const TableCell& cell : header)
    if (!is_number(table.text_of(cell))) return {};
  return input_problem(
      std::move(place),
      std::string(is_behind_comment ? "the first line behind the comments" : "the first line") +
          " is no header: it has numbers",
      "write the names of the columns above the cases");
}

}  // namespace komuz::engine
