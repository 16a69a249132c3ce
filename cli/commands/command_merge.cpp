// SPDX-License-Identifier: Apache-2.0
// komuz merge: the logs of shards in, the ranking of the whole run out.
#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/evaluation/missing_parts.h"
#include "cli/evaluation/read_logs.h"
#include "cli/evaluation/report_file.h"
#include "cli/files/file_writer.h"
#include "cli/process/version.h"
#include "cli/programs/program_warnings.h"
#include "cli/terminal/out_of_memory.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/candidates/load_modules.h"
#include "engine/log/log_header.h"
#include "engine/log/merge_logs.h"
#include "engine/results/read_details.h"
#include "services/display_text.h"
#include "services/evaluation/best_texts.h"
#include "services/evaluation/evaluated_sketch.h"
#include "services/evaluation/merged_programs.h"
#include "services/options/evaluation_request.h"
#include "services/results/fitted_line.h"
#include "services/results/plotted_results.h"
#include "services/results/problem_text.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    services::kTopOption,
    services::kDistinctOption,
    services::kParetoOption,
    services::kBestOption,
    services::kReportOption,
    services::kPlotOption,
    {"partial", "", "rank the available candidates, even if parts are missing or unfinished"},
    kProgressOption,
    kMemoryOption,
};

// Says what is missing, and what to do about it.
Exit incomplete(const engine::MergedLogs& logs, const engine::Results& results, bool is_partial,
                Terminal& terminal) {
  const auto& unfinished = logs.unfinished();
  const std::string of = counted(results.rows.size(), "candidate");
  if (!is_partial)
    return terminal.input_error(unfinished.front().path + " has no end: this is of the first " + of,
                                "run that part again with `--resume " + unfinished.front().path +
                                    "`, or rank all that is there by `--partial`");
  terminal.error("this is not the whole run: it is of the " + of + " that " +
                 (results.rows.size() == 1 ? "is" : "are") + " there");
  terminal.err.write(missing_parts_text(logs));
  return Exit::Failure;
}

// For rows that the table shows, and for those that did not run. Warnings are only for rows that are shown.
std::string problems_of(engine::MergedLogs& logs, const engine::Results& results,
                        std::span<const u32> shown, u32 width, services::Warnings& warnings) {
  const auto findings = [&](u32 row) {
    std::string details;
    logs.write_details(details, results, row);
    engine::FindingsText known;
    if (!engine::read_findings(details, known)) known = {};
    return known;
  };
  services::Problems problems(width, shown.size());
  const auto is_run = [&](u32 row) { return engine::was_run(results.rows[row]); };
  for (const u32 row : shown)
    if (is_run(row)) {
      problems.add(results, row, findings);
      for (const engine::DiagnosticText& d : findings(row).diagnostics)
        warnings.add(results.id(row), d, services::Warnings::Source::Row);
    }
  for (u32 row = 0; row < results.rows.size(); ++row)
    if (!is_run(row)) problems.add(results, row, findings);
  return problems.text(results, shown);
}

// The sketch whose variants the logs contain, if it can be read: modules or a harness that it uses may be absent.
std::optional<engine::SketchProgram> sketch_of(const engine::LogHeader& header) {
  const std::optional<std::string> source = engine::header_text(header, "sketch");
  if (!source) return std::nullopt;
  engine::ModuleLoader modules(nullptr);
  modules.load(*source);
  return engine::read_sketch(*source, {.library = &modules.library()});
}

bool has_best(const engine::Results& results) {
  return !results.rows.empty() && results.rows[results.ranking.front()].scored;
}

bool is_of_sketch(const engine::MergedLogs& logs) {
  return engine::header_text(logs.header(), "sketch").has_value();
}
Result<std::string> best_of(const engine::MergedLogs& logs, const engine::Results& results,
                            const std::string& source) {
  return services::best_text(results, source,
                             {.origin = services::origin_of(results, is_of_sketch(logs)),
                              .entry = engine::header_text(logs.header(), "entry").value_or(""),
                              .library = nullptr});
}

Exit write_best_of(engine::MergedLogs& logs, const engine::Results& results,
                   const std::string& path, Terminal& terminal) {
  std::optional<std::string> source("");
  if (has_best(results)) source = logs.source_of(results, results.ranking.front());
  if (source) {
    const Result<std::string> best = best_of(logs, results, *source);
    if (!best.problem())
      return write_best(
          path, best.value(),
          {.entry = engine::header_text(logs.header(), "entry").value_or(""), .library = nullptr},
          terminal);
    terminal.error(best.problem().message(), best.problem().remedy());
    return Exit::Failure;
  }
  // They are behind the last row.
  if (logs.lacks_memory())
    return terminal.input_error(
        "the text of the best variant could not be read for want of memory");
  return terminal.input_error(
      "the logs do not have the text of the best variant",
      "it is there once they have come to their end; `komuz fill` writes any");
}

