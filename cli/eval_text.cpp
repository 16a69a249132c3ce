// SPDX-License-Identifier: Apache-2.0
#include "cli/eval_text.h"

#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "base/counts.h"
#include "services/display_text.h"

namespace komuz::cli {
namespace {

using engine::ResultRow;
using engine::Results;
using engine::ScoreKind;
using engine::Status;

constexpr u32 kIdColumns = 40;

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

// Six digits are enough to compare by eye; the JSON report has them all.
std::string score_text(const Results& results, const ResultRow& row) {
  if (!row.scored) return "-";
  if (results.score == ScoreKind::Exact) return grouped(row.passed);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), row.score,
                                 std::chars_format::general, 6);
  return {buffer.data(), end.ptr};
}

enum class Align : u8 { Left, Right };
struct Column {
  std::string_view title;
  Align align;
};
constexpr std::array<Column, 8> kColumns = {{{"rank", Align::Right},
                                             {"id", Align::Left},
                                             {"status", Align::Left},
                                             {"score", Align::Right},
                                             {"passed", Align::Right},
                                             {"fuel", Align::Right},
                                             {"bytes", Align::Right},
                                             {"copies", Align::Right}}};
struct TableCell {
  std::string text;
  size_t width = 0;  // columns of the terminal
};
using TableRow = std::array<TableCell, kColumns.size()>;

size_t shown_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const services::Cell cell = services::cell_at(text, at, 0);
    width += cell.width;
    at += cell.bytes;
  }
  return width;
}

TableRow table_row(const Results& results, u32 index, u32 copies) {
  const ResultRow& row = results.rows[index];
  const bool run = was_run(row);
  const std::array<std::string, kColumns.size()> texts = {
      row.rank == 0 ? "-" : grouped(row.rank),
      services::printable(results.id(index), kIdColumns),
      status_text(row),
      score_text(results, row),
      run ? grouped(row.passed) + "/" + grouped(results.cases) : "-",
      run ? grouped(row.fuel) : "-",
      row.status == Status::CompileError || row.code_bytes == 0 ? "-" : grouped(row.code_bytes),
      copies == 0 ? "" : grouped(copies)};
  TableRow cells;
  for (size_t c = 0; c < texts.size(); ++c) cells[c] = {texts[c], shown_width(texts[c])};
  return cells;
}

std::string line_of_cells(const TableRow& cells, std::span<const size_t> widths) {
  std::string line;
  for (size_t c = 0; c < widths.size(); ++c) {
    const std::string pad(widths[c] - cells[c].width, ' ');
    if (c > 0) line += "  ";
    line += kColumns[c].align == Align::Left ? cells[c].text + pad : pad + cells[c].text;
  }
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

std::string value_cells(const Results& results, std::span<const u64> cells) {
  std::string text;
  engine::print_value(text, results.suite.signature.result_type, cells, engine::ValueStyle::Text);
  return text;
}

std::string failure_text(const Results& results, const ResultRow& row) {
  const engine::Failure& failure = results.failures[row.first_failure];
  const engine::Suite& suite = results.suite;
  // The line is where it can be looked up; a number would count from 1 here and from 0 in JSON.
  std::string text = "case on line " + std::to_string(suite.lines[failure.case_index]) + ": ";
  const komuz::Trap wanted_trap = suite.expected_traps[failure.case_index];
  const std::string file = failure.file.empty() ? "" : failure.file + ":";
  if (engine::is_value_score(results.score)) {
    text = suite.lines[failure.case_index] == 0 ? "expected a number" : text + "expected a number";
  } else if (wanted_trap != komuz::Trap::None) {
    text += "expected trap " + std::string(komuz::trap_name(wanted_trap));
  } else {
    std::vector<u64> wanted(suite.result_types.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = suite.expected_cell(i, failure.case_index);
    text += "expected " + value_cells(results, wanted);
  }
  if (failure.trap == komuz::Trap::None)
    return text + ", found " + value_cells(results, failure.actual);
  return text + ", found trap " + std::string(komuz::trap_name(failure.trap)) + " at " + file +
         std::to_string(failure.line) + ":" + std::to_string(failure.column);
}

}  // namespace

std::string ranking_table(const Results& results, TableRows which, size_t most,
                          const services::RenderStyle& style) {
  std::vector<TableRow> rows(1);
  for (size_t c = 0; c < kColumns.size(); ++c)
    rows[0][c] = {std::string(kColumns[c].title), kColumns[c].title.size()};
  // A repeated program has one line; its copies have the same result, and later ranks.
  std::vector<u32> copies(results.rows.size());
  for (const ResultRow& row : results.rows)
    if (row.duplicate_of != engine::kNone) ++copies[row.duplicate_of];
  for (const u32 index : results.ranking) {
    if (rows.size() > most) break;
    const ResultRow& row = results.rows[index];
    if (which == TableRows::ParetoFront ? row.pareto : row.duplicate_of == engine::kNone)
      rows.push_back(table_row(results, index, copies[index]));
  }
  std::array<size_t, kColumns.size()> widths{};
  bool has_copies = false;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < kColumns.size(); ++c) widths[c] = std::max(widths[c], rows[r][c].width);
    has_copies = has_copies || (r > 0 && rows[r].back().width > 0);
  }
  const std::span shown(widths.data(), kColumns.size() - (has_copies ? 0 : 1));
  const services::Palette& p = services::palette(style);
  std::string text(p.strong);
  for (size_t r = 0; r < rows.size(); ++r) {
    text += line_of_cells(rows[r], shown);
    if (r == 0) text += p.plain;
  }
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
  // With an error score a NaN where a number was expected counts as a bad case too.
  add(counts.of(Status::Trap),
      results.score == ScoreKind::Exact ? "trapped" : "trapped or gave a NaN");
  add(counts.of(Status::CompileError), "with errors");
  add(counts.of(Status::Refused), "refused");
  add(counts.of(Status::Unscored), "cut off");
  std::string text = counted(results.rows.size(), "candidate") + " on " +
                     counted(results.cases, "case") + (parts.empty() ? "" : ": ") + parts;
  if (counts.duplicates > 0) text += "; duplicates among them: " + grouped(counts.duplicates);
  if (counts.behaviours < counts.programs)
    text += "; " + counted(counts.behaviours, "distinct behaviour");
  if (counts.fixed > 0) text += "; edited by --fix: " + grouped(counts.fixed);
  return text + "\n";
}

std::string front_line(const Results& results) {
  return counted(engine::count_outcomes(results).pareto, "program") +
         " on the Pareto front of score, fuel and bytes\n";
}

std::string problem_line(const Results& results, u32 row_index) {
  const ResultRow& row = results.rows[row_index];
  std::string text(results.id(row_index));
  if (row.diagnostics > 0) {
    const engine::DiagnosticText& d = results.diagnostics[row.diagnostics_begin];
    if (row.status == Status::CompileError)
      text += ":" + std::to_string(d.begin.line) + ":" + std::to_string(d.begin.column) +
              ": error[" + std::string(d.code) + "]";
    text += ": " + d.message;
  } else if (row.first_failure != engine::kNone) {
    text += ": " + failure_text(results, row);
  } else {
    text += ": " + status_text(row);
  }
  return services::printable(text);
}

}  // namespace komuz::cli
