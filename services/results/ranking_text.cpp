// SPDX-License-Identifier: Apache-2.0
#include "services/results/ranking_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <unordered_set>

#include "base/characters.h"
#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/values/value_text.h"
#include "mend/builtin_words.h"
#include "services/display_text.h"
#include "services/results/problem_text.h"

namespace komuz::services {
namespace {

using engine::ResultRow;
using engine::Results;
using engine::ScoreKind;
using engine::Status;

constexpr size_t kLeastIdWidth = kShortIdWidth, kLeastProgramWidth = 20, kGoodProgramWidth = 48,
                 kIdWidthBesideDecided = 24, kLeastIdBesideDecided = 12;

std::string status_text(const ResultRow& row) {
  switch (row.status) {
    case Status::Ok: return "ok";
    case Status::Wrong: return "wrong";
    case Status::Trap:
      return row.first_trap == komuz::Trap::None
                 ? "NaN"
                 : "trap " + std::string(komuz::trap_name(row.first_trap));
    case Status::CompileError: return "compile error";
    case Status::Refused: return "refused";
    case Status::Unscored: return "unscored";
  }
  return "refused";
}

std::string passed_text(const ResultRow& row, u32 cases) {
  return grouped(row.passed) + "/" + grouped(cases);
}

enum class Align : u8 { Left, Right };
struct Column {
  std::string_view title;
  Align align;
};
constexpr std::array<Column, 10> kColumns = {{{"rank", Align::Right},
                                              {"id", Align::Left},
                                              {"status", Align::Left},
                                              {"score", Align::Right},
                                              {"held out", Align::Right},
                                              {"passed", Align::Right},
                                              {"fuel", Align::Right},
                                              {"bytes", Align::Right},
                                              {"copies", Align::Right},
                                              {"program", Align::Left}}};
constexpr size_t kIdColumn = 1, kStatusColumn = 2, kHeldOutColumn = 4, kPassedColumn = 5,
                 kFuelColumn = 6, kBytesColumn = 7, kCopiesColumn = 8, kProgramColumn = 9;
struct TableCell {
  std::string text;
  size_t width = 0;  // columns of the terminal
};
using TableRow = std::array<TableCell, kColumns.size()>;
using Widths = std::array<size_t, kColumns.size()>;  // 0: a column is not shown

// The score on the cases that are held out, or why there is none.
std::string held_out_cell(const Results& results, u32 index) {
  const engine::HeldOutResult* const result = results.held_out_of(index);
  if (result == nullptr) return "-";
  if (!result->row.scored) return status_text(result->row);
  return results.score == ScoreKind::Exact ? passed_text(result->row, results.held_out->suite.count)
                                           : score_text(results.score, result->row);
}

TableRow table_row(const Results& results, u32 index, u64 rank, u64 copies,
                   const ProgramText& program) {
  const ResultRow& row = results.rows[index];
  const bool run = was_run(row);
  const std::array<std::string, kColumns.size()> texts = {
      row.rank == 0 ? "-" : grouped(rank),
      printable(results.id(index), ~0u),
      status_text(row),
      score_text(results.score, row),
      held_out_cell(results, index),
      run ? passed_text(row, results.cases) : "-",
      run ? grouped(row.fuel) : "-",
      row.status == Status::CompileError || row.code_bytes == 0 ? "-" : grouped(row.code_bytes),
      copies == 0 ? "" : grouped(copies),
      program ? printable(program(index), ~0u) : ""};
  TableRow cells;
  for (size_t c = 0; c < texts.size(); ++c) cells[c] = {texts[c], shown_width(texts[c])};
  return cells;
}

Widths widths_of(std::span<const TableRow> rows, const ShownPrograms& programs) {
  Widths widths{};
  bool has_copies = false, has_failed = false;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < kColumns.size(); ++c) widths[c] = std::max(widths[c], rows[r][c].width);
    has_copies = has_copies || (r > 0 && rows[r][kCopiesColumn].width > 0);
    has_failed = has_failed || (r > 0 && rows[r][kStatusColumn].text != "ok");
  }
  if (!has_copies) widths[kCopiesColumn] = 0;
  if (!programs.text) widths[kProgramColumn] = 0;
  // Programs need the room, so facts that the score implies are not repeated.
  const bool has_lines = programs.text && programs.form == ProgramForm::Line;
  if (has_lines) widths[kPassedColumn] = 0;
  if (has_lines && !has_failed) widths[kStatusColumn] = 0;
  return widths;
}
size_t width_of_all(const Widths& widths) {
  constexpr size_t kBetween = 2;
  size_t all = 0;
  for (const size_t width : widths) all += width == 0 ? 0 : width + kBetween;
  return all - kBetween;
}

