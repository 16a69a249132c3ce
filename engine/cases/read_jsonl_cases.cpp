// SPDX-License-Identifier: Apache-2.0
// Reads the cases of a JSONL file: an object on each line. simdjson finds the fields. Values are read later, by their
// types (suite.h).
#include <simdjson.h>

#include <algorithm>
#include <new>
#include <unordered_map>

#include "engine/cases/column_names.h"
#include "engine/cases/read_cases.h"
#include "engine/support/json_fault.h"

namespace komuz::engine {
namespace {

namespace ondemand = simdjson::ondemand;

// The text of any value, without the blanks behind it. simdjson finds where the `NaN` and `Infinity` that Python
// writes end, although it has no type for them.
simdjson::error_code raw_text(ondemand::value value, std::string_view& out) {
  const auto without_blanks = [](std::string_view text) {
    const size_t last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  };
  const std::string_view token = without_blanks(value.raw_json_token());
  ondemand::json_type type = ondemand::json_type::number;
  if (token != "NaN" && token != "Infinity")
    if (auto error = value.type().get(type)) return error;
  simdjson::error_code error = simdjson::SUCCESS;
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    error = value.get_array().get(array);
    if (!error) error = array.raw_json().get(out);
  } else if (type == ondemand::json_type::object) {
    ondemand::object object;
    error = value.get_object().get(object);
    if (!error) error = object.raw_json().get(out);
  } else {
    out = value.raw_json_token();
  }
  out = without_blanks(out);
  return error;
}

class CaseReader {
 public:
  CaseReader(const CaseFields& fields, CasesTable& out) : fields_(fields), out_(out) {}

  // Behind the last line.
  void take_column_names() {
    if (!uses_args_) return take_names(found_, all_keys(), names_, out_);
    if (!out_.by_name) return;
    const std::vector<std::string> columns = out_.columns;
    const std::vector<std::string_view> header(columns.begin(), columns.end());
    take_names(found_, header, names_of_columns(header), out_);
  }
  Problem read_line(u64 line, size_t begin, size_t end) {
    line_ = line;
    line_begin_ = begin;
    line_end_ = end;
    row_ = {};
    row_.line = line;
    row_.weight = TableRow::kNoWeight;
    first_cell_ = out_.cells.size();
    filled_ = 0;
    said_ = 0;
    if (is_first_)
      if (Problem error = read_keys(begin, end)) return error;
    out_.cells.resize(first_cell_ + out_.columns.size());
    const simdjson::padded_string_view text(out_.text.data() + begin, end - begin,
                                            out_.text.size() - begin);
    ondemand::document document;
    simdjson::error_code error = parser_.iterate(text).get(document);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error) return json_error();
    ondemand::object object;
    error = document.get_object().get(object);
    if (error) return json_error();
    for (auto field : object) {
      std::string_view key;
      error = field.unescaped_key().get(key);
      if (error) return json_error();
      ondemand::value value;
      error = field.value().get(value);
      if (error) return json_error();
      if (Problem wrong = read_field(key, value, error)) return wrong;
      if (error) return json_error();
    }
    if (const char* rest = nullptr; document.current_location().get(rest) == simdjson::SUCCESS)
      return json_error();
    return finish_row();
  }

 private:
  [[nodiscard]] InputPlace place(const char* at = nullptr) const {
    const u64 column =
        at == nullptr ? 0 : static_cast<u64>(at - out_.text.data()) - line_begin_ + 1;
    return {out_.file, line_, column};
  }

  // Takes the fields of the first case, to which the user's names belong. The faults of the line are found later.
  Problem read_keys(size_t begin, size_t end) {
    ondemand::document document;
    ondemand::object object;
    const simdjson::padded_string_view text(out_.text.data() + begin, end - begin,
                                            out_.text.size() - begin);
    if (parser_.iterate(text).get(document) || document.get_object().get(object)) return {};
    for (auto field : object) {
      std::string_view key;
      if (field.unescaped_key().get(key)) break;
      keys_.emplace_back(key);
    }
    const std::vector<std::string_view> keys = all_keys();
    names_ = names_of_columns(keys);
    const CaseFields stated = fields_;
    if (Problem error = find_fields(stated, keys, names_, found_)) return error;
    fields_ = found_.fields;
    out_.weights = fields_.form.weights;
    if (!out_.weights.empty() && std::ranges::find(keys_, out_.weights) == keys_.end())
      return missing_weights(place(), "field", out_.weights, keys);
    if (!fields_.inputs.empty()) {
      out_.by_name = false;
      out_.columns = fields_.inputs;
    } else {
      uses_args_ = std::ranges::find(keys_, fields_.args) != keys_.end();
    }
    return {};
  }
  [[nodiscard]] std::vector<std::string_view> all_keys() const {
    return {keys_.begin(), keys_.end()};
  }

