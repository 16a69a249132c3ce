// SPDX-License-Identifier: Apache-2.0
// The tests of a text as they end: `test` and `prop` items, and `/// >>>` examples. What it takes is told in ticks,
// which every machine counts the same.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "mend/mend.h"

namespace komuz::services {

enum class TestForm : u8 { Test, Property, Example };
struct TestRun {
  std::string name;  // of an example that of its item
  TestForm form = TestForm::Test;
  u32 place = 0;  // a byte of the line that it begins on
  bool passed = false;
  u64 ticks = 0;
  u32 samples = 0;               // of a property
  std::string message;           // why it failed: "trap ASSERT: an assertion is false: 3 == 4"
  std::string actual, expected;  // of a comparison that failed; empty: it is no `==`
  std::string arguments;         // that a property failed with: "x = 80, y = 0.25"
  // What an example that compares two values has to say instead; of a property, a test of these arguments behind it.
  std::optional<Edit> fix;
};
struct TestRuns {
  bool has_errors = false;    // the text: then nothing is run
  std::vector<TestRun> runs;  // in the order of the text
};
// Null: stopped. Loads the modules that it names.
[[nodiscard]] std::optional<TestRuns> run_text_tests(std::string_view text,
                                                     engine::ModuleLoader& modules,
                                                     const std::stop_token& stop);

// Has it tests at all? Looks at words alone, and may say so of a text that has none.
[[nodiscard]] bool may_have_tests(std::string_view text);

}  // namespace komuz::services