std::string line_of_cells(const TableRow& cells, const Widths& widths, const PaintProgram& paint) {
  std::string line;
  for (size_t c = 0; c < widths.size(); ++c) {
    if (widths[c] == 0) continue;
    const std::string pad(widths[c] - cells[c].width, ' ');
    if (c > 0) line += "  ";
    if (c == kProgramColumn && paint) return line + paint(cells[c].text) + "\n";
    line += kColumns[c].align == Align::Left ? cells[c].text + pad : pad + cells[c].text;
  }
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

// True: the column is cut.
bool cut_column(size_t column, size_t most, std::span<TableRow> rows, Widths& widths) {
  size_t& own = widths[column];
  if (own <= most) return false;
  own = 0;
  for (TableRow& row : rows) {
    TableCell& cell = row[column];
    if (cell.width > most) {
      const auto room = static_cast<u32>(most);
      cell.text =
          column == kIdColumn ? fitted_at_both_ends(cell.text, room) : fitted(cell.text, room);
      cell.width = shown_width(cell.text);
    }
    own = std::max(own, cell.width);
  }
  return true;
}

// Takes the columns by which lines exceed the terminal from one column, which keeps `least`. True: it is cut.
bool fit_column(size_t column, size_t least, std::span<TableRow> rows, Widths& widths, u32 width) {
  const size_t all = width_of_all(widths), own = widths[column];
  return all > width &&
         cut_column(column, std::max<size_t>(least, own - std::min(own, all - width)), rows,
                    widths);
}

// The decisions say what the ids stand for, and get the room: ids are cut first, as commands take ranks in their place, and then the
// costs of variants go, as long as the decisions have little room. True: ids are cut.
bool fit_decided(std::span<TableRow> rows, Widths& widths, u32 width) {
  const auto has_room = [&](size_t most) {
    return width_of_all(widths) - widths[kProgramColumn] + std::min(widths[kProgramColumn], most) <=
           width;
  };
  bool is_cut = false;
  for (const size_t least : {kIdWidthBesideDecided, kLeastIdBesideDecided})
    if (!has_room(~size_t{0})) is_cut = cut_column(kIdColumn, least, rows, widths) || is_cut;
  for (const size_t column : {kFuelColumn, kBytesColumn, kPassedColumn})
    if (!has_room(kGoodProgramWidth)) widths[column] = 0;
  if (!has_room(kLeastProgramWidth)) widths[kProgramColumn] = 0;
  fit_column(kProgramColumn, kLeastProgramWidth, rows, widths, width);
  return is_cut;
}

}  // namespace

std::vector<u32> shown_rows(const Results& results, TableRows which, size_t most) {
  std::vector<u32> shown;
  std::unordered_set<u64> behaviours;
  const auto is_shown = [&](const ResultRow& row) {
    if (which == TableRows::ParetoFront) return row.pareto;
    if (row.duplicate_of != engine::kNone) return false;
    return which == TableRows::Best || !was_run(row) || behaviours.insert(row.behaviour).second;
  };
  for (const u32 index : results.ranking) {
    if (shown.size() == most) break;
    if (is_shown(results.rows[index])) shown.push_back(index);
  }
  return shown;
}

