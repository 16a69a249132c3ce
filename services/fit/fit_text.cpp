// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/counts.h"
#include "engine/cases/cases_table.h"
#include "services/charts/number_text.h"
#include "services/charts/text_chart.h"
#include "services/display_text.h"
#include "services/fit/added_numbers.h"
#include "services/format.h"
#include "services/results/problem_text.h"

namespace komuz::services {
namespace {

struct Cells {
  std::string mark, size, error, held_out, formula;
};

std::string error_text(const FormulaErrors& errors, FitLoss loss) {
  return errors.is_known ? short_text(shown_error(loss, errors.mean_loss)) : "-";
}

// "R² 0.98, ", of classes "95 % right, ", or nothing, where neither says how good a formula is.
std::string quality_text(const FormulaErrors& errors, FitLoss loss) {
  if (row_of(loss).is_of_classes) return short_text(100 * errors.right) + " % right, ";
  return errors.has_r2 ? "R² " + short_text(errors.r2) + ", " : "";
}
std::string unit_of_error(FitLoss loss) { return row_of(loss).is_relative ? " of the target" : ""; }

std::string padded(const std::string& text, size_t width) {
  const size_t shown = shown_width(text);
  return shown < width ? std::string(width - shown, ' ') + text : text;
}

// The numbers of a formula with their intervals.
std::string intervals_text(const std::vector<NumberInterval>& numbers) {
  std::string text;
  for (const NumberInterval& one : numbers)
    text += (text.empty() ? "" : ", ") + one.number +
            (one.distance ? " ± " + short_text(*one.distance) : " (not determined)");
  return text;
}

}  // namespace

namespace {

// As a sentence begins.
std::string quality_or_error(const FormulaErrors& errors, FitLoss loss) {
  const std::string quality = quality_text(errors, loss);
  return quality.empty() ? "Error " + error_text(errors, loss) + unit_of_error(loss)
                         : quality.substr(0, quality.size() - 2);
}

bool names(std::string_view text, std::string_view name) {
  const auto is_word = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at)
    if (!is_word(at - 1) && !is_word(at + name.size())) return true;
  return false;
}

}  // namespace

f64 shown_error(FitLoss loss, f64 mean_loss) {
  return adds_squares(loss) ? std::sqrt(mean_loss) : mean_loss;
}

std::string usual_folds_text(u32 rows, u32 folds) {
  return counted(rows, "row") + " are few: formulas are judged by " + counted(folds, "fold");
}

std::string given_text(const Fit& fit, FitLoss loss) {
  constexpr size_t kShown = 10;
  const std::vector<Fit::GivenScore>& given = fit.given;
  std::string text;
  for (size_t k = 0; k < std::min(kShown, given.size()); ++k) {
    text += (k == 0 ? "errors of `--start`: " : ", ") + engine::shown(given[k].id) + " " +
            error_text(given[k].training, loss);
    if (given[k].held_out.is_known)
      text += " (held out " + error_text(given[k].held_out, loss) + ")";
  }
  if (given.size() > kShown) text += ", and " + grouped(given.size() - kShown) + " more";
  return text;
}

std::string front_table(std::span<const FitFormula> front, std::optional<size_t> selected,
                        FitLoss loss, const std::string& target, std::optional<u32> width) {
  const bool has_held_out =
      std::ranges::any_of(front, [](const FitFormula& one) { return one.held_out.is_known; });
  std::vector<Cells> rows = {{" ", "size", "error", "held out", "formula"}};
  // What is larger than the formula that is taken, and misses more, is of no use to anybody.
  const auto is_worse = [&](size_t k) {
    return selected && k > *selected && front[*selected].held_out.is_known &&
           !(front[k].held_out.is_known &&
             front[k].held_out.mean_loss <= front[*selected].held_out.mean_loss);
  };
  size_t left_out = 0;
  for (size_t k = 0; k < front.size(); ++k) left_out += is_worse(k);
  for (size_t k = 0; k < front.size(); ++k)
    if (!is_worse(k))
      rows.push_back({selected == k ? "*" : " ", std::to_string(front[k].size),
                      error_text(front[k].training, loss), error_text(front[k].held_out, loss),
                      target + " = " + front[k].text});
  size_t sizes = 0, errors = 0, held_out = 0;
  for (const Cells& row : rows) {
    sizes = std::max(sizes, row.size.size());
    errors = std::max(errors, shown_width(row.error));
    held_out = std::max(held_out, shown_width(row.held_out));
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line =
        row.mark + " " + padded(row.size, sizes) + "  " + padded(row.error, errors) + "  ";
    if (has_held_out) line += padded(row.held_out, held_out) + "  ";
    const size_t left = shown_width(line);
    line += width && *width > left + 10 ? fitted(row.formula, static_cast<u32>(*width - left))
                                        : row.formula;
    text += line + "\n";
  }
  if (left_out != 0)
    text += "  " + counted(left_out, "larger formula") + (left_out == 1 ? " misses" : " miss") +
            " more on rows that are held out\n";
  return text;
}

