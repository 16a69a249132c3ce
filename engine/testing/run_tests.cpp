// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/run_tests.h"

#include <algorithm>

#include "engine/cases/case_columns.h"
#include "engine/testing/run_case.h"
#include "engine/values/compared_text.h"

namespace komuz::engine {
namespace {

// The outcome of one run. Its value, if any, does not matter.
struct Outcome {
  Trap trap = Trap::None;
  u32 place = 0;
  u32 depth = 0;
  u64 fuel = 0;
};

class TestRun {
 public:
  TestRun(const CodeView& code, u32 test, const TestOptions& options)
      : code_(code), options_(options) {
    result_.function = test;
    result_.passed = true;
  }

  TestResult run() {
    const u32 test = result_.function;
    if (code_.functions[test].kind == FunctionKind::Prop) {
      property();
      return std::move(result_);
    }
    const Outcome outcome = run_job(job_of(test));
    result_.fuel = outcome.fuel;
    if (outcome.trap != Trap::None) fail(job_of(test), test, outcome, Trap::None);
    for (u32 entry = 0; entry < code_.functions.size() && result_.passed; ++entry)
      if (code_.functions[entry].kind == FunctionKind::Traps &&
          code_.functions[entry].owner == test)
        traps_entry(entry);
    return std::move(result_);
  }

 private:
  void traps_entry(u32 entry) {
    const Trap expected = code_.functions[entry].expected_trap;
    const Outcome outcome = run_job(job_of(entry));
    result_.fuel += outcome.fuel;
    const bool as_named =
        expected == Trap::None ? outcome.trap != Trap::None : outcome.trap == expected;
    if (!as_named) fail(job_of(entry), entry, outcome, expected);
  }
  void property() {
    const PropertyEntry entry(code_, result_.function);
    result_.argument_types = entry.types();
    if (!entry.fits()) {
      result_.passed = false;
      result_.failed_function = result_.function;
      result_.place = code_.functions[result_.function].place;
      return;
    }
    PropertyOutcome outcome = run_property(
        entry, {options_.fuel, options_.samples, options_.seed, &options_.stop, options_.native});
    result_.samples = outcome.samples;
    result_.fuel = outcome.fuel;
    if (!outcome.failed) return;
    result_.arguments = std::move(outcome.arguments);
    CaseColumns columns(entry.slot_types());
    columns.add(result_.arguments);
    const vm::Job job{entry.code(), entry.function(), columns.view(), entry.budget(options_.fuel),
                      &options_.stop};
    Outcome last = run_job(job);
    entry.hide({{}, {&last.trap, 1}, {&last.place, 1}, {&last.depth, 1}, {&last.fuel, 1}});
    fail(job, result_.function, last, Trap::None);
  }

  [[nodiscard]] vm::Job job_of(u32 function) const {
    return {code_, function, CasesView{{}, 1}, options_.fuel, &options_.stop};
  }
  Outcome run_job(const vm::Job& job) {
    Outcome out;
    cells_.assign(job.code.functions[job.function].result_cells, 0);
    run_case(job, {cells_, {&out.trap, 1}, {&out.place, 1}, {&out.depth, 1}, {&out.fuel, 1}},
             options_.native);
    return out;
  }
  // `function`: a function of the program.
  void fail(const vm::Job& job, u32 function, const Outcome& outcome, Trap expected) {
    result_.passed = false;
    result_.failed_function = function;
    result_.trap = outcome.trap;
    result_.expected = expected;
    result_.depth = outcome.depth;
    if (outcome.trap == Trap::Assert) {
      result_.compared = vm::explain_assertion(job);
      result_.assertion = code_.places[outcome.place];
    }
    const Function& f = code_.functions[function];
    // An example is an assertion: if it fails by itself, its comment is the place.
    const bool is_comment =
        f.kind == FunctionKind::Example && outcome.depth == 1 && outcome.trap == Trap::Assert;
    result_.place =
        outcome.trap == Trap::None || is_comment ? f.place : code_.places[outcome.place];
  }

  const CodeView& code_;
  const TestOptions& options_;
  TestResult result_;
  std::vector<u64> cells_;
};

bool is_chosen(std::string_view name, std::span<const std::string_view> wanted) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

}  // namespace

std::vector<u32> find_tests(const CodeView& code, std::span<const std::string_view> names) {
  std::vector<u32> tests;
  for (u32 k = 0; k < code.functions.size(); ++k) {
    const Function& function = code.functions[k];
    const bool runs = is_test(function.kind) || function.kind == FunctionKind::Prop;
    if (runs && is_chosen(code.name(function), names)) tests.push_back(k);
  }
  return tests;
}

std::vector<TestResult> run_tests(const CodeView& code, const TestOptions& options) {
  std::vector<TestResult> results;
  for (const u32 test : find_tests(code, options.names)) {
    if (options.stop.stop_requested()) break;
    TestResult result = TestRun(code, test, options).run();
    if (options.stop.stop_requested()) break;  // it may have been interrupted
    results.push_back(std::move(result));
  }
  return results;
}

std::string describe(const TestResult& result,
                     std::span<const frontend::AssertedComparison> asserted) {
  if (result.passed) return "passed";
  const bool is_refused = result.trap == Trap::None && result.failed_function == result.function;
  if (is_refused) return "it cannot be run: its arguments do not fit into a frame";
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
  if (const auto text = compared_text(result.compared, result.assertion, asserted))
    out += ": " + text->brief();
  return out;
}

}  // namespace komuz::engine
