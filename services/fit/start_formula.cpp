// SPDX-License-Identifier: Apache-2.0
#include "services/fit/start_formula.h"

#include <algorithm>
#include <optional>

#include "engine/sketch/sketch_program.h"
#include "services/fit/formula_search.h"

namespace komuz::services {
namespace {

// Where more is open than numbers.
constexpr u64 kGenerations = 20;

}  // namespace

Result<std::string> decided_start(const std::string& program, const engine::CasesTable& cases,
                                  const FitOptions& options, const std::stop_token& stop) {
  const std::optional<engine::SketchProgram> sketch = engine::read_sketch(program, {});
  if (!sketch || !engine::has_decisions(sketch->plan.sketch())) return program;
  FormulaSearchOptions of_search;
  of_search.search.seed = options.seed;
  of_search.search.population = options.population;
  of_search.search.generations = kGenerations;
  of_search.evaluation.ranking.score = row_of(options.loss).score;
  of_search.evaluation.ranking.measure = options.measure;
  of_search.evaluation.machines = options.machines;
  Result<FormulaSearchResult> found =
      search_formulas(*sketch, cases, std::move(of_search), {}, stop);
  // Its parameters may be other ones than the inputs, or have other types: then it is judged as it is.
  if (found.problem()) {
    if (found.problem().is(ProblemKind::Stop)) return std::move(found).problem();
    return program;
  }
  const std::vector<FoundVariant>& all = found.value().found;
  const auto best = std::ranges::min_element(all, {}, &FoundVariant::loss);
  FitFormula formula;
  FitFormulaWriter writer(*sketch);
  if (best == all.end() || !writer.write(best->variant, nullptr, Exactness::ToRounding, formula))
    return program;
  return std::move(formula.program);
}

}  // namespace komuz::services
