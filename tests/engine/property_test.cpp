// SPDX-License-Identifier: Apache-2.0
// Properties: the samples that are tried, and the shrinking of failing arguments.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <set>

#include "engine/testing/run_tests.h"
#include "engine/testing/value_sampler.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/frontend.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"
#include "lang/text/text_signature.h"
#include "mend/mend.h"

namespace komuz::engine {
namespace {

constexpr Scalar kScalars[] = {Scalar::Bool, Scalar::I32, Scalar::I64, Scalar::U8,
                               Scalar::U32,  Scalar::U64, Scalar::F32, Scalar::F64};

u64 bits(f64 x) { return std::bit_cast<u64>(x); }

TEST(Choices, EveryValueHasANumberThatGivesItBack) {
  Random random(1);
  for (const Scalar type : kScalars) {
    std::vector<Domain> domains{whole_domain(type)};
    if (is_integer(type)) {
      domains.push_back(range_domain(type, 3, 9, false));
      domains.push_back(range_domain(type, 0, 1, true));
    }
    if (is_signed(type)) domains.push_back(range_domain(type, ~u64{99}, ~u64{4}, true));
    if (type == Scalar::F64) domains.push_back(range_domain(type, bits(-0.5), bits(1e9), false));
    for (const Domain& domain : domains) {
      for (const u64 cell : edge_cells(domain))
        EXPECT_EQ(cell_of(domain, choice_of(domain, cell)), cell);
      for (u32 k = 0; k < 2000; ++k) {
        const u64 one = random.next(), other = random.next();
        const u64 cell = random_cell(domain, one, other);
        EXPECT_EQ(cell_of(domain, choice_of(domain, cell)), cell) << static_cast<u32>(type);
        // Any choice is a value.
        const u64 some = cell_of(domain, {one, (other & 1) != 0});
        EXPECT_EQ(cell_of(domain, choice_of(domain, some)), some) << static_cast<u32>(type);
      }
    }
  }
}

TEST(Choices, SimplerValuesHaveSmallerNumbers) {
  const Domain all = whole_domain(Scalar::I64);
  for (const i64 n : {0, 1, 2, 17})
    EXPECT_LT(choice_of(all, static_cast<u64>(n)).number,
              choice_of(all, static_cast<u64>(-n - 1)).number);
  const Domain floats = whole_domain(Scalar::F64);
  u64 last = 0;
  for (const f64 x : {0.0, 1.0, 2.0, 1e9, 1.5, 1.25, 1.75, 0.5, 0.1, 1e-300,
                      std::numeric_limits<f64>::infinity()}) {
    const u64 number = choice_of(floats, bits(x)).number;
    EXPECT_TRUE(x == 0.0 || number > last) << x;
    last = number;
  }
  // The end of a range that is nearest to 0 is the simplest value.
  EXPECT_EQ(cell_of(range_domain(Scalar::I32, 5, 9, true), {}), 5u);
  EXPECT_EQ(cell_of(range_domain(Scalar::I32, ~u64{8}, ~u64{4}, true), {}), ~u64{4});
  EXPECT_EQ(cell_of(range_domain(Scalar::F64, bits(0.5), bits(2.0), true), {}), bits(0.5));
}

TEST(Choices, EdgesLieInTheirDomain) {
  const auto texts = [](const Domain& domain) {
    std::string text;
    for (const u64 cell : edge_cells(domain)) {
      print_scalar(text, domain.type, cell, ValueStyle::Source);
      text += ' ';
    }
    return text;
  };
  EXPECT_EQ(texts(range_domain(Scalar::I64, 1, 1000, false)), "1 2 998 999 ");
  EXPECT_EQ(texts(whole_domain(Scalar::U8)), "0 1 2 254 255 ");
  EXPECT_EQ(texts(whole_domain(Scalar::Bool)), "false true ");
  EXPECT_EQ(texts(range_domain(Scalar::F64, bits(-1.0), bits(2.0), false)),
            "0.0 -0.0 1.0 -1.0 1.9999999999999996 1.9999999999999998 0.5 -0.5 -0.9999999999999999 "
            "2.220446049250313e-16 -2.220446049250313e-16 2.2250738585072014e-308 "
            "-2.2250738585072014e-308 5e-324 -5e-324 ");
  const std::string floats = texts(whole_domain(Scalar::F32));
  for (const char* part : {"NAN ", " INF ", "-INF ", "-0.0 ", "1e-45 ", "3.4028235e+38 "})
    EXPECT_NE((" " + floats).find(part), std::string::npos) << part << " in " << floats;
}

// The type codes of parameters, as text spells them.
std::string codes_of(std::string_view parameters) {
  const std::string text = "f(" + std::string(parameters) + ") -> ()";
  TextLine line(text);
  Signature signature;
  EXPECT_EQ(read_signature(line, signature), "");
  return {reinterpret_cast<const char*>(signature.types.data()), signature.result_at};
}

constexpr std::string_view kManyTypes =
    "a: i64, b: (f64, bool), c: [u8; 3], d: List[i32, 5], e: Option[f32], "
    "f: Shape(Circle(c: Vec2(x: f64, y: f64), r: f64) | Empty), g: List[Option[List[u8, 2]], 3], "
    "h: Bytes[4], i: ()";

TEST(ValueSampler, ChoicesGiveTheirValueBack) {
  const std::string codes = codes_of(kManyTypes);
  const ValueShape shape(codes);
  ValueSampler sampler(shape, {});
  std::vector<u64> cells(count_cells(codes)), again(cells.size());
  ValueFormat format(codes);
  std::set<std::string> texts;
  for (u32 k = 0; k < 3000; ++k) {
    sampler.sample(5, k, cells);
    const Choices choices = sampler.choices();
    sampler.replay(choices.numbers, again);
    ASSERT_EQ(again, cells) << k;
    EXPECT_EQ(sampler.choices().numbers, choices.numbers);
    // It is a value: what it prints reads back to the same cells.
    std::string text;
    format.print(text, cells, ValueStyle::Text);
    const auto error = format.parse(text, ValueStyle::Text, again);
    ASSERT_FALSE(error) << error->message << " in " << text;
    EXPECT_EQ(again, cells) << text;
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 2500u);
  // Nothing at all is the simplest value.
  sampler.replay({}, cells);
  std::string text;
  format.print(text, cells, ValueStyle::Text);
  EXPECT_EQ(text,
            "(0, (0.0, false), [0, 0, 0], [], None, Circle(c: Vec2(x: 0.0, y: 0.0), r: 0.0), "
            "[], \"\", ())");
}

TEST(ValueSampler, ASampleDependsOnSeedAndNumberAlone) {
  const std::string codes = codes_of(kManyTypes);
  const ValueShape shape(codes);
  ValueSampler one(shape, {}), other(shape, {});
  std::vector<u64> a(count_cells(codes)), b(a.size());
  for (u32 k = 0; k < 1500; ++k) one.sample(9, k, a);
  other.sample(9, 1499, b);
  EXPECT_EQ(a, b);
  other.sample(10, 1499, b);
  EXPECT_NE(a, b);
}

TestResult only_result(std::string_view source, u64 seed = 0) {
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) {
    ADD_FAILURE() << diagnostic_message(program.diagnostics.at(0), source);
    return {};
  }
  std::vector<TestResult> results = run_tests(program.code.view(), {.seed = seed});
  return results.empty() ? TestResult{} : results[0];
}

TEST(Properties, AFailingOneShrinksToTheBorder) {
  for (const u64 seed : {0, 1, 2}) {
    EXPECT_EQ(only_result("prop \"p\" (a: i64 in 0..100000) { assert a < 4711; }", seed).arguments,
              std::vector<u64>{4711});
    EXPECT_EQ(
        only_result("prop \"p\" (a: i64, b: i64) { assert a == 0 || a != b; }", seed).arguments,
        (std::vector<u64>{1, 1}));
    EXPECT_EQ(only_result("prop \"p\" (x: f64) { assert !(x > 2.0); }", seed).arguments,
              std::vector<u64>{bits(3.0)});
    EXPECT_EQ(only_result("prop \"p\" (n: i64 in -900..=-7) { assert n > -10; }", seed).arguments,
              std::vector<u64>{~u64{9}});
  }
}

// Neither parameter can be made simpler before the other is.
TEST(Properties, ParametersThatHoldEachOtherShrink) {
  const auto arguments_of = [](std::string_view parameters, std::string_view condition, u64 seed) {
    return only_result("prop \"p\" (" + std::string(parameters) + ") { assert !(" +
                           std::string(condition) + "); }",
                       seed)
        .arguments;
  };
  using Arguments = std::vector<u64>;
  constexpr std::string_view kNumbers = "a: i64 in 0..1000000, b: i64 in 0..1000000";
  for (const u64 seed : {0, 1, 2}) {
    // Of a and b in turn each allows the other a few steps.
    EXPECT_EQ(arguments_of(kNumbers, "a > b && a < b + 10 && b >= 20", seed), (Arguments{21, 20}));
    // The second has to come down before the first one can.
    EXPECT_EQ(arguments_of(kNumbers, "a > b && b >= 20", seed), (Arguments{21, 20}));
    // Both at once.
    EXPECT_EQ(arguments_of(kNumbers, "a >= 100 && a == b + 1", seed), (Arguments{100, 99}));
    EXPECT_EQ(arguments_of("a: u64, b: u64", "b >= 5 && a >= 7 && (a +% b) % 2 == 0", seed),
              (Arguments{7, 5}));
    EXPECT_EQ(arguments_of("a: i64, b: i64", "a > 8 && a -% b == 1", seed), (Arguments{9, 8}));
  }
}

TEST(Properties, WhatIsShownFailsInTheSamePlace) {
  const TestResult result =
      only_result("prop \"p\" (a: u8) { assert a != 200; assert a < 100 && a != 7; }");
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.arguments, std::vector<u64>{100});
  const TestResult other = only_result("prop \"p\" (a: i64) { assert 10 / a != 20; }");
  EXPECT_EQ(other.trap, Trap::DivZero);
  EXPECT_EQ(other.arguments, std::vector<u64>{0});
}

