// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/case_set.h"

#include <algorithm>
#include <unordered_set>

#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/cases/column_types.h"
#include "engine/cases/read_cases.h"
#include "engine/cases/signature.h"
#include "engine/cases/split_cases.h"
#include "engine/cases/suite.h"
#include "repl/input.h"

namespace komuz::repl {

namespace {

using services::SnippetName;

std::string no_program_name(const std::string& column) {
  return "the column `" + column +
         "` has no name that a program can use; `--input 'COLUMN=NAME'` gives it one";
}

Problem read_types(std::string_view text, std::vector<SnippetName>& out) {
  const bool has_result = text.find("->") != std::string_view::npos;
  const Result<engine::Signature> read =
      engine::read_signature("fn" + std::string(text) + (has_result ? "" : " -> ()"));
  if (read.problem())
    return input_problem(
        {},
        "`" + std::string(text) + "` does not say what parameters are: " + read.problem().message(),
        "write it as `(x: f64, n: i64)`");
  const std::string_view codes = read.value().parameter_types;
  size_t at = read_type_head(codes, 0).end;
  std::unordered_set<std::string_view> known;
  for (const std::string& name : read.value().names) {
    const size_t end = skip_type(codes, at);
    if (!engine::is_program_name(name)) return input_problem(no_program_name(name));
    if (!known.insert(name).second)
      return input_problem("`" + std::string(text) + "` names `" + name + "` twice");
    out.push_back({name, type_text(codes.substr(at, end - at), RecordText::Name)});
    at = end;
  }
  return {};
}

// True if the first cell is a number with a decimal comma, which nobody has said.
bool has_decimal_comma(const engine::CasesTable& table, size_t column) {
  using engine::ValueStyle;
  const std::string_view text = table.text_of(table.cell(0, column));
  u64 cell = 0;
  return table.style == ValueStyle::Text &&
         engine::parse_scalar(Scalar::F64, text, ValueStyle::Text, cell) &&
         !engine::parse_scalar(Scalar::F64, text, ValueStyle::CommaText, cell);
}

Problem infer_types(const engine::CasesTable& table, const engine::Watch& watch,
                    std::vector<SnippetName>& out) {
  if (!table.by_name)
    return input_problem(
        "cases whose arguments have no names need types, as in `:cases FILE (x: f64, n: i64)`");
  Problem problem;  // for the first column without a type or a name
  const auto leave_out = [&](std::string why) {
    if (!problem) problem = input_problem(std::move(why));
  };
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::string& name = table.columns[column];
    if (!engine::is_program_name(name)) {
      leave_out(no_program_name(name));
      continue;
    }
    u32 odd = 0;
    std::string type = engine::column_type(table, column, &odd, watch);
    if (watch.is_stopped()) return stopped();
    if (type.empty()) {
      const engine::TableCell& cell = table.cell(odd, column);
      leave_out("the column `" + name + "` holds " + engine::shown(table.text_of(cell)) +
                " on line " + grouped(table.place_of(cell).line) +
                ", and no type fits it and what stands above it; " +
                (engine::is_missing(table, cell) ? "`--skip-missing` leaves such rows out"
                 : has_decimal_comma(table, column)
                     ? "`--decimal ,` reads numbers with a comma"
                     : "numbers, true, false, texts and lists have types; of others say them, as "
                       "in `:cases FILE (x: Option[i64])`"));
      continue;
    }
    out.push_back({name, std::move(type)});
  }
  // A column that nobody uses does no harm.
  return out.empty() ? problem : Problem();
}

constexpr std::string_view kExpected = "expected";

// Copies in pieces, so that a stop takes effect in between. False: stopped.
bool copy_text(std::string_view text, const engine::Watch& watch, std::string& out) {
  constexpr size_t kPiece = size_t{1} << 20, kPadding = 256;  // what a reader adds
  out.reserve(text.size() + kPadding);
  for (size_t at = 0; at < text.size() && !watch.is_stopped(); at += kPiece)
    out += text.substr(at, kPiece);
  return !watch.is_stopped();
}

// True if every case has the expected value, if any has one.
bool is_expected_there(const std::string& file, std::string_view bytes, engine::CaseFields fields,
                       const engine::Watch& watch) {
  engine::CasesTable table;
  std::string copy;
  fields.has_expectations = true;
  return copy_text(bytes, watch, copy) &&
         !engine::read_cases(file, std::move(copy), fields, table, watch);
}

}  // namespace

