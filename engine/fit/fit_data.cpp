// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/counts.h"
#include "engine/cases/indicators.h"
#include "engine/cases/read_cases.h"
#include "engine/support/shown.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

constexpr size_t kNoColumn = ~size_t{0};
constexpr f64 kNoNumber = std::numeric_limits<f64>::quiet_NaN();
constexpr std::string_view kTargetNames[] = {"target", "expected", "y"};

// A column as it was read: numbers, NaN where there is none; or texts.
struct ReadColumn {
  enum class Kind : u8 { Numbers, Bools, Texts } kind = Kind::Numbers;
  std::vector<f64> numbers;
  // Of texts: how often each stands there, while they are few; and the first cell that is no number, with its row.
  std::map<std::string, u64, std::less<>> texts;
  bool has_many_texts = false;
  size_t odd_row = 0;
  u64 missing = 0;  // cells
};

class FitReader {
 public:
  FitReader(const CasesTable& table, const FitFields& fields, const Watch& watch)
      : table_(table), fields_(fields), watch_(watch), headers_(table.columns) {
    std::unordered_map<std::string_view, size_t> by_name;
    for (size_t k = 0; k < table.columns.size(); ++k) by_name.emplace(table.columns[k], k);
    for (const MadeName& made : table.made_names)
      if (const auto column = by_name.find(made.name); column != by_name.end())
        headers_[column->second] = made.column;
    taken_.insert(table.columns.begin(), table.columns.end());
  }

  Result<FitData> read();
  Result<FitData> read_like(const FitData& model);

 private:
  [[nodiscard]] std::optional<size_t> find(std::string_view word) const {
    for (size_t k = 0; k < headers_.size(); ++k)
      if (headers_[k] == word) return k;
    for (size_t k = 0; k < headers_.size(); ++k)
      if (table_.columns[k] == word) return k;
    return std::nullopt;
  }
  // `option`: what named it, in backticks.
  Problem find(std::string_view word, std::string_view option, size_t& out) const;
  Problem find_all(std::span<const std::string> words, std::string_view option,
                   std::vector<size_t>& out) const;
  // What is no input unless it is named: the target, weights, groups.
  struct Roles {
    size_t target = 0, weights = kNoColumn, group = kNoColumn;
  };
  Problem find_roles(Roles& out);
  Problem choose_columns(const Roles& roles, std::vector<size_t>& out) const;

  [[nodiscard]] bool take_numbers(size_t column, ReadColumn& out) const;
  [[nodiscard]] bool take_bools(size_t column, ReadColumn& out) const;
  void take_texts(size_t column, ReadColumn& out) const;
  [[nodiscard]] ReadColumn read_column(size_t column) const;
  [[nodiscard]] bool is_category(size_t column) const {
    return std::ranges::find(categories_, column) != categories_.end();
  }
  Problem read_groups(FitData& out) const;
  Problem read_numbers(size_t column, std::string_view role, std::vector<f64>& out) const;

  Problem add_input(size_t column, FitData& out);
  void add_numbers(size_t column, std::vector<f64> numbers, FitData& out);
  void add_indicators(size_t column, const ReadColumn& read, FitData& out);
  void leave_out_column(size_t column, std::string why, FitData& out) const {
    out.left_out.push_back({headers_[column], std::move(why)});
  }
  [[nodiscard]] std::string free_name(const std::string& wanted);

  struct OfColumn {
    size_t column = 0;
    const std::vector<f64>* numbers = nullptr;
  };
  Problem take_units(FitData& out) const;
  Problem drop_rows(std::span<const OfColumn> columns, FitData& out) const;
  // The numbers of the target vary. `expected` has one at least.
  Problem check_expected(std::span<const f64> expected, size_t target) const;
  Problem check_weights(const FitData& out, size_t weights) const;
  Problem finish(const Roles& roles, FitData& out) const;

  const CasesTable& table_;
  const FitFields& fields_;
  const Watch& watch_;
  std::vector<std::string> headers_;
  std::unordered_set<std::string> taken_;
  std::vector<size_t> sources_;     // the column of each input
  std::vector<size_t> categories_;  // columns
};

Problem FitReader::find(std::string_view word, std::string_view option, size_t& out) const {
  const std::optional<size_t> column = find(word);
  if (!column) {
    const std::vector<std::string_view> there_are(headers_.begin(), headers_.end());
    return option_problem(std::string(option) + " names " + shown(word) +
                              ", which is no column of " + table_.file + names_there_are(there_are),
                          near_name(word, there_are, "name a column of the header"));
  }
  out = *column;
  return {};
}