  Problem json_error() const {
    const std::optional<JsonFault> fault =
        find_json_fault(std::string_view(out_.text).substr(line_begin_, line_end_ - line_begin_));
    return input_problem({out_.file, line_, fault ? fault->column : 0},
                         fault ? fault->message : "this line cannot be read as JSON",
                         R"(write an object a line, such as {"args": {"x": 1}, "expected": 2})");
  }

  TableCell cell_of(std::string_view raw) const {
    const auto begin = static_cast<u64>(raw.data() - out_.text.data());
    return {begin, static_cast<u32>(raw.size()), static_cast<u32>(begin - line_begin_ + 1)};
  }

  // A fault in the JSON itself comes back in `error`, a fault in the content as the result.
  Problem read_field(std::string_view key, ondemand::value value, simdjson::error_code& error) {
    const bool is_weight = !out_.weights.empty() && key == out_.weights;
    const bool is_args = uses_args_ && key == fields_.args && !is_weight;
    const bool is_input = fields_.inputs.empty()
                              ? !fields_.has_expectations && !uses_args_
                              : std::ranges::find(fields_.inputs, key) != fields_.inputs.end();
    const u32 field = is_weight                  ? 16
                      : is_input                 ? 0
                      : key == fields_.output    ? 1
                      : key == fields_.trap      ? 2
                      : key == fields_.tolerance ? 4
                      : is_args                  ? 8
                                                 : 0;
    if ((said_ & field) != 0) return input_problem(place(), shown(key) + " stands here twice");
    said_ |= field;
    if (is_args) return read_args(value, error);
    std::string_view raw;
    error = raw_text(value, raw);
    if (error) return {};
    const bool absent = raw == "null";
    if (field == 1) {
      row_.expected = cell_of(raw);
    } else if (field == 2) {
      const bool is_string = raw.size() >= 2 && raw.front() == '"';
      const std::string_view word = is_string ? raw.substr(1, raw.size() - 2) : raw;
      if (!absent) return read_expected_trap(word, place(raw.data()), row_.trap);
    } else if (field == 4) {
      if (!absent) return read_tolerance(raw, out_.style, place(raw.data()), row_.tolerance);
    } else if (field == 16) {
      if (absent && fields_.form.skips_missing) return {};
      return read_weight(raw, out_.style, place(raw.data()), row_.weight);
    } else if (!uses_args_) {
      return add_argument(key, raw, fields_.inputs.empty());
    }
    return {};
  }

  Problem read_args(ondemand::value value, simdjson::error_code& error) {
    ondemand::json_type type;
    error = value.type().get(type);
    if (error) return {};
    std::string_view raw;
    if (type == ondemand::json_type::object) {
      ondemand::object object;
      error = value.get_object().get(object);
      if (error) return {};
      for (auto field : object) {
        std::string_view key;
        ondemand::value element;
        if ((error = field.unescaped_key().get(key))) return {};
        if ((error = field.value().get(element))) return {};
        if ((error = raw_text(element, raw))) return {};
        if (Problem wrong = add_argument(key, raw, true)) return wrong;
      }
      return {};
    }
    if (type != ondemand::json_type::array)
      return input_problem(place(), "`" + fields_.args + "` is neither an object nor an array",
                           R"(write {"x": 1} or [1])");
    if (is_first_) out_.by_name = false;
    ondemand::array array;
    error = value.get_array().get(array);
    if (error) return {};
    size_t index = 0;
    for (auto item : array) {
      ondemand::value element;
      if ((error = item.get(element))) return {};
      if ((error = raw_text(element, raw))) return {};
      name_ = fields_.args + "[" + std::to_string(index++) + "]";
      if (Problem wrong = add_argument(name_, raw, true)) return wrong;
    }
    return {};
  }

  // Puts an argument into its column. The first row makes the columns; later rows mostly keep its order.
  Problem add_argument(std::string_view name, std::string_view raw, bool new_columns) {
    size_t column = filled_;
    if (column >= out_.columns.size() || out_.columns[column] != name) column = find_column(name);
    if (column == out_.columns.size()) {
      if (!new_columns) return {};  // a field that is no input
      if (!is_first_) {
        return input_problem(place(raw.data()), shown(name) + " is no argument of the first case",
                             "every case has the same arguments");
      }
      out_.columns.emplace_back(name);
      out_.cells.emplace_back();
      if (!columns_.empty()) columns_.emplace(name, column);
    }
    TableCell& cell = out_.cells[first_cell_ + column];
    if (cell.length != 0)
      return input_problem(place(raw.data()), shown(name) + " stands here twice");
    cell = cell_of(raw);
    ++filled_;
    return {};
  }

