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

namespace komuz::services {

// How far a formula is off on some rows. All values of errors are in the terms of the loss (FitOptions).
struct FormulaErrors {
  bool is_known = false;  // false: it was not run, or gave no number on some row
  f64 mean_loss = 0;
  f64 r2 = 0;  // coefficient of determination; not of classes
  f64 right = 0;  // of classes: the share of rows on the right side
  std::vector<f64> losses;  // by row
};

struct Formula {
  std::string program;  // `pub fn y(x: f64) -> f64 { … }`, simplified
  std::string text;     // what the function gives, on one line
  // How many variables, numbers, operators and calls the text has.
  u32 size = 0;
  // Where it was found: a variant of the fit's sketch, by a search with this seed. A program that was given has neither.
  std::string variant;
  u64 seed = 0;
  FormulaErrors training, held_out;
};

// The body of the program's only function, on one line; the whole program, if there are others.
[[nodiscard]] std::string formula_text(std::string_view program);
// The size of a text of formula_text().
[[nodiscard]] u32 formula_size(std::string_view text);

// Writes variants of a sketch as formulas. A workspace.
class FormulaWriter {
 public:
  explicit FormulaWriter(const engine::SketchProgram& sketch) : sketch_(sketch), fill_(sketch.source, sketch.plan) {}

  // `line`: by which its values come nearest to the data; null: as they are. False: there is no such variant, or the line does not
  // fit an f64.
  [[nodiscard]] bool write(std::string_view variant, const engine::ScoreLine* line, Formula& out);

 private:
  const engine::SketchProgram& sketch_;
  engine::Fill fill_;
};

}  // namespace komuz::services
