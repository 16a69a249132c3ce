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
#include "engine/cases/column_names.h"
#include "engine/fit/fit_cases.h"
#include "engine/fit/idle_inputs.h"
#include "services/charts/charts.h"
#include "services/evaluation/given_programs.h"
#include "services/fit/described_formula.h"
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

// Columns of all kinds: what they are is found out by fit_data_of().
Problem read_table(const std::string& path, const engine::TableForm& form,
                   const engine::Watch& watch, engine::CasesTable& out) {
  std::string bytes;
  if (Problem unread = read_whole_file(path, kCasesLimit, watch, bytes))
    return input_problem({}, unread.message(), unread.remedy());
  if (watch.is_stopped()) return stopped();
  engine::CaseFields fields;
  fields.has_expectations = false;
  fields.form = form;
  return engine::read_cases(path, std::move(bytes), fields, out, watch);
}

Problem read_data(const FitRequest& request, const engine::Watch& watch,
                  std::optional<engine::FitData>& data, std::optional<engine::FitData>& held_out,
                  std::string& made_names, std::string& unnamed) {
  engine::CasesTable table;
  if (Problem problem = read_table(request.table_path, request.form, watch, table)) return problem;
  Result<engine::FitData> read = engine::fit_data_of(table, request.fields, watch);
  if (read.problem()) return std::move(read).problem();
  data = std::move(read).value();
  made_names = engine::made_names_text(table);
  unnamed = engine::unnamed_columns_text(table);
  if (request.held_out_path.empty()) return {};
  engine::CasesTable other;
  if (Problem problem = read_table(request.held_out_path, request.form, watch, other))
    return problem;
  Result<engine::FitData> like = engine::fit_data_like(*data, other, request.fields, watch);
  if (like.problem()) return std::move(like).problem();
  held_out = std::move(like).value();
  return {};
}

// Inputs whose units take part in no formula.
void say_idle_inputs(const engine::FitData& data, Terminal& terminal) {
  constexpr size_t kMost = 5;
  const std::vector<u32> idle = engine::idle_inputs(data);
  if (idle.empty()) return;
  std::string text;
  for (size_t k = 0; k < std::min(kMost, idle.size()); ++k) {
    const engine::FitInput& input = data.inputs[idle[k]];
    text += (k == 0 ? "" : ", ") + engine::shown(input.column) + " (" + input.unit.text() + ")";
  }
  if (idle.size() > kMost) text += ", and " + grouped(idle.size() - kMost) + " more";
  terminal.note("no formula with sound units can make use of " + text +
                    ": no product of columns with it has the unit of the target, or none",
                "correct `--units`, or give a column with what is missing");
}

// What is to be known of the table before the fit.
void say_notes(const FitRequest& request, const engine::FitData& data,
               const std::string& made_names, const std::string& unnamed, Terminal& terminal) {
  if (request.fields.target.empty())
    terminal.note("a formula for " + engine::shown(data.target) + " is looked for",
                  "`--target COLUMN` names another column");
  if (!made_names.empty()) terminal.note(made_names, {});
  if (!unnamed.empty()) terminal.note(unnamed, "give it a name if formulas may use it");
  if (request.has_usual_rows && request.options.folds != 0)
    terminal.note(services::usual_folds_text(data.rows(), request.options.folds),
                  std::string(data.words.split));
  if (data.has_units) say_idle_inputs(data, terminal);
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t k = 0; k < std::min(kMost, data.left_out.size()); ++k)
    text +=
        (k == 0 ? "" : ", ") + engine::shown(data.left_out[k].column) + " " + data.left_out[k].why;
  if (data.left_out.size() > kMost)
    text += ", and " + grouped(data.left_out.size() - kMost) + " more";
  if (!text.empty())
    terminal.note(counted(data.left_out.size(), "column") + " cannot help: " + text, {});
  if (data.left_out_rows.count != 0)
    terminal.note(counted(data.left_out_rows.count, "row") + " without a number in some column " +
                      (data.left_out_rows.count == 1 ? "is" : "are") +
                      " left out, the first on line " + grouped(data.left_out_rows.line) + " (" +
                      engine::shown(data.left_out_rows.column) + ")",
                  {});
}