  // Returns the number of columns if there is none of the name.
  size_t find_column(std::string_view name) {
    constexpr size_t kFew = 16;
    if (out_.columns.size() <= kFew)
      return static_cast<size_t>(std::ranges::find(out_.columns, name) - out_.columns.begin());
    for (size_t k = columns_.size(); k < out_.columns.size(); ++k)
      columns_.emplace(out_.columns[k], k);
    const auto found = columns_.find(std::string(name));
    return found == columns_.end() ? out_.columns.size() : found->second;
  }

  Problem finish_row() {
    for (size_t i = 0; i < out_.columns.size(); ++i) {
      if (out_.cells[first_cell_ + i].length != 0) continue;
      if (is_first_) return missing(out_.columns[i], true);
      return input_problem(place(), "`" + out_.columns[i] + "` is missing",
                           "every case has the same arguments");
    }
    // Beside a trap, `null` is no value; elsewhere it may be the value `None`.
    if (row_.trap != Trap::None && out_.text_of(row_.expected) == "null") row_.expected = {};
    const bool has_any = row_.expected.length != 0 || row_.trap != Trap::None;
    if (is_first_ && fields_.has_expectations && !has_any) return missing(fields_.output, false);
    if (is_first_) out_.names_line = line_;
    is_first_ = false;
    if (is_left_out()) return {};
    if (out_.weights.empty()) row_.weight = 1;
    if (row_.weight == TableRow::kNoWeight)
      return input_problem(place(), "`" + out_.weights + "` is missing", "every case has a weight");
    if (Problem error = check_expectation(row_, fields_, out_.style, place())) return error;
    out_.rows.push_back(row_);
    return {};
  }

  // True if the case is left out, since a value of it is missing.
  bool is_left_out() {
    if (!fields_.form.skips_missing) return false;
    size_t missing = 0;
    while (missing < out_.columns.size() && !is_missing(out_, out_.cells[first_cell_ + missing]))
      ++missing;
    const bool is_whole = missing == out_.columns.size();
    const bool has_none =
        fields_.has_expectations && row_.trap == Trap::None && is_missing(out_, row_.expected);
    const bool is_weighed = out_.weights.empty() || row_.weight != TableRow::kNoWeight;
    if (is_whole && !has_none && is_weighed) return false;
    leave_out(line_,
              !is_whole  ? out_.columns[missing]
              : has_none ? fields_.output
                         : out_.weights,
              out_);
    out_.cells.resize(first_cell_);
    return true;
  }

  // The error for a name that the first case lacks. The other cases have the same fields.
  Problem missing(const std::string& name, bool is_input) const {
    return missing_field(place(), "field", name, is_input, all_keys(), fields_);
  }

  CaseFields fields_;  // as the first case has them
  CasesTable& out_;
  ondemand::parser parser_;
  u64 line_ = 0;
  size_t line_begin_ = 0, line_end_ = 0, first_cell_ = 0, filled_ = 0;
  bool uses_args_ = false;  // one field holds all arguments; else every field may be one
  TableRow row_;
  std::unordered_map<std::string, size_t> columns_;  // where they are many
  std::string name_;
  bool is_first_ = true;            // no case has been read
  std::vector<std::string> keys_;   // of the first case
  std::vector<std::string> names_;  // of these in programs
  FoundFields found_;
  u32 said_ = 0;  // a bit for each field of the line that is no argument
};

}  // namespace

Problem read_jsonl_cases(std::string_view file, std::string bytes, const CaseFields& fields,
                         CasesTable& out, const Watch& watch) {
  CaseText whole;
  if (Problem error = take_case_text(file, std::move(bytes), watch, out, whole)) return error;
  const size_t end = whole.end;
  out.style = ValueStyle::Json;
  CaseReader reader(fields, out);
  WatchedLoop loop(watch, end, "bytes", WatchedLoop::kBytes);
  u64 line = 1;
  bool is_reserved = false;
  for (size_t begin = 0; begin < end; ++line) {
    if (loop.is_stopped(begin)) return stopped();
    const size_t line_end = std::min(out.text.find('\n', begin), end);
    const std::string_view text = std::string_view(out.text).substr(begin, line_end - begin);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos)
      if (Problem error = reader.read_line(line, begin, line_end)) return error;
    if (out.rows.size() == 1 && !is_reserved) {
      reserve_rows(whole, out);
      is_reserved = true;
    }
    begin = line_end + 1;
  }
  reader.take_column_names();
  if (out.rows.empty() && !out.left_out.lines.empty()) return no_rows_left(out);
  if (out.rows.size() <= kMaxCases) return {};
  return too_many_cases(out);
}

}  // namespace komuz::engine
