// SPDX-License-Identifier: Apache-2.0
#include "cli/fit/fit_run.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "base/counts.h"
#include "cli/evaluation/report_file.h"
#include "cli/files/file_writer.h"
#include "cli/files/outputs.h"
#include "cli/files/whole_file.h"
#include "cli/fit/fit_logs.h"
#include "cli/fit/live_front.h"
#include "cli/process/interrupt.h"
#include "cli/process/version.h"
#include "cli/terminal/bar_watch.h"
#include "engine/cases/cases_table.h"
#include "services/charts/charts.h"
#include "services/evaluation/given_programs.h"
#include "services/fit/described_formula.h"
#include "services/fit/fit_notes.h"
#include "services/fit/fit_tables.h"
#include "services/fit/fit_text.h"

namespace komuz::cli {
namespace {

Exit report(const Problem& problem, Terminal& terminal) {
  if (problem.is(ProblemKind::Option)) return terminal.usage_error("fit", problem.text());
  return terminal.input_error(problem.text());
}

std::vector<Output> outputs_of(const FitRequest& request) {
  std::vector<Output> outputs = {{"--best", request.best_path, true},
                                 {"--write-sketch", request.sketch_path, true},
                                 {"--json", request.json_path, true},
                                 {"--plot", request.plot_path, false, true}};
  for (const std::string& path : log_paths(request))
    outputs.push_back({request.resumes ? "--resume" : "--log", path, false, false, true});
  return outputs;
}
std::vector<std::string> inputs_of(const FitRequest& request) {
  std::vector<std::string> inputs = request.start_paths;
  inputs.push_back(request.table_path);
  inputs.push_back(request.held_out_path);
  return inputs;
}

Problem read_bytes(const std::string& path, const engine::Watch& watch, services::TableText& out) {
  out.name = path;
  if (Problem unread = read_whole_file(path, kCasesLimit, watch, out.bytes))
    return input_problem({}, unread.message(), unread.remedy());
  return watch.is_stopped() ? stopped() : Problem();
}

Result<services::FitTables> read_tables(const FitRequest& request, const engine::Watch& watch) {
  services::TableText table, held_out;
  if (Problem problem = read_bytes(request.table_path, watch, table)) return problem;
  const bool has_held_out = !request.held_out_path.empty();
  if (has_held_out)
    if (Problem problem = read_bytes(request.held_out_path, watch, held_out)) return problem;
  return services::read_fit_tables(std::move(table), has_held_out ? &held_out : nullptr, request,
                                   watch);
}

void say(const std::vector<services::Note>& notes, Terminal& terminal) {
  for (const services::Note& note : notes) terminal.note(note.message, note.remedy);
}

std::string search_line(const services::Fit& fit) {
  u64 generations = 0, candidates = 0;
  for (const services::FittedSearch& search : fit.searches) {
    generations += search.generations;
    candidates += search.candidates;
  }
  std::string text = grouped(candidates) + " formulas in " + counted(generations, "generation");
  if (fit.searches.size() > 1) text += " of " + grouped(fit.searches.size()) + " searches";
  if (std::ranges::any_of(fit.searches, &services::FittedSearch::has_reached_target))
    text += ": what is left is rounding";
  return text + "\n";
}

class FitOutput {
 public:
  FitOutput(const FitRequest& request, const services::Fit& fit, Terminal& terminal)
      : request_(request), fit_(fit), terminal_(terminal) {}

  Problem describe(const engine::FitData* held_out, const std::stop_token& stop) {
    Result<std::optional<services::DescribedFormula>> described =
        services::describe_selected(fit_, request_, held_out, stop);
    if (described.problem()) return std::move(described).problem();
    described_ = std::move(described).value();
    return {};
  }

  Exit write() {
    const services::DescribedFormula* const described = described_ ? &*described_ : nullptr;
    if (request_.json_path != "-") show(described);
    Exit exit = Exit::Success;
    const auto note = [&exit](Exit one) {
      if (exit == Exit::Success) exit = one;
    };
    if (!request_.json_path.empty())
      note(write(request_.json_path,
                 services::fit_json(fit_, request_.options, request_.fields, described, kVersion)));
    if (!request_.sketch_path.empty())
      note(write(request_.sketch_path, services::fit_sketch_text(fit_, search_command())));
    if (!fit_.selected) {
      terminal_.error("no formula gives a number on all rows",
                      "take other `--operators`, or more time");
      return Exit::Failure;
    }
    if (!request_.best_path.empty()) {
      const services::FitFormula& taken = fit_.front[fit_.selected->formula];
      BestFile how;
      // A program that was given may have another name.
      if (!taken.is_given) how.entry = fit_.function;
      how.comments = services::formula_comments(fit_, request_.options.loss, taken);
      for (const services::InputRange& range : services::ranges_of(fit_.data))
        how.ranges.push_back({range.name, range.least, range.most});
      note(write_best(request_.best_path,
                      services::formula_program(fit_, request_.options.loss, taken), how,
                      terminal_));
    }
    if (!request_.plot_path.empty() && described != nullptr) {
      const engine::BestCases& best = described->results.best;
      note(write(request_.plot_path, services::draw_actual_against_expected(
                                         {best.expected,
                                          best.actual,
                                          {},
                                          services::row_of(request_.options.loss).is_of_classes})));
    }
    return exit;
  }

