// SPDX-License-Identifier: Apache-2.0
// The three forms of a variant's code: bound, expanded, and the plain program that `komuz fill` prints. All give the
// same values, traps and fuel; the first two give the same reports, including places.
#include <gtest/gtest.h>

#include "engine/results/report.h"
#include "engine/run/evaluate.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "frontend_gpu/device/cuda/cuda_device.h"
#include "lang/check/check_code.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/sketch/bindable_sketches.h"

namespace komuz::engine {
namespace {

using test::kBindable;
using test::report_of;

constexpr const char* kCases =
    "n,x,expected\n0,0.5,1.0\n1,-2.0,2.0\n3,1e300,0.0\n-7,0.25,5.0\n100,3.0,-1.0\n5,7.5,7.5\n";

struct Unbound {
  const char* source;
  BindObstacle obstacle;
};
constexpr Unbound kUnbound[] = {
    {"pub fn f(n: i64, x: f64) -> f64 {\n    let a = [x, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];\n"
     "    let b = [1.0; 9];\n    ?xs[a, b][n] + x\n}",
     BindObstacle::Copies},
    {"fn g(n: i64) -> i64 rec 30 { if n <= 0 { 0 } else { ?r[g(n - 1) + 1, n, g(n - 2)] } }\n"
     "pub fn f(n: i64, x: f64) -> f64 { f64(g(n)) }",
     BindObstacle::Recursion},
};

SketchProgram program_of(const std::string& source) {
  std::optional<SketchProgram> sketch = read_sketch(source, {});
  EXPECT_TRUE(sketch) << source;
  return std::move(*sketch);
}
CasesTable cases() {
  CasesTable table;
  const Problem error = read_csv_cases("cases.csv", kCases, {}, table);
  EXPECT_FALSE(error);
  return table;
}
Results run(const SketchProgram& sketch, bool expands, u32 threads = 2,
            const VariantChoice& choice = {}, vm::WarpDevice* device = nullptr,
            frontend::BatchCompiler* compiler = nullptr) {
  SketchCandidates candidates(sketch.source, sketch.plan, choice);
  EvaluateOptions options;
  options.programs.sketch = &sketch;
  options.programs.expands_variants = expands;
  options.machines.threads = threads;
  options.machines.epoch = options.machines.device_epoch = 7;
  options.machines.device = device;
  options.machines.compiler = compiler;
  Results results;
  const CasesTable table = cases();
  const Problem error = evaluate(candidates, table, options, results);
  EXPECT_FALSE(error) << error.text() << "\n" << sketch.source;
  EXPECT_EQ(results.rows.size(), choice.samples.value_or(sketch.plan.count().exact));
  return results;
}
// The variants as plain programs.
Results run_plain(const SketchProgram& sketch) {
  std::vector<std::string> texts;
  Fill fill(sketch.source, sketch.plan);
  Decisions decisions;
  for (u64 k = 0; k < sketch.plan.count().exact; ++k) {
    EXPECT_TRUE(sketch.plan.unrank(k, decisions));
    EXPECT_TRUE(fill.write(decisions, texts.emplace_back()));
  }
  std::vector<Candidate> rows;
  for (const std::string& text : texts) rows.push_back({{}, text, {}});
  CandidateList candidates(rows);
  Results results;
  const CasesTable table = cases();
  EXPECT_FALSE(evaluate(candidates, table, {}, results));
  return results;
}
void expect_same_runs(const Results& own, const Results& plain, const std::string& source) {
  ASSERT_EQ(own.rows.size(), plain.rows.size());
  for (u32 k = 0; k < own.rows.size(); ++k) {
    const ResultRow &a = own.rows[k], &b = plain.rows[k];
    EXPECT_EQ(a.status, b.status) << source << "\n#" << k;
    EXPECT_EQ(a.score, b.score) << source << "\n#" << k;
    EXPECT_EQ(a.fuel, b.fuel) << source << "\n#" << k;
    EXPECT_EQ(a.first_trap, b.first_trap) << source << "\n#" << k;
    const bool fails = a.first_failure != kNone;
    ASSERT_EQ(fails, b.first_failure != kNone);
    if (!fails) continue;
    const Failure &f = own.failures[a.first_failure], &g = plain.failures[b.first_failure];
    EXPECT_EQ(f.case_index, g.case_index) << source << "\n#" << k;
    EXPECT_EQ(f.trap, g.trap) << source << "\n#" << k;
    if (f.trap != Trap::None) {
      EXPECT_EQ(f.depth, g.depth) << source << "\n#" << k;
    }
    EXPECT_EQ(f.actual, g.actual) << source << "\n#" << k;
  }
}

TEST(SketchWays, BoundIsExpandedIsPlain) {
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    ASSERT_EQ(sketch.obstacle, BindObstacle::None) << source;
    const Results bound = run(sketch, false), expanded = run(sketch, true);
    EXPECT_EQ(report_of(bound), report_of(expanded)) << source;
    EXPECT_EQ(report_of(bound), report_of(run(sketch, false, 1))) << source;
    expect_same_runs(bound, run_plain(sketch), source);
  }
}

// Made and run on warps, emulated and, where there is one, of a GPU.
TEST(SketchWays, ADeviceMakesTheSame) {
  std::vector<std::unique_ptr<vm::WarpDevice>> devices;
  devices.push_back(vm::emulated_warp_device());
  if (auto opened = vm::open_cuda_device(); !opened.problem())
    devices.push_back(std::move(opened.value().device));
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    const std::string wanted = report_of(run(sketch, false));
    for (const auto& device : devices) {
      EXPECT_EQ(report_of(run(sketch, false, 2, {}, device.get())), wanted) << source;
      EXPECT_EQ(report_of(run(sketch, true, 2, {}, device.get())), wanted) << source;
    }
  }
}

