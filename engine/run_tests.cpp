// SPDX-License-Identifier: Apache-2.0
#include "engine/run_tests.h"

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
Outcome run_function(const CodeView& code, u32 function, u64 fuel, const std::stop_token& stop,
                     std::vector<u64>& cells) {
  Outcome out;
  cells.assign(code.functions[function].result_cells, 0);
  vm::run_reference({code, function, CasesView{{}, 1}, fuel, &stop},
                    {cells, {&out.trap, 1}, {&out.place, 1}, {&out.depth, 1}, {&out.fuel, 1}});
  return out;
}

void fail(TestResult& result, const CodeView& code, u32 function, const Outcome& outcome,
          Trap expected, u64 fuel, const std::stop_token& stop) {
  result.passed = false;
  result.failed_function = function;
  result.trap = outcome.trap;
  result.expected = expected;
  result.depth = outcome.depth;
  if (outcome.trap == Trap::Assert)
    result.compared = vm::explain_assertion({code, function, CasesView{{}, 1}, fuel, &stop});
  result.place =
      outcome.trap == Trap::None ? code.functions[function].place : code.places[outcome.place];
}

// As the source spells it: `3 == 4`.
std::string comparison_text(const vm::Comparison& compared) {
  std::string_view spelling;
  for (const NodeRow& row : kNodeRows)
    if (row.node_class == NodeClass::Compare && row.op == compared.op) spelling = row.spelling;
  std::string out;
  print_scalar(out, compared.type, compared.left, ValueStyle::Text);
  out += " " + std::string(spelling) + " ";
  print_scalar(out, compared.type, compared.right, ValueStyle::Text);
  return out;
}

}  // namespace

std::vector<TestResult> run_tests(const CodeView& code, u64 fuel, const std::stop_token& stop) {
  std::vector<TestResult> results;
  std::vector<u64> cells;
  for (u32 test = 0; test < code.functions.size(); ++test) {
    if (code.functions[test].kind != FunctionKind::Test) continue;
    if (stop.stop_requested()) break;
    TestResult& result = results.emplace_back();
    result.function = test;
    result.passed = true;
    const Outcome outcome = run_function(code, test, fuel, stop, cells);
    result.fuel = outcome.fuel;
    if (outcome.trap != Trap::None) fail(result, code, test, outcome, Trap::None, fuel, stop);
    for (u32 entry = 0; entry < code.functions.size() && result.passed; ++entry) {
      const Function& function = code.functions[entry];
      if (function.kind != FunctionKind::Traps || function.owner != test) continue;
      const Outcome trapped = run_function(code, entry, fuel, stop, cells);
      result.fuel += trapped.fuel;
      const bool as_named = function.expected_trap == Trap::None
                                ? trapped.trap != Trap::None
                                : trapped.trap == function.expected_trap;
      if (!as_named) fail(result, code, entry, trapped, function.expected_trap, fuel, stop);
    }
    if (stop.stop_requested()) {  // it was perhaps cut short
      results.pop_back();
      break;
    }
  }
  return results;
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
  if (result.compared) out += ": " + comparison_text(*result.compared);
  return out;
}

}  // namespace komuz::engine