TEST(Properties, OneThatHoldsRunsAllSamples) {
  const TestResult result = only_result("prop \"p\" (a: i64, b: bool) { assert a == a || b; }");
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.samples, kDefaultSamples);
  EXPECT_EQ(result.fuel, kDefaultSamples);
  EXPECT_TRUE(result.arguments.empty());
}

TEST(Properties, ARangeIsKept) {
  const TestResult result = only_result(
      "const TOP: u8 = 9;\n"
      "prop \"p\" (a: u8 in 3..TOP, x: f32 in -1.5..=2.5, n: i32 in -4..=-4) {\n"
      "    assert a >= 3 && a < 9 && x >= -1.5 && x <= 2.5 && n == -4;\n}\n");
  EXPECT_TRUE(result.passed) << describe(result);
}

// Lists by assembly: fewer elements, then simpler ones.
TEST(Properties, ListsShrink) {
  Code code;
  const AssemblyError error = assemble(
      "constant 3\n"
      "prop \"short\"(xs: List[i64, 8]) -> () place=0\n"
      "  slots i64 i64 i64 i64 i64 i64 i64 i64 i64\n"
      "  LOAD_VAR i64 0\n"
      "  LOAD_CONST i64 #0\n"
      "  COMPARE_LT i64\n"
      "  ASSERT\n"
      "  RETURN\n",
      code);
  ASSERT_FALSE(error) << error.line << ": " << error.reason;
  const CodeError refused = check_code(code.view(), code.functions);
  ASSERT_FALSE(refused) << refused.reason;
  const PropertyOutcome outcome = run_property(PropertyEntry(code.view(), 0), {});
  ASSERT_TRUE(outcome.failed);
  EXPECT_EQ(outcome.arguments, (std::vector<u64>{3, 0, 0, 0, 0, 0, 0, 0, 0}));
}

