// SPDX-License-Identifier: Apache-2.0
// What is said of two functions, without and with the solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "engine/cases/signature.h"
#include "engine/testing/guides.h"
#include "engine/testing/shrink.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"
#include "neural/equal/all_values.h"
#include "neural/equal/equality.h"
#include "neural/equal/same_code.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;
using test::Optimised;

Equality equality(std::string_view a, std::string_view b, EqualityOptions options = {}) {
  const CompiledFunction of_a(a), of_b(b);
  const Result<Equality> compared = compare(of_a.get(), of_b.get(), options);
  EXPECT_FALSE(compared.problem()) << compared.problem().text();
  return compared.problem() ? Equality() : compared.value();
}
EqualityOptions without_solver() {
  EqualityOptions options;
  options.uses_solver = false;
  return options;
}

TEST(SameCode, NamesLayoutAndUnusedFunctionsDoNotMatter) {
  const CompiledFunction a("pub fn f(x: i64) -> i64 { g(x) + 3 }\nfn g(y: i64) -> i64 { y * 7 }"),
      b("fn unused(x: u8) -> u8 { x }\nfn h(z: i64) -> i64 { z * 7 }\n"
        "pub fn other(n: i64) -> i64 { h(n) + 3 }"),
      c("pub fn f(x: i64) -> i64 { g(x) + 3 }\nfn g(y: i64) -> i64 { y * 8 }");
  const auto is_same = [](const CompiledFunction& one, const CompiledFunction& other) {
    return is_same_code(one.get().code, one.get().function, other.get().code, other.get().function);
  };
  EXPECT_TRUE(is_same(a, b));
  EXPECT_FALSE(is_same(a, c));
  EXPECT_TRUE(is_same(a, a));
  const CompiledFunction rec2("pub fn f(n: i64) -> i64 rec 2 { if n < 1 { 0 } else { f(n - 1) } }"),
      rec3("pub fn f(n: i64) -> i64 rec 3 { if n < 1 { 0 } else { f(n - 1) } }");
  EXPECT_FALSE(is_same(rec2, rec3)) << "the bound is part of what a function does";
}

TEST(AllValues, EachValueOnce) {
  struct {
    std::string_view parameters;
    u64 values;
  } const kTypes[] = {{"a: bool", 2},
                      {"a: u8", 256},
                      {"a: bool, b: bool, c: u8", 1024},
                      {"a: [bool; 5]", 32},
                      {"a: List[bool, 4]", 1 + 2 + 4 + 8 + 16},
                      {"a: Option[Option[bool]]", 4},
                      {"a: ()", 1},
                      {"a: S", 2 + 4 + 1},
                      {"a: List[S, 2], b: bool", 2 * (1 + 7 + 49)}};
  for (const auto& [parameters, values] : kTypes) {
    const CompiledFunction f("type S = A(x: bool) | B(y: bool, z: bool) | C;\npub fn f(" +
                             std::string(parameters) + ") -> bool { true }");
    const std::string types(f.get().code.parameter_types(f.get().code.functions[f.get().function]));
    const engine::ValueShape shape(types);
    EXPECT_EQ(count_values(shape, 1000000), values) << parameters;
    EXPECT_EQ(count_values(shape, 3), std::min<u64>(values, 3)) << parameters;
    engine::ValueSampler sampler(shape, {});
    AllValues all(sampler);
    std::vector<u64> cells(count_cells(types));
    std::set<std::vector<u64>> seen;
    while (all.next(cells)) EXPECT_TRUE(seen.insert(cells).second) << parameters;
    EXPECT_EQ(seen.size(), values) << parameters;
  }
}

TEST(AllValues, LargeTypesReachTheLimit) {
  for (const std::string_view parameters :
       {"a: f64", "a: f32", "a: i64", "a: u64, b: bool", "a: List[u8, 200]", "a: [i32; 9]"}) {
    const CompiledFunction f("pub fn f(" + std::string(parameters) + ") -> bool { true }");
    const std::string types(f.get().code.parameter_types(f.get().code.functions[f.get().function]));
    EXPECT_EQ(count_values(engine::ValueShape(types), 1u << 20), 1u << 20) << parameters;
  }
}

