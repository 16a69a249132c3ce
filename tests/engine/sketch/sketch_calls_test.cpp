// SPDX-License-Identifier: Apache-2.0
// Compares a variant's results with another form of it: a function for each expression from a space, which is called
// with the arguments, as the meaning of a space demands. Parameters are not replaced, and no `let` binds anything.
#include "engine/sketch/grid/grid_points.h"
#include "engine/testing/run_tests.h"
#include "engine/values/value_text.h"
#include "mend/mend.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine {
namespace {

using test::TestSketch;

// Of sketches that are a function `f` and spaces behind it, whose alternatives bind no name of a parameter anew.
class AsCalls {
 public:
  explicit AsCalls(const TestSketch& sketch) : source_(sketch.source), sketch_(sketch.sketch()) {}

  // The function is called `g`.
  std::string write(const VariantPlan& plan, const Decisions& decisions) {
    EXPECT_TRUE(plan.decode(decisions, variant_));
    functions_.clear();
    const size_t name = source_.find("fn f(");
    const std::string body = region({static_cast<u32>(name + 4), sketch_.spaces[0].span.begin}, 0);
    return "fn g" + body + functions_;
  }

 private:
  std::string region(SketchSpan span, u32 instance) {
    std::string out;
    u32 at = span.begin;
    for (u32 h = 0; h < sketch_.holes.size(); ++h) {
      const SketchSpan hole = sketch_.holes[h].span;
      if (hole.begin < at || hole.end > span.end) continue;
      out += source_.substr(at, hole.begin - at) + "(" + hole_text(h, instance) + ")";
      at = hole.end;
    }
    return out + source_.substr(at, span.end - at);
  }
  std::string hole_text(u32 number, u32 instance) {
    const Hole& hole = sketch_.holes[number];
    const u32 decided = variant_.in(instance, number);
    std::string text;
    switch (hole.form) {
      case HoleForm::Free: ADD_FAILURE(); return text;
      case HoleForm::Choice: return region(hole.alternatives[decided].span, instance);
      case HoleForm::Grid:
        print_scalar(text, hole.grid.type, GridPoints(hole.grid).at(decided), ValueStyle::Source);
        return text;
      case HoleForm::Expansion:
        for (const SketchSpan argument : hole.arguments)
          text += (text.empty() ? "" : ", ") + region(argument, instance);
        break;
      case HoleForm::Nested:
        for (const SpaceParameter& parameter : sketch_.spaces[hole.expands].parameters)
          text += (text.empty() ? "" : ", ") + parameter.name;
        break;
    }
    add_function(sketch_.spaces[hole.expands], decided);
    return function_name(decided) + "(" + text + ")";
  }
  static std::string function_name(u32 instance) {
    return "expression_" + std::to_string(instance);
  }
  void add_function(const Space& space, u32 instance) {
    std::string parameters;
    for (const SpaceParameter& parameter : space.parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter.name + ": " + parameter.type;
    const std::string body =
        region(space.alternatives[variant_.instances[instance].alternative].span, instance);
    functions_ += "fn " + function_name(instance) + "(" + parameters + ") -> " + space.type +
                  " { " + body + " }\n";
  }

  std::string source_;
  const Sketch& sketch_;
  DecodedVariant variant_;
  std::string functions_;
};

struct Called {
  const char* source;
  const char* assertion;  // `f` and `g` agree
};

constexpr Called kSketches[] = {
    // The parameters' names are those of the variables, and of others.
    {"fn f(x: f64, y: f64) -> f64 { ?s(y, x) - ?s(y, x * 3.0) * ?s(x, y) }\n"
     "space s(x: f64, y: f64) -> f64 depth 1 { x, y, s - 2.0 * s, ?t(y, x) }\n"
     "space t(y: f64, x: f64) -> f64 depth 0 { x / y, { let z = x - 1.0; z * y } }\n",
     "f(5.0, 3.0) == g(5.0, 3.0)"},
    {"fn f(a: i64, b: i64) -> i64 { let c = a * 2; ?s(c, ?n[a, b, a + b]) + ?s(b, ?(1..4)) }\n"
     "space s(b: i64, c: i64) -> i64 depth 1 { b, b - ?k[c, 2] * ?k[3, b], max(s, c) - ?(0..2), "
     "?t(s, b) }\n"
     "space t(c: i64, a: i64) -> i64 depth 1 { c * 10 + a, (0..3).map(i => i * c + a).sum(), -t "
     "}\n",
     "f(7, 4) == g(7, 4)"},
    // Arguments are evaluated in order, once, and before anything else.
    {"fn f(n: i64) -> i64 { ?s(10 / n, n - 1) }\n"
     "space s(x: i64, y: i64) -> i64 depth 1 { 1, y, if y > 0 { x } else { s }, x / y }\n",
     "f(2) == g(2) && f(5) == g(5)"},
    // Slices are called by their texts.
    {"fn f(k: [i64], n: i64) -> i64 { ?s(k, n) * 100 + ?s(k[n..k.len()], k[n]) }\n"
     "space s(xs: [i64], n: i64) -> i64 depth 1 { xs.len() + n, xs.sum() - n, s * 3 + xs[0], ?t(n, "
     "xs[1..xs.len()]) }\n"
     "space t(k: i64, n: [i64]) -> i64 depth 0 { k - n.sum(), n.len() * k }\n",
     "f([5, 1, 3, 2], 1) == g([5, 1, 3, 2], 1)"},
    // Spaces as arguments, and of other types.
    {"fn f(p: (i64, bool), n: i64) -> i64 { ?s(?q(p.1), ?s(p.1 && n > 3, n)) + n }\n"
     "space s(c: bool, n: i64) -> i64 depth 1 { n, if c { s } else { -n }, if ?q(!c) { 1 } else { "
     "n * n } }\n"
     "space q(n: bool) -> bool depth 1 { n, !q, ?[true, false] }\n",
     "f((3, true), 5) == g((3, true), 5) && f((3, false), 2) == g((3, false), 2)"},
};

TEST(Fill, VariantsComputeWhatCallsOfTheirSpacesDo) {
  constexpr u64 kMost = 150;
  frontend::Compiler compiler;
  frontend::Compilation program;
  for (const auto& [source, assertion] : kSketches) {
    const TestSketch sketch(source);
    ASSERT_TRUE(sketch.plan.count().is_exact);
    AsCalls calls(sketch);
    const u64 step = sketch.count() / kMost + 1;
    for (u64 n = 0; n < sketch.count(); n += step) {
      const Decisions decisions = sketch.decisions(n);
      const std::string text = sketch.filled(decisions) + calls.write(sketch.plan, decisions) +
                               "test \"agreement\" { assert " + assertion + "; }\n";
      compiler.compile(text, program);
      ASSERT_TRUE(program.ok) << diagnostic_message(program.diagnostics.at(0), text) << "\n"
                              << text;
      const std::vector<TestResult> results = run_tests(program.code.view());
      ASSERT_EQ(results.size(), 1u);
      ASSERT_TRUE(results[0].passed) << describe(results[0]) << " #" << n << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace komuz::engine
