// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/read_cases.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/cases/foreign_files.h"
#include "engine/cases/unpack.h"
#include "mend/near_miss.h"

namespace komuz::engine {
namespace {

// Checks the text in pieces that end with lines, so that a stop is seen between two pieces. Counts the lines.
class TextCheck {
 public:
  TextCheck(CasesTable& table, const Watch& watch)
      : table_(table), watch_(watch), loop_(watch, table.text.size(), "bytes", kPiece) {}

  // CRs end the lines of a text without LFs.
  Problem use_line_feeds() {
    std::string& text = table_.text;
    const std::string_view view = text;
    for (size_t at = 0; at < text.size(); at += kPiece) {
      if (view.substr(at, kPiece).find('\n') != std::string_view::npos) return {};
      if (watch_.is_stopped()) return stopped();
    }
    for (size_t at = 0; at < text.size(); at += kPiece) {
      const size_t end = std::min(at + kPiece, text.size());
      std::replace(text.begin() + static_cast<std::ptrdiff_t>(at),
                   text.begin() + static_cast<std::ptrdiff_t>(end), '\r', '\n');
      if (watch_.is_stopped()) return stopped();
    }
    return {};
  }

  Problem check_lines(size_t& lines) {
    const std::string_view text = table_.text;
    u64 number = 1, first = 1;  // of this line, and of the first of the piece
    for (size_t begin = 0, at = 0; at < text.size(); ++number) {
      const size_t end = std::min(text.find('\n', at), text.size());
      if (end - at > kMaxCaseLine) return too_long(number);
      lines += end > at;
      at = std::min(end + 1, text.size());
      if (at - begin < kPiece && at < text.size()) continue;
      if (Problem error = check_characters(text.substr(begin, at - begin), first)) return error;
      begin = at;
      first = number + 1;
      if (loop_.is_stopped(at)) return stopped();
    }
    return {};
  }

 private:
  static constexpr size_t kPiece = size_t{1} << 20;

  Problem too_long(u64 line) const {
    return input_problem({table_.file, line}, "this line is too long",
                         "a line has at most " + counted(kMaxCaseLine, "byte") +
                             ": is this a file of cases, with line ends?");
  }
  Problem check_characters(std::string_view piece, u64 line) const {
    if (const size_t nul = piece.find('\0'); nul != std::string_view::npos) {
      line += static_cast<u64>(std::ranges::count(piece.substr(0, nul), '\n'));
      return input_problem({table_.file, line}, "this line holds a NUL byte",
                           "is the file a text? Save it as UTF-8");
    }
    if (simdjson::validate_utf8(piece)) return {};
    for (size_t at = 0; at < piece.size(); ++line) {
      const size_t end = std::min(piece.find('\n', at), piece.size());
      if (!simdjson::validate_utf8(piece.substr(at, end - at))) break;
      at = end + 1;
    }
    return input_problem({table_.file, line}, "this line is not UTF-8", "save the file as UTF-8");
  }