TEST(SketchWays, WithoutBoundCodeTheyAreExpanded) {
  for (const Unbound& own : kUnbound) {
    const SketchProgram sketch = program_of(own.source);
    EXPECT_EQ(sketch.obstacle, own.obstacle) << own.source;
    const Results expanded = run(sketch, false);
    for (const ResultRow& row : expanded.rows) EXPECT_NE(row.status, Status::CompileError);
    EXPECT_EQ(report_of(expanded), report_of(run(sketch, true, 1))) << own.source;
    expect_same_runs(expanded, run_plain(sketch), own.source);
  }
}

// Of the bindable ones some.
TEST(SketchWays, ADeviceCompilesWhatIsExpanded) {
  std::vector<const char*> sources;
  for (const Unbound& own : kUnbound) sources.push_back(own.source);
  for (size_t k = 0; k < std::size(kBindable); k += 5) sources.push_back(kBindable[k]);
  const auto warps = vm::emulated_warp_device();
  frontend::BatchCompiler emulated(frontend::emulated_device(3, 2));
  std::vector<frontend::BatchCompiler*> compilers{&emulated};
  const auto opened = frontend::open_device_compiler();
  if (!opened.problem()) compilers.push_back(opened.value().compiler.get());
  for (const char* const source : sources) {
    const SketchProgram sketch = program_of(source);
    const std::string wanted = report_of(run(sketch, true));
    for (frontend::BatchCompiler* const compiler : compilers) {
      EXPECT_EQ(report_of(run(sketch, true, 2, {}, nullptr, compiler)), wanted) << source;
      EXPECT_EQ(report_of(run(sketch, true, 2, {}, warps.get(), compiler)), wanted) << source;
    }
  }
}

