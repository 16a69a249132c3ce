// SPDX-License-Identifier: Apache-2.0
// The arguments with which a property fails, as a `test` to paste into the program. Text in, text out.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "lang/library.h"

namespace komuz::services {

// A parameter's name and type, and its value as a program spells it; what modules have is named without them.
struct ParameterValue {
  std::string name, type, value;
};
// Of the property whose name stands at byte `place` of `source`: what it asserts, with a `let` for each parameter. Names of
// modules are those by which the program knows them; `use` items that it lacks stand before the test. Formatted; empty where
// no property stands there.
[[nodiscard]] std::string counterexample_test(std::string_view source, u32 place,
                                              std::span<const ParameterValue> values,
                                              const Library& library);

}  // namespace komuz::services