Problem FitReader::find_all(std::span<const std::string> words, std::string_view option,
                            std::vector<size_t>& out) const {
  for (const std::string& word : words)
    if (Problem problem = find(word, option, out.emplace_back())) return problem;
  return {};
}

Problem FitReader::find_roles(Roles& out) {
  const std::string wanted = fields_.target.empty() ? default_target(table_) : fields_.target;
  if (Problem problem = find(wanted, fields_.words.target, out.target)) return problem;
  const auto find_other = [&](const std::string& word, std::string_view option,
                              std::string_view what, size_t& column) {
    if (word.empty()) return Problem();
    const std::string shown_option = "`" + std::string(option) + "`";
    if (Problem problem = find(word, shown_option, column)) return problem;
    if (column != out.target) return Problem();
    return option_problem(shown_option + " names the target " + shown(headers_[out.target]),
                          std::string(what) + " are a column of their own");
  };
  if (Problem problem = find_other(fields_.weights, "--weights", "weights", out.weights))
    return problem;
  if (Problem problem = find_other(fields_.group, "--group", "groups", out.group)) return problem;
  for (const std::string& category : fields_.categories)
    if (Problem problem =
            find_other(category, "--category", "categories", categories_.emplace_back()))
      return problem;
  return {};
}

Problem FitReader::choose_columns(const Roles& roles, std::vector<size_t>& out) const {
  const auto& [target, weights, group] = roles;
  std::vector<size_t> ignored;
  if (Problem problem = find_all(fields_.ignored, "`--ignore`", ignored)) return problem;
  if (Problem problem = find_all(fields_.inputs, "`--input`", out)) return problem;
  for (const size_t column : out) {
    if (column == target)
      return option_problem(
          "`--input` names " + shown(headers_[column]) +
              ", which is the target: a formula of the target itself says nothing",
          "leave it out, or name another `--target`");
    if (std::ranges::count(out, column) > 1)
      return option_problem("`--input` names " + shown(headers_[column]) + " twice",
                            "name each column once");
  }
  if (out.empty())
    for (size_t column = 0; column < headers_.size(); ++column)
      if (column != target && column != weights && column != group) out.push_back(column);
  std::erase_if(out,
                [&](size_t column) { return std::ranges::find(ignored, column) != ignored.end(); });
  if (!out.empty()) return {};
  return input_problem({table_.file, table_.names_line},
                       "there is no column beside the target " + shown(headers_[target]),
                       "a formula needs a column that it is a formula of");
}

bool FitReader::take_numbers(size_t column, ReadColumn& out) const {
  out.numbers.assign(table_.rows.size(), kNoNumber);
  if (const NumberColumn* const given = table_.numbers_of(column)) {
    if (given->kind == NumberKind::Bool) return false;
    engine::read_numbers(*given, table_.given.rows, out.numbers);
    for (f64& number : out.numbers) {
      if (std::isfinite(number)) continue;
      number = kNoNumber;
      ++out.missing;
    }
    return true;
  }
  std::string room;
  for (size_t row = 0; row < table_.rows.size(); ++row) {
    const CellAt cell = {row, column};
    u64 bits = 0;
    if (is_missing(table_, cell)) {
      ++out.missing;
    } else if (parse_scalar(Scalar::F64, table_.text_of(cell, room), table_.style, bits)) {
      out.odd_row = row;
      return false;
    } else if (const f64 number = std::bit_cast<f64>(bits); std::isfinite(number)) {
      out.numbers[row] = number;
    } else {
      ++out.missing;
    }
  }
  return true;
}

bool FitReader::take_bools(size_t column, ReadColumn& out) const {
  out.missing = 0;
  out.numbers.assign(table_.rows.size(), kNoNumber);
  std::string room;
  for (size_t row = 0; row < table_.rows.size(); ++row) {
    const CellAt cell = {row, column};
    u64 bits = 0;
    if (is_missing(table_, cell))
      ++out.missing;
    else if (parse_scalar(Scalar::Bool, table_.text_of(cell, room), table_.style, bits))
      return false;
    else
      out.numbers[row] = static_cast<f64>(bits);
  }
  return true;
}