Problem CaseSet::load(std::string file, std::string bytes, Reading reading, engine::ScoreKind score,
                      const engine::Watch& watch) {
  CaseSet next;
  engine::CaseFields fields;
  fields.output_option = {};
  fields.output_command = ":cases FILE";
  fields.output_word = &quoted_word;
  if (!reading.target.empty()) fields.output = reading.target;
  fields.form = reading.form;
  fields.inputs = reading.inputs;
  fields.has_expectations = !engine::is_value_score(score);
  std::string copy;  // a copy with modified cells
  if (!copy_text(bytes, watch, copy)) return stopped();
  if (Problem unread = engine::read_cases(file, std::move(copy), fields, next.table_, watch))
    return unread;
  next.reading_ = std::move(reading);
  next.has_expectations_ = fields.has_expectations;
  Problem problem = next.missing_target(fields);
  // Beside `args` it is no column.
  if (problem && is_expected_there(next.table_.file, bytes, fields, watch)) problem = {};
  if (watch.is_stopped()) return stopped();
  if (!fields.inputs.empty()) next.table_.by_name = true;
  if (!problem)
    problem = next.reading_.signature.empty()
                  ? infer_types(next.table_, watch, next.parameters_)
                  : read_types(next.reading_.signature, next.parameters_);
  if (problem) return problem;
  if (fields.has_expectations) next.expected_ = engine::expected_type(next.table_, watch);
  if (watch.is_stopped() || !next.take_preferred(watch)) return stopped();
  // The stated types may not be those of the rows.
  if (!fields.has_expectations || !next.expected_.empty()) {
    engine::Suite suite;
    if (Problem misfit = next.make_suite(suite, watch)) return misfit;
  }
  next.left_out_rows_ = next.table_.left_out;
  if (const std::optional<f64> share = next.reading_.split) {
    const size_t all = next.table_.rows.size();
    if (all < 2) return input_problem("to hold out a share of the cases, there have to be two");
    next.held_out_ = engine::split_cases(next.table_, engine::cases_in_share(all, *share),
                                         next.reading_.split_seed);
  }
  next.bytes_ = std::move(bytes);
  *this = std::move(next);
  return {};
}

bool CaseSet::take_preferred(const engine::Watch& watch) {
  if (!reading_.signature.empty() || reading_.preferred.empty()) return true;
  std::vector<SnippetName> inferred = parameters_;
  for (SnippetName& parameter : parameters_)
    for (const SnippetName& preferred : reading_.preferred)
      if (preferred.name == parameter.name && preferred.type != parameter.type) {
        parameter.type = preferred.type;
        has_preferred_ = true;
      }
  if (!has_preferred_) return true;
  engine::Suite suite;
  const Problem misfit = make_suite(suite, watch);
  if (!misfit) return true;
  parameters_ = std::move(inferred);
  has_preferred_ = false;
  return !misfit.is(ProblemKind::Stop);
}

std::string CaseSet::left_out() const {
  if (!table_.by_name) return {};
  constexpr size_t kShown = 4;
  std::unordered_set<std::string_view> typed;
  for (const SnippetName& parameter : parameters_) typed.insert(parameter.name);
  std::string names;
  size_t count = 0;
  for (const std::string& column : table_.columns)
    if (!typed.contains(column) && ++count <= kShown)
      names += (names.empty() ? "`" : ", `") + column + "`";
  if (count > kShown) names += " and " + grouped(count - kShown) + " more";
  return names;
}

// A value score needs no such column; but a user who names one wants it.
Problem CaseSet::missing_target(const engine::CaseFields& fields) const {
  const auto& columns = table_.columns;
  if (fields.has_expectations || reading_.target.empty() ||
      std::ranges::find(columns, reading_.target) != columns.end() ||
      std::ranges::find(table_.made_names, reading_.target, &engine::MadeName::column) !=
          table_.made_names.end())
    return {};
  const std::vector<std::string_view> names(columns.begin(), columns.end());
  return input_problem(
      {}, "there is no column " + engine::shown(reading_.target) + " in " + table_.file,
      engine::near_name(reading_.target, names, "name the column of the expected values"));
}

Problem CaseSet::make_suite(engine::Suite& out, const engine::Watch& watch) const {
  const Result<engine::Signature> read =
      engine::read_signature("fn" + types() + " -> " + (expected_.empty() ? "()" : expected_));
  if (read.problem()) return {};
  return expected_.empty() ? engine::make_columns(table_, read.value(), out, watch.stop())
                           : engine::make_suite(table_, read.value(), out, watch.stop());
}

Problem CaseSet::prefer(std::vector<SnippetName> types, engine::ScoreKind score,
                        const engine::Watch& watch) {
  std::string bytes;
  if (!copy_text(bytes_, watch, bytes)) return stopped();
  Reading reading = reading_;
  reading.preferred = std::move(types);
  return load(table_.file, std::move(bytes), std::move(reading), score, watch);
}

