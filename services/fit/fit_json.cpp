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
  return out;
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

std::string fit_json(const Fit& fit, const FitOptions& options, const DescribedFormula* described) {
  Json out;
  out["komuz_fit"] = kFormat;
  out["file"] = fit.data.file;
  out["target"] = fit.data.target;
  out["function"] = fit.function;
  out["loss"] = row_of(options.loss).name;
  Json inputs = Json::array();
  for (const engine::FitInput& input : fit.data.inputs) {
    Json one = {{"name", input.name}, {"column", input.column}};
    if (!input.category.empty()) one["category"] = input.category;
    inputs.push_back(std::move(one));
  }
  out["inputs"] = std::move(inputs);
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
    Json selected = {{"index", fit.selected->formula}, {"why", fit.selected->why}};
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