void FitReader::take_texts(size_t column, ReadColumn& out) const {
  out.missing = 0;
  out.numbers.clear();
  std::string room;
  for (size_t row = 0; row < table_.rows.size() && !out.has_many_texts; ++row) {
    const CellAt cell = {row, column};
    if (is_missing(table_, cell)) {
      ++out.missing;
      continue;
    }
    const std::string_view text = category_of(table_.text_of(cell, room));
    if (const auto known = out.texts.find(text); known != out.texts.end())
      ++known->second;
    else if (out.texts.size() == kMostCategories)
      out.has_many_texts = true;
    else
      out.texts.emplace(text, 1);
  }
}

ReadColumn FitReader::read_column(size_t column) const {
  ReadColumn out;
  const GivenColumn* const given = table_.given_column(column);
  if (given == nullptr || !given->are_texts) {
    if (take_numbers(column, out)) return out;
    out.kind = ReadColumn::Kind::Bools;
    if (take_bools(column, out)) return out;
  }
  out.kind = ReadColumn::Kind::Texts;
  take_texts(column, out);
  return out;
}

std::string FitReader::free_name(const std::string& wanted) {
  std::string name = wanted;
  for (u32 k = 2; !taken_.insert(name).second; ++k) name = wanted + std::to_string(k);
  return name;
}

void FitReader::add_indicators(size_t column, const ReadColumn& read, FitData& out) {
  FitData::ColumnTexts& all = out.texts.emplace_back();
  all.column = headers_[column];
  for (const auto& [text, rows] : read.texts) all.texts.emplace_back(text);
  const auto most =
      std::ranges::max_element(read.texts, {}, [](const auto& one) { return one.second; });
  for (auto one = read.texts.begin(); one != read.texts.end(); ++one) {
    if (one == most) continue;
    const std::string& category = one->first;
    out.inputs.push_back({free_name(indicator_name(table_.columns[column], category)),
                          headers_[column],
                          category,
                          {}});
    std::vector<f64>& numbers = out.columns.emplace_back(table_.rows.size(), kNoNumber);
    std::string room;
    for (size_t row = 0; row < table_.rows.size(); ++row)
      if (const CellAt cell = {row, column}; !is_missing(table_, cell))
        numbers[row] = category_of(table_.text_of(cell, room)) == category ? 1 : 0;
    sources_.push_back(column);
  }
}

// Values are groups, whatever they are: a number for each in the order of the rows.
Problem FitReader::read_groups(FitData& out) const {
  size_t column = 0;
  if (Problem problem = find(fields_.group, "`--group`", column)) return problem;
  out.group_column = headers_[column];
  std::unordered_map<std::string, u32> numbers;
  out.groups.assign(table_.rows.size(), kNoNumber);
  std::string room;
  for (size_t row = 0; row < table_.rows.size(); ++row) {
    const CellAt cell = {row, column};
    if (is_missing(table_, cell)) continue;
    const auto number = static_cast<u32>(numbers.size());
    const std::string text(table_.text_of(cell, room));
    out.groups[row] = numbers.try_emplace(text, number).first->second;
  }
  out.group_count = static_cast<u32>(numbers.size());
  if (out.group_count > 1) return {};
  return input_problem({table_.file, table_.names_line},
                       "`--group` names " + shown(headers_[column]) + ", which " +
                           (numbers.empty() ? "has no value" : "is the same everywhere"),
                       "rows of a group stay together, so there have to be several");
}

void FitReader::add_numbers(size_t column, std::vector<f64> numbers, FitData& out) {
  out.inputs.push_back({table_.columns[column], headers_[column], {}, {}});
  out.columns.push_back(std::move(numbers));
  sources_.push_back(column);
}

