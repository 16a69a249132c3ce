// SPDX-License-Identifier: Apache-2.0
#include "python/binding/fit.h"

#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <utility>

#include "engine/cases/cases_table.h"
#include "python/binding/given_cases.h"
#include "python/binding/interpreter_lock.h"
#include "python/binding/problems.h"
#include "python/binding/stoppable.h"
#include "services/charts/charts.h"
#include "services/evaluation/given_programs.h"
#include "services/files/files.h"
#include "services/fit/fit.h"
#include "services/fit/fit_notes.h"
#include "services/fit/fit_request.h"
#include "services/fit/fit_tables.h"
#include "services/fit/fit_text.h"
#include "services/options/environment.h"

namespace komuz::python {
namespace {

using NamedText = std::pair<std::string, std::string>;

// Of texts that lines are broken for.
constexpr u32 kTextWidth = 100;

// What is told of a fit that has ended. Python keeps no more of it, so it can be pickled.
struct Told {
  bool has_formulas = false;  // false: it was stopped before the first
  std::string json, text, plot;
  // Of the front: programs with comments that say what they are.
  std::vector<std::string> programs;
  // Formulas of the front, by the ways to select one; none: no error is known.
  std::vector<std::pair<std::string, std::optional<size_t>>> selections;
  std::vector<services::Note> notes;
};

// Tells Python how far the fit has come, a few times a second.
class PythonWatch final : public services::FitWatch {
 public:
  PythonWatch(const py::object& progress, Stoppable& run) : progress_(progress), run_(run) {}

  void on_progress(const Progress& progress) override {
    constexpr std::chrono::milliseconds kPause{100};
    const auto now = std::chrono::steady_clock::now();
    if (progress_.ptr() == Py_None || run_.is_stopping() || now < next_) return;
    next_ = now + kPause;
    const TakenLock taken;
    try {
      progress_(progress.fraction, progress.search, progress.searches, progress.generations,
                progress.candidates, progress.seconds);
    } catch (py::error_already_set& error) {
      run_.fail(std::move(error));
    }
  }
  void on_front(std::span<const services::FitFormula>) override {}

