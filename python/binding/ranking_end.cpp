// SPDX-License-Identifier: Apache-2.0
#include "python/binding/ranking_end.h"

#include <algorithm>

#include "engine/results/report.h"
#include "python/binding/problems.h"
#include "python/binding/ranking.h"
#include "python/binding/stoppable.h"
#include "services/evaluation/optimised_best.h"
#include "services/evaluation/shown_best.h"
#include "services/export/export.h"

namespace komuz::python {
namespace {

void note(Ranking& ranking, services::Note note) {
  if (!note.message.empty()) ranking.notes.push_back(std::move(note));
}

// Of rows that have been ranked.
Result<std::string> find_best_text(const Ranking& ranking, const std::stop_token& stop,
                                   services::Note& said) {
  const RunSetting& setting = *ranking.setting;
  std::vector<const engine::CasesTable*> tables = {&setting.cases};
  if (setting.request.options.ranking.held_out != nullptr) tables.push_back(&setting.held_out);
  return services::shown_best({.request = setting.request,
                               .results = ranking.results,
                               .is_variant = ranking.sketch.has_value(),
                               .tables = std::move(tables)},
                              stop, said);
}

// Logs of parts have it among the sources of all.
void find_best_source(Ranking& ranking) {
  engine::Results& results = ranking.results;
  if (!results.best_source.empty() || results.ranking.empty()) return;
  if (results.rows[results.ranking.front()].scored) results.best_source = ranking.source(0);
}

const std::string& best_text(Ranking& ranking) {
  if (!ranking.best_text) {
    // Other threads of Python may look at the ranking meanwhile: it is changed with the interpreter's lock alone.
    engine::rank_all(ranking.results);
    find_best_source(ranking);
    services::Note said;
    Result<std::string> text = std::string();
    Stoppable stoppable;
    stoppable.run([&](const std::stop_token& stop) { text = find_best_text(ranking, stop, said); });
    note(ranking, std::move(said));
    ranking.best_text = value_of(std::move(text));
  }
  if (ranking.best_text->empty())
    raise(input_problem({}, std::string(services::kNoBest), "look at `.rows[0].diagnostics`"));
  return *ranking.best_text;
}

// Looks for cheaper code of so many of the best as the request says, which the report then has. Returns false if it was interrupted.
bool optimise(Ranking& ranking) {
  const services::EvaluationRequest& request = ranking.setting->request;
  const std::vector<services::RankedProgram>& told = ranking.told_programs();
  const auto count = static_cast<std::ptrdiff_t>(std::min<u64>(request.optimised, told.size()));
  std::vector<services::RankedProgram> programs(told.begin(), told.begin() + count);
  if (services::is_code_path(request.best_path) && !programs.empty())
    programs.front().text = best_text(ranking);
  Stoppable stoppable;
  services::OptimisedBest optimised;
  stoppable.run([&](const std::stop_token& stop) {
    const auto watch = [&](const std::function<void(const engine::Watch&)>& work) {
      work(engine::Watch(stop));
    };
    optimised =
        services::optimise_best(request, programs, services::compile_options(request), {watch, {}});
  });
  ranking.optimised = std::move(optimised);
  return !ranking.optimised.is_interrupted;
}

// What a file of this name has: the best program in the language of its ending, or its bytecode.
py::bytes best_file(Ranking& ranking, const std::string& path) {
  if (services::is_code_path(path)) {
    if (!ranking.optimised.code) raise(input_problem({path}, ranking.optimised.why_no_code, ""));
    return services::code_file_of(*ranking.optimised.code);
  }
  const std::string& text = best_text(ranking);
  services::Exported made = value_of(services::text_for_file(
      path, text,
      {.entry = services::best_entry(ranking.setting->request, ranking.results.best_source)},
      &ranking.setting->request.options.programs.modules->library()));
  for (std::string& said : made.notes) note(ranking, {path + ": " + std::move(said), ""});
  return made.text;
}

}  // namespace

void make_best_text(Ranking& ranking, const std::stop_token& stop) {
  engine::rank_all(ranking.results);
  services::Note said;
  Result<std::string> text = find_best_text(ranking, stop, said);
  note(ranking, std::move(said));
  ranking.best_text = value_of(std::move(text));
}

void register_ranking_end(py::module_& module) {
  module.def("best_text", [](Ranking& ranking) { return py::str(best_text(ranking)); });
  module.def("best_file", best_file);
  module.def("optimise", optimise);
}

}  // namespace komuz::python
