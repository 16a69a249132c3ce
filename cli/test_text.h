// SPDX-License-Identifier: Apache-2.0
// What `komuz test` says of one test: text for people, or a JSON object on a line. docs/cli.md describes both.
#pragma once
#include <string>

#include "cli/program.h"
#include "engine/run_tests.h"

namespace komuz::cli {

[[nodiscard]] std::string test_text(const Program& program, const engine::TestResult& result,
                                    const services::RenderStyle& style);
[[nodiscard]] std::string test_json(const Program& program, const engine::TestResult& result);
// Of a test of a harness, which is not run.
[[nodiscard]] std::string skipped_test_text(const Program& program, u32 test);
[[nodiscard]] std::string skipped_test_json(const Program& program, u32 test);

}  // namespace komuz::cli