Problem FitReader::add_input(size_t column, FitData& out) {
  ReadColumn read;
  if (is_category(column)) {
    read.kind = ReadColumn::Kind::Texts;
    take_texts(column, read);
    if (read.has_many_texts)
      return input_problem({table_.file, table_.names_line},
                           "`--category` names " + shown(headers_[column]) +
                               ", which has more than " + grouped(kMostCategories) +
                               " different values",
                           "of so many each says little: take it as numbers, or join some of them");
  } else {
    read = read_column(column);
  }
  const u64 rows = table_.rows.size();
  const auto has_one_value = [&] {
    f64 first = kNoNumber;
    for (const f64 number : read.numbers)
      if (std::isnan(first))
        first = number;
      else if (number != first && !std::isnan(number))
        return false;
    return true;
  };
  const bool is_text = read.kind == ReadColumn::Kind::Texts;
  std::string room;
  if (read.missing * 2 > rows && !read.has_many_texts)
    leave_out_column(column,
                     read.missing == rows ? "has no number"
                                          : "has no value in " + grouped(read.missing) + " of " +
                                                counted(rows, "row"),
                     out);
  else if (read.has_many_texts)
    leave_out_column(column,
                     "holds texts, such as " +
                         shown(table_.text_of(CellAt{read.odd_row, column}, room)) + " on line " +
                         grouped(table_.rows[read.odd_row].line),
                     out);
  else if (is_text ? read.texts.size() < 2 : has_one_value())
    leave_out_column(column, "is the same everywhere", out);
  else if (is_text)
    add_indicators(column, read, out);
  else
    add_numbers(column, std::move(read.numbers), out);
  return {};
}

Problem FitReader::read_numbers(size_t column, std::string_view role, std::vector<f64>& out) const {
  ReadColumn read = read_column(column);
  if (read.kind == ReadColumn::Kind::Texts) {
    const CellAt cell = {read.odd_row, column};
    std::string room;
    return input_problem(table_.place_of(cell),
                         "the " + std::string(role) + " " + shown(headers_[column]) +
                             " is no column of numbers: here it holds " +
                             shown(table_.text_of(cell, room)),
                         "name a column of numbers, or write numbers, such as 0 and 1");
  }
  out = std::move(read.numbers);
  return {};
}

