// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/table_run.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/counts.h"
#include "cli/files/file_writer.h"
#include "cli/files/outputs.h"
#include "cli/files/whole_file.h"
#include "cli/terminal/bar_watch.h"
#include "engine/cases/slice_entry.h"
#include "engine/cases/suite.h"
#include "engine/cases/unpack.h"
#include "engine/cases/widened_table.h"
#include "engine/testing/run_rows.h"
#include "engine/values/value_text.h"
#include "lang/traps.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kTrapColumn = "trap";

// The results of all rows, as the table writes them.
struct RowResults {
  std::string texts;
  std::vector<u64> ends;    // of each row's text
  std::vector<Trap> traps;  // of each row
  std::array<u64, kTrapCount> counts{};
  size_t first_trapped = 0;  // a row, if any trapped

  [[nodiscard]] std::string_view text(size_t row) const {
    const u64 begin = row == 0 ? 0 : ends[row - 1];
    return std::string_view(texts).substr(begin, ends[row] - begin);
  }
  [[nodiscard]] u64 trapped() const { return ends.size() - counts[0]; }
};

// Takes outcomes as they come.
class RowTexts {
 public:
  RowTexts(const engine::Suite& suite, engine::ValueStyle style, RowResults& out)
      : style_(style),
        format_(suite.signature.result_type),
        cells_(count_cells(suite.signature.result_type)),
        has_decimal_commas_(style == engine::ValueStyle::CommaText &&
                            suite.signature.result_type.size() == 1 &&
                            is_float(static_cast<Scalar>(suite.signature.result_type[0]))),
        out_(out) {}

  void take(u32 begin, const OutcomesView& outcomes) {
    const size_t rows = outcomes.traps.size();
    for (u32 row = 0; row < rows; ++row) {
      const Trap trap = outcomes.traps[row];
      if (trap == Trap::None) {
        for (size_t cell = 0; cell < cells_.size(); ++cell)
          cells_[cell] = outcomes.values[cell * rows + row];
        const size_t begin_of_text = out_.texts.size();
        format_.print(out_.texts, cells_, style_);
        if (has_decimal_commas_)
          std::ranges::replace(out_.texts.begin() + static_cast<std::ptrdiff_t>(begin_of_text),
                               out_.texts.end(), '.', ',');
      } else if (out_.trapped() == 0) {
        out_.first_trapped = begin + row;
      }
      ++out_.counts[static_cast<size_t>(trap)];
      out_.traps.push_back(trap);
      out_.ends.push_back(out_.texts.size());
    }
  }

 private:
  engine::ValueStyle style_;
  engine::ValueFormat format_;
  std::vector<u64> cells_;
  bool has_decimal_commas_;  // of numbers; in other values a comma separates
  RowResults& out_;
};

// "2 of 1,000 rows trapped: 1 DIV_ZERO, 1 OVERFLOW; the first is on line 5 of cases.csv"
std::string trapped_text(const RowResults& results, const engine::CasesTable& table) {
  std::string kinds;
  for (size_t kind = 1; kind < kTrapCount; ++kind)
    if (results.counts[kind] != 0)
      kinds += (kinds.empty() ? "" : ", ") + grouped(results.counts[kind]) + " " +
               std::string(trap_name(static_cast<Trap>(kind)));
  return grouped(results.trapped()) + " of " + counted(results.ends.size(), "row") +
         " trapped: " + kinds + "; the first is on line " +
         grouped(table.rows[results.first_trapped].line) + " of " + table.file;
}

Exit write_table(const std::string& path, std::string_view bytes, const engine::CasesTable& table,
                 std::span<const engine::AddedColumn> columns, Terminal& terminal) {
  if (path == "-") {
    engine::write_widened(bytes, table, columns, [&](std::string_view piece) {
      terminal.out.write(piece);
      return terminal.out.good();
    });
    return Exit::Success;
  }
  FileWriter file(path);
  Problem error = file.open();
  if (!error) {
    engine::write_widened(bytes, table, columns,
                          [&](std::string_view piece) { return file.write(piece); });
    error = file.close();
  }
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
}

Exit interrupted(Terminal& terminal) {
  terminal.error("interrupted: no table is written");
  return Exit::Interrupted;
}

}  // namespace

