// SPDX-License-Identifier: Apache-2.0
#include "services/fit/monotone.h"

#include <algorithm>
#include <set>

#include "engine/candidates/load_modules.h"
#include "engine/cases/cases_table.h"
#include "engine/engine.h"
#include "engine/fit/fit_cases.h"
#include "engine/fit/fit_sketch.h"
#include "engine/run/evaluate.h"

namespace komuz::services {
namespace {

constexpr u32 kRows = 100, kValues = 12;

}  // namespace

Result<std::vector<Monotone>> read_monotone(std::string_view text) {
  constexpr std::string_view kBetween = " ,";
  std::vector<Monotone> out;
  while (true) {
    const size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(text.find(',', begin), text.size());
    std::string_view one = text.substr(begin, end - begin);
    one = one.substr(0, one.find_last_not_of(' ') + 1);
    text.remove_prefix(end);
    if (one.size() < 2 || (one.back() != '+' && one.back() != '-'))
      return option_problem(
          "`--monotone` has " + engine::shown(one) + ", which says no direction",
          "write `x+` where the formula only rises with `x`, `x-` where it only falls");
    out.push_back({std::string(one.substr(0, one.size() - 1)), one.back() == '+'});
  }
  if (out.empty())
    return option_problem("`--monotone` names no input",
                          "write `x+` where the formula only rises with `x`");
  return out;
}

std::string monotone_text(const std::vector<Monotone>& wanted) {
  std::string text;
  for (const Monotone& one : wanted)
    text += (text.empty() ? "" : ",") + one.column + (one.rises ? "+" : "-");
  return text;
}

Problem MonotoneCheck::open(const engine::FitData& data, std::span<const u32> rows,
                            const std::vector<Monotone>& wanted) {
  const std::string function = engine::function_name(data);
  std::set<std::string> taken = {function};
  std::string parameters, arguments;
  for (const engine::FitInput& input : data.inputs) {
    taken.insert(input.name);
    parameters += input.name + ": f64, ";
    arguments += (arguments.empty() ? "" : ", ") + input.name;
  }
  const auto free_name = [&taken](std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
  };
  const std::string next = free_name("next");
  const std::string entry = free_name("check");
  for (const Monotone& one : wanted) {
    const auto is_meant = [&](const engine::FitInput& input) {
      return input.category.empty() && (input.column == one.column || input.name == one.column);
    };
    const auto input = std::ranges::find_if(data.inputs, is_meant);
    if (input == data.inputs.end())
      return option_problem(
          "`--monotone` names " + engine::shown(one.column) + ", which is no input of the formulas",
          "name an input of numbers; `--input` says which columns are inputs");
    const auto number = static_cast<size_t>(input - data.inputs.begin());
    std::string moved;
    for (size_t k = 0; k < data.inputs.size(); ++k)
      moved += (k == 0 ? "" : ", ") + (k == number ? next : data.inputs[k].name);
    Points points;
    points.entry = entry;
    const std::string before = one.rises ? arguments : moved,
                      behind = one.rises ? moved : arguments;
    // Rounding is no fall.
    const std::string first = function + "(" + before + ")", second = function + "(" + behind + ")";
    points.condition = "\npub fn " + entry + "(" + parameters + next + ": f64) -> f64 {\n    if " +
                       second + " >= " + first + " - 1e-12 * abs(" + first +
                       ") { 0.0 } else { 1.0 }\n}\n";
    std::vector<f64> values = data.columns[number];
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    std::vector<f64> steps;
    const size_t count = std::min<size_t>(kValues, values.size());
    for (size_t k = 0; k < count; ++k)
      steps.push_back(values[count == 1 ? 0 : k * (values.size() - 1) / (count - 1)]);
    engine::FitData made;
    made.file = data.file;
    made.inputs = data.inputs;
    made.inputs.push_back({next, next, {}, {}});
    made.columns.resize(made.inputs.size());
    const size_t row_count = std::min<size_t>(kRows, rows.size());
    for (size_t k = 0; k < row_count; ++k) {
      const u32 row = rows[k * rows.size() / row_count];
      for (size_t step = 0; step + 1 < steps.size(); ++step) {
        for (size_t other = 0; other < data.inputs.size(); ++other)
          made.columns[other].push_back(other == number ? steps[step] : data.columns[other][row]);
        made.columns.back().push_back(steps[step + 1]);
        made.expected.push_back(0);
        made.lines.push_back(data.lines[row]);
      }
    }
    std::vector<u32> all(made.rows());
    for (u32 k = 0; k < all.size(); ++k) all[k] = k;
    points.cases = engine::cases_of(made, all);
    all_.push_back(std::move(points));
  }
  return {};
}

Problem MonotoneCheck::keep_monotone(std::vector<FitFormula>& formulas, u32 threads,
                                     const std::stop_token& stop) const {
  for (const Points& points : all_) {
    if (formulas.empty()) return {};
    std::vector<std::string> sources, ids;
    for (const FitFormula& formula : formulas)
      sources.push_back(formula.program + points.condition);
    for (size_t k = 0; k < formulas.size(); ++k) ids.push_back(std::to_string(k + 1));
    std::vector<engine::Candidate> candidates;
    for (size_t k = 0; k < formulas.size(); ++k)
      candidates.push_back({.id = ids[k], .source = sources[k], .error = {}});
    engine::CandidateList list(candidates);
    engine::ModuleLoader modules(nullptr);
    engine::EvaluateOptions options;
    options.programs.modules = &modules;
    options.programs.entry = points.entry;
    options.ranking.score = engine::ScoreKind::AbsoluteError;
    options.machines.threads = threads;
    engine::Results results;
    if (Problem problem =
            engine::evaluate(list, points.cases, options, results, nullptr, nullptr, stop))
      return problem;
    std::vector<FitFormula> kept;
    for (u32 row = 0; row < results.rows.size(); ++row)
      if (results.rows[row].scored && results.rows[row].score == 0)
        kept.push_back(std::move(formulas[row]));
    formulas = std::move(kept);
  }
  return {};
}

}  // namespace komuz::services