// A slice is a list to who chooses it.
TEST(Properties, SlicesAreTriedAsLists) {
  Code code;
  const AssemblyError error = assemble(
      "constant 2\n"
      "prop \"short\"(xs: [f64], n: i64) -> () place=0\n"
      "  slots i64 &f64 i64\n"
      "  LOAD_VAR i64 0\n"
      "  LOAD_CONST i64 #0\n"
      "  COMPARE_LT i64\n"
      "  ASSERT\n"
      "  RETURN\n",
      code);
  ASSERT_FALSE(error) << error.line << ": " << error.reason;
  const CodeError refused = check_code(code.view(), code.functions);
  ASSERT_FALSE(refused) << refused.reason;
  const std::vector<TestResult> results = run_tests(code.view());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(describe(results[0]), "trap ASSERT: an assertion is false: 2 < 2");
  EXPECT_EQ(results[0].depth, 1u);
  std::string text;
  print_value(text, results[0].argument_types, results[0].arguments, ValueStyle::Source);
  EXPECT_EQ(text, "([0.0, 0.0], 0)");
  EXPECT_EQ(type_text(results[0].argument_types), "(List[f64, 16], i64)");
}

TEST(Properties, AStopLeavesIt) {
  std::stop_source source;
  source.request_stop();
  const std::stop_token token = source.get_token();
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile("prop \"p\" (a: i64) { assert a == a; }", program);
  ASSERT_TRUE(program.ok);
  EXPECT_EQ(run_property(PropertyEntry(program.code.view(), 0), {.stop = &token}).samples, 0u);
}

}  // namespace
}  // namespace komuz::engine
