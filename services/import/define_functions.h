// SPDX-License-Identifier: Apache-2.0
// Functions of the user's own, which formulas call: `pdiv(a, b) = a / b if b != 0 else 1`. They are written as the tool
// writes formulas; those of DEAP and gplearn, whose functions are Python, as Python does.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "services/import/formats.h"

namespace komuz::services {

struct DefinedFunction {
  std::string name;       // in formulas
  std::string called;     // in programs
  std::string arguments;  // as in functions.def: an `n` for each
  std::string call;       // … and the text of a call
  std::string text;       // the function as a program has it

  [[nodiscard]] FunctionRow row() const {
    return {0, name, arguments, WrittenType::Number, WrittenForm::Atom, call};
  }
};
// Null: there is none of this name.
[[nodiscard]] const DefinedFunction* find_defined(std::span<const DefinedFunction> defined,
                                                  FormulaFormat format, std::string_view name);

// The words of `--define`, in order: each may call those before it.
[[nodiscard]] Result<std::vector<DefinedFunction>> read_definitions(
    FormulaFormat format, std::span<const std::string_view> words);

}  // namespace komuz::services
