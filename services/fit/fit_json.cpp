// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "services/fit/fit_text.h"

namespace komuz::services {
namespace {

using Json = nlohmann::ordered_json;

constexpr u32 kFormat = 1;

Json number(f64 value) {
  if (std::isfinite(value)) return value;
  return nullptr;
}
Json errors_json(const FormulaErrors& errors, FitLoss loss) {
  if (!errors.is_known) return nullptr;
  Json out = {{"error", number(shown_error(loss, errors.mean_loss))},
              {"loss", number(errors.mean_loss)}};
  if (row_of(loss).is_of_classes)
    out["right"] = number(errors.right);
  else
    out["r2"] = errors.has_r2 ? number(errors.r2) : Json(nullptr);
  if (!errors.folds.empty()) {
    Json folds = Json::array();
    for (const f64 mean_loss : errors.folds) folds.push_back(number(shown_error(loss, mean_loss)));
    out["folds"] = std::move(folds);
  }
  return out;
}
template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}
// What the fit went by, also where nobody said it.
Json options_json(const FitOptions& options, const engine::FitFields& fields) {
  Json monotone = nullptr;
  if (!options.monotone.empty()) monotone = monotone_text(options.monotone);
  Json generations = or_null(options.generations);
  if (!options.generations_of_searches.empty()) generations = options.generations_of_searches;
  const auto word = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  return {{"loss", row_of(options.loss).name},
          {"delta_or_quantile", or_null(options.measure)},
          {"weights", word(fields.weights)},
          {"input", fields.inputs},
          {"ignore", fields.ignored},
          {"category", fields.categories},
          {"group", word(fields.group)},
          {"skip_missing", fields.skips_missing},
          {"units", word(fields.units)},
          {"monotone", std::move(monotone)},
          {"operators", engine::operators_text(options.operators)},
          {"depth", options.depth},
          {"max_size", or_null(options.most_size)},
          {"inputs", options.most_inputs},
          {"select", selection_text(options.selection.value_or(Selection{}))},
          {"split", options.folds != 0 ? Json(nullptr) : Json(options.split)},
          {"split_seed", options.split_seed},
          {"folds", options.folds},
          {"search_rows", options.search_rows},
          {"seed", options.seed},
          {"seeds", options.seeds},
          {"population", options.population},
          {"generations", std::move(generations)},
          {"time_ms", options.time.count() == 0 ? Json(nullptr) : Json(options.time.count())}};
}
Json formula_json(const FitFormula& formula, FitLoss loss) {
  return {{"formula", formula.text},
          {"size", formula.size},
          {"program", formula.program},
          {"training", errors_json(formula.training, loss)},
          {"held_out", errors_json(formula.held_out, loss)},
          {"variant", formula.variant},
          {"seed", formula.seed}};
}

}  // namespace

std::string fit_json(const Fit& fit, const FitOptions& options, const engine::FitFields& fields,
                     const DescribedFormula* described, std::string_view version) {
  Json out;
  out["komuz_fit"] = kFormat;
  out["komuz"] = version;
  out["file"] = fit.data.file;
  out["target"] = fit.data.target;
  out["function"] = fit.function;
  out["loss"] = row_of(options.loss).name;
  out["options"] = options_json(options, fields);
  Json inputs = Json::array();
  const std::vector<InputRange> ranges = ranges_of(fit.data);
  for (size_t k = 0; k < fit.data.inputs.size(); ++k) {
    const engine::FitInput& input = fit.data.inputs[k];
    Json one = {{"name", input.name},
                {"column", input.column},
                {"least", number(ranges[k].least)},
                {"most", number(ranges[k].most)}};
    if (!input.category.empty()) one["category"] = input.category;
    inputs.push_back(std::move(one));
  }
  out["inputs"] = std::move(inputs);
  Json texts = Json::object();
  for (const engine::FitData::ColumnTexts& one : fit.data.texts) texts[one.column] = one.texts;
  out["texts"] = std::move(texts);
  Json left_out = Json::array();
  for (const engine::FitData::LeftOutColumn& column : fit.data.left_out)
    left_out.push_back({{"column", column.column}, {"why", column.why}});
  out["columns_left_out"] = std::move(left_out);
  out["rows"] = {{"training", fit.training_rows},
                 {"held_out", fit.held_out_rows},
                 {"searched", fit.searched_rows},
                 {"left_out", fit.data.left_out_rows.count}};
  Json front = Json::array();
  for (const FitFormula& formula : fit.front) front.push_back(formula_json(formula, options.loss));
  out["front"] = std::move(front);
  out["selected"] = nullptr;
  if (fit.selected) {
    const FitFormula& taken = fit.front[fit.selected->formula];
    Json selected = {{"index", fit.selected->formula},
                     {"why", fit.selected->why},
                     {"formula", taken.text},
                     {"size", taken.size}};
    if (described != nullptr) {
      if (described->residuals) selected["residual_quantiles"] = *described->residuals;
      Json numbers = Json::array();
      for (const NumberInterval& one : described->numbers)
        numbers.push_back({{"number", one.number},
                           {"within", one.distance ? number(*one.distance) : Json(nullptr)}});
      selected["numbers"] = std::move(numbers);
      selected["has_gaps"] = described->has_gaps;
      selected["poles"] = described->poles;
    }
    out["selected"] = std::move(selected);
  }
  if (!fit.given.empty()) {
    Json given = Json::array();
    for (const Fit::GivenScore& one : fit.given)
      given.push_back({{"id", one.id},
                       {"size", one.size},
                       {"training", errors_json(one.training, options.loss)},
                       {"held_out", errors_json(one.held_out, options.loss)}});
    out["start"] = std::move(given);
  }
  Json searches = Json::array();
  for (const FittedSearch& search : fit.searches)
    searches.push_back({{"seed", search.seed},
                        {"generations", search.generations},
                        {"candidates", search.candidates}});
  out["searches"] = std::move(searches);
  out["complete"] = fit.is_complete;
  return out.dump(1) + "\n";
}

}  // namespace komuz::services
