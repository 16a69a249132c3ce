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
// The arguments that a property failed with, by name, as the style says.
[[nodiscard]] std::vector<ParameterValue> failing_arguments(const CodeView& code,
                                                            const engine::TestResult& result,
                                                            engine::ValueStyle style);
// Makes the test for the property whose name is at byte `place` of `source`: its assertions, with a `let` for each
// parameter. Modules have the names by which the program knows them; missing `use` items precede the test. The result
// is formatted, and empty if there is no property there.
[[nodiscard]] std::string counterexample_test(std::string_view source, u32 place,
                                              std::span<const ParameterValue> values,
                                              const Library& library);

}  // namespace komuz::services
