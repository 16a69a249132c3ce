// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/widened_table.h"

#include <algorithm>

#include "engine/support/json_text.h"

namespace komuz::engine {
namespace {

constexpr size_t kPiece = size_t{1} << 18;
constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of the byte order

void append_csv_cell(std::string& out, std::string_view text, char separator) {
  if (text.empty() && separator == ' ') text = "NA";
  const bool is_plain = text.find_first_of("\"\r\n") == std::string_view::npos &&
                        text.find(separator) == std::string_view::npos;
  if (is_plain) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

class Widener {
 public:
  Widener(std::string_view bytes, const CasesTable& table, std::span<const AddedColumn> columns,
          const std::function<bool(std::string_view)>& write)
      : mark_(bytes.starts_with(kMark) ? kMark : std::string_view()),
        bytes_(bytes.substr(mark_.size())),
        lines_(std::string_view(table.text).substr(0, bytes_.size())),
        table_(table),
        columns_(columns),
        write_(write),
        is_csv_(table.style != ValueStyle::Json),
        separator_(table.separator) {}

  void run() {
    out_ = mark_;
    const std::vector<u64>& left_out = table_.left_out.lines;
    size_t row = 0, gap = 0;  // the next ones
    const auto next_line = [&] {
      const u64 of_row = row < table_.rows.size() ? table_.rows[row].line : ~u64{0};
      return gap < left_out.size() ? std::min(of_row, left_out[gap]) : of_row;
    };
    if (is_csv_) add_to_header(next_line());
    for (u64 line = next_line(); line != ~u64{0} && is_wanted_;) {
      go_to_line(line);
      const bool is_row = row < table_.rows.size() && table_.rows[row].line == line;
      const size_t own = is_row ? row++ : 0;
      if (!is_row) ++gap;
      line = next_line();
      const size_t begin = at_, end = end_of_record(begin, find_line(line));
      if (is_csv_)
        add_cells(end, [&](const AddedColumn& column, std::string& text) {
          if (is_row) column.append(text, own);
        });
      else if (is_row)
        add_fields(begin, end, own);
    }
    out_ += bytes_.substr(at_);
    if (is_wanted_) static_cast<void>(write_(out_));
  }

 private:
  // Where the line begins, or the end of the text. Lines are asked for in rising order.
  size_t find_line(u64 line) {
    while (known_line_ < line && known_ < lines_.size()) {
      const size_t end = lines_.find('\n', known_);
      known_ = end == std::string_view::npos ? lines_.size() : end + 1;
      ++known_line_;
    }
    return known_;
  }
  void go_to_line(u64 line) { copy_to(std::max(at_, find_line(line))); }
  void copy_to(size_t end) {
    out_ += bytes_.substr(at_, end - at_);
    at_ = end;
    if (out_.size() < kPiece) return;
    is_wanted_ = write_(out_);
    out_.clear();
  }
  // Empty lines behind a record are none of it, but the blanks of its last line are.
  [[nodiscard]] size_t end_of_record(size_t begin, size_t next) const {
    size_t end = bytes_.substr(0, next).find_last_not_of(" \t\r\n") + 1;
    end = std::max(end, begin);
    while (end < next && (bytes_[end] == ' ' || bytes_[end] == '\t')) ++end;
    return end;
  }

  // A header that stands in a comment has other comments behind it.
  void add_to_header(u64 first_row_line) {
    go_to_line(table_.names_line);
    const bool is_comment = bytes_.substr(at_).starts_with('#');
    const size_t next = find_line(is_comment ? table_.names_line + 1 : first_row_line);
    add_cells(end_of_record(at_, next),
              [](const AddedColumn& column, std::string& text) { text += column.name; });
  }
  template <class Append>
  void add_cells(size_t end, Append append) {
    copy_to(end);
    for (const AddedColumn& column : columns_) {
      text_.clear();
      append(column, text_);
      out_ += separator_;
      append_csv_cell(out_, text_, separator_);
    }
  }
  void add_fields(size_t begin, size_t end, size_t row) {
    const size_t brace = bytes_.substr(0, end).rfind('}');
    const size_t last = bytes_.substr(0, brace).find_last_not_of(" \t\r\n");
    copy_to(last + 1);
    bool has_fields = last > begin && bytes_[last] != '{';
    for (const AddedColumn& column : columns_) {
      text_.clear();
      column.append(text_, row);
      if (text_.empty()) continue;
      if (has_fields) out_ += ", ";
      has_fields = true;
      append_json_string(out_, column.name);
      out_ += ": " + text_;
    }
  }

  std::string_view mark_, bytes_;
  std::string_view lines_;  // the same bytes, with a LF at the end of each line
  const CasesTable& table_;
  std::span<const AddedColumn> columns_;
  const std::function<bool(std::string_view)>& write_;
  bool is_csv_, is_wanted_ = true;
  char separator_;
  std::string out_, text_;
  size_t at_ = 0;  // what is before it has been written
  size_t known_ = 0;
  u64 known_line_ = 1;
};

}  // namespace

void write_widened(std::string_view bytes, const CasesTable& table,
                   std::span<const AddedColumn> columns,
                   const std::function<bool(std::string_view)>& write) {
  Widener(bytes, table, columns, write).run();
}

}  // namespace komuz::engine
