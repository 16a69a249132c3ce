// SPDX-License-Identifier: Apache-2.0
// A fit in words: for terminals, for files, and as JSON (docs/fit.md has the fields).
#pragma once
#include <optional>
#include <span>
#include <string>

#include "services/excerpt.h"
#include "services/fit/described_formula.h"
#include "services/fit/fit.h"

namespace komuz::services {

// An error in the unit of the target: of squares the root of the mean.
[[nodiscard]] f64 shown_error(FitLoss loss, f64 mean_loss);

// "39 rows are few: formulas are judged by 5 folds".
[[nodiscard]] std::string usual_folds_text(u32 rows, u32 folds);
// "errors of `--start`: `known` 0.2 (held out 0.25), …", for the best ten; empty: no program was given.
[[nodiscard]] std::string given_text(const Fit& fit, FitLoss loss);

// The front as a table: size, error, error on rows that are held out, formula. `selected` gets a mark. `width`: of
// lines; none: formulas are not cut.
[[nodiscard]] std::string front_table(std::span<const FitFormula> front,
                                      std::optional<size_t> selected, FitLoss loss,
                                      const std::string& target, std::optional<u32> width);

// "y of 3 inputs, 800 rows, 200 held out".
[[nodiscard]] std::string fit_line(const Fit& fit);

// All that is said of the formula that is taken: why, how good it is, what it looks like. `described`: null: it was
// not looked at.
[[nodiscard]] std::string selected_text(const Fit& fit, FitLoss loss,
                                        const DescribedFormula* described, u32 width);

// What it was fitted to, how good it is, and for which values it has been seen: a sentence a line.
[[nodiscard]] std::vector<std::string> formula_comments(const Fit& fit, FitLoss loss,
                                                        const FitFormula& formula);
// The program of the formula, with these as comments.
[[nodiscard]] std::string formula_program(const Fit& fit, FitLoss loss, const FitFormula& formula);
// The sketch, with comments that say how to go on.
[[nodiscard]] std::string fit_sketch_text(const Fit& fit, const std::string& command);

// `version`: of Komuz. `fields`: which columns play which role.
[[nodiscard]] std::string fit_json(const Fit& fit, const FitOptions& options,
                                   const engine::FitFields& fields,
                                   const DescribedFormula* described, std::string_view version);

}  // namespace komuz::services