void say_inputs(const services::Fit& fit, Terminal& terminal) {
  if (fit.data.inputs.size() == fit.all_inputs) return;
  std::string names;
  for (const engine::FitInput& input : fit.data.inputs)
    names += (names.empty() ? "" : ", ") + ("`" + input.name + "`");
  terminal.note("of " + counted(fit.all_inputs, "input") + " these are worth most: " + names,
                "`--inputs N` takes more, `--input COLUMN` others");
}

void say_given(const services::Fit& fit, size_t given, Terminal& terminal) {
  if (fit.given_without_numbers == 0) return;
  terminal.note(grouped(fit.given_without_numbers) + " of " + counted(given, "program") +
                    " of `--start` " + (fit.given_without_numbers == 1 ? "does" : "do") +
                    " not compile, or give no number on some row",
                "`komuz eval` says what is wrong with each");
}

void say_starts(const services::Fit& fit, services::FitLoss loss, Terminal& terminal) {
  if (const std::string errors = services::given_text(fit, loss); !errors.empty())
    terminal.note(errors, {});
  for (const services::Note& note :
       services::starts_notes(fit.starts, "they are judged, as the others are"))
    terminal.note(note.message, note.remedy);
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
    if (!fit_.selected || stop.stop_requested()) return {};
    const services::FitFormula& formula = fit_.front[fit_.selected->formula];
    const bool is_held_out = formula.held_out.is_known && !fit_.held_out.empty();
    const engine::FitData& rows_of = is_held_out && held_out != nullptr ? *held_out : fit_.data;
    const std::vector<u32>& rows = is_held_out ? fit_.held_out : fit_.training;
    const services::FitLossRow& loss = services::row_of(request_.options.loss);
    const services::DescribeOptions options{
        .worst = loss.is_of_classes ? 0 : request_.worst,
        .threads = request_.options.machines.threads,
        .is_of_classes = loss.is_of_classes,
        .has_intervals =
            request_.options.loss == services::FitLoss::Squared && fit_.data.weights.empty()};
    Result<services::DescribedFormula> described =
        services::describe_formula(formula.program, engine::cases_of(rows_of, rows),
                                   engine::rows_of(fit_.data, fit_.training), options, stop);
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
        out.write("`" + repeating_command(request_, generations) + "` finds the same\n");
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
  std::optional<engine::FitData> data, held_out;
  std::string made_names, unnamed;
  std::vector<engine::GivenProgram> given;
  Problem problem;
  {
    const BarWatch bar(terminal, &interrupt, interrupt.token());
    problem = read_data(request, bar, data, held_out, made_names, unnamed);
    if (!problem) problem = services::read_given_programs(request.start_paths, interrupt.token(), given);
  }
  if (interrupt.requested()) {
    terminal.error("interrupted while the table was read: nothing has been fitted");
    return Exit::Interrupted;
  }
  if (problem) return report(problem, terminal);
  if (request.has_usual_rows) request.options.folds = services::usual_folds(*data);
  FitLogFiles logs(request, given, terminal, interrupt.token());
  if (const Problem there = logs.check()) return report(there, terminal);
  say_notes(request, *data, made_names, unnamed, terminal);
  std::optional<services::Fit> fitted;
  {
    LiveFront live(terminal, interrupt, request.options, data->target);
    services::FitInputs inputs{*data, held_out ? &*held_out : nullptr, given, nullptr};
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
  say_inputs(*fitted, terminal);
  say_given(*fitted, given.size(), terminal);
  say_starts(*fitted, request.options.loss, terminal);
  FitOutput output(request, *fitted, terminal);
  // After an interrupt what there is is still described: it takes a moment.
  if (const Problem wrong = output.describe(held_out ? &*held_out : nullptr, {}))
    terminal.note("no more is said of the formula: " + wrong.message(), wrong.remedy());
  const Exit exit = output.write();
  if (fitted->is_complete) return exit;
  terminal.error("interrupted: these are the formulas until then");
  return Exit::Interrupted;
}

}  // namespace komuz::cli