std::string fit_line(const Fit& fit) {
  std::string text = fit.data.target + " of " + counted(fit.data.inputs.size(), "input");
  if (fit.all_inputs > fit.data.inputs.size()) text += " out of " + grouped(fit.all_inputs);
  text += ", " + counted(fit.training_rows, "row");
  if (fit.searched_rows < fit.training_rows)
    text += " (" + grouped(fit.searched_rows) + " of them searched)";
  if (fit.folds != 0)
    text += " in " + counted(fit.folds, "fold");
  else if (fit.held_out_rows != 0)
    text += ", " + grouped(fit.held_out_rows) + " held out";
  return text + "\n";
}

std::string selected_text(const Fit& fit, FitLoss loss, const DescribedFormula* described,
                          u32 width) {
  if (!fit.selected) return "no formula gives a number on all rows\n";
  const FitFormula& formula = fit.front[fit.selected->formula];
  std::string text = "taken: size " + std::to_string(formula.size) + ", " + fit.selected->why +
                     "\n\n    " + fit.function + " = " + formula.text + "\n\n";
  const bool is_held_out = formula.held_out.is_known;
  const FormulaErrors& errors = is_held_out ? formula.held_out : formula.training;
  const std::string rows = is_held_out ? "rows that are held out" : "the rows of the search";
  if (fit.folds != 0 && is_held_out)
    text += "formulas of this size, in each fold on rows that their search has left out: ";
  else
    text += "on " + rows + ": ";
  text +=
      quality_text(errors, loss) + "error " + error_text(errors, loss) + unit_of_error(loss) + "\n";
  constexpr u64 kFew = 20;
  if (is_held_out && fit.folds == 0 && fit.held_out_rows < kFew &&
      !(errors.has_unexplained && errors.unexplained <= 1e-12))
    text += wrapped("so few rows say little, and the formula was chosen by them: " +
                        std::string(fit.data.words.folds),
                    width) +
            "\n";
  if (described == nullptr) return text;
  if (described->residuals) {
    const std::array<f64, 5>& r = *described->residuals;
    text += "formula minus table: from " + short_text(r[0]) + " to " + short_text(r[4]) +
            ", half of the rows from " + short_text(r[1]) + " to " + short_text(r[3]) +
            ", median " + short_text(r[2]) + "\n";
  }
  text += worst_text(described->results, width);
  if (!described->numbers.empty())
    text += wrapped("numbers, to 95 %: " + intervals_text(described->numbers), width) + "\n";
  if (const std::string ranges = ranges_text(ranges_of(fit.data), formula.text); !ranges.empty())
    text +=
        wrapped("it has been seen for " + ranges + "; beyond these it extrapolates", width) + "\n";
  if (described->has_gaps)
    text += wrapped(
                "between these values it gives no number somewhere, where it divides by 0 or takes "
                "a root or a logarithm of what is below 0",
                width) +
            "\n";
  for (const std::string& divisor : described->poles)
    text += wrapped("warning: between these values it has a pole, where " +
                        (divisor.empty() ? "what it divides by" : "`" + divisor + "`") +
                        " is 0: near it, what it gives means nothing",
                    width) +
            "\n";
  const engine::BestCases& best = described->results.best;
  if (!best.actual.empty()) {
    const CaseColumns columns{best.expected, best.actual, {}, row_of(loss).is_of_classes};
    text += "\n" + write_text(actual_against_expected(columns, "fit"), std::min(width, 72u));
  }
  return text;
}

std::vector<std::string> formula_comments(const Fit& fit, FitLoss loss, const FitFormula& formula) {
  const FormulaErrors& errors = formula.held_out.is_known ? formula.held_out : formula.training;
  std::vector<std::string> out = {
      "A formula for " + engine::shown(fit.data.target) + " of " + engine::shown(fit.data.file) +
          ", fitted to " + counted(fit.training.size(), "row") + ".",
      quality_or_error(errors, loss) +
          (formula.held_out.is_known ? " on " + counted(fit.held_out_rows, "row") + " that " +
                                           (fit.held_out_rows == 1 ? "was" : "were") + " held out."
                                     : std::string(" on these."))};
  if (const std::string ranges = ranges_text(ranges_of(fit.data), formula.text); !ranges.empty())
    out.push_back("Seen for " + ranges + "; beyond these it extrapolates.");
  for (const engine::FitInput& input : fit.data.inputs)
    if (!input.category.empty() && names(formula.text, input.name))
      out.push_back(input.name + " is 1 where " + engine::shown(input.column) + " is " +
                    engine::shown(input.category) + ", else 0.");
  if (fit.data.has_units && !fit.data.target_unit.is_plain())
    for (const std::string& number : added_numbers(formula.text))
      out.push_back("The number " + number + ", which is added, is in " +
                    fit.data.target_unit.text() + "; factors are plain numbers.");
  return out;
}

std::string formula_program(const Fit& fit, FitLoss loss, const FitFormula& formula) {
  std::string text;
  for (const std::string& line : formula_comments(fit, loss, formula)) text += "// " + line + "\n";
  return text + formula.program;
}

std::string fit_sketch_text(const Fit& fit, const std::string& command) {
  const std::string text =
      "// Formulas for " + engine::shown(fit.data.target) + " of " + engine::shown(fit.data.file) +
      (command.empty() ? ".\n" : ". To go on from here:\n//   " + command + "\n") + fit.sketch;
  frontend::Compiler compiler;
  Formatted formatted = format(compiler, text);
  return formatted.ok ? std::move(formatted.text) : text;
}

}  // namespace komuz::services
