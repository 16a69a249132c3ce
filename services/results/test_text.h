// SPDX-License-Identifier: Apache-2.0
// The description of one test: text for people, or a JSON object. docs/cli.md describes both.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/testing/run_tests.h"
#include "lang/library.h"
#include "services/render.h"

namespace komuz::services {

// A program whose tests were run.
struct TestedProgram {
  std::string_view name;  // under which it is shown
  CodeView code;
  std::string_view source;
  std::function<NamedSource(u32 place)> source_of;  // the text of a place in the code
  const Library& library;                           // the modules that it uses
  std::span<const frontend::AssertedComparison> asserted = {};
};

// "ok     prog.komuz: half", or the fault and its place.
[[nodiscard]] std::string test_text(const TestedProgram& program, const engine::TestResult& result,
                                    const RenderStyle& style);
[[nodiscard]] nlohmann::ordered_json test_json(const TestedProgram& program,
                                               const engine::TestResult& result);
// For a test of a harness, which is not run.
[[nodiscard]] std::string skipped_test_text(const TestedProgram& program, u32 test);
[[nodiscard]] nlohmann::ordered_json skipped_test_json(const TestedProgram& program, u32 test);

}  // namespace komuz::services
