// SPDX-License-Identifier: Apache-2.0
// The number of a sketch's variants, and the decisions of variant n.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "tests/engine/sketch/sketch_oracle.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine {
namespace {

using test::expression_sketch;
using test::TestSketch;

// Numbers and lists of decisions are in the same order, and each has the other.
void expect_numbered(const TestSketch& sketch, const std::vector<Decisions>& wanted) {
  SCOPED_TRACE(sketch.source);
  ASSERT_TRUE(sketch.plan.count().is_exact);
  ASSERT_EQ(sketch.count(), wanted.size());
  EXPECT_TRUE(std::ranges::is_sorted(wanted));
  for (u64 n = 0; n < wanted.size(); ++n) {
    ASSERT_EQ(sketch.decisions(n), wanted[n]) << n;
    ASSERT_EQ(sketch.plan.rank(wanted[n]), n);
  }
}
void expect_as_tried(const TestSketch& sketch) {
  expect_numbered(sketch, test::tried_variants(sketch.sketch(), 100'000));
}

struct Counted {
  const char* expression;
  u64 count;
};

TEST(Variants, AreCountedAsTheRulesSay) {
  for (const auto& [expression, count] : std::initializer_list<Counted>{
           {"?a[n, 1]", 2},
           {"?[n]", 1},
           {"?(1..=6)", 6},
           {"?free", 1},
           // One name is one decision, one factor wherever it stands.
           {"?a[n, 1] + ?a[2, n]", 2},
           {"?a[?b[1, 2], 3]", 4},
           {"?a[?b[1, 2], 3] + ?b[4, 5]", 4},
           {"?a[?a[1, 2], 3]", 2},
           {"?a(0..3) + ?a(0..3)", 3},
           // Decisions without a name belong to their alternative, and there to their place.
           {"?[?[1, 2], 3]", 3},
           {"?[?[1, 2], ?[3, 4]]", 4},
           {"?a[?[1, 2], 3] + ?a[?[4, 5], 6]", 5},
           {"?a[?(0..3), 3] + ?a[n, ?(0..5)]", 8},
           {"?[?[?[1, 2], 3], ?[4, 5] + ?[6, 7]]", 7},
           // A name in an alternative of one without is a factor of all.
           {"?[?a[1, 2], 3]", 4},
           {"?[?a[?[1, 2], 3], 4]", 6},
           // Independent decisions multiply.
           {"?a[n, 1] * ?b[n, 2] - ?c(0..3)", 12},
           {"?[n, 1] * ?[n, 1]", 4},
           {"{ let k = ?a[1, 2]; if k > ?(0..3) { k } else { ?b[m, n] } }", 12}}) {
    const TestSketch sketch = expression_sketch(expression);
    EXPECT_EQ(sketch.count(), count) << expression;
    expect_as_tried(sketch);
  }
}

TEST(Variants, OneNameIsOneDecisionInAllFunctions) {
  const TestSketch sketch(
      "fn g() -> i64 { ?a[1, 2] + ?b[1, 2] }\nfn f() -> i64 { ?a[3, 4] + g() }\n");
  EXPECT_EQ(sketch.count(), 4u);
  expect_as_tried(sketch);
}

TEST(Variants, TheLastDecisionIsTheFastest) {
  expect_numbered(
      expression_sketch("?a[?b[1, 2], 3] + ?(0..2)"),
      {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}});
  expect_numbered(expression_sketch("?[?[1, 2], 3] + ?[n, m]"),
                  {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0}, {1, 1}});
}

std::string with_space(const std::string& expression, const std::string& space) {
  return "fn f(n: i64, m: i64) -> i64 { " + expression + " }\nspace s(x: i64) -> i64 " + space +
         "\n";
}

// N(0) = leaves, N(d) = leaves + Σ Π N(d - 1).
TEST(Variants, OfASpaceAreCountedByDepth) {
  const TestSketch sketch(with_space("?s(n)", "depth 3 { x, 1, s + s, -s }"));
  u64 at_depth = 2;
  for (u32 depth = 0; depth <= 3; ++depth) {
    EXPECT_EQ(sketch.plan.count_of_space(0, depth), VariantCount::of(at_depth));
    at_depth = 2 + at_depth * at_depth + at_depth;
  }
  EXPECT_EQ(sketch.count(), 5552u);
  expect_as_tried(sketch);
}

TEST(Variants, OfASpaceDecideAfreshInEachExpansion) {
  for (const auto& [expression, space, count] :
       std::initializer_list<std::tuple<const char*, const char*, u64>>{
           {"?s(n) + ?s(m)", "depth 0 { x, ?a[1, 2] }", 9},
           {"?s(n) + ?a[1, 2]", "depth 0 { x, ?a[1, 2] }", 6},
           // Of one expansion: one name, one decision; but each alternative has its own.
           {"?s(n)", "depth 0 { ?a[1, 2] + ?a[x, 3], ?a[1, 2] }", 4},
           {"?s(n)", "depth 1 { ?a[x, 1], s * ?a[2, 3] }", 6},
           {"?s(n)", "depth 1 { x, ?op[s, 1] + s }", 3},
           {"?s(n)", "depth 2 { x, ?op[s, 1], ?(0..3) }", 15},
           {"?s(?a[n, m])", "depth 0 { x, 1 }", 4},
           {"?b[?s(n), ?s(m) + ?s(1)]", "depth 0 { x, 1 }", 6},
           // No leaf, no variant.
           {"?s(n)", "depth 2 { s + 1 }", 0},
           {"?s(n) + ?a[1, 2]", "depth 2 { s + 1 }", 0},
           {"?a[?s(n), 2]", "depth 2 { s + 1 }", 1}}) {
    const TestSketch sketch(with_space(expression, space));
    expect_as_tried(sketch);
    EXPECT_EQ(sketch.count(), count) << sketch.source;
  }
}

TEST(Variants, OfASpaceInASpace) {
  const TestSketch sketch(with_space("?s(n)", "depth 1 { x, s + ?t(x), ?t(1) }") +
                          "space t(y: i64) -> i64 depth 2 { y, t * t }\n");
  // t: 1, 2, 5. s: 1 + 5 leaves; then 6 · 5 more.
  EXPECT_EQ(sketch.count(), 36u);
  expect_as_tried(sketch);
}

// Random expressions; each name has its own form, so that no two places of it differ.
class RandomExpression {
 public:
  explicit RandomExpression(u64 seed) : random_(seed) {}

