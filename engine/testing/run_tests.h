// SPDX-License-Identifier: Apache-2.0
// Runs the tests of a compiled program: `test` items, doc examples and properties.
#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/testing/run_property.h"
#include "frontend_gpu/asserted.h"
#include "vm/explain_assertion.h"

namespace komuz::engine {

class NativeTier;

// A test passes if it returns, and each of its `traps` arguments ends in the named trap.
struct TestResult {
  u32 function = 0;  // the test, in code.functions
  bool passed = false;
  // For a failed test, what failed first: the test itself, or one of its `traps` arguments.
  u32 failed_function = 0;
  Trap trap =
      Trap::None;  // the trap in which that ended; None: in a value, where `expected` was wanted
  Trap expected = Trap::None;              // for a `traps` argument; None: any
  std::optional<vm::Comparison> compared;  // the failed assertion's operands
  u32 assertion = 0;                       // place of that assertion
  u32 place = 0;  // byte offset in the source: of the trap, else of the failed function
  u32 depth = 0;  // live frames at the trap
  u64 fuel = 0;   // ticks of the test and its `traps` arguments; of all samples of a property
  // For a property: the number of samples that were run and, if it failed, the simplest failing arguments found.
  u32 samples = 0;
  std::vector<u64> arguments = {};
  std::string argument_types = {};  // of its parameters, as one tuple, with lists for slices
};

struct TestOptions {
  u64 fuel = kDefaultFuel;  // of a test, and of each of its `traps` arguments
  std::span<const std::string_view> names =
      {};                         // tests whose name holds one of these; none: all tests
  u32 samples = kDefaultSamples;  // of a property
  u64 seed = 0;                   // of those that are random
  std::stop_token stop = {};
  NativeTier* native = nullptr;  // as for run_case()
};

// The functions of the code that are tests and whose names contain one of `names`; without names, all tests.
[[nodiscard]] std::vector<u32> find_tests(const CodeView& code,
                                          std::span<const std::string_view> names);
// Runs in the order of the source. A stop takes effect between two tests, and leaves the rest out.
[[nodiscard]] std::vector<TestResult> run_tests(const CodeView& code,
                                                const TestOptions& options = {});

// "trap ASSERT: an assertion is false: 3 == 4", "trap OVERFLOW: an integer result does not fit its type", "expected
// the trap DIV_ZERO, but it gave a value". `asserted`: the program's (compared_text.h).
[[nodiscard]] std::string describe(const TestResult& result,
                                   std::span<const frontend::AssertedComparison> asserted = {});

}  // namespace komuz::engine
