// SPDX-License-Identifier: Apache-2.0
// Programs as variants of sketches that hold them.
#include "engine/sketch/encode/encode.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/cases/signature.h"
#include "engine/fit/fit_sketch.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/encode/find_starts.h"
#include "engine/sketch/fill.h"
#include "vm/vm.h"

namespace komuz::engine::test {
namespace {

std::vector<f64> values_of(const Code& code, const std::vector<f64>& xs,
                           const std::vector<f64>& ts) {
  const auto count = static_cast<u32>(xs.size());
  std::vector<u64> cells(count), fuel(count);
  std::vector<Trap> traps(count);
  std::vector<u32> places(count), depths(count);
  const ArgumentColumn columns[] = {{Scalar::F64, xs.data()}, {Scalar::F64, ts.data()}};
  const u32 entry = static_cast<u32>(choose_entry(code.view(), {}).function);
  vm::run_reference({code.view(), entry, {columns, count}}, {cells, traps, places, depths, fuel});
  std::vector<f64> out;
  for (const u64 cell : cells) out.push_back(std::bit_cast<f64>(cell));
  return out;
}
const std::vector<f64> kXs = {0.5, 1.25, 2.0, 3.5}, kTs = {1.5, 0.75, 2.5, 0.25};

struct OneSketch {
  explicit OneSketch(const std::string& text) : program(read_sketch(text, {})) {
    EXPECT_TRUE(program) << text;
  }
  // Of a formula of x and t: the variant's values are the same, to what a binary32 holds of its numbers. Else why not.
  std::string encoded(const std::string& body, EncodeOptions options = {}) {
    VariantEncoder encoder(*program);
    const std::string text = "pub fn y(x: f64, t: f64) -> f64 { " + body + " }\n";
    const Encoded made = encoder.encode(text, options);
    if (!made.why_not.empty()) return made.why_not;
    EXPECT_FALSE(program->plan.find_fault(made.decisions)) << body;
    std::string filled;
    EXPECT_TRUE(Fill(program->source, program->plan).write(made.decisions, filled));
    Code code;
    Binder binder(*program);
    EXPECT_TRUE(binder.bind(made.decisions, code)) << body;
    frontend::Compiler compiler;
    frontend::Compilation own;
    compiler.compile(text, own);
    std::vector<f64> a = values_of(code, kXs, kTs), b = values_of(own.code, kXs, kTs);
    if (options.up_to_line) {
      // The line through two cases.
      const f64 slope = (b[3] - b[0]) / (a[3] - a[0]), shift = b[0] - slope * a[0];
      for (f64& value : a) value = shift + slope * value;
    }
    for (size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 1e-4 * std::max(1.0, std::fabs(b[k]))) << body << "\n" << filled;
    return "";
  }
  std::optional<SketchProgram> program;
};

FitData two_inputs() {
  FitData data;
  data.target = data.target_name = "y";
  data.inputs = {{"x", "x", {}, {}}, {"t", "t", {}, {}}};
  return data;
}

constexpr std::string_view kHeld[] = {
    "x",
    "2.5 * x",
    "x - t",
    "0.3 - 2.0 * x",
    "x * t + 3.0 * x - 1.5 * t + 0.25",
    "exp(-0.5 * x) * t",
    "exp(-t) + sin(2.0 * x + 0.5)",
    "x / t",
    "1.0 / (x + 2.0)",
    "(3.0 * x + 1.0) / (2.0 * t + x + 5.0)",
    "x ** 2 + t ** 3",
    "x * x * t * 0.36 + t * t - 7.0 * x + 0.1 * x * t * t",
    "sqrt(x) * tanh(t) / x",
    "let a = x + t; let b: f64 = a * a; exp(-b) + a",
    "(t * t * 2.954 + 0.00045 * x + x * x * 0.256 - 172.787 * t - 1765.5) / (1.0 + 0.0765 * t) * "
    "0.01425 + 26.897",
};

TEST(VariantEncoder, ASketchOfAFitHoldsItsFormulas) {
  OneSketch of_line(fit_sketch(two_inputs(), {default_operators(), 4, false}));
  OneSketch whole(fit_sketch(two_inputs(), {default_operators(), 4, true}));
  for (const std::string_view body : kHeld) {
    EXPECT_EQ(of_line.encoded(std::string(body), {.up_to_line = true}), "") << body;
    EXPECT_EQ(whole.encoded(std::string(body)), "") << body;
  }
}

TEST(VariantEncoder, AllOperationsOfFormulas) {
  OperatorSet all;
  for (u32 k = 0; k < std::size(kOperators); ++k) all.push_back(k);
  OneSketch sketch(fit_sketch(two_inputs(), {all, 4, false}));
  for (const std::string body :
       {"min(x, 2.0 * t)", "max(t, x) * x", "if x < t { x } else { 2.0 * t }",
        "if x >= t { x } else { t * t }", "atan2(x, t) + hypot(x, t)", "x ** t", "abs(x - t)",
        "cbrt(x) + log10(t)", "erf(x) * 2.0 + log2(t)", "asin(x / 4.0)", "sinh(x) - cosh(t)"})
    EXPECT_EQ(sketch.encoded(body), "") << body;
}

TEST(VariantEncoder, SaysWhyItIsNotHeld) {
  OneSketch sketch(fit_sketch(two_inputs(), {default_operators(), 4, false}));
  EXPECT_EQ(sketch.encoded("tan(x)"), "it calls `tan`, which formulas are not made of");
  EXPECT_EQ(sketch.encoded("if x < t { x } else { t }"),
            "it has an `if`, which formulas are not made of");
  EXPECT_EQ(sketch.encoded("var s = 0.0; for k in 0..3 { s += x; } s"),
            "it is no single expression of numbers");
  EXPECT_EQ(sketch.encoded("1.0 + 2.0", {.up_to_line = true}),
            "it is a number, which a line has anyway");
  EXPECT_EQ(sketch.encoded("exp(exp(exp(exp(exp(exp(exp(exp(exp(x)))))))))"),
            "it nests too deeply, or puts operations together in a way that no alternative has");
  VariantEncoder encoder(*sketch.program);
  EXPECT_EQ(encoder.encode("pub fn y(z: f64) -> f64 { z }", {}).why_not,
            "it names `z`, which is no input");
  EXPECT_EQ(encoder.encode("pub fn y(", {}).why_not, "it does not compile");
}

// A choice takes what the best of its alternatives takes, and a grid nothing.
TEST(VariantEncoder, ChoicesAndNestedSpaces) {
  OneSketch sketch(
      "pub fn y(x: f64, t: f64) -> f64 { ?[x, t] - ?s(x, t) }\n"
      "space s(x: f64, t: f64) -> f64 depth 2 { x, t, ?(real), s * s, -s }\n");
  EXPECT_EQ(sketch.encoded("t - 2.5 * x * t"), "");
  EXPECT_EQ(sketch.encoded("x + t"), "");
  EXPECT_NE(sketch.encoded("x * t - t"), "");
}

TEST(VariantEncoder, NumbersArePointsOfGrids) {
  OneSketch sketch(
      "pub fn y(x: f64, t: f64) -> f64 { ?(0.5..=2.0, steps: 4) * x + ?(-1.0..=1.0, steps: 21) / "
      "(1.0 - ?(0.0..0.5, steps: 64) * t) }\n");
  EXPECT_EQ(sketch.encoded("1.5 * x + 0.3 / (1.0 - 0.0625 * t)"), "");
  EXPECT_EQ(sketch.encoded("x + 0.3 / (1.0 - 0.0625 * t)"), "");
  EXPECT_NE(sketch.encoded("1.25 * x + 0.3 / (1.0 - 0.0625 * t)"), "");
  EXPECT_NE(sketch.encoded("1.5 * x + 0.3 / (1.0 - 0.5 * t)"), "");
}

// What has no holes is taken as it is, and the rest has to give what is left.
TEST(VariantEncoder, PartsWithoutHoles) {
  OneSketch sketch(
      "pub fn y(x: f64, t: f64) -> f64 {\n"
      "    let small = ?base[TAU * sqrt(x / 9.81), x * t];\n"
      "    let s = ?of[t, sin(t / 2.0)] ** 2;\n"
      "    small * ?shape[1.0 + ?(0.0..0.5, steps: 64) * s, 1.0 / (1.0 - ?(0.0..0.5, steps: 64) * "
      "s), t - ?rest[x, s]]\n"
      "}\n");
  EXPECT_EQ(sketch.encoded("2.0 * PI * sqrt(x / 9.81) / (1.0 - t * t / 16.0)"), "");
  EXPECT_EQ(sketch.encoded("sqrt(x / 9.81) * TAU * (0.25 * sin(0.5 * t) * sin(0.5 * t) + 1.0)"),
            "");
  EXPECT_EQ(sketch.encoded("x * t * (t - x)"), "");
  EXPECT_NE(sketch.encoded("x * t / (2.0 - t * t / 16.0)"), "");
  EXPECT_NE(sketch.encoded("x * (1.0 + 0.25 * t * t)"), "");
}

TEST(FindStarts, SomeProgramsAreVariants) {
  const std::optional<SketchProgram> sketch =
      read_sketch(fit_sketch(two_inputs(), {default_operators(), 4, false}), {});
  ASSERT_TRUE(sketch);
  const auto program = [](const std::string& body) {
    return "pub fn y(x: f64, t: f64) -> f64 { " + body + " }\n";
  };
  const GivenProgram given[] = {{"far", program("tan(x)")},
                                {"a", program("x * t")},
                                {"farther", program("floor(x)")},
                                {"b", program("x + t")},
                                {"c", program("x - t")}};
  const Starts all = find_starts(*sketch, given, 10, {}, {});
  EXPECT_EQ(all.variants.size(), 3u);
  EXPECT_EQ(all.not_held, 2u);
  EXPECT_EQ(all.not_held_id, "far");
  EXPECT_EQ(all.not_held_why, "it calls `tan`, which formulas are not made of");
  EXPECT_EQ(all.without_room, 0u);
  const Starts one = find_starts(*sketch, given, 1, {}, {});
  ASSERT_EQ(one.variants.size(), 1u);
  EXPECT_EQ(one.variants[0], all.variants[0]);
  EXPECT_EQ(one.without_room, 3u);
}

}  // namespace
}  // namespace komuz::engine::test