Problem CaseSet::set_score(engine::ScoreKind score, const engine::Watch& watch) {
  std::string bytes;
  if (!copy_text(bytes_, watch, bytes)) return stopped();
  return load(table_.file, std::move(bytes), reading_, score, watch);
}

Problem CaseSet::split(std::optional<f64> share, u64 seed, engine::ScoreKind score,
                       const engine::Watch& watch) {
  std::string bytes;
  if (!copy_text(bytes_, watch, bytes)) return stopped();
  Reading reading = reading_;
  reading.split = share;
  reading.split_seed = seed;
  return load(table_.file, std::move(bytes), std::move(reading), score, watch);
}

bool CaseSet::has_parameter(std::string_view name) const {
  return std::ranges::find(parameters_, name, &SnippetName::name) != parameters_.end();
}

std::string CaseSet::types() const {
  std::string text = "(";
  for (const SnippetName& parameter : parameters_)
    text += (&parameter == parameters_.data() ? "" : ", ") + parameter.name + ": " + parameter.type;
  return text + ")";
}

std::string CaseSet::source() const {
  const std::string& target = reading_.target;
  std::string text = quoted_word(table_.file);
  if (!target.empty()) text += " " + quoted_word(target);
  const std::string form = engine::form_text(reading_.form, &quoted_word);
  if (!form.empty()) text += " " + form;
  for (const std::string& input : reading_.inputs) text += " --input " + quoted_word(input);
  const std::string said = has_preferred_ ? types() : reading_.signature;
  return text + (said.empty() ? "" : " " + said);
}

std::string_view CaseSet::target() const {
  return reading_.target.empty() ? kExpected : std::string_view(reading_.target);
}

bool CaseSet::has_tolerances() const {
  return std::ranges::any_of(table_.rows, [](const engine::TableRow& row) {
    return row.tolerance != engine::TableRow::kNoTolerance;
  });
}

std::string CaseSet::advice() const {
  for (size_t column = 0; column < table_.columns.size(); ++column)
    if (has_decimal_comma(table_, column))
      return "`" + table_.columns[column] + "` has texts such as " +
             engine::shown(table_.text_of(table_.cell(0, column))) +
             ", which `--decimal ,` reads as numbers";
  for (size_t column = 0; column < table_.columns.size() && !reading_.form.skips_missing; ++column)
    if (table_.by_name && !has_parameter(table_.columns[column]))
      for (size_t row = 0; row < table_.rows.size(); ++row)
        if (engine::is_missing(table_, table_.cell(row, column)))
          return "`" + table_.columns[column] + "` is missing on line " +
                 grouped(table_.rows[row].line) + ", and `--skip-missing` leaves such rows out";
  if (!has_expectations_ || !expected_.empty()) return {};
  for (const engine::TableRow& row : table_.rows)
    if (row.trap == Trap::None && engine::is_missing(table_, row.expected))
      return "what is expected is missing on line " + grouped(row.line) +
             ", and `--skip-missing` leaves such rows out";
  return {};
}

// Of all rows, whether they are held out or not.
std::string CaseSet::left_out_rows_text() const {
  return engine::left_out_text(left_out_rows_, table_.rows.size() + held_out_.rows.size());
}

std::string CaseSet::text() const {
  const std::string unused = left_out(), renamed = engine::made_names_text(table_),
                    rows_left_out = left_out_rows_text(), more = advice();
  return counted(table_.rows.size(), "case") + " of " + table_.file + ": " + types() +
         (expected_.empty()         ? ""
          : reading_.target.empty() ? ", expected " + expected_
                                    : ", expected " + reading_.target + ": " + expected_) +
         (table_.weights.empty() ? "" : ", weights " + table_.weights) +
         (unused.empty() ? "" : "; without a type, and so without use: " + unused) +
         (renamed.empty() ? "" : "; " + renamed) +
         (rows_left_out.empty() ? "" : "; " + rows_left_out) +
         (held_out() == nullptr
              ? ""
              : "; " + grouped(held_out()->rows.size()) +
                    (held_out()->rows.size() == 1 ? " more is held out" : " more are held out")) +
         (more.empty() ? "" : "; " + more) + "\n";
}

std::vector<SnippetName> parameter_types(std::string_view signature) {
  std::vector<SnippetName> out;
  const bool is_whole = !read_types(signature, out);
  return is_whole ? out : std::vector<SnippetName>();
}

}  // namespace komuz::repl