Exit run_on_table(const TableRun& request, Program& program, u32 function,
                  engine::NativeTier* native, Terminal& terminal) {
  const Output outputs[] = {{"-o", request.out_path, true}};
  const std::string inputs[] = {request.cases_path, program.path};
  if (const Exit checked = check_outputs(outputs, inputs, terminal); checked != Exit::Success)
    return checked;
  Interrupt interrupt;
  const BarWatch bar(terminal, &interrupt, interrupt.token());
  std::string bytes;
  if (const Problem unread = read_whole_file(request.cases_path, kCasesLimit, bar, bytes))
    return terminal.input_error(unread.message(), unread.remedy());
  // What is written is not packed.
  if (engine::is_gzip(bytes)) {
    std::string unpacked;
    const Problem damaged =
        engine::unpack_gzip(request.cases_path, bytes, engine::kMaxCaseBytes, bar, unpacked);
    if (interrupt.requested()) return interrupted(terminal);
    if (damaged) return terminal.input_error(damaged.text());
    bytes = std::move(unpacked);
  }
  engine::CasesTable table;
  engine::CaseFields fields;
  fields.has_expectations = false;
  fields.inputs = request.inputs;
  fields.form = request.form;
  Problem error = engine::read_cases(request.cases_path, bytes, fields, table, bar);
  const engine::Signature signature =
      engine::signature_of(program.code.view(), program.code.functions[function]);
  engine::Suite suite;
  if (!error) error = engine::make_columns(table, signature, suite, interrupt.token());
  if (interrupt.requested()) return interrupted(terminal);
  if (error.is(ProblemKind::Option)) return terminal.usage_error("run", error.text());
  if (error) return terminal.input_error(error.text());
  const CodeView code = program.code.view();
  const std::string name =
      request.column.empty() ? std::string(code.name(code.functions[function])) : request.column;
  const auto has_column = [&](std::string_view column) {
    return std::ranges::find(table.columns, column) != table.columns.end() ||
           std::ranges::find(table.fields, column) != table.fields.end();
  };
  if (has_column(name))
    return terminal.input_error(request.cases_path + " has a column `" + name + "` already",
                                "name that of the results by `--output NAME`");
  if (suite.has_slices)
    if (const std::string wrong = engine::add_slice_entry(program.code, function, suite.case_types);
        !wrong.empty())
      return terminal.input_error("with the longest slices of " + request.cases_path + ", " +
                                  wrong);
  if (const services::Note note = services::indicators_note(table, suite); !note.message.empty())
    terminal.note(note.message, note.remedy);
  if (const services::Note note = services::left_out_note(table); !note.message.empty())
    terminal.note(note.message, "their cells of `" + name + "` are empty");
  RowResults results;
  RowTexts texts(suite, table.style, results);
  engine::RowsRun rows(program.code.view(), function, suite, request.fuel, native);
  if (!rows.run(bar, [&](u32 begin, const OutcomesView& outcomes) { texts.take(begin, outcomes); }))
    return interrupted(terminal);
  if (results.trapped() != 0 && has_column(kTrapColumn))
    return terminal.input_error(
        trapped_text(results, table) + ", and the table has a column `trap` already",
        "give that column another name");
  const bool is_json = table.style == engine::ValueStyle::Json;
  std::vector<engine::AddedColumn> columns = {{name, [&](std::string& out, size_t row) {
                                                 const bool is_null =
                                                     is_json && results.traps[row] != Trap::None;
                                                 out += is_null ? "null" : results.text(row);
                                               }}};
  if (results.trapped() != 0)
    columns.push_back({kTrapColumn, [&](std::string& out, size_t row) {
                         if (results.traps[row] == Trap::None) return;
                         const std::string_view quote = is_json ? "\"" : "";
                         out.append(quote).append(trap_name(results.traps[row])).append(quote);
                       }});
  if (const Exit written = write_table(request.out_path, bytes, table, columns, terminal);
      written != Exit::Success)
    return written;
  if (results.trapped() == 0) return Exit::Success;
  terminal.out.flush();
  terminal.error(trapped_text(results, table));
  return Exit::Failure;
}

}  // namespace komuz::cli