std::string ranking_table(const Results& results, TableRows which, std::span<const u32> shown_rows,
                          std::optional<u32> width, const RenderStyle& style,
                          const ShownPrograms& programs) {
  std::vector<TableRow> rows(1);
  for (size_t c = 0; c < kColumns.size(); ++c) {
    const std::string_view title =
        c == kPassedColumn ? passed_word(results.score) : kColumns[c].title;
    rows[0][c] = {std::string(title), title.size()};
  }
  const std::vector<u64> copies = count_copies(results);
  for (const u32 index : shown_rows) {
    const u64 rank = which == TableRows::Behaviours ? rows.size() : results.rows[index].rank;
    rows.push_back(table_row(results, index, rank, copies[index], programs.text));
  }
  const bool has_lines = programs.form == ProgramForm::Line,
             has_programs = programs.text != nullptr;
  if (!has_lines) rows[0][kProgramColumn] = {"decided", 7};
  Widths widths = widths_of(rows, programs);
  if (results.held_out_rows.empty()) widths[kHeldOutColumn] = 0;
  // Readers of programs need no long ids.
  const bool is_shortened =
      has_programs && has_lines && cut_column(kIdColumn, kLeastIdWidth, rows, widths);
  const bool is_long = has_programs && cut_column(kProgramColumn, kMostProgramWidth, rows, widths);
  bool is_cut = false;
  if (width && has_programs && has_lines) {
    // On a narrow terminal programs are more informative than their costs.
    const size_t others = width_of_all(widths) - widths[kProgramColumn];
    if (others + kLeastProgramWidth > *width) widths[kFuelColumn] = widths[kBytesColumn] = 0;
    fit_column(kProgramColumn, kLeastProgramWidth, rows, widths, *width);
  } else if (width && has_programs) {
    is_cut = fit_decided(rows, widths, *width);
  }
  if (width && fit_column(kIdColumn, kLeastIdWidth, rows, widths, *width)) is_cut = true;
  const Palette& p = palette(style);
  std::string text(p.strong);
  for (size_t r = 0; r < rows.size(); ++r) {
    text += line_of_cells(rows[r], widths, r == 0 ? PaintProgram() : programs.paint);
    if (r == 0) text += p.plain;
  }
  // The best one is whole in any case.
  if (has_lines && has_programs && rows.size() > 1) {
    const std::string best = printable(programs.text(shown_rows.front()), ~0u);
    if (rows[1][kProgramColumn].text != best)
      text += "best program: " + (programs.paint ? programs.paint(best) : best) + "\n";
  }
  if (is_long && has_lines) text += "programs that end in `…` are whole in JSON, and by `:fill`\n";
  if (is_shortened)
    text += "ids with `…` are whole in JSON; commands take them as they stand\n";
  else if (is_cut)
    text += "ids with `…` are whole in a pipe, as `| cat`, and in the report\n";
  return text;
}

std::string counts_line(const Results& results) {
  const engine::OutcomeCounts counts = count_outcomes(results);
  std::string parts;
  const auto add = [&](u64 n, std::string_view what) {
    if (n > 0) parts += (parts.empty() ? "" : ", ") + grouped(n) + " " + std::string(what);
  };
  add(counts.of(Status::Ok), "ok");
  add(counts.of(Status::Wrong), "wrong");
  // With an error score, a NaN in place of a number counts as a bad case, too.
  add(counts.of(Status::Trap),
      results.score == ScoreKind::Exact ? "trapped" : "trapped or gave a NaN");
  add(counts.of(Status::CompileError), "with errors");
  add(counts.of(Status::Refused), "refused");
  add(counts.of(Status::Unscored) - counts.over_budget, "cut off");
  add(counts.over_budget, "unscored");
  std::string text = counted(results.candidates(), "candidate") + " on " +
                     counted(results.cases, "case") + (parts.empty() ? "" : ": ") + parts;
  if (counts.duplicates > 0) text += "; duplicates among them: " + grouped(counts.duplicates);
  if (counts.behaviours < counts.programs)
    text += "; " + counted(counts.behaviours, "distinct behaviour");
  if (counts.fixed > 0) text += "; edited by --fix: " + grouped(counts.fixed);
  if (const size_t edits = results.fixed_sketch.fixes.size(); edits > 0)
    text += "; " + counted(edits, "edit") + " of the sketch by --fix";
  return text + "\n";
}