// A given value is made by the choices that the sampler says.
TEST(GuidedInputs, AdoptedValuesAreReplayed) {
  const CompiledFunction f(
      "type S = A(x: f32) | B(y: Option[u8], z: i32) | C;\n"
      "pub fn f(a: S, b: List[S, 3], c: (f64, bool), d: [u64; 2]) -> bool { true }");
  const std::string types(f.get().code.parameter_types(f.get().code.functions[f.get().function]));
  const engine::ValueShape shape(types);
  engine::ValueSampler sampler(shape, {}), other(shape, {});
  std::vector<u64> cells(count_cells(types)), adopted(cells), replayed(cells);
  const engine::Guides none;
  for (u32 k = 0; k < 2000; ++k) {
    sampler.sample_guided(none, 7, k, cells);
    const std::vector<u64> numbers = sampler.choices().numbers;
    other.adopt(cells, adopted);
    EXPECT_EQ(adopted, cells);
    EXPECT_EQ(other.choices().numbers, numbers);
    other.replay(numbers, replayed);
    EXPECT_EQ(replayed, cells);
  }
}

TEST(GuidedInputs, ConstantsAndTheirNeighboursAreGuides) {
  const CompiledFunction f(
      "pub fn f(n: i64, x: f64, m: i32) -> bool { n == 123_456 && x < 2.5 && g(m) }\n"
      "fn g(m: i32) -> bool { m != -9 }\nfn unused(n: i64) -> bool { n == 777 }");
  engine::Guides guides;
  engine::add_guides(f.get().code, f.get().function, guides);
  engine::settle_guides(guides);
  const auto has = [&](Scalar type, u64 cell) {
    const std::vector<u64>& cells = guides.cells[static_cast<u8>(type)];
    return std::ranges::binary_search(cells, cell);
  };
  for (const u64 n : {123'455, 123'456, 123'457}) {
    EXPECT_TRUE(has(Scalar::I64, n));
    EXPECT_TRUE(has(Scalar::I32, n));
    EXPECT_FALSE(has(Scalar::U8, n));
  }
  EXPECT_TRUE(has(Scalar::I64, static_cast<u64>(-9)));
  EXPECT_FALSE(has(Scalar::U64, static_cast<u64>(-9)));
  EXPECT_FALSE(has(Scalar::I64, 777));
  EXPECT_TRUE(has(Scalar::F64, std::bit_cast<u64>(-2.5)));
  EXPECT_TRUE(has(Scalar::F64, std::bit_cast<u64>(std::nextafter(2.5, 3.0))));
}

TEST(Equality, FewValuesAreAllRun) {
  const Equality equal =
      equality("pub fn f(x: u8, b: bool) -> u8 { if b { x / 2 } else { x } }",
               "pub fn f(x: u8, b: bool) -> u8 { if !b { x } else { x >> 1 } }", without_solver());
  EXPECT_EQ(equal.verdict, Verdict::Proved);
  EXPECT_EQ(equal.evidence, Evidence::AllInputs);
  EXPECT_EQ(equal.inputs, 512);
}

TEST(Equality, AGuidedInputRefutesAndIsMadeSimple) {
  const Equality differs = equality(
      "pub fn f(x: i64, y: i64) -> i64 { if x == y { 7 } else { max(x, y) } }",
      "pub fn f(x: i64, y: i64) -> i64 { if x == y && x != 123_456 { 7 } else { max(x, y) } }",
      without_solver());
  EXPECT_EQ(differs.verdict, Verdict::Refuted);
  EXPECT_EQ(differs.arguments, (std::vector<u64>{123'456, 123'456}));
  EXPECT_EQ(differs.a.value, std::vector<u64>{7});
  EXPECT_EQ(differs.b.value, std::vector<u64>{123'456});
}

// 0 and -0 alone tell these apart: no argument is equal to the other in all bits.
TEST(GuidedInputs, ZerosOfBothSignsMeet) {
  for (const std::string_view type : {"f64", "f32"}) {
    const std::string head = "pub fn f(a: " + std::string(type) + ", b: " + std::string(type) +
                             ") -> " + std::string(type);
    const CompiledFunction one(head + " { if a == b { a } else { b } }"), other(head + " { b }");
    for (u64 seed = 0; seed < 20; ++seed) {
      const Result<Equality> made = compare(
          one.get(), other.get(), {.inputs = kFirstInputs, .seed = seed, .uses_solver = false});
      ASSERT_FALSE(made.problem());
      EXPECT_EQ(made.value().verdict, Verdict::Refuted) << type << ", seed " << seed;
    }
  }
}

TEST(Equality, BitsCountNotNumbers) {
  const Equality zeros = equality("pub fn f(x: f64) -> f64 { x + 0.0 }",
                                  "pub fn f(x: f64) -> f64 { x }", without_solver());
  EXPECT_EQ(zeros.verdict, Verdict::Refuted);
  EXPECT_EQ(zeros.arguments, std::vector<u64>{std::bit_cast<u64>(-0.0)});
}

TEST(Equality, TrapsCountByTheirKind) {
  const std::string_view divides = "pub fn f(x: i64) -> i64 { 10 / x }";
  const Equality other_trap = equality(
      divides,
      "pub fn f(x: i64) -> i64 { [10 / (if x == 0 { 1 } else { x })][if x == 0 { 1 } else { 0 }] }",
      without_solver());
  EXPECT_EQ(other_trap.verdict, Verdict::Refuted);
  EXPECT_EQ(other_trap.arguments, std::vector<u64>{0});
  EXPECT_EQ(other_trap.a.trap, Trap::DivZero);
  EXPECT_EQ(other_trap.b.trap, Trap::Index);
  // The places differ, and do not count.
  const Equality elsewhere = equality(
      divides, "pub fn f(x: i64) -> i64 { if x == 0 { return 1 / x; } 10 / x }", without_solver());
  EXPECT_EQ(elsewhere.verdict, Verdict::Tested);
  EXPECT_EQ(elsewhere.inputs, kDefaultInputs);
}

TEST(Equality, TicksCountByTheRule) {
  const std::string_view loop =
      "pub fn f(n: u8) -> i64 { var s = 0; for i in 0..i64(n) { s = s + 1; } s }";
  const std::string_view direct = "pub fn f(n: u8) -> i64 { i64(n) }";
  const auto by = [&](std::string_view a, std::string_view b, FuelRule rule) {
    EqualityOptions options = without_solver();
    options.fuel = rule;
    return equality(a, b, options).verdict;
  };
  EXPECT_EQ(by(loop, direct, FuelRule::Any), Verdict::Proved);
  EXPECT_EQ(by(loop, direct, FuelRule::Less), Verdict::Proved);
  EXPECT_EQ(by(loop, direct, FuelRule::Same), Verdict::Refuted);
  EXPECT_EQ(by(direct, loop, FuelRule::Any), Verdict::Proved);
  EXPECT_EQ(by(direct, loop, FuelRule::Less), Verdict::Refuted);
}

TEST(Equality, WhatRunsOutOfTicksIsNotCompared) {
  const std::string_view endless = "pub fn f(b: bool) -> i64 { while b { } 3 }";
  const std::string_view ends = "pub fn f(b: bool) -> i64 { 3 }";
  EqualityOptions few = without_solver();
  few.ticks = 1000;
  const Equality open = equality(endless, ends, few);
  EXPECT_EQ(open.verdict, Verdict::Tested);
  EXPECT_NE(open.open, 0);
  EXPECT_NE(open.why, "");
  few.fuel = FuelRule::Less;
  EXPECT_EQ(equality(ends, endless, few).verdict, Verdict::Refuted);
}

TEST(Equality, WithoutAnInputThatEndsNothingIsKnown) {
  EqualityOptions few = without_solver();
  few.ticks = 1000;
  const Equality none = equality("pub fn f(x: i64) -> i64 { while true { } x }",
                                 "pub fn f(x: i64) -> i64 { while true { } x + 1 }", few);
  EXPECT_EQ(none.verdict, Verdict::Unknown);
  EXPECT_EQ(none.inputs, 0);
  EXPECT_EQ(none.open, kDefaultInputs);
  EXPECT_EQ(none.bound, 1);
}

// Large numbers in a few of many cells overflow a sum, or make it NaN, and hide every difference.
TEST(Equality, LargeArraysGetTameInputsToo) {
  for (const std::string_view type : {"[i64; 300]", "[i32; 40]", "List[i64, 1000]"}) {
    const std::string head =
        "pub fn f(x: " + std::string(type) + ") -> " + (type == "[i32; 40]" ? "i32" : "i64");
    const Equality half =
        equality(head + " { x.sum() }", head + " { x.sum() / 2 }", without_solver());
    EXPECT_EQ(half.verdict, Verdict::Refuted) << type;
  }
  const std::string_view floats = "pub fn f(x: [f64; 1000]) -> f64 ";
  EXPECT_EQ(equality(std::string(floats) + "{ x.sum() }", std::string(floats) + "{ x.sum() / 2.0 }",
                     without_solver())
                .verdict,
            Verdict::Refuted);
  EXPECT_EQ(equality("pub fn f(x: [i64; 300]) -> bool { x.all(y => y == 0) }",
                     "pub fn f(x: [i64; 300]) -> bool { false }", without_solver())
                .verdict,
            Verdict::Refuted)
      << "all cells are 0";
}

TEST(Equality, InputsThatEndAlikeAreCounted) {
  const Equality traps =
      equality("pub fn f(x: i64, y: i64) -> i64 { [x, y][2 +% x *% 0] }",
               "pub fn f(x: i64, y: i64) -> i64 { [y, x][3 +% x *% 0] }", without_solver());
  EXPECT_EQ(traps.verdict, Verdict::Tested);
  EXPECT_EQ(traps.alike, traps.inputs);
  EXPECT_EQ(traps.alike_in, Trap::Index);
  const Equality nans =
      equality("pub fn f(x: f64) -> (f64, f64) { (x * NAN, x + NAN) }",
               "pub fn f(x: f64) -> (f64, f64) { (x - NAN, NAN) }", without_solver());
  EXPECT_EQ(nans.verdict, Verdict::Tested);
  EXPECT_EQ(nans.alike, nans.inputs);
  EXPECT_EQ(nans.alike_in, Trap::None);
  const Equality values = equality("pub fn f(x: i64) -> i64 { x *% 3 }",
                                   "pub fn f(x: i64) -> i64 { x +% x +% x }", without_solver());
  EXPECT_EQ(values.verdict, Verdict::Tested);
  EXPECT_EQ(values.alike, 0);
}

// Without a solver the same terms are a proof all the same.
TEST(Equality, TheSameTermsNeedNoSolver) {
  EqualityOptions terms;
  terms.resources = 0;
  terms.proves_by_terms_alone = true;
  const Equality equal = equality("pub fn f(x: i64, y: i64) -> i64 { x *% y }",
                                  "pub fn f(x: i64, y: i64) -> i64 { y *% x }", terms);
  EXPECT_EQ(equal.verdict, Verdict::Proved);
  EXPECT_EQ(equal.method, kSameTerms);
}

// What the solver takes for an unknown function is not always one of floats.
TEST(Equality, WithoutFloatsNothingIsSaidOfThemAlone) {
#ifndef KOMUZ_HAVE_Z3
  GTEST_SKIP() << "built without Z3";
#endif
  const Equality open = equality("pub fn f(x: u64) -> bool { rand(x, 0) == 0 }",
                                 "pub fn f(x: u64) -> bool { false }", {.inputs = 100});
  EXPECT_EQ(open.verdict, Verdict::Tested);
  EXPECT_NE(open.why.find("such as those of floats and `rand`"), std::string::npos) << open.why;
}

// The work that makes an input of many cells simpler is bounded, and what comes out is simple all the same.
TEST(Equality, LargeInputsAreMadeSimpleWithBoundedWork) {
  const std::string_view head = "pub fn f(x: [[f64; 90]; 90]) -> f64 ";
  const Equality differs = equality(
      std::string(head) + "{ x[40][40] }",
      std::string(head) + "{ if x[40][40] > 1000.5 { 0.0 } else { x[40][40] } }", without_solver());
  ASSERT_EQ(differs.verdict, Verdict::Refuted);
  EXPECT_EQ(std::ranges::count_if(differs.arguments, [](u64 cell) { return cell != 0; }), 1);
}

// A stop is asked for between any two runs, and ends the round.
TEST(Equality, AStopEndsTheSimplifying) {
  const CompiledFunction f("pub fn f(x: [[f64; 90]; 90]) -> bool { true }");
  const std::string types(f.get().code.parameter_types(f.get().code.functions[f.get().function]));
  const engine::ValueShape shape(types);
  engine::ValueSampler sampler(shape, {});
  std::vector<u64> cells(count_cells(types));
  const engine::Guides none;
  sampler.sample_guided(none, 1, 0, cells);
  const std::vector<u8> slot_types(cells.size(), static_cast<u8>(Scalar::F64));
  std::stop_source source;
  const std::stop_token stop = source.get_token();
  u32 runs = 0;
  const auto run = [&](engine::CaseColumns& cases, std::vector<bool>& fails) {
    ++runs;
    fails.assign(cases.count(), false);
    source.request_stop();
  };
  engine::Shrinker shrinker(sampler, slot_types, run, &stop);
  const std::vector<u64> before = sampler.choices().numbers;
  EXPECT_EQ(shrinker.shrink(sampler.choices()).numbers, before);
  EXPECT_EQ(runs, 1u);
}

TEST(Equality, SlicesAreBounded) {
  const Equality equal =
      equality("pub fn f(xs: [bool]) -> i64 { var n = 0; for x in xs { if x { n = n + 1; } } n }",
               "pub fn f(xs: [bool]) -> i64 { var n = 0; for x in xs { n = n + (if x { 1 } else { "
               "0 }); } n }",
               without_solver());
  EXPECT_EQ(equal.verdict, Verdict::Tested) << "longer slices were not looked at";
  EXPECT_EQ(equal.slice_elements, 16);
  EXPECT_NE(equal.why.find("at most 16 elements"), std::string::npos) << equal.why;
  const Equality differs =
      equality("pub fn f(xs: [i64]) -> i64 { if len(xs) == 9 { 1 } else { 0 } }",
               "pub fn f(xs: [i64]) -> i64 { 0 }", without_solver());
  EXPECT_EQ(differs.verdict, Verdict::Refuted);
}

// Loops that return from functions of different types are no partners, whatever the bits of their results are.
TEST(Equality, LoopsOfOtherResultsAreNoPartners) {
  const auto texts = [](std::string_view type, std::string_view minus_one) {
    const std::string head = ") -> " + std::string(type) +
                             " { var i = 0; while true limit 1000000 { if i >= n { return ";
    return "fn g(n: i64" + head + std::string(minus_one) + "; } i += 1; } 0 }\nfn z(n: i64" + head +
           "0; } i += 1; } 0 }\npub fn f(n: i64, m: i64) -> bool { if n *% 6364136223846793005 == "
           "1234567 { g(m) < z(m) } else { false } }";
  };
  const Equality of_widths = equality(texts("i32", "-1"), texts("i64", "4294967295"));
  EXPECT_NE(of_widths.verdict, Verdict::Proved);
  const Equality of_counts = equality(
      "fn g(n: i64) -> (i64, i64, i64, i64) { var i = 0; while i < 900 limit 1000000 "
      "{ if i >= n { return (i, 1, 2, 3); } i += 1; } (0, 0, 0, 0) }\n"
      "pub fn f(n: i64) -> i64 { let r = g(n); r.0 }",
      "fn g(n: i64) -> i64 { var i = 0; while i < 900 limit 1000000 { if i >= n { return i; } i += "
      "1; } 0 }\n"
      "pub fn f(n: i64) -> i64 { g(n) }");
  EXPECT_NE(of_counts.verdict, Verdict::Refuted);
}

// No count of ticks wraps: 2^63 - 1 twice, and two more, are not none.
TEST(Equality, ManyTicksAreNotNone) {
  const auto assembled = [](std::string_view body) {
    const std::string text =
        "constant 0x3\nconstant 0x7FFFFFFFFFFFFFFF\nconstant 0x5851F42D4C957F2D\n"
        "constant 0x12D687\n\npub fn f(x: i64) -> i64\n  slots i64\n" +
        std::string(body) + "    LOAD_VAR i64 0\n    RETURN\n";
    Code code;
    EXPECT_EQ(assemble(text, code).reason, "");
    EXPECT_EQ(check_code(code.view(), code.functions).reason, "");
    return code;
  };
  const Code none = assembled("    LOAD_VAR i64 0\n    STORE_VAR i64 0\n");
  const Code many = assembled(
      "    LOAD_VAR i64 0\n    LOAD_CONST i64 #2\n    MUL_WRAP i64\n    LOAD_CONST i64 #3\n"
      "    COMPARE_EQ i64\n    JUMP_IF_FALSE 0 ->out\n    LOAD_CONST i64 #1\n    TICKS\n"
      "    LOAD_CONST i64 #1\n    TICKS\n    TICK\n    TICK\n  out:\n");
  EqualityOptions options;
  options.fuel = FuelRule::Same;
  const Result<Equality> compared = compare({none.view(), 0}, {many.view(), 0}, options);
  ASSERT_FALSE(compared.problem());
  EXPECT_NE(compared.value().verdict, Verdict::Proved);
}

TEST(Equality, OtherTypesAreAProblem) {
  const CompiledFunction a("pub fn f(x: i64) -> i64 { x }"), b("pub fn f(x: i32) -> i32 { x }");
  const Result<Equality> compared = compare(a.get(), b.get(), {});
  ASSERT_TRUE(compared.problem());
  EXPECT_NE(compared.problem().text().find("(x: i32) -> i32"), std::string::npos);
}

TEST(Equality, AStopEndsIt) {
  std::stop_source stop;
  stop.request_stop();
  const std::stop_token token = stop.get_token();
  EqualityOptions options;
  options.stop = &token;
  EXPECT_EQ(
      equality("pub fn f(x: i64) -> i64 { x + 1 }", "pub fn f(x: i64) -> i64 { 1 + x }", options)
          .verdict,
      Verdict::Interrupted);
}

TEST(Equality, TheBoundIsThatOfClopperAndPearson) {
  // 0 of n: the share at which 0 differences have a probability of 1 - confidence.
  for (const u64 n : {u64{1}, u64{64}, u64{10'000}, u64{1} << 40}) {
    const f64 bound = difference_bound(n, 0.95);
    EXPECT_NEAR(std::exp(static_cast<f64>(n) * std::log1p(-bound)), 0.05, 1e-9);
  }
  EXPECT_EQ(difference_bound(0, 0.95), 1);
  EXPECT_NEAR(difference_bound(2'995, 0.95), 0.001, 1e-6);
}

}  // namespace
}  // namespace komuz::neural
