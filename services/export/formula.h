// SPDX-License-Identifier: Apache-2.0
// Scripts as formulas: variables are put in where they stand, calls by what they compute, `if` and `return` as choices.
#pragma once
#include <string>

#include "services/export/export.h"
#include "services/export/script.h"
#include "services/export/term_writer.h"

namespace komuz::services {

// The results of the entry, as terms of its parameters, which are the first variables of `terms`.
struct Formula {
  ScriptFunction terms;
  std::vector<u32> results;
  std::vector<u32> effects;        // terms that variables were given, and that may trap
  std::vector<std::string> names;  // of terms that a variable of the program names; empty: none
  std::string refusal;             // what a formula cannot say
  u32 function = 0;                // … and the function of the script
};
[[nodiscard]] Formula fold_script(const Script& script);

struct WrittenFormula {
  std::string text;
  std::string entry;
  std::vector<std::string> notes;
  std::string refusal;
};
// With the first lines that it needs.
[[nodiscard]] WrittenFormula write_formula(const Script& script, Formula& formula,
                                           const ExportOptions& options, TermWriter& terms);

}  // namespace komuz::services