Note equal_ids_note(const engine::EqualIds& equal) {
  if (equal.repeated() == 0) return {};
  return {counted(equal.repeated(), "candidate") + (equal.repeated() == 1 ? " has" : " have") +
              " the id of an earlier one: `" + equal.id() + "` names candidates " +
              grouped(u64{equal.first()} + 1) + " and " + grouped(u64{equal.next()} + 1),
          "give each an id of its own, so that a report says which one it speaks of"};
}

Note constants_note(const engine::CasesTable& cases) {
  std::vector<std::string> names;
  for (const std::string& column : cases.columns)
    if (names_builtin_constant(column)) names.push_back('`' + column + '`');
  if (names.empty()) return {};
  std::string text;
  for (const std::string& name : names)
    text += (&name == names.data() ? "" : &name == &names.back() ? " and " : ", ") + name;
  const bool is_one = names.size() == 1;
  return {cases.file + " has " + (is_one ? "a column " : "columns ") + text + ", named as " +
              (is_one ? "a constant" : "constants") + " of the language",
          "a program takes it by a parameter of its name, and has the constant without one"};
}

Note names_note(const engine::CasesTable& cases) {
  // Who says columns knows them.
  const std::string text = cases.fields.empty() ? engine::made_names_text(cases) : "";
  if (text.empty()) return {};
  return {"in programs " + text, "`--input 'COLUMN=NAME'` gives another name"};
}

Note indicators_note(const engine::CasesTable& cases, const engine::CaseArguments& arguments) {
  return {engine::indicators_text(arguments.indicators, cases), ""};
}

Note left_out_note(const engine::CasesTable& cases) {
  const std::string text = engine::left_out_text(cases);
  if (text.empty()) return {};
  return {cases.file + ": " + text,
          cases.fields.empty() ? "where `--input` names columns, only these count" : ""};
}

Note split_note(const engine::CasesTable& cases, u64 held_out, std::string_view remedy) {
  const Note left_out = left_out_note(cases);
  const std::string are_held_out = std::string(held_out == 1 ? " is" : " are") + " held out";
  if (left_out.message.empty())
    return {counted(held_out, "case") + " of " + grouped(cases.rows.size()) + " in " + cases.file +
                are_held_out,
            std::string(remedy)};
  return {left_out.message + "; " + grouped(held_out) + " of the other " +
              grouped(cases.rows.size()) + are_held_out,
          left_out.remedy + (left_out.remedy.empty() ? "" : ", and ") + std::string(remedy)};
}

Note signature_note(const Results& results) {
  const auto most =
      std::ranges::max_element(results.other_signatures, {}, &engine::OtherSignature::programs);
  const u64 run = count_outcomes(results).programs;
  u64 refused = 0;
  for (const engine::OtherSignature& other : results.other_signatures) refused += other.programs;
  if (refused <= run) return {};
  const std::string refused_for = most->programs == refused
                                      ? "the signature " + bounded(most->signature)
                                      : "other signatures, " + grouped(most->programs) +
                                            " of them for " + bounded(most->signature);
  return {counted(refused, "program") + (refused == 1 ? " was" : " were") + " refused for " +
              refused_for + ", and " + counted(run, "program") + (run == 1 ? " was" : " were") +
              " run, as the first candidate that the cases fit has " + bounded(results.signature),
          most->options.empty() ? "" : "`" + most->options + "` runs those instead"};
}

Note order_note(const Results& results, const std::vector<std::string>& inputs) {
  const std::vector<std::string>& names = results.suite.signature.names;
  const bool is_named = std::ranges::any_of(inputs, [&](const std::string& input) {
    return std::ranges::find(names, input) != names.end();
  });
  if (inputs.size() < 2 || names.size() != inputs.size() || is_named) return {};
  constexpr size_t kMost = 6;
  std::string pairs;
  for (size_t k = 0; k < std::min(names.size(), kMost); ++k)
    pairs += (k == 0 ? "`" : ", `") + names[k] + "` is `" + inputs[k] + "`";
  if (names.size() > kMost) pairs += ", …";
  return {"parameters take the inputs in their order: " + pairs,
          "a parameter that has the name of its input takes it wherever it stands"};
}