 private:
  const py::object& progress_;
  Stoppable& run_;
  std::chrono::steady_clock::time_point next_{};
};

services::TableText table_of(const std::optional<GivenCases>& given, const std::string& path) {
  services::TableText table{path, {}};
  if (given)
    table = {given->name, given->text, given->columns};
  else
    raise(services::read_file(path, table.bytes, engine::kMaxCaseBytes));
  return table;
}

struct Inputs {
  std::optional<GivenCases> table, held_out;  // none: the request names paths
  std::vector<NamedText> starts;              // ids and programs
};

Told tell(const services::Fit& fit, const services::FitRequest& request,
          const services::FitTables& tables) {
  Told told;
  told.has_formulas = true;
  const services::FitLoss loss = request.options.loss;
  Result<std::optional<services::DescribedFormula>> read =
      services::describe_selected(fit, request, tables.held_out ? &*tables.held_out : nullptr, {});
  std::optional<services::DescribedFormula> described;
  if (read.problem())
    told.notes.push_back(
        {"no more is said of the formula: " + read.problem().message(), read.problem().remedy()});
  else
    described = std::move(read).value();
  const services::DescribedFormula* const more = described ? &*described : nullptr;
  told.json = services::fit_json(fit, request.options, request.fields, more, KOMUZ_VERSION);
  const std::optional<size_t> taken =
      fit.selected ? std::optional(fit.selected->formula) : std::nullopt;
  told.text = services::fit_line(fit) +
              services::front_table(fit.front, taken, loss, fit.function, kTextWidth) +
              services::selected_text(fit, loss, more, kTextWidth);
  if (more != nullptr)
    told.plot = services::draw_actual_against_expected({more->results.best.expected,
                                                        more->results.best.actual,
                                                        {},
                                                        services::row_of(loss).is_of_classes});
  for (const services::FitFormula& formula : fit.front)
    told.programs.push_back(services::formula_program(fit, loss, formula));
  using services::SelectBy;
  for (const SelectBy by : {SelectBy::Smallest, SelectBy::Knee, SelectBy::Best}) {
    const std::optional<services::Selected> one = services::select_formula(fit.front, {by});
    told.selections.emplace_back(services::selection_text({by}),
                                 one ? std::optional(one->formula) : std::nullopt);
  }
  return told;
}

Told run(services::FitRequest& request, Inputs& inputs, PythonWatch& watch,
         const std::stop_token& stop) {
  services::TableText table = table_of(inputs.table, request.table_path), held_out;
  const bool has_held_out = !request.held_out_path.empty();
  if (has_held_out) held_out = table_of(inputs.held_out, request.held_out_path);
  Result<services::FitTables> read = services::read_fit_tables(
      std::move(table), has_held_out ? &held_out : nullptr, request, engine::Watch(stop));
  if (stop.stop_requested()) return {};
  const services::FitTables tables = value_of(std::move(read));
  if (request.has_usual_rows) request.options.folds = services::usual_folds(tables.data);
  std::vector<engine::GivenProgram> given;
  for (NamedText& one : inputs.starts)
    given.push_back({std::move(one.first), std::move(one.second)});
  raise(services::read_given_programs(request.start_paths, stop, given));
  const services::FitInputs data{tables.data, tables.held_out ? &*tables.held_out : nullptr, given,
                                 nullptr};
  Result<services::Fit> made = services::fit(data, request.options, watch, stop);
  if (made.problem().is(ProblemKind::Stop)) return {};
  const services::Fit fit = value_of(std::move(made));
  Told told = tell(fit, request, tables);
  std::vector<services::Note> notes = services::notes_before(request, tables);
  for (services::Note& note : services::notes_behind(fit, request.options.loss, given.size()))
    notes.push_back(std::move(note));
  notes.insert(notes.end(), told.notes.begin(), told.notes.end());
  told.notes = std::move(notes);
  return told;
}

py::dict fit(const std::vector<std::string>& words, Inputs inputs, const py::object& progress) {
  if (std::string wrong = services::environment_error(); !wrong.empty())
    raise(option_problem(std::move(wrong), ""));
  const std::vector<std::string_view> views(words.begin(), words.end());
  services::Args args(services::fit_options(), views);
  services::FitRequest request;
  if (Problem wrong = services::read_fit_request(args, request))
    raise(option_problem(wrong.message(), wrong.remedy()));
  Told told;
  Stoppable stoppable;
  PythonWatch watch(progress, stoppable);
  stoppable.run([&](const std::stop_token& stop) { told = run(request, inputs, watch, stop); });
  if (!told.has_formulas) throw Raised{stopped()};
  py::list notes;
  for (const services::Note& note : told.notes)
    notes.append(py::make_tuple(note.message, note.remedy));
  py::dict selections;
  for (const auto& [how, formula] : told.selections) selections[py::str(how)] = py::cast(formula);
  py::dict out;
  out["json"] = py::bytes(told.json);
  out["text"] = told.text;
  out["plot"] = told.plot;
  out["programs"] = told.programs;
  out["selections"] = selections;
  out["notes"] = notes;
  out["was_interrupted"] = stoppable.was_interrupted();
  return out;
}

}  // namespace

void register_fit(py::module_& module) {
  module.def(
      "fit",
      [](const std::vector<std::string>& words, const py::object& table, const py::object& held_out,
         std::vector<NamedText> starts, const py::object& progress) {
        return fit(words, {given_cases(table), given_cases(held_out), std::move(starts)}, progress);
      },
      py::arg("words"), py::arg("table"), py::arg("held_out"), py::arg("starts"),
      py::arg("progress"));
}

}  // namespace komuz::python