  CasesTable& table_;
  const Watch& watch_;
  WatchedLoop loop_;
};

// Behind another remedy.
constexpr std::string_view kLeaveOut = ", or leave such rows out by `--skip-missing`";

std::string trap_names() {
  std::string out;
  for (u8 t = 1; t < kTrapCount; ++t) {
    if (t > 1) out += ", ";
    out += trap_name(static_cast<Trap>(t));
  }
  return out;
}

}  // namespace

Problem take_case_text(std::string_view file, std::string bytes, const Watch& watch,
                       CasesTable& out, CaseText& text) {
  out = {};
  out.file = file;
  if (Problem error = foreign_file_error(file, bytes)) return error;
  out.text = std::move(bytes);
  if (out.text.starts_with("\xEF\xBB\xBF")) out.text.erase(0, 3);
  if (out.text.starts_with("\xFF\xFE") || out.text.starts_with("\xFE\xFF"))
    return input_problem(
        {out.file}, "the file is UTF-16",
        "save it as UTF-8: `iconv -f UTF-16 -t UTF-8 " + shell_word(file) + " >cases.csv`");
  TextCheck check(out, watch);
  if (Problem error = check.use_line_feeds()) return error;
  if (Problem error = check.check_lines(text.lines)) return error;
  text.end = out.text.size();
  out.text.append(simdjson::SIMDJSON_PADDING, ' ');
  if (out.text.find_first_not_of(" \t\r\n") != std::string::npos) return {};
  return input_problem({out.file}, "the file holds no cases: it is empty",
                       "write a header and a case a line (CSV), or an object a line (JSONL)");
}

// A row has at least a byte for each cell.
void reserve_rows(const CaseText& text, CasesTable& out) {
  const size_t columns = std::max<size_t>(out.columns.size(), 1);
  const size_t rows = std::min(text.lines, text.end / columns + 1);
  out.rows.reserve(rows);
  out.cells.reserve(rows * columns);
}

Problem read_expected_trap(std::string_view word, InputPlace place, Trap& out) {
  out = trap_from_name(word);
  if (out != Trap::None) return {};
  return input_problem(std::move(place), shown(word) + " is no trap", "traps are " + trap_names());
}

namespace {

// A finite number from 0 on.
bool read_amount(std::string_view text, ValueStyle style, f64& out) {
  u64 cell = 0;
  if (parse_scalar(Scalar::F64, text, style, cell)) return false;
  out = std::bit_cast<f64>(cell);
  return out >= 0 && out <= std::numeric_limits<f64>::max();
}

}  // namespace

Problem read_tolerance(std::string_view text, ValueStyle style, InputPlace place, f64& out) {
  if (read_amount(text, style, out)) return {};
  return input_problem(std::move(place), shown(text) + " is no tolerance",
                       "write a number that is not negative, such as 1e-9");
}

Problem read_weight(std::string_view text, ValueStyle style, InputPlace place, f64& out) {
  if (read_amount(text, style, out)) return {};
  const bool is_left = is_missing_word(text) || text == "null";
  return input_problem(
      std::move(place), is_left ? "the weight is missing" : shown(text) + " is no weight",
      "write a number that is not negative, such as 2.5" + std::string(is_left ? kLeaveOut : ""));
}

Problem missing_weights(InputPlace place, std::string_view what, const std::string& name,
                        std::span<const std::string_view> there_are) {
  return {ProblemKind::Option, std::move(place),
          "there is no " + std::string(what) + " " + shown(name) + " for `--weights`" +
              names_there_are(there_are),
          near_name(name, there_are, "name the " + std::string(what) + " of the weights")};
}

Problem check_fields(const CaseFields& fields) {
  for (auto input = fields.inputs.begin(); input != fields.inputs.end(); ++input) {
    const std::string option = "--input " + shell_word(*input);
    if (std::find(fields.inputs.begin(), input, *input) != input)
      return option_problem("`" + option + "` stands there twice",
                            "name each field once, in the order of the parameters");
    if (fields.has_expectations && *input == fields.output)
      return option_problem("`" + option + "` names what is expected",
                            "leave it out, or say by `--output` which field is expected");
    if (!fields.form.weights.empty() && *input == fields.form.weights)
      return option_problem("`" + option + "` names the weights, which are no parameter",
                            "leave it out, or say by `--weights` which column they are");
  }
  if (!fields.form.weights.empty() && fields.has_expectations &&
      fields.form.weights == fields.output)
    return option_problem(
        "`--weights " + shell_word(fields.form.weights) + "` names what is expected",
        "name the column of the weights");
  return {};
}

InputPlace CasesTable::place_of(const TableCell& cell, size_t at) const {
  InputPlace place;
  place.file = file;
  const std::string_view before = std::string_view(text).substr(0, cell.begin + at);
  place.line = 1 + static_cast<u64>(std::ranges::count(before, '\n'));
  place.column = cell.column;
  if (at == 0) return place;
  // Inside of a quoted cell, which begins at its quote, a quote is written twice.
  const bool in_quotes =
      style != ValueStyle::Json && cell.begin != 0 && text[cell.begin - 1] == '"';
  const std::string_view inside = before.substr(cell.begin);
  const size_t line = inside.rfind('\n');
  const bool is_first = line == std::string_view::npos;
  const std::string_view own_line = is_first ? inside : inside.substr(line + 1);
  place.column = (is_first ? cell.column + (in_quotes ? 1 : 0) : 1) + own_line.size();
  if (in_quotes) place.column += static_cast<u64>(std::ranges::count(own_line, '"'));
  return place;
}

Problem check_expectation(const TableRow& row, const CaseFields& fields, ValueStyle style,
                          InputPlace place) {
  const bool has_value = row.expected.length != 0, has_trap = row.trap != Trap::None;
  if (has_value != has_trap || !fields.has_expectations) return {};
  const bool may_be_left_out = !has_value && style != ValueStyle::Json;
  return input_problem(
      std::move(place),
      has_value ? "the case expects both a value and a trap" : "the case expects nothing",
      "give it `" + fields.output + "` or `" + fields.trap + "`" +
          std::string(may_be_left_out ? kLeaveOut : ""));
}

bool is_missing(const CasesTable& table, const TableCell& cell) {
  const std::string_view text = table.text_of(cell);
  return table.style == ValueStyle::Json ? text == "null" : is_missing_word(text);
}

void leave_out(u64 line, std::string_view column, CasesTable& out) {
  if (out.left_out.lines.empty()) out.left_out.column = column;
  out.left_out.lines.push_back(line);
}

bool is_missing(const CasesTable& table, CellAt cell) {
  if (const GivenColumn* const given = table.given_column(cell.column);
      given != nullptr && (given->is_of_numbers() || given->are_texts))
    return !given->has_value(table.given.row_of(cell.row));
  std::string room;
  const std::string_view text = table.text_of(cell, room);
  return table.style == ValueStyle::Json ? text == "null" : is_missing_word(text);
}

bool lacks_cell(const CaseFields& fields, const TableRow& row,
                const std::function<bool(size_t column)>& is_missing_in, CasesTable& out) {
  const size_t columns = out.columns.size();
  size_t missing = 0;
  while (missing < columns && !is_missing_in(missing)) ++missing;
  const bool has_none =
      fields.has_expectations && row.expected.length == 0 && row.trap == Trap::None;
  const bool is_weighed = row.weight != TableRow::kNoWeight;
  if (missing == columns && !has_none && is_weighed) return false;
  leave_out(row.line,
            missing != columns ? out.columns[missing]
            : has_none         ? fields.output
                               : out.weights,
            out);
  return true;
}

Problem value_problem(const CasesTable& table, CellAt cell, const std::string& what,
                      const ValueError& error) {
  std::string remedy = error.remedy;
  if (error.has_decimal_comma)
    remedy += ", or read such numbers by `--decimal ,`";
  else if (is_missing(table, cell))
    remedy += kLeaveOut;
  return input_problem(table.place_of(cell, error.at), what + ": " + error.message,
                       std::move(remedy));
}

Problem no_rows_left(const CasesTable& table) {
  return input_problem({table.file, table.left_out.lines.front()},
                       "all rows are left out: in each of them a cell is missing, in the first " +
                           shown(table.left_out.column),
                       "name the columns that are needed by `--input`");
}

Problem missing_field(InputPlace place, std::string_view what, const std::string& name,
                      bool is_input, std::span<const std::string_view> there_are,
                      const CaseFields& fields) {
  const bool is_asked_for = is_input || name != CaseFields().output;
  const bool has_option = is_input || !fields.output_option.empty();
  const std::string option =
      has_option ? " for `" + std::string(is_input ? "--input" : fields.output_option) + "`" : "";
  const std::string asks(fields.output_command);
  const std::string_view near = nearest_word(name, there_are);
  std::string remedy =
      !near.empty() && !is_asked_for
          ? "did you mean " + shown(near) + "? `" + asks + " " + fields.output_word(near) +
                "` takes it"
          : near_name(name, there_are,
                      is_input       ? "name one " + std::string(what) + " for each parameter"
                      : is_asked_for ? "name the " + std::string(what) + " of the expected values"
                                     : "every case has its arguments and `" + fields.output +
                                           "` or `" + fields.trap + "`; `" + asks + " NAME" +
                                           "` takes another " + std::string(what));
  return {is_asked_for ? ProblemKind::Option : ProblemKind::Input, std::move(place),
          "there is no " + std::string(what) + " " + shown(name.empty() ? "''" : name) +
              (is_asked_for ? option : "") + names_there_are(there_are),
          std::move(remedy)};
}

Problem too_many_cases(const CasesTable& table) {
  return input_problem({table.file}, "there are more than " + counted(kMaxCases, "case"));
}

namespace {

bool is_csv(std::string_view file, std::string_view bytes) {
  if (file.ends_with(".gz")) file.remove_suffix(3);
  if (file.ends_with(".csv")) return true;
  if (file.ends_with(".jsonl") || file.ends_with(".json")) return false;
  const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && bytes[first] != '{' && bytes[first] != '[';
}

}  // namespace

CasesTable single_case() {
  CasesTable table;
  table.rows.emplace_back();
  return table;
}

Problem read_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                   CasesTable& out, const Watch& watch) {
  if (Problem error = check_fields(fields)) return error;
  if (is_gzip(bytes)) {
    std::string unpacked;
    if (Problem error = unpack_gzip(file, bytes, fields.most_bytes, watch, unpacked)) return error;
    bytes = std::move(unpacked);
  }
  if (is_csv(file, bytes)) return read_csv_cases(file, std::move(bytes), fields, out, watch);
  return read_jsonl_cases(file, std::move(bytes), fields, out, watch);
}

}  // namespace komuz::engine
