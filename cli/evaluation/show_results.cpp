// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/show_results.h"

#include <algorithm>
#include <utility>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "cli/evaluation/report_file.h"
#include "cli/files/file_writer.h"
#include "cli/terminal/bar_watch.h"
#include "cli/terminal/out_of_memory.h"
#include "engine/results/report.h"
#include "services/evaluation/best_texts.h"
#include "services/evaluation/optimised_best.h"
#include "services/evaluation/shown_best.h"
#include "services/results/fitted_line.h"
#include "services/results/plotted_results.h"
#include "services/results/problem_text.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {
namespace {

bool has_report(const services::EvaluationRequest& request) {
  return !request.json_path.empty() && !request.streams();
}
template <class Programs>
auto first_of(const Programs& programs, u64 most) {
  return std::span(programs).first(std::min<u64>(most, programs.size()));
}

Exit write_best_code(const std::string& path, const services::OptimisedBest& best,
                     Terminal& terminal) {
  if (!best.code) {
    terminal.error(best.why_no_code);
    return best.is_interrupted ? Exit::Interrupted : Exit::Failure;
  }
  const auto error = write_file(path, services::code_file_of(*best.code));
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
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
    known_best.emplace(services::shown_best({.request = request,
                                             .results = results,
                                             .is_variant = sketch.has_value(),
                                             .tables = run.tables},
                                            interrupt.token(), note));
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
  services::OptimisedBest optimised;
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
      const auto watch = [&](const std::function<void(const engine::Watch&)>& work) {
        work(BarWatch(terminal, &interrupt, interrupt.token()));
      };
      const auto on_program = [&](const services::OptimisedProgram& program) {
        if (!request.shows_table()) return;
        terminal.out.write(services::optimised_text(program, terminal.out.style()));
        terminal.out.flush();
      };
      optimised = services::optimise_best(request, best_first, services::compile_options(request),
                                          {watch, on_program});
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
                          {.entry = services::best_entry(request, results.best_source),
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
