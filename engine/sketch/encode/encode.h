// SPDX-License-Identifier: Apache-2.0
// From a program to the variant of a sketch that computes the same, so that a search can begin with it.
//
// Both are read as trees (formula_tree.h). The program's becomes terms (terms.h), which know the laws of sums and
// products. The sketch's is what they are matched with: a hole takes what one of its alternatives takes, `?c(real)`
// any number, a sum each of some ways to part a sum in two. What has been found of a term and a place of the sketch
// is kept, and the shortest list of decisions is taken.
//
// Sketches whose only `pub fn` gives one expression, and whose spaces take their own names as arguments, have such
// variants.
#pragma once
#include <string>
#include <vector>

#include "engine/sketch/encode/formula_tree.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

struct EncodeOptions {
  // The score fits a line: a factor and a summand of the whole do not count.
  bool up_to_line = false;
};

struct Encoded {
  Decisions decisions;
  std::string
      why_not;  // not empty: the sketch does not hold it, "it calls `tan`, which the sketch does not have"
};

// A workspace for one sketch, which outlives it.
class VariantEncoder {
 public:
  explicit VariantEncoder(const SketchProgram& sketch);
  [[nodiscard]] Encoded encode(const std::string& program, const EncodeOptions& options);

 private:
  [[nodiscard]] std::string find_fault(const FormulaTree& tree) const;

  const SketchProgram& sketch_;
  frontend::Compiler compiler_;
  FormulaTree tree_;
};

}  // namespace komuz::engine
