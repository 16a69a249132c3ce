// SPDX-License-Identifier: Apache-2.0
// Writes the arguments that fail a property as a `test` to paste into the program. Text in, text out.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/testing/run_tests.h"
#include "engine/values/value_text.h"
#include "lang/code.h"
#include "lang/library.h"

namespace komuz::services {

// A parameter's name and type, and its value as a program spells it; names from modules are without the module.
struct ParameterValue {
  std::string name, type, value;
};
// The arguments of a function by name, as the style says. `types`: of the arguments, as one tuple, with lists for
// slices; `cells`: theirs.
[[nodiscard]] std::vector<ParameterValue> named_arguments(const CodeView& code, u32 function,
                                                          std::string_view types,
                                                          std::span<const u64> cells,
                                                          engine::ValueStyle style);
// The arguments that a property failed with.
[[nodiscard]] std::vector<ParameterValue> failing_arguments(const CodeView& code,
                                                            const engine::TestResult& result,
                                                            engine::ValueStyle style);
// Makes the test for the property whose name is at byte `place` of `source`: its assertions, with a `let` for each
// parameter. Modules have the names by which the program knows them; missing `use` items precede the test. The result
// is formatted, and empty if there is no property there.
[[nodiscard]] std::string counterexample_test(std::string_view source, u32 place,
                                              std::span<const ParameterValue> values,
                                              const Library& library);

// How a call ended.
struct CallOutcome {
  Trap trap = Trap::None;
  std::string_view type;  // of the result
  std::span<const u64> value;
};
// Makes a test of what a call of `function` ends with: `assert f(1, 2) == 3;`, or that it traps. Modules have the names
// by which the program knows them. Formatted.
[[nodiscard]] std::string outcome_test(std::string_view source, std::string_view function,
                                       std::span<const ParameterValue> values,
                                       const CallOutcome& outcome, const Library& library);

}  // namespace komuz::services