TEST(SketchWays, BoundCodePassesTheChecker) {
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    Binder binder(sketch);
    Decisions decisions;
    Code code;
    for (u64 k = 0; k < sketch.plan.count().exact; ++k) {
      ASSERT_TRUE(sketch.plan.unrank(k, decisions));
      ASSERT_TRUE(binder.bind(decisions, code));
      std::vector<Function> functions = code.functions;
      const CodeError error = check_code(code.view(), functions, kDefaultStackLimit);
      ASSERT_FALSE(error) << error.reason << "\n" << source << "\n#" << k;
      for (size_t f = 0; f < functions.size(); ++f) {
        EXPECT_EQ(code.functions[f].max_stack, functions[f].max_stack) << source << "\n#" << k;
        EXPECT_GE(code.functions[f].stack_bytes, functions[f].stack_bytes) << source << "\n#" << k;
      }
    }
  }
}

// Of grids with many points no values are kept.
TEST(SketchWays, LargeGridsAreBoundLikeSmallOnes) {
  const SketchProgram sketch = program_of(
      "pub fn f(n: i64, x: f64) -> f64 { x * ?a(0.0..1.0, steps: 100000) + f64(n * ?(-9..99999)) + "
      "?c(1.0..=9.0, steps: 5) + ?a(0.0..1.0, steps: 100000) }");
  ASSERT_EQ(sketch.obstacle, BindObstacle::None);
  const VariantChoice some{.samples = 50, .seed = 1};
  const std::string wanted = report_of(run(sketch, true, 1, some));
  EXPECT_EQ(report_of(run(sketch, false, 1, some)), wanted);
  const auto warps = vm::emulated_warp_device();
  EXPECT_EQ(report_of(run(sketch, false, 1, some, warps.get())), wanted);
}

TEST(SketchWays, CodeOfAVariantMayBecomeThatOfAnother) {
  for (const char* const source : kBindable) {
    const SketchProgram sketch = program_of(source);
    Binder binder(sketch);
    Decisions decisions;
    Code code;
    for (u64 k = 0; k < sketch.plan.count().exact; ++k) {
      ASSERT_TRUE(sketch.plan.unrank(k, decisions));
      ASSERT_TRUE(binder.bind(decisions, code));
      Code fresh;
      ASSERT_TRUE(Binder(sketch).bind(decisions, fresh));
      EXPECT_EQ(code.instructions, fresh.instructions) << source << "\n#" << k;
      EXPECT_EQ(code.places, fresh.places) << source << "\n#" << k;
      EXPECT_EQ(code.constants, fresh.constants) << source << "\n#" << k;
      EXPECT_EQ(code.names, fresh.names);
      ASSERT_EQ(code.functions.size(), fresh.functions.size());
      for (size_t f = 0; f < code.functions.size(); ++f) {
        EXPECT_EQ(code.functions[f].code_begin, fresh.functions[f].code_begin);
        EXPECT_EQ(code.functions[f].code_end, fresh.functions[f].code_end);
        EXPECT_EQ(code.functions[f].stack_bytes, fresh.functions[f].stack_bytes);
      }
      if (k % 2 == 0) continue;
      // As where an entry for slices is added.
      code.instructions.push_back({});
      code.functions.push_back(code.functions[0]);
      code.functions[0].stack_bytes = 0;
      code.names += "g";
    }
  }
}

TEST(SketchWays, VariantsThatDoTheSameAreDuplicates) {
  const SketchProgram sketch =
      program_of("pub fn f(n: i64, x: f64) -> f64 { ?a[?b[x, 2.0], 3.0] + ?[x, x] }");
  const Results results = run(sketch, false);
  // #1 chooses the other x; of a = 1 neither b nor that makes a difference.
  const u32 representatives[] = {kNone, 0, kNone, 2, kNone, 4, 4, 4};
  ASSERT_EQ(results.rows.size(), std::size(representatives));
  for (u32 k = 0; k < results.rows.size(); ++k)
    EXPECT_EQ(results.rows[k].duplicate_of, representatives[k]) << k;
}

}  // namespace
}  // namespace komuz::engine
