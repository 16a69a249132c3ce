// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit_notes.h"

#include <algorithm>

#include "base/counts.h"
#include "engine/fit/fit_cases.h"
#include "engine/fit/idle_inputs.h"
#include "services/evaluation/given_programs.h"
#include "services/fit/fit_text.h"

namespace komuz::services {
namespace {

// Inputs whose units take part in no formula.
void add_idle_inputs(const engine::FitData& data, std::vector<Note>& notes) {
  constexpr size_t kMost = 5;
  const std::vector<u32> idle = engine::idle_inputs(data);
  if (idle.empty()) return;
  std::string text;
  for (size_t k = 0; k < std::min(kMost, idle.size()); ++k) {
    const engine::FitInput& input = data.inputs[idle[k]];
    text += (k == 0 ? "" : ", ") + engine::shown(input.column) + " (" + input.unit.text() + ")";
  }
  if (idle.size() > kMost) text += ", and " + grouped(idle.size() - kMost) + " more";
  notes.push_back({"no formula with sound units can make use of " + text +
                       ": no product of columns with it has the unit of the target, or none",
                   "correct `--units`, or give a column with what is missing"});
}

}  // namespace

std::vector<Note> notes_before(const FitRequest& request, const FitTables& tables) {
  const engine::FitData& data = tables.data;
  std::vector<Note> notes;
  if (request.fields.target.empty())
    notes.push_back({"a formula for " + engine::shown(data.target) + " is looked for",
                     "`--target COLUMN` names another column"});
  if (!tables.made_names.empty()) notes.push_back({tables.made_names, {}});
  if (!tables.unnamed.empty())
    notes.push_back({tables.unnamed, "give it a name if formulas may use it"});
  if (request.has_usual_rows && request.options.folds != 0)
    notes.push_back(
        {usual_folds_text(data.rows(), request.options.folds), std::string(data.words.split)});
  if (data.has_units) add_idle_inputs(data, notes);
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t k = 0; k < std::min(kMost, data.left_out.size()); ++k)
    text +=
        (k == 0 ? "" : ", ") + engine::shown(data.left_out[k].column) + " " + data.left_out[k].why;
  if (data.left_out.size() > kMost)
    text += ", and " + grouped(data.left_out.size() - kMost) + " more";
  if (!text.empty())
    notes.push_back({counted(data.left_out.size(), "column") + " cannot help: " + text, {}});
  if (data.left_out_rows.count != 0)
    notes.push_back({counted(data.left_out_rows.count, "row") +
                         " without a number in some column " +
                         (data.left_out_rows.count == 1 ? "is" : "are") +
                         " left out, the first on line " + grouped(data.left_out_rows.line) + " (" +
                         engine::shown(data.left_out_rows.column) + ")",
                     {}});
  return notes;
}

std::vector<Note> notes_behind(const Fit& fit, FitLoss loss, size_t given) {
  std::vector<Note> notes;
  if (fit.data.inputs.size() != fit.all_inputs) {
    std::string names;
    for (const engine::FitInput& input : fit.data.inputs)
      names += (names.empty() ? "" : ", ") + ("`" + input.name + "`");
    notes.push_back({"of " + counted(fit.all_inputs, "input") + " these are worth most: " + names,
                     "`--inputs N` takes more, `--input COLUMN` others"});
  }
  if (fit.given_without_numbers != 0)
    notes.push_back({grouped(fit.given_without_numbers) + " of " + counted(given, "program") +
                         " of `--start` " + (fit.given_without_numbers == 1 ? "does" : "do") +
                         " not compile, or give no number on some row",
                     "`komuz eval` says what is wrong with each"});
  if (std::string errors = given_text(fit, loss); !errors.empty())
    notes.push_back({std::move(errors), {}});
  for (Note& note : starts_notes(fit.starts, "they are judged, as the others are"))
    notes.push_back(std::move(note));
  return notes;
}

Result<std::optional<DescribedFormula>> describe_selected(const Fit& fit, const FitRequest& request,
                                                          const engine::FitData* held_out,
                                                          const std::stop_token& stop) {
  using Described = std::optional<DescribedFormula>;
  if (!fit.selected || stop.stop_requested()) return Described();
  const FitFormula& formula = fit.front[fit.selected->formula];
  const bool is_held_out = formula.held_out.is_known && !fit.held_out.empty();
  const engine::FitData& rows_of = is_held_out && held_out != nullptr ? *held_out : fit.data;
  const std::vector<u32>& rows = is_held_out ? fit.held_out : fit.training;
  const FitLossRow& loss = row_of(request.options.loss);
  const DescribeOptions options{
      .worst = loss.is_of_classes ? 0 : request.worst,
      .threads = request.options.machines.threads,
      .is_of_classes = loss.is_of_classes,
      .has_intervals = request.options.loss == FitLoss::Squared && fit.data.weights.empty()};
  Result<DescribedFormula> described =
      describe_formula(formula.program, engine::cases_of(rows_of, rows),
                       engine::rows_of(fit.data, fit.training), options, stop);
  if (described.problem()) return std::move(described).problem();
  return Described(std::move(described).value());
}

}  // namespace komuz::services