Exit run(Args& args, Terminal& terminal) {
  const size_t top = args.number("top", 10, 1, u64{1} << 32);
  if (!args.error().empty()) return terminal.usage_error("merge", args.error());
  if (const Problem conflict = services::find_table_conflict(args))
    return terminal.usage_error("merge", conflict.message());
  if (args.positional.empty()) return terminal.usage_error("merge", "name the logs");
  if (const Problem wrong = services::find_code_path_problem(args, "merge"))
    return terminal.usage_error("merge", wrong.message());
  const std::string json_path(args.value("json").value_or("")),
      plot_path(args.value("plot").value_or("")), best_path(args.value("best").value_or(""));
  const Output outputs[] = {
      {"--json", json_path, true}, {"--plot", plot_path, false, true}, {"--best", best_path, true}};
  engine::MergedLogs logs;
  engine::Results results;
  if (const Exit read = read_logs(args, outputs, terminal, logs, results); read != Exit::Success)
    return read;
  if (const Problem conflict = services::find_table_conflict(args, results))
    return terminal.usage_error("merge", conflict.message());
  if (const auto version = engine::header_text(logs.header(), "komuz"); version != kVersion)
    return terminal.input_error(
        "`" + std::string(args.positional.front()) + "` is of komuz " +
            version.value_or("without a version") + ", and this is " + std::string(kVersion),
        "merge it with the version that has written it: scores and code may differ");
  if (json_path != "-") {
    const services::TableRows rows = services::read_table_rows(args);
    const std::vector<u32> shown = services::shown_rows(results, rows, top);
    const std::optional<engine::SketchProgram> sketch = sketch_of(logs.header());
    terminal.out.write(services::ranking_table(
        results, rows, shown, terminal.out.columns(), terminal.out.style(),
        sketch ? services::shown_decisions(*sketch, results) : services::ShownPrograms()));
    if (best_path != "-" && has_best(results))
      if (const auto source = logs.source_of(results, results.ranking.front()))
        terminal.out.write(services::best_program_text(results, best_of(logs, results, *source)));
    terminal.out.write(services::counts_line(results));
    terminal.out.write(services::line_text(results));
    if (rows == services::TableRows::ParetoFront) terminal.out.write(services::front_line(results));
    if (const auto generations = engine::generations_of(logs.header(), results))
      terminal.out.write(counted(*generations, "generation") + "\n");
    terminal.out.write(services::worst_text(results, terminal.out.style().width));
    terminal.out.write(services::held_out_text(results, terminal.out.style().width));
    for (const std::string& way : logs.variants())
      terminal.out.write("variants " + services::printable(way) + "\n");
    services::Warnings warnings;
    terminal.out.write(problems_of(logs, results, shown, terminal.out.style().width, warnings));
    terminal.out.flush();
    const bool has_ids = !engine::header_text(logs.header(), "sketch").has_value();
    engine::EqualIds equal;
    for (u32 row = 0; row < results.rows.size(); ++row) equal.add(results.id(row));
    if (const services::Note note = services::equal_ids_note(equal);
        has_ids && !note.message.empty())
      terminal.note(note.message, note.remedy);
    if (!sketch) say_warnings(warnings, terminal);
    if (logs.read_error()) return terminal.input_error(logs.read_error().text());
  }
  // Each output is written, even if another fails. A failed write outranks an output with nothing to write.
  Exit exit = Exit::Success;
  const auto note = [&exit](Exit of_one) {
    if (exit == Exit::Success || (exit == Exit::Failure && of_one != Exit::Success)) exit = of_one;
  };
  if (!json_path.empty()) {
    const engine::WriteDetails details = [&](std::string& out, u32 row) {
      logs.write_details(out, results, row);
    };
    note(within_memory("the report is not written", terminal, [&] {
      const engine::ReportAdditions additions = {
          services::programs_json(services::programs_of(logs, results),
                                  services::origin_of(results, is_of_sketch(logs))),
          {}};
      return write_report(json_path, results, details, 1, additions, logs.read_error(), terminal);
    }));
  }
  if (!best_path.empty())
    note(within_memory("the best program is not written", terminal,
                       [&] { return write_best_of(logs, results, best_path, terminal); }));
  if (!plot_path.empty())
    note(within_memory("the charts are not drawn", terminal, [&] {
      const auto error = write_file(plot_path, services::PlottedResults(results).draw());
      return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
    }));
  if (logs.lacks_memory()) {
    terminal.error(out_of_memory_text(" after " + counted(results.rows.size(), "candidate")),
                   "give it more: what is shown is of these alone");
    return Exit::Memory;
  }
  if (exit != Exit::Success) return exit;
  if (!logs.unfinished().empty()) return incomplete(logs, results, args.has("partial"), terminal);
  const bool any_scored =
      std::ranges::any_of(results.rows, [](const engine::ResultRow& row) { return row.scored; });
  return any_scored ? Exit::Success : Exit::Failure;
}

}  // namespace

constinit const Command kMergeCommand = {
    .name = "merge",
    .summary = "join the logs of shards into one ranking",
    .usage =
        "  komuz merge LOG… [--partial] [--top N] [--distinct | --pareto] [--best OUT] [--json "
        "OUT] [--plot "
        "OUT.svg]\n"
        "LOG… are the logs that `komuz eval … --shard I/N --log LOG` has written, of all N "
        "shards,\n"
        "in any order. The report is the same as that of a run without shards, byte for byte. One\n"
        "log of a run without shards gives its ranking again. If parts are missing or unfinished,\n"
        "`--partial` ranks the available candidates, says which are missing, and exits with 1. "
        "Logs\n"
        "have no cases: results on held-out cases and worst cases are those of the best alone.\n",
    .examples =
        "  komuz eval pool.jsonl --cases cases.csv --shard 1/2 --log 1.jsonl   # on one machine\n"
        "  komuz eval pool.jsonl --cases cases.csv --shard 2/2 --log 2.jsonl   # on another\n"
        "  komuz merge 1.jsonl 2.jsonl --json report.json\n",
    .arguments = {files(services::kLogEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
