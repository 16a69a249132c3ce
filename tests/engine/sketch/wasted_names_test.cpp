// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/wasted_names.h"

#include "tests/engine/sketch/sketches.h"

namespace komuz::engine {
namespace {

using test::expression_sketch;
using test::TestSketch;

// The names, and how many variants there are without them and with them: "b 3/4".
std::string wasted(const TestSketch& sketch) {
  const std::vector<WastedName> names = find_wasted_names(sketch.source, sketch.plan);
  std::string out;
  for (const WastedName& name : names) out += sketch.sketch().holes[name.holes[0]].name + ' ';
  return out + std::to_string(count_without(names, sketch.sketch()).exact) + '/' +
         std::to_string(sketch.count());
}
std::string wasted_in(const std::string& expression) {
  return wasted(expression_sketch(expression));
}

TEST(WastedNames, StandInOneAlternativeAlone) {
  EXPECT_EQ(wasted_in("?a[?b[1, 2], 3]"), "b 3/4");
  EXPECT_EQ(wasted_in("?[n, ?b(0..10)]"), "b 11/20");
  EXPECT_EQ(wasted_in("?a[?b[?c[1, 2], 3], 4]"), "b c 4/8");
}

TEST(WastedNames, CountOnceWhereTheyStandSeveralTimes) {
  EXPECT_EQ(wasted_in("?a[?b[1, 2] * ?b[1, 2], 3]"), "b 3/4");
  EXPECT_EQ(wasted_in("?a[?b(0..9) - ?b(0..9) % 2, 3]"), "b 10/18");
  // No one value stands for both.
  EXPECT_EQ(wasted_in("?a[?b[1, 2] * ?b[3, 4], 3]"), "4/4");
  EXPECT_EQ(wasted_in("?a[?b[?c[1, 2], 3] + ?c[1, 2], 4]"), "b c 5/8");
  // Where to bind it is not told.
  EXPECT_EQ(wasted_in("?a[?m[?c[1, 2], 1] + ?n[?c[1, 2], 2], 4]"), "m n 10/16");
}

TEST(WastedNames, AreNotThoseThatJoinPlacesOrHaveNoChoiceAround) {
  EXPECT_EQ(wasted_in("?a[1, 2] + ?b(0..3)"), "6/6");
  EXPECT_EQ(wasted_in("?a[?b[1, 2], 3] + ?b[3, 4]"), "4/4");
  EXPECT_EQ(wasted_in("?a[?b[1, 2], ?b[3, 4]]"), "4/4");
  EXPECT_EQ(wasted_in("?a[?[1, 2], 3]"), "3/3");
  EXPECT_EQ(wasted_in("?a[?b[1, 2]]"), "2/2");
  EXPECT_EQ(wasted_in("?a[?free, 3]"), "2/2");
}

TEST(WastedNames, AreThoseOfSpaces) {
  const std::string sketch = "fn f(n: i64) -> i64 { ?s(n) }\nspace s(x: i64) -> i64 depth 1 { ";
  EXPECT_EQ(wasted(TestSketch(sketch + "?[?b[1, 2], x], s + s }")), "b 12/20");
  EXPECT_EQ(wasted(TestSketch(sketch + "?b[1, 2], x + ?b[3, 4] }")), "4/4");
}

}  // namespace
}  // namespace komuz::engine