Problem FitReader::take_units(FitData& out) const {
  if (fields_.units.empty()) return {};
  std::vector<Unit> units(headers_.size());
  std::vector<std::string_view> parts;
  std::string_view text = fields_.units;
  for (size_t comma = 0; comma != std::string_view::npos;) {
    comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    parts.push_back(part.substr(0, part.find_last_not_of(' ') + 1));
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
  const bool has_names =
      std::ranges::any_of(parts, [](std::string_view part) { return part.find('=') != part.npos; });
  if (!has_names && parts.size() != headers_.size())
    return option_problem("`--units` has " + counted(parts.size(), "unit") + ", and " +
                              table_.file + " has " + counted(headers_.size(), "column"),
                          "name the columns, as in `--units \"x=m, v=m/s\"`");
  for (size_t k = 0; k < parts.size(); ++k) {
    size_t column = k;
    std::string_view unit = parts[k];
    if (has_names) {
      const size_t equals = unit.rfind('=');
      if (equals == std::string_view::npos)
        return option_problem("`--units` has " + shown(unit) + " beside units of named columns",
                              "write COLUMN=UNIT for each");
      const std::string_view name = unit.substr(0, unit.find_last_not_of(' ', equals - 1) + 1);
      if (Problem problem = find(equals == 0 ? std::string_view() : name, "`--units`", column))
        return problem;
      unit.remove_prefix(equals + 1);
    }
    Result<Unit> read = read_unit(unit);
    if (read.problem()) return std::move(read).problem();
    units[column] = std::move(read).value();
  }
  out.has_units = true;
  out.target_unit = units[*find(out.target)];
  for (size_t k = 0; k < out.inputs.size(); ++k)
    if (out.inputs[k].category.empty()) out.inputs[k].unit = units[sources_[k]];
  return {};
}

Problem FitReader::drop_rows(std::span<const OfColumn> columns, FitData& out) const {
  std::vector<u32> kept;
  const size_t rows = table_.rows.size();
  const auto count_missing = [](const std::vector<f64>& numbers) {
    return static_cast<u64>(std::ranges::count_if(numbers, [](f64 x) { return std::isnan(x); }));
  };
  const auto& [target, expected] = columns.front();
  if (count_missing(*expected) == rows)
    return input_problem({table_.file, table_.names_line},
                         "the target " + shown(headers_[target]) + " has no number in any row",
                         std::string(fields_.words.other_target));
  for (size_t row = 0; row < rows; ++row) {
    const auto missing = std::ranges::find_if(
        columns, [row](const OfColumn& one) { return std::isnan((*one.numbers)[row]); });
    if (missing == columns.end()) {
      kept.push_back(static_cast<u32>(row));
      continue;
    }
    const std::string& header = headers_[missing->column];
    if (out.left_out_rows.count++ == 0) {
      out.left_out_rows.line = table_.rows[row].line;
      out.left_out_rows.column = header;
    }
    if (fields_.skips_missing) continue;
    std::string remedy = "`--skip-missing` leaves such rows out";
    if (fields_.words.has_ignore && missing->column != target)
      remedy += ", `--ignore " + shell_word(header) + "` the column";
    return input_problem(table_.place_of(CellAt{row, missing->column}),
                         shown(header) + " has no number in " +
                             grouped(count_missing(*missing->numbers)) + " of " +
                             counted(rows, "row") + ", of which this is the first",
                         std::move(remedy));
  }
  if (kept.size() == rows) return {};
  if (kept.empty())
    return input_problem({table_.file, out.left_out_rows.line},
                         "all rows are left out: in each of them a number is missing, in the "
                         "first one in " +
                             shown(out.left_out_rows.column),
                         std::string(fields_.words.without_column));
  const FitData::MissingRows left_out = out.left_out_rows;
  out = rows_of(out, kept);
  out.left_out_rows = left_out;
  return {};
}

Problem FitReader::check_expected(std::span<const f64> expected, size_t target) const {
  // A number that is missing is asked for by itself.
  const auto is_first = [&](f64 x) { return x == expected.front(); };
  if (!std::ranges::all_of(expected, is_first)) return {};
  std::string number;
  print_scalar(number, Scalar::F64, std::bit_cast<u64>(expected.front()), ValueStyle::Text);
  return input_problem(
      {table_.file, table_.names_line},
      expected.size() == 1 ? "there is one row: any formula that gives " + number + " fits it"
                           : "the target " + shown(headers_[target]) + " is " + number +
                                 " in all rows: there is nothing to fit",
      expected.size() == 1 ? "give more rows" : std::string(fields_.words.other_target));
}

Problem FitReader::check_weights(const FitData& out, size_t weights) const {
  const auto is_sound = [](f64 weight) { return weight >= 0; };
  const auto bad = std::ranges::find_if_not(out.weights, is_sound);
  if (bad != out.weights.end())
    return input_problem({table_.file, out.lines[static_cast<size_t>(bad - out.weights.begin())]},
                         "a weight in " + shown(headers_[weights]) + " is below 0",
                         "weights are 0 or more");
  if (std::ranges::all_of(out.weights, [](f64 weight) { return weight == 0; }))
    return input_problem({table_.file, table_.names_line},
                         "all weights in " + shown(headers_[weights]) + " are 0",
                         "a row counts as often as its weight says");
  return {};
}

Problem FitReader::finish(const Roles& roles, FitData& out) const {
  const size_t weights = roles.weights;
  std::vector<OfColumn> columns = {{roles.target, &out.expected}};
  if (weights != kNoColumn) columns.push_back({weights, &out.weights});
  if (roles.group != kNoColumn) columns.push_back({roles.group, &out.groups});
  for (size_t k = 0; k < out.columns.size(); ++k) columns.push_back({sources_[k], &out.columns[k]});
  for (const TableRow& row : table_.rows) out.lines.push_back(row.line);
  if (Problem problem = drop_rows(columns, out)) return problem;
  if (watch_.is_stopped()) return stopped();
  return weights != kNoColumn ? check_weights(out, weights) : Problem();
}

Result<FitData> FitReader::read() {
  FitData out;
  out.file = table_.file;
  out.words = fields_.words;
  Roles roles;
  if (Problem problem = find_roles(roles)) return problem;
  const auto& [target, weights, group] = roles;
  const bool has_weights = weights != kNoColumn;
  std::vector<size_t> columns;
  if (Problem problem = choose_columns(roles, columns)) return problem;
  if (table_.rows.empty())
    return input_problem({table_.file, table_.names_line}, "there are no rows below the header");
  out.target = headers_[target];
  if (has_weights) out.weights_column = headers_[weights];
  out.target_name = table_.columns[target];
  if (Problem problem = read_numbers(target, "target", out.expected)) return problem;
  // Before columns: these are the same everywhere in one row.
  if (Problem problem = check_expected(out.expected, target)) return problem;
  if (has_weights)
    if (Problem problem = read_numbers(weights, "column of weights", out.weights)) return problem;
  if (group != kNoColumn)
    if (Problem problem = read_groups(out)) return problem;
  WatchedLoop watched(watch_, columns.size(), "columns", 1);
  for (size_t k = 0; k < columns.size(); ++k) {
    if (watched.is_stopped(k)) return stopped();
    if (Problem problem = add_input(columns[k], out)) return problem;
  }
  if (out.inputs.empty())
    return input_problem({table_.file, table_.names_line},
                         "no column can help: " + shown(out.left_out.front().column) + " " +
                             out.left_out.front().why,
                         "a formula needs columns of numbers that vary, or of few texts");
  if (Problem problem = take_units(out)) return problem;
  if (Problem problem = finish(roles, out)) return problem;
  if (Problem problem = check_expected(out.expected, target)) return problem;
  return out;
}

Result<FitData> FitReader::read_like(const FitData& model) {
  FitData out;
  out.file = table_.file;
  out.target = model.target;
  out.target_name = model.target_name;
  out.weights_column = model.weights_column;
  out.inputs = model.inputs;
  const auto find_column = [&](const std::string& header, size_t& column) {
    const std::optional<size_t> found = find(header);
    if (!found)
      return input_problem({table_.file, table_.names_line},
                           "there is no column " + shown(header) + ", which " + model.file + " has",
                           "give the same columns");
    column = *found;
    return Problem();
  };
  size_t target = 0, weights = kNoColumn;
  if (Problem problem = find_column(model.target, target)) return problem;
  if (Problem problem = read_numbers(target, "target", out.expected)) return problem;
  const bool has_weights = !model.weights.empty();
  if (has_weights) {
    if (Problem problem = find_column(fields_.weights, weights)) return problem;
    if (Problem problem = read_numbers(weights, "column of weights", out.weights)) return problem;
  }
  for (const FitInput& input : model.inputs) {
    size_t column = 0;
    if (Problem problem = find_column(input.column, column)) return problem;
    std::vector<f64>& numbers = out.columns.emplace_back();
    sources_.push_back(column);
    if (input.category.empty()) {
      if (Problem problem = read_numbers(column, "`--input`", numbers)) return problem;
      continue;
    }
    std::string room;
    for (size_t row = 0; row < table_.rows.size(); ++row) {
      const CellAt cell = {row, column};
      const bool is_category = category_of(table_.text_of(cell, room)) == input.category;
      numbers.push_back(is_missing(table_, cell) ? kNoNumber : is_category ? 1 : 0);
    }
  }
  if (table_.rows.empty())
    return input_problem({table_.file, table_.names_line}, "there are no rows below the header");
  if (Problem problem = finish({target, weights}, out)) return problem;
  return out;
}

}  // namespace

