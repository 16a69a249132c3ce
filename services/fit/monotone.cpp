// SPDX-License-Identifier: Apache-2.0
#include "services/fit/monotone.h"

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "engine/cases/cases_table.h"
#include "engine/engine.h"
#include "engine/fit/fit_cases.h"
#include "engine/run/evaluate.h"
#include "frontend_gpu/frontend.h"

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
  inputs_.clear();
  for (const engine::FitInput& input : data.inputs) inputs_.push_back(input.name);
  next_ = "next";
  while (std::ranges::find(inputs_, next_) != inputs_.end()) next_ += '_';
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
    Points points;
    points.input = number;
    points.rises = one.rises;
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
    made.inputs.push_back({next_, next_, {}, {}});
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

// Programs that were given have names of their own, and the parameters that they need: these take the inputs of their
// names, or else the inputs in order, as the columns of cases do.
std::string MonotoneCheck::with_check(const Points& points, const std::string& program,
                                      const std::string& entry) const {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(program, made);
  if (!made.ok) return {};
  const engine::EntryChoice choice = engine::choose_entry(made.code.view(), {});
  if (!choice.refusal.empty()) return {};
  const Function& function = made.code.functions[choice.function];
  const engine::Signature signature = engine::signature_of(made.code.view(), function);
  const std::string name(made.code.view().name(function));
  const bool by_name = std::ranges::any_of(signature.names, [this](const std::string& one) {
    return std::ranges::find(inputs_, one) != inputs_.end();
  });
  std::string here, moved;
  for (size_t k = 0; k < signature.names.size(); ++k) {
    const size_t input =
        by_name
            ? static_cast<size_t>(std::ranges::find(inputs_, signature.names[k]) - inputs_.begin())
            : k;
    if (input >= inputs_.size()) return {};
    here += (k == 0 ? "" : ", ") + inputs_[input];
    moved += (k == 0 ? "" : ", ") + (input == points.input ? next_ : inputs_[input]);
  }
  std::string parameters;
  for (const std::string& input : inputs_) parameters += input + ": f64, ";
  const std::string first = name + "(" + (points.rises ? here : moved) + ")",
                    second = name + "(" + (points.rises ? moved : here) + ")";
  // Rounding is no fall.
  return program + "\npub fn " + entry + "(" + parameters + next_ + ": f64) -> f64 {\n    if " +
         second + " >= " + first + " - 1e-12 * abs(" + first + ") { 0.0 } else { 1.0 }\n}\n";
}

Problem MonotoneCheck::keep_monotone(std::vector<FitFormula>& formulas, u32 threads,
                                     const std::stop_token& stop) const {
  if (all_.empty()) return {};
  std::string entry = "check";
  const auto has_entry = [&entry](const FitFormula& one) {
    return one.program.find(entry) != std::string::npos;
  };
  while (std::ranges::any_of(formulas, has_entry) ||
         std::ranges::find(inputs_, entry) != inputs_.end())
    entry += '_';
  for (const Points& points : all_) {
    if (formulas.empty()) return {};
    std::vector<std::string> sources, ids;
    for (const FitFormula& formula : formulas)
      sources.push_back(with_check(points, formula.program, entry));
    for (size_t k = 0; k < formulas.size(); ++k) ids.push_back(std::to_string(k + 1));
    std::vector<engine::Candidate> candidates;
    for (size_t k = 0; k < formulas.size(); ++k)
      candidates.push_back({.id = ids[k], .source = sources[k], .error = {}});
    engine::CandidateList list(candidates);
    engine::ModuleLoader modules(nullptr);
    engine::EvaluateOptions options;
    options.programs.modules = &modules;
    options.programs.entry = entry;
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