 private:
  void show(const services::DescribedFormula* described) {
    Stream& out = terminal_.out;
    const std::optional<size_t> selected =
        fit_.selected ? std::optional(fit_.selected->formula) : std::nullopt;
    out.write(services::fit_line(fit_));
    out.write(services::front_table(fit_.front, selected, request_.options.loss, fit_.function,
                                    out.columns()));
    out.write(services::selected_text(fit_, request_.options.loss, described, out.style().width));
    out.write(search_line(fit_));
    if (!request_.options.generations && request_.options.generations_of_searches.empty() &&
        fit_.is_complete)
      if (const std::vector<u64> generations = generations_of_searches(); !generations.empty())
        out.write("`" + services::repeating_command(request_, generations) + "` finds the same\n");
    out.flush();
  }
  // Searches by time differ in how far they came: a number for each, or one for all. Empty: one of them has not come to the
  // end of its first generation.
  [[nodiscard]] std::vector<u64> generations_of_searches() const {
    std::vector<u64> all;
    u64 most = 0;
    for (const services::FittedSearch& one : fit_.searches) {
      all.push_back(one.generations);
      most = std::max(most, one.generations);
    }
    if (std::ranges::find(all, 0) != all.end()) return {};
    // What has reached its target ends there again.
    const auto is_repeated = [most](const services::FittedSearch& one) {
      return one.generations == most || one.has_reached_target;
    };
    if (most != 0 && std::ranges::all_of(fit_.searches, is_repeated)) return {most};
    return all;
  }
  // Empty: no command searches by this loss.
  [[nodiscard]] std::string search_command() const {
    if (services::row_of(request_.options.loss).is_relative) return {};
    engine::TableForm form = request_.form;
    form.skips_missing = request_.fields.skips_missing;
    form.weights = request_.fields.weights;
    const std::string said = engine::form_text(form);
    const std::string score(
        engine::kScoreNames[static_cast<size_t>(services::search_score(request_.options.loss))]);
    return "komuz search " +
           engine::shell_word(request_.sketch_path == "-" ? "SKETCH" : request_.sketch_path) +
           " --cases " + engine::shell_word(request_.table_path) + " --output " +
           engine::shell_word(fit_.data.target) + (said.empty() ? "" : " " + said) + " --score " +
           score;
  }
  Exit write(const std::string& path, const std::string& text) {
    if (path == "-") {
      terminal_.out.write(text);
      terminal_.out.flush();
      return terminal_.out.good() ? Exit::Success : Exit::InputOutput;
    }
    const Problem error = write_file(path, text);
    return error ? terminal_.input_error(error.message(), error.remedy()) : Exit::Success;
  }

  const FitRequest& request_;
  const services::Fit& fit_;
  Terminal& terminal_;
  std::optional<services::DescribedFormula> described_;
};

}  // namespace

Exit run_fit(const FitRequest& stated, Terminal& terminal) {
  Interrupt interrupt;
  FitRequest request = stated;
  if (const Exit checked = check_outputs(outputs_of(request), inputs_of(request), terminal);
      checked != Exit::Success)
    return checked;
  std::optional<services::FitTables> tables;
  std::vector<engine::GivenProgram> given;
  Problem problem;
  {
    const BarWatch bar(terminal, &interrupt, interrupt.token());
    Result<services::FitTables> read = read_tables(request, bar);
    if (read.problem()) {
      problem = std::move(read).problem();
    } else {
      tables = std::move(read).value();
      problem = services::read_given_programs(request.start_paths, interrupt.token(), given);
    }
  }
  if (interrupt.requested()) {
    terminal.error("interrupted while the table was read: nothing has been fitted");
    return Exit::Interrupted;
  }
  if (problem) return report(problem, terminal);
  if (request.has_usual_rows) request.options.folds = services::usual_folds(tables->data);
  FitLogFiles logs(request, given, terminal, interrupt.token());
  if (const Problem there = logs.check()) return report(there, terminal);
  const engine::FitData* const held_out = tables->held_out ? &*tables->held_out : nullptr;
  say(services::notes_before(request, *tables), terminal);
  std::optional<services::Fit> fitted;
  {
    LiveFront live(terminal, interrupt, request.options, tables->data.target);
    services::FitInputs inputs{tables->data, held_out, given, nullptr};
    if (!request.log_path.empty()) inputs.logs = &logs;
    Result<services::Fit> made = services::fit(inputs, request.options, live, interrupt.token());
    if (made.problem() && !made.problem().is(ProblemKind::Stop)) {
      live.clear();
      return report(made.problem(), terminal);
    }
    if (!made.problem()) fitted = std::move(made).value();
  }
  interrupt.work_ended();
  if (!fitted) {
    terminal.error("interrupted before a formula was found");
    return Exit::Interrupted;
  }
  say(services::notes_behind(*fitted, request.options.loss, given.size()), terminal);
  FitOutput output(request, *fitted, terminal);
  // After an interrupt what there is is still described: it takes a moment.
  if (const Problem wrong = output.describe(held_out, {}))
    terminal.note("no more is said of the formula: " + wrong.message(), wrong.remedy());
  const Exit exit = output.write();
  if (fitted->is_complete) return exit;
  terminal.error("interrupted: these are the formulas until then");
  return Exit::Interrupted;
}

}  // namespace komuz::cli
