// SPDX-License-Identifier: Apache-2.0
// The door of this room: formulas as other tools print them, a line each, in; programs of Komuz that mean the same out. Each line stands
// for itself: one that cannot be read harms no other. It does not know files: the text is given.
#pragma once
#include "services/import/name_inputs.h"

namespace komuz::services {

struct ImportOptions {
  FormulaFormat format = FormulaFormat::Sympy;
  // Empty: the inputs of a formula are its names, in the order in which they appear.
  std::vector<StatedInput> inputs;
  bool has_decimal_comma = false;
  std::vector<DefinedFunction> defined;  // which formulas call
};

struct ImportedProgram {
  u64 line = 0;
  std::string source;

  // The program with another name for its function than `f`.
  [[nodiscard]] std::string named(std::string_view name) const;
};
struct ImportedFormulas {
  std::vector<ImportedProgram> programs;
  std::vector<Problem> problems;  // of the lines that have no program, in order
  std::vector<StatedInput>
      renamed;  // inputs whose parameter has another name than the formula gives them
};

// `file`: the name in problems. Of PySR the text may be a table with a column `Equation`.
[[nodiscard]] ImportedFormulas import_formulas(std::string text, std::string_view file,
                                               const ImportOptions& options);

// The inputs that the words of `--input` state: `x0`, or `x0=speed`.
[[nodiscard]] Result<std::vector<StatedInput>> read_stated_inputs(
    std::span<const std::string_view> words);
// Those that a signature such as `fn(x: f64, y: f64) -> f64` states.
[[nodiscard]] Result<std::vector<StatedInput>> read_stated_signature(std::string_view text);

}  // namespace komuz::services