  std::string next(u32 size) {
    if (size == 0) return random_.one_in(2) ? "n" : std::to_string(random_.below(9));
    switch (random_.below(7)) {
      case 0: return next(size - 1) + " + " + next(size / 2);
      case 1: return "(" + next(size / 2) + ") * ?(0..3)";
      case 2: return "?g(0..2)";
      case 3: return "?[" + next(size - 1) + ", " + next(size / 2) + ", 7]";
      case 4: return "?[" + next(size - 1) + "]";
      default: {
        const char name = "abc"[random_.below(3)];
        return std::string("?") + name + "[" + next(size - 1) + ", " + next(size / 2) + "]";
      }
    }
  }

 private:
  Random random_;
};

TEST(Variants, OfRandomSketchesAreAsTried) {
  constexpr u64 kMost = 5'000;
  u32 compared = 0;
  for (u64 seed = 0; seed < 300; ++seed) {
    const TestSketch sketch = expression_sketch(RandomExpression(seed).next(5));
    if (sketch.sketch().holes.empty() || sketch.count() > kMost) continue;
    SCOPED_TRACE(seed);
    expect_as_tried(sketch);
    ++compared;
  }
  EXPECT_GT(compared, 150u);
}

std::string repeated(const char* piece, u32 times) {
  std::string out = "n";
  for (u32 k = 0; k < times; ++k) out += piece;
  return out;
}

TEST(Variants, CountsAreExactBelowTwoToTheSixtyFour) {
  const TestSketch below = expression_sketch(repeated(" + ?[0, 1]", 63));
  EXPECT_EQ(below.plan.count(), VariantCount::of(u64{1} << 63));
  EXPECT_EQ(below.decisions((u64{1} << 63) - 1), Decisions(63, 1));
  EXPECT_EQ(below.plan.rank(Decisions(63, 1)), (u64{1} << 63) - 1);

  const TestSketch above = expression_sketch(repeated(" + ?[0, 1]", 64));
  EXPECT_FALSE(above.plan.count().is_exact);
  EXPECT_EQ(above.plan.count().log2, 64.0);
  EXPECT_EQ(count_text(above.plan.count()), "about 2^64.0");
  EXPECT_EQ(above.plan.rank(Decisions(64, 1)), std::nullopt);
  // Those that have a number have their own all the same.
  Decisions low(64, 0);
  low[63] = 1;
  EXPECT_EQ(above.decisions(1), low);
  EXPECT_EQ(above.plan.rank(low), 1u);

  const TestSketch grids =
      expression_sketch("?(0..=4294967294) + ?(0..=4294967294) * ?(0..=4294967294)");
  EXPECT_NEAR(grids.plan.count().log2, 96.0, 1e-8);
  EXPECT_EQ(count_text(grids.plan.count()), "about 2^96.0");
  const TestSketch two = expression_sketch("?(0..=4294967294) + ?(0..=4294967294)");
  EXPECT_EQ(two.plan.count(), VariantCount::of(u64{4294967295} * 4294967295));
}

TEST(Variants, CountsOfDeepSpacesAreLogarithms) {
  const TestSketch sketch(with_space("?s(n)", "depth 16 { x, 1, s + s }"));
  f64 log2 = 1;  // N(d) = 2 + N(d - 1)²
  for (u32 depth = 1; depth <= 16; ++depth)
    log2 = 2 * log2 + std::log2(1 + std::exp2(1 - 2 * log2));
  EXPECT_NEAR(sketch.plan.count().log2 / log2, 1.0, 1e-12);
}

// Draws of what has too many variants to number take each way as often as it has variants.
TEST(Variants, DrawsAreUniform) {
  const TestSketch sketch =
      expression_sketch(repeated(" + ?[0, 1]", 64) + " + ?[?[?(0..6), n], ?(0..9)]");
  ASSERT_FALSE(sketch.plan.count().is_exact);
  Random random(7);
  constexpr u32 kDraws = 16'000;
  u32 first = 0, inner = 0;
  std::set<Decisions> distinct;
  Decisions drawn;
  DecodedVariant instances;
  for (u32 k = 0; k < kDraws; ++k) {
    ASSERT_TRUE(sketch.plan.draw(
        DrawKind::Variants, [&] { return random.next(); }, drawn));
    ASSERT_TRUE(sketch.plan.decode(drawn, instances));
    first += drawn[0];
    inner += drawn[64] == 0;  // 7 of 16
    distinct.insert(drawn);
  }
  EXPECT_NEAR(first, kDraws / 2.0, 6 * std::sqrt(kDraws / 4.0));
  EXPECT_NEAR(inner, kDraws * 7 / 16.0, 6 * std::sqrt(kDraws / 4.0));
  EXPECT_EQ(distinct.size(), kDraws);
}

TEST(Variants, DrawsOfFewAreUniform) {
  const TestSketch sketch = expression_sketch("?[?[1, 2], 3] + ?(0..3)");
  std::vector<u32> counts(sketch.count());
  Random random(11);
  Decisions drawn;
  for (u32 k = 0; k < 9'000; ++k) {
    ASSERT_TRUE(sketch.plan.draw(
        DrawKind::Variants, [&] { return random.next(); }, drawn));
    ++counts[*sketch.plan.rank(drawn)];
  }
  for (const u32 count : counts) EXPECT_NEAR(count, 1000, 200);
}

// Each way alike that has variants: of those that nest none is left at the bottom.
TEST(Variants, DrawsByWayFindSmallExpressionsToo) {
  const TestSketch sketch(with_space("?s(n)", "depth 5 { s + s, x, s * s, 1 }"));
  Random random(3);
  Decisions drawn;
  DecodedVariant instances;
  constexpr u32 kDraws = 8'000;
  u32 leaves = 0, variants = 0;
  for (u32 k = 0; k < kDraws; ++k) {
    ASSERT_TRUE(sketch.plan.draw(
        DrawKind::Ways, [&] { return random.next(); }, drawn));
    ASSERT_TRUE(sketch.plan.decode(drawn, instances));
    leaves += drawn.size() == 1;
    ASSERT_TRUE(sketch.plan.draw(
        DrawKind::Variants, [&] { return random.next(); }, drawn));
    variants += drawn.size() == 1;
  }
  EXPECT_NEAR(leaves, kDraws / 2.0, 6 * std::sqrt(kDraws / 4.0));
  EXPECT_EQ(variants, 0u);
}

TEST(Variants, OtherListsAreNoDecisions) {
  const TestSketch sketch(with_space("?a[?[1, 2], 3] + ?s(n)", "depth 1 { x, s + 1 }"));
  DecodedVariant instances;
  for (const Decisions& good : test::tried_variants(sketch.sketch(), 100))
    EXPECT_TRUE(sketch.plan.decode(good, instances));
  for (const Decisions& bad : std::initializer_list<Decisions>{{},
                                                               {0},
                                                               {0, 0},
                                                               {2, 0},
                                                               {0, 2, 0},
                                                               {0, 0, 2},
                                                               {0, 0, 1},
                                                               {0, 0, 1, 1},
                                                               {1, 0, 0},
                                                               {0, 0, 0, 0}}) {
    EXPECT_FALSE(sketch.plan.decode(bad, instances)) << testing::PrintToString(bad);
    EXPECT_EQ(sketch.plan.rank(bad), std::nullopt) << testing::PrintToString(bad);
  }
}

}  // namespace
}  // namespace komuz::engine
