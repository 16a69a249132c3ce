// SPDX-License-Identifier: Apache-2.0
// A formula for data: its program, its text, its size, and its errors.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "engine/results/results.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_program.h"
#include "services/simplify/simplify.h"

namespace komuz::services {

// How far a formula is off on some rows. All values of errors are in the terms of the loss (FitOptions).
struct FormulaErrors {
  bool is_known = false;  // false: it was not run, or gave no number on some row
  f64 mean_loss = 0;
  // The share of the variance that is left, where there is one: not for classes.
  bool has_unexplained = false;
  f64 unexplained = 1;
  // 1 less that, the coefficient of determination: where it says how good the formula is (means_r2()).
  bool has_r2 = false;
  f64 r2 = 0;
  bool is_of_classes = false;
  f64 right = 0;            // the share of rows on the right side, for classes
  std::vector<f64> losses;  // by row
  // Of rows that are held out in folds: the mean loss of each fold.
  std::vector<f64> folds;
};

struct FitFormula {
  std::string program;  // `pub fn y(x: f64) -> f64 { … }`, simplified
  std::string text;     // what the function gives, on one line
  // How many variables, numbers, operators and calls the text has.
  u32 size = 0;
  // Where it was found: a variant of the fit's sketch, by a search with this seed; or the id of a program that was
  // given.
  std::string variant;
  u64 seed = 0;
  bool is_given = false;
  // It divides by what is 0 somewhere between the values seen. Set where formulas are chosen.
  bool has_poles = false;
  FormulaErrors training, held_out;

  // Takes this program, with its text and size.
  void write(std::string program_text);
};

// The body of the program's only function, on one line; the whole program, if there are others.
[[nodiscard]] std::string formula_text(std::string_view program);
// The size of a text of formula_text().
[[nodiscard]] u32 formula_size(std::string_view text);

// The program without parameters that its formula does not name, which were those of the whole table; one stays in
// any case. Of programs with one function, as FitFormulaWriter writes them.
[[nodiscard]] std::string with_used_parameters(const std::string& program);

// Writes variants of a sketch as formulas. A workspace.
class FitFormulaWriter {
 public:
  explicit FitFormulaWriter(const engine::SketchProgram& sketch)
      : sketch_(sketch), fill_(sketch.source, sketch.plan) {}

  // `line`: by which its values come nearest to the data; null: as they are. False: there is no such variant, or the
  // line does not fit an f64. To rounding, a step may overflow that did not before.
  [[nodiscard]] bool write(std::string_view variant, const engine::ScoreLine* line,
                           Exactness exactness, FitFormula& out);

 private:
  const engine::SketchProgram& sketch_;
  engine::Fill fill_;
};

}  // namespace komuz::services