Note exact_note(const Results& results) {
  const std::vector<Scalar>& types = results.suite.result_types;
  const bool has_float = std::ranges::any_of(
      types, [](Scalar type) { return type == Scalar::F32 || type == Scalar::F64; });
  const bool expects_value = std::ranges::find(results.suite.expected_traps, Trap::None) !=
                             results.suite.expected_traps.end();
  if (results.score != engine::ScoreKind::Exact || results.tolerance != 0 || !has_float ||
      !expects_value || !results.suite.tolerances.empty() || results.ranking.empty())
    return {};
  const engine::ResultRow& best = results.rows[results.ranking.front()];
  if (best.status != engine::Status::Wrong || best.passed != 0) return {};
  return {"no candidate gives an expected value to the last bit",
          "`--tolerance 1e-9` lets it be rounded, `--score squared` measures how far off it is"};
}

Note scale_note(const Results& results) {
  if (results.score == engine::ScoreKind::SquaredError && results.scale.unit != 1) {
    std::string unit;
    engine::print_scalar(unit, Scalar::F64, std::bit_cast<u64>(results.scale.unit),
                         engine::ValueStyle::Text);
    return {
        "squares of numbers as small or as large as those expected do not fit an f64: errors "
        "are divided by " +
            unit + " before they are squared",
        "the score, and a target for it, are of these squares"};
  }
  const std::vector<f64>& floors = results.scale.floors;
  const bool is_zero = std::ranges::count(floors, 0.0) == std::ssize(floors);
  if (results.score != engine::ScoreKind::Exact || results.tolerance == 0 || floors.empty() ||
      !is_zero || results.suite.count == 0)
    return {};
  return {"a tolerance is a share of the numbers that cases expect, and these are all 0",
          "`--floor 1` makes it one of 1"};
}

std::string_view passed_word(ScoreKind score) {
  return score == ScoreKind::Exact || engine::is_value_score(score) ? "passed" : "exact";
}

std::string score_text(ScoreKind score, const ResultRow& row) {
  if (!row.scored) return "-";
  if (score == ScoreKind::Exact) return grouped(row.passed);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), row.score,
                                 std::chars_format::general, 6);
  return {buffer.data(), end.ptr};
}

std::string search_line(const engine::SearchCandidates& search) {
  const std::string_view why = search.has_reached_target() ? ": the target is reached\n"
                               : search.is_exhausted()     ? ": there are no other variants\n"
                               : search.is_late()          ? ": its time was up\n"
                                                           : "\n";
  return counted(search.generations(), "generation") + std::string(why);
}

std::string front_line(const Results& results) {
  return counted(engine::count_outcomes(results).pareto, "program") +
         " on the Pareto front of score, fuel and bytes\n";
}

std::string held_out_text(const Results& results, u32 width) {
  if (!results.held_out || results.held_out->id.empty()) return {};
  const ResultRow& row = results.held_out->row;
  std::string line =
      "held out: " + fitted_at_both_ends(printable(results.held_out->id, ~0u), kShortIdWidth) +
      " " + status_text(row);
  if (row.scored) line += ", score " + score_text(results.score, row);
  if (was_run(row))
    line += ", " + passed_text(row, results.held_out->suite.count) + " " +
            std::string(passed_word(results.score));
  if (!results.held_out->problem.empty()) line += ": " + printable(results.held_out->problem, ~0u);
  line += '\n';
  // A candidate with a score has not failed, however large its errors.
  const auto failure = engine::held_out_failure(results);
  if (failure && row.status != Status::Ok) line += failure_text("held out", *failure, width);
  return line;
}

}  // namespace komuz::services
