// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_sketch.h"

#include <gtest/gtest.h>

#include "engine/fit/unit_sketch.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/fit/fit_samples.h"

namespace komuz::engine::test {
namespace {

OperatorSet operators(std::string_view names) {
  Result<OperatorSet> read = read_operators(names);
  EXPECT_FALSE(read.problem()) << read.problem().text();
  return std::move(read).value();
}
// A sketch that compiles and has something to decide.
void expect_sound(const std::string& sketch) {
  const std::optional<SketchProgram> program = read_sketch(sketch, {});
  ASSERT_TRUE(program) << sketch;
  EXPECT_TRUE(has_decisions(program->plan.sketch())) << sketch;
}

TEST(FitSketch, CompilesWithAnyOperators) {
  const FitData data = fit_of("x,t,y\n1,2,3\n2,3,4\n");
  expect_sound(fit_sketch(data, {}));
  for (const std::string_view names :
       {"+", "*", "/", "+ *", "+ /", "exp", "if",
        "+ - * / ^2 ^ min max if atan2 hypot sqrt exp log sin cos tan asin acos atan sinh cosh "
        "tanh abs cbrt erf floor sign log2 log10"})
    for (const bool has_line : {false, true})
      expect_sound(
          fit_sketch(data, {.operators = operators(names), .depth = 2, .has_line = has_line}));
}

TEST(FitSketch, NamesOfColumnsMayBeAny) {
  expect_sound(
      fit_sketch(fit_of("term,sum,polynomial,product,y,exp,PI\n1,2,3,4,5,6,7\n2,3,4,5,6,7,9\n",
                        {.target = "y"}),
                 {}));
  const FitData same = fit_of("f,F (N)\n1,2\n2,3\n");
  expect_sound(fit_sketch(same, {}));
  EXPECT_EQ(function_name(fit_of("x,while\n1,2\n2,3\n")), "while_");
}

TEST(FitSketch, OperatorsThatAreNotAskedForAreNotThere) {
  const FitData data = fit_of("x,y\n1,3\n2,4\n");
  const std::string sketch = fit_sketch(data, {.operators = operators("+ sin")});
  EXPECT_EQ(sketch.find(" / "), std::string::npos);
  EXPECT_EQ(sketch.find("exp("), std::string::npos);
  EXPECT_NE(sketch.find("sin(term)"), std::string::npos);
}

TEST(FitSketch, UnknownOperatorsAreRefused) {
  EXPECT_EQ(read_operators("+ sinus").problem().text().substr(0, 73),
            "`--operators` names `sinus`, which is no operation of formulas; did you m");
  EXPECT_TRUE(read_operators(" , ").problem());
  EXPECT_EQ(operators_text(operators("exp,+ exp")), "+ exp");
}

TEST(UnitSketch, OnlyWhatHasTheSameUnitIsAdded) {
  const FitData data =
      fit_of("m,v,h,g,e\n1,2,3,4,5\n2,3,4,5,7\n", {.units = "m=kg, v=m/s, h=m, g=m/s^2, e=J"});
  const Result<std::string> sketch = unit_sketch(data, {.depth = 3});
  ASSERT_FALSE(sketch.problem()) << sketch.problem().text();
  expect_sound(sketch.value());
  // Nothing has the unit of a speed but the speed and what is made to have it: masses are not among the terms.
  const size_t speeds = sketch.value().find("// In m s^-1.\nspace ");
  ASSERT_NE(speeds, std::string::npos);
  const std::string space =
      sketch.value().substr(speeds, sketch.value().find("}\n", speeds) - speeds);
  EXPECT_NE(space.find("    v,\n"), std::string::npos) << space;
  EXPECT_EQ(space.find("    m,\n"), std::string::npos) << space;
}

TEST(UnitSketch, ATargetThatNothingMakesIsSaid) {
  const FitData data = fit_of("l,t\n1,2\n2,3\n", {.units = "l=m, t=s"});
  EXPECT_EQ(unit_sketch(data, {}).problem().text(),
            "cases.csv: no formula of the inputs has the unit of the target, `s`; give a column "
            "with what is missing, such as a constant with "
            "its unit, or correct `--units`");
}

}  // namespace
}  // namespace komuz::engine::test
