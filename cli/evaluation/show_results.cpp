// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/show_results.h"

#include <algorithm>
#include <utility>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "cli/evaluation/optimise_best.h"
#include "cli/evaluation/report_file.h"
#include "cli/evaluation/unprotect_best.h"
#include "cli/files/file_writer.h"
#include "cli/terminal/out_of_memory.h"
#include "engine/cases/signature.h"
#include "engine/results/report.h"
#include "services/evaluation/best_texts.h"
#include "services/results/fitted_line.h"
#include "services/results/plotted_results.h"
#include "services/results/problem_text.h"
#include "services/results/ranking_text.h"
#include "services/simplify/simplify.h"

namespace komuz::cli {
namespace {

bool has_report(const services::EvaluationRequest& request) {
  return !request.json_path.empty() && !request.streams();
}
template <class Programs>
auto first_of(const Programs& programs, u64 most) {
  return std::span(programs).first(std::min<u64>(most, programs.size()));
}

// The name of the best program's entry; empty: it is the only `pub fn`.
std::string best_entry(const services::EvaluationRequest& request, const std::string& source) {
  const engine::ProgramOptions& programs = request.options.programs;
  if (!programs.entry.empty() || !programs.signature) return programs.entry;
  frontend::Compiler compiler(services::compile_options(request));
  frontend::Compilation made;
  compiler.compile(source, made);
  if (!made.ok) return {};
  const CodeView code = made.code.view();
  const engine::EntryChoice entry = engine::choose_entry(code, {}, *programs.signature);
  return entry.refusal.empty() ? std::string(code.name(code.functions[entry.function])) : "";
}

// As it is written, and shown below the table. What is to be said of it is added to `note`.
Result<std::string> best_program(const EndedRun& run, const std::stop_token& stop,
                                 services::Note& note) {
  const services::EvaluationRequest& request = run.request;
  const std::string entry = best_entry(request, run.results.best_source);
  const Library* const library = &request.options.programs.modules->library();
  const services::TextOrigin origin = services::origin_of(run.results, run.sketch.has_value());
  Result<std::string> text = services::best_text(
      run.results, run.results.best_source, {.origin = origin, .entry = entry, .library = library});
  if (text.problem() || text.value().empty()) return text;
  if (request.unprotects && stop.stop_requested())
    note = {"interrupted: the cases were not asked which protections the best program needs",
            "`komuz fill --unprotect CASES` asks them"};
  else if (request.unprotects && !machine::is_memory_short())
    return unprotected_best(text.value(),
                            {.entry = entry,
                             .tables = run.tables,
                             .library = library,
                             .fuel = request.options.limits.fuel,
                             .stop = stop},
                            note);
  else if (origin == services::TextOrigin::Variant)
    note = services::unsimplified_note(text.value());
  return text;
}

}  // namespace

u64 told_programs(const services::EvaluationRequest& request) {
  if (request.options.programs.shard.of > 1) return 0;
  return std::max(request.optimised, has_report(request) ? request.options.details.programs : 0);
}

Exit show_results(const EndedRun& run, Interrupt& interrupt, Terminal& terminal) {
  const services::EvaluationRequest& request = run.request;
  const engine::Results& results = run.results;
  const std::optional<services::EvaluatedSketch>& sketch = run.sketch;
  const bool is_empty_shard = request.options.programs.shard.of > 1 && results.candidates() == 0;
  Exit exit = Exit::Success;
  if (results.typed && !run.tables.empty())
    if (const services::Note note = services::indicators_note(*run.tables[0], results.suite);
        !note.message.empty())
      terminal.note(note.message, note.remedy);
  std::optional<Result<std::string>> known_best;
  const auto best_of_run = [&]() -> const Result<std::string>& {
    if (known_best) return *known_best;
    services::Note note;
    known_best.emplace(best_program(run, interrupt.token(), note));
    if (!note.message.empty()) terminal.note(note.message, note.remedy);
    return *known_best;
  };
  const auto show_table = [&] {
    const std::vector<u32> shown = services::shown_rows(results, request.table_rows, request.top);
    terminal.out.write(services::ranking_table(
        results, request.table_rows, shown, terminal.out.columns(), terminal.out.style(),
        sketch ? services::shown_decisions(sketch->program(), results)
               : services::ShownPrograms()));
    if (request.best_path != "-")
      terminal.out.write(services::best_program_text(results, best_of_run()));
    terminal.out.write(services::counts_line(results));
    terminal.out.write(services::line_text(results));
    if (is_empty_shard)
      terminal.out.write("part " + engine::shard_text(request.options.programs.shard) +
                         " has no candidates: parts get blocks of " +
                         grouped(engine::Shard::kBlock) + " in turn\n");
    if (request.table_rows == services::TableRows::ParetoFront)
      terminal.out.write(services::front_line(results));
    if (sketch) terminal.out.write(sketch->summary(request.options));
    terminal.out.write(services::worst_text(results, terminal.out.style().width));
    terminal.out.write(services::held_out_text(results, terminal.out.style().width));
    if (!run.gpu.empty()) terminal.out.write("run on " + std::string(run.gpu) + "\n");
    terminal.out.write(run.rows.problems(results, shown));
    terminal.out.flush();
    return Exit::Success;
  };
  if (request.shows_table()) exit = within_memory("the table is not shown", terminal, show_table);
  if (!run.has_details) return Exit::InputOutput;
  // Each output is written, even if another fails. A failed write outranks an output with nothing to write.
  const auto note = [&exit](Exit of_one) {
    if (exit != Exit::InputOutput && of_one != Exit::Success) exit = of_one;
  };
  std::vector<services::RankedProgram> programs;
  if (told_programs(request) != 0)
    note(within_memory("the best programs are not told", terminal, [&] {
      programs = sketch
                     ? services::ranked_variants(sketch->program(), results, told_programs(request))
                     : run.best_programs->programs();
      return Exit::Success;
    }));
  OptimisedBest optimised;
  if (request.optimised != 0)
    note(within_memory("the best programs are not optimised", terminal, [&] {
      const auto first = first_of(programs, request.optimised);
      std::vector<services::RankedProgram> best_first(first.begin(), first.end());
      if (services::is_code_path(request.best_path) && !best_first.empty()) {
        const Result<std::string>& best = best_of_run();
        if (best.problem()) {
          optimised.why_no_code = best.problem().text();
          return Exit::Success;
        }
        best_first.front().text = best.value();
      }
      optimised = optimise_best(request, best_first, services::compile_options(request), interrupt,
                                terminal);
      if (!optimised.is_interrupted) return Exit::Success;
      // Else it is said of the run.
      if (results.complete) terminal.error("interrupted while the best programs were optimised");
      return Exit::Interrupted;
    }));
  if (results.has_dropped_rows) {
    terminal.error(
        "there was no memory for the rows of all: the report and the charts are not written",
        "`komuz merge " + request.log_path +
            " --json OUT --plot OUT.svg` makes them of the log, with more memory");
    note(Exit::Memory);
  }
  if (has_report(request) && !results.has_dropped_rows) {
    // With a log, the details are in the log.
    engine::WriteDetails details;
    if (request.options.details.log != nullptr)
      details = [&](std::string& out, u32 row) { run.log.write_details(out, results, row); };
    note(within_memory("the report is not written", terminal, [&] {
      const u32 threads = machine::is_memory_short() ? 1 : request.options.machines.threads;
      engine::ReportAdditions additions{.programs = {}, .optimised = optimised.json};
      if (request.options.programs.shard.of == 1)
        additions.programs =
            services::programs_json(first_of(programs, request.options.details.programs),
                                    services::origin_of(results, sketch.has_value()));
      return write_report(request.json_path, results, details, threads, additions,
                          run.log.read_error(), terminal);
    }));
  }
  if (!request.best_path.empty())
    note(within_memory("the best program is not written", terminal, [&] {
      if (services::is_code_path(request.best_path))
        return write_best_code(request.best_path, optimised, terminal);
      const Result<std::string>& best = best_of_run();
      if (!best.problem())
        return write_best(request.best_path, best.value(),
                          {.entry = best_entry(request, results.best_source),
                           .library = &request.options.programs.modules->library()},
                          terminal);
      terminal.error(best.problem().message(), best.problem().remedy());
      return Exit::Failure;
    }));
  if (!request.plot_path.empty() && !results.has_dropped_rows)
    note(within_memory("the charts are not drawn", terminal, [&] {
      const auto error = write_file(request.plot_path, services::PlottedResults(results).draw());
      return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
    }));
  if (exit != Exit::Success) return exit;
  return run.rows.any_scored() || is_empty_shard ? Exit::Success : Exit::Failure;
}

}  // namespace komuz::cli