std::string default_target(const CasesTable& table) {
  for (const std::string_view name : kTargetNames)
    if (std::ranges::find(table.columns, name) != table.columns.end()) return std::string(name);
  return table.columns.empty() ? std::string() : table.columns.back();
}

Result<FitData> fit_data_of(const CasesTable& table, const FitFields& fields, const Watch& watch) {
  return FitReader(table, fields, watch).read();
}

Result<FitData> fit_data_like(const FitData& model, const CasesTable& table,
                              const FitFields& fields, const Watch& watch) {
  return FitReader(table, fields, watch).read_like(model);
}

FitData rows_of(const FitData& data, std::span<const u32> rows) {
  FitData out;
  out.file = data.file;
  out.words = data.words;
  out.target = data.target;
  out.target_name = data.target_name;
  out.has_units = data.has_units;
  out.target_unit = data.target_unit;
  out.inputs = data.inputs;
  out.left_out = data.left_out;
  out.weights_column = data.weights_column;
  out.group_column = data.group_column;
  out.group_count = data.group_count;
  const auto take = [rows](const auto& from, auto& to) {
    to.reserve(rows.size());
    for (const u32 row : rows) to.push_back(from[row]);
  };
  for (const std::vector<f64>& column : data.columns) take(column, out.columns.emplace_back());
  take(data.expected, out.expected);
  take(data.lines, out.lines);
  if (!data.weights.empty()) take(data.weights, out.weights);
  if (!data.groups.empty()) take(data.groups, out.groups);
  return out;
}

void keep_inputs(std::span<const u32> inputs, FitData& data) {
  std::vector<FitInput> kept;
  std::vector<std::vector<f64>> columns;
  for (const u32 input : inputs) {
    kept.push_back(std::move(data.inputs[input]));
    columns.push_back(std::move(data.columns[input]));
  }
  data.inputs = std::move(kept);
  data.columns = std::move(columns);
}

}  // namespace komuz::engine
