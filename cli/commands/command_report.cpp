// SPDX-License-Identifier: Apache-2.0
// komuz report: turns a log, or the logs of all or some shards, into a page.
#include <algorithm>
#include <charconv>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/evaluation/missing_parts.h"
#include "cli/evaluation/read_logs.h"
#include "cli/files/file_writer.h"
#include "cli/terminal/out_of_memory.h"
#include "engine/log/log_header.h"
#include "engine/log/merge_logs.h"
#include "engine/results/equal_ids.h"
#include "engine/results/read_details.h"
#include "services/display_text.h"
#include "services/format.h"
#include "services/report_page/report_page.h"
#include "services/results/plotted_results.h"
#include "services/results/problem_text.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {
namespace {

u64 repeated_ids(const engine::Results& results) {
  engine::EqualIds ids;
  for (u32 row = 0; row < results.rows.size(); ++row) ids.add(results.id(row));
  return ids.repeated();
}

constexpr OptionRow kOptions[] = {
    {"output", "OUT", "the page to write; default: the first LOG with .html", files("html"), 'o'},
    {"partial", "",
     "make a page of the available candidates, even if parts are missing or unfinished"},
    kProgressOption,
    kMemoryOption,
};

bool is_of_sketch(const engine::MergedLogs& logs) {
  return engine::header_text(logs.header(), "sketch").has_value();
}

// The details beside the row; for a damaged line there are fewer. A row with an error score has no failed case:
// inexact cases are not failures.
engine::FindingsText findings_of(engine::MergedLogs& logs, const engine::Results& results,
                                 u32 row) {
  std::string details;
  logs.write_details(details, results, row);
  engine::FindingsText findings;
  if (!engine::read_findings(details, findings)) return {};
  if (results.rows[row].status == engine::Status::Ok) findings.failure.reset();
  if (findings.failure && !findings.failure->place.empty() && is_of_sketch(logs))
    findings.failure->place += " of the sketch";
  return findings;
}

// The same on one line.
std::string finding_of(engine::MergedLogs& logs, const engine::Results& results, u32 row) {
  const engine::FindingsText findings = findings_of(logs, results, row);
  if (findings.failure) return services::failure_line(*findings.failure);
  for (const engine::DiagnosticText& d : findings.diagnostics)
    if (d.severity == Severity::Error)
      return (d.code == engine::kRefusedCode
                  ? ""
                  : engine::place_text("", d.begin.line, d.begin.column) + " " +
                        std::string(d.code) + ": ") +
             d.message;
  return {};
}

// The known facts of a program.
services::ReportProgram program_of(engine::MergedLogs& logs, const engine::Results& results,
                                   u32 row) {
  services::ReportProgram out;
  out.source = logs.source_of(results, row).value_or("");
  // Texts of variants have no layout of their own.
  if (is_of_sketch(logs)) {
    frontend::Compiler compiler;
    services::Formatted formatted = services::format(compiler, out.source);
    if (formatted.ok) out.source = std::move(formatted.text);
  }
  engine::FindingsText findings = findings_of(logs, results, row);
  if (findings.failure) {
    engine::FailureText& failure = *findings.failure;
    out.failure = {failure.line, services::joined(failure.arguments), std::move(failure.expected),
                   failure.found()};
  }
  for (engine::DiagnosticText& diagnostic : findings.diagnostics)
    out.diagnostics.push_back({diagnostic.begin.line, diagnostic.begin.column,
                               std::string(severity_name(diagnostic.severity)),
                               std::string(diagnostic.code), std::move(diagnostic.message)});
  return out;
}

// A whole number as people read it; any other text is unchanged.
std::string grouped_number(const std::string& text) {
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number ? grouped(number) : text;
}

std::vector<services::ReportFact> facts_of(const engine::LogHeader& header,
                                           const engine::Results& results) {
  const engine::OutcomeCounts counts = engine::count_outcomes(results);
  std::vector<services::ReportFact> facts = {{"candidates", grouped(results.rows.size())}};
  const auto add_count = [&](std::string_view name, u64 count) {
    if (count > 0) facts.push_back({std::string(name), grouped(count)});
  };
  for (size_t k = 0; k < engine::kStatuses; ++k)
    add_count(engine::status_name(static_cast<engine::Status>(k)), counts.by_status[k]);
  add_count("duplicates", counts.duplicates);
  add_count("behaviours", counts.behaviours);
  add_count("edited by --fix", counts.fixed);
  add_count("edits of the sketch by --fix", results.fixed_sketch.fixes.size());
  if (engine::header_text(header, "sketch") == std::nullopt)
    add_count("ids that repeat", repeated_ids(results));
  if (results.typed) facts.push_back({"signature", results.signature});
  if (std::string held_out = services::held_out_text(results, 1u << 16); !held_out.empty()) {
    held_out.resize(held_out.find('\n'));
    facts.push_back({"held out", held_out.substr(held_out.find(": ") + 2)});
  }
  // The settings that the run depended on, without those that are shown elsewhere or mean nothing to people.
  for (const auto& [name, value] : header) {
    const bool says_something = value != "null" && value != "false" && value != "0";
    constexpr std::string_view kElsewhere[] = {"sketch", "sketch_fixes", "cases_hash", "signature",
                                               "shard"};
    if (!says_something || std::ranges::find(kElsewhere, name) != std::end(kElsewhere)) continue;
    std::string shown = name;
    std::ranges::replace(shown, '_', ' ');
    const bool is_text = value.front() == '"';
    facts.push_back({std::move(shown), is_text ? engine::header_text(header, name).value_or("")
                                       : name == "seed" ? value  // unchanged, to be copied
                                                        : grouped_number(value)});
  }
  return facts;
}

std::vector<services::ReportRow> rows_of(const engine::Results& results) {
  std::vector<services::ReportRow> rows;
  rows.reserve(results.rows.size());
  for (u32 i = 0; i < results.rows.size(); ++i) {
    const engine::ResultRow& row = results.rows[i];
    services::ReportRow& out = rows.emplace_back();
    out.id = results.id(i);
    out.status = engine::status_name(row.status);
    out.program = row.duplicate_of == engine::kNone ? i : row.duplicate_of;
    out.rank = row.rank;
    if (row.scored) out.score = row.score;
    if (engine::was_run(row)) {
      out.passed = row.passed;
      out.fuel = row.fuel;
    }
    if (row.code_bytes != 0) out.code_bytes = row.code_bytes;
    if (row.duplicate_of != engine::kNone) out.copy_of = row.duplicate_of;
    out.is_on_front = row.pareto;
  }
  return rows;
}

std::string page_of(engine::MergedLogs& logs, const engine::Results& results) {
  const services::PlottedResults plotted(results);
  const std::vector<services::ReportRow> rows = rows_of(results);
  services::ReportPage page;
  page.title =
      (engine::header_text(logs.header(), "command") == "search" ? "Search: " : "Evaluation: ") +
      counted(results.rows.size(), "candidate") + " on " + counted(results.cases, "case");
  if (!results.complete) page.title += ", not complete";
  page.facts = facts_of(logs.header(), results);
  page.score_name = results.score == engine::ScoreKind::Exact
                        ? "score"
                        : std::string(engine::score_name(results.score));
  page.better = services::better_of(results);
  page.cases = results.cases;
  page.rows = rows;
  page.program = [&](u64 row) { return program_of(logs, results, static_cast<u32>(row)); };
  page.finding = [&](u64 row) { return finding_of(logs, results, static_cast<u32>(row)); };
  page.sketch = engine::header_text(logs.header(), "sketch").value_or("");
  page.cases_of_best = plotted.cases_of_best();
  return services::write_report_page(page);
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("report", "`--` has no meaning here");
  if (args.positional.empty()) return terminal.usage_error("report", "name a log");
  const std::string first(args.positional.front());
  constexpr std::string_view kEnding = ".jsonl";
  const std::string stem =
      first.ends_with(kEnding) ? first.substr(0, first.size() - kEnding.size()) : first;
  const std::string out(args.value("output").value_or(stem + ".html"));
  const Output output[] = {{"-o", out, true}};
  engine::MergedLogs logs;
  engine::Results results;
  if (const Exit read = read_logs(args, output, terminal, logs, results); read != Exit::Success)
    return read;
  std::string page;
  const Exit made = within_memory("the page is not written", terminal, [&] {
    page = page_of(logs, results);
    return Exit::Success;
  });
  if (made != Exit::Success) return made;
  if (logs.read_error()) return terminal.input_error(logs.read_error().text());
  if (const std::string missing = missing_parts_text(logs);
      args.has("partial") && !missing.empty()) {
    terminal.note("this is not the whole run: the page is of what is there");
    terminal.err.write(missing);
  }
  if (out == "-") {
    terminal.out.write(page);
    return Exit::Success;
  }
  const Exit written = within_memory("the page is not written", terminal, [&] {
    const auto error = write_file(out, page);
    return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
  });
  if (written != Exit::Success) return written;
  terminal.out.write(services::printable(out) + ": " + counted(results.rows.size(), "candidate") +
                     (results.complete ? "" : ", not complete") + "\n");
  if (logs.lacks_memory()) {
    terminal.error(out_of_memory_text(" after " + counted(results.rows.size(), "candidate")),
                   "give it more: the page is of these alone");
    return Exit::Memory;
  }
  return Exit::Success;
}

}  // namespace

constinit const Command kReportCommand = {
    .name = "report",
    .summary = "make a page of a results log: ranking, charts, the best programs",
    .usage =
        "  komuz report LOG… [-o OUT] [--partial]\n"
        "LOG is a log that `komuz eval` or `komuz search` has written with `--log`. The run may\n"
        "still be going on. For shards, name all logs, or use `--partial`. The page is one HTML\n"
        "file that needs no network.\n",
    .examples =
        "  komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
        "\\\n"
        "      --score squared --log run.jsonl\n"
        "  komuz report run.jsonl -o report.html\n",
    .arguments = {files(services::kLogEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
