// SPDX-License-Identifier: Apache-2.0
#include "engine/run_tests.h"

#include <algorithm>

#include "engine/value_text.h"
#include "lang/nodes.h"

namespace komuz::engine {
namespace {

// What came of one run without arguments; its value, if any, does not matter.
struct Outcome {
  Trap trap = Trap::None;
  u32 place = 0;
  u32 depth = 0;
  u64 fuel = 0;
};

// One case does not fill a vector of lanes: the reference is the right machine.
Outcome run_function(const CodeView& code, u32 function, const TestOptions& options,
                     std::vector<u64>& cells) {
  Outcome out;
  cells.assign(code.functions[function].result_cells, 0);
  vm::run_reference({code, function, CasesView{{}, 1}, options.fuel, &options.stop},
                    {cells, {&out.trap, 1}, {&out.place, 1}, {&out.depth, 1}, {&out.fuel, 1}});
  return out;
}

void fail(TestResult& result, const CodeView& code, u32 function, const Outcome& outcome,
          Trap expected, const TestOptions& options) {
  result.passed = false;
  result.failed_function = function;
  result.trap = outcome.trap;
  result.expected = expected;
  result.depth = outcome.depth;
  if (outcome.trap == Trap::Assert)
    result.compared =
        vm::explain_assertion({code, function, CasesView{{}, 1}, options.fuel, &options.stop});
  const Function& f = code.functions[function];
  // An example is an assertion: where it fails by itself, its comment is the place.
  const bool is_own =
      outcome.trap == Trap::None ||
      (f.kind == FunctionKind::Example && outcome.depth == 1 && outcome.trap == Trap::Assert);
  result.place = is_own ? f.place : code.places[outcome.place];
}

bool is_chosen(std::string_view name, std::span<const std::string_view> wanted) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

TestResult run_test(const CodeView& code, u32 test, const TestOptions& options,
                    std::vector<u64>& cells) {
  TestResult result;
  result.function = test;
  result.passed = true;
  const Outcome outcome = run_function(code, test, options, cells);
  result.fuel = outcome.fuel;
  if (outcome.trap != Trap::None) fail(result, code, test, outcome, Trap::None, options);
  for (u32 entry = 0; entry < code.functions.size() && result.passed; ++entry) {
    const Function& function = code.functions[entry];
    if (function.kind != FunctionKind::Traps || function.owner != test) continue;
    const Outcome trapped = run_function(code, entry, options, cells);
    result.fuel += trapped.fuel;
    const bool as_named = function.expected_trap == Trap::None
                              ? trapped.trap != Trap::None
                              : trapped.trap == function.expected_trap;
    if (!as_named) fail(result, code, entry, trapped, function.expected_trap, options);
  }
  return result;
}

}  // namespace

std::vector<TestResult> run_tests(const CodeView& code, const TestOptions& options) {
  std::vector<TestResult> results;
  std::vector<u64> cells;
  for (u32 test = 0; test < code.functions.size(); ++test) {
    const Function& function = code.functions[test];
    if (!is_test(function.kind) || !is_chosen(code.name(function), options.names)) continue;
    if (options.stop.stop_requested()) break;
    TestResult result = run_test(code, test, options, cells);
    if (options.stop.stop_requested()) break;  // it was perhaps cut short
    results.push_back(std::move(result));
  }
  return results;
}

std::optional<ComparedText> compared_text(const TestResult& result) {
  if (!result.compared) return std::nullopt;
  ComparedText text;
  const vm::Comparison& compared = *result.compared;
  for (const NodeRow& row : kNodeRows)
    if (row.node_class == NodeClass::Compare && row.op == compared.op) text.op = row.spelling;
  print_scalar(text.left, compared.type, compared.left, ValueStyle::Text);
  print_scalar(text.right, compared.type, compared.right, ValueStyle::Text);
  return text;
}

std::string describe(const TestResult& result) {
  if (result.passed) return "passed";
  const bool of_traps = result.failed_function != result.function;
  std::string out;
  if (of_traps) {
    out = "expected ";
    out += result.expected == Trap::None ? "a trap"
                                         : "the trap " + std::string(trap_name(result.expected));
    if (result.trap == Trap::None) return out + ", but it gave a value";
    out += ", but it ended in ";
  }
  out += "trap " + std::string(trap_name(result.trap));
  out += ": " + std::string(trap_sentence(result.trap));
  if (const auto text = compared_text(result))
    out += ": " + text->left + " " + std::string(text->op) + " " + text->right;
  return out;
}

}  // namespace komuz::engine
