// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/units.h"

#include <gtest/gtest.h>

#include "engine/fit/idle_inputs.h"

namespace komuz::engine::test {
namespace {

std::string unit(std::string_view text) {
  const Result<Unit> read = read_unit(text);
  return read.problem() ? "no unit" : read.value().text();
}

TEST(Units, AreProductsOfPowers) {
  EXPECT_EQ(unit("m/s"), "m s^-1");
  EXPECT_EQ(unit("kg*m^2/s^2"), "kg m^2 s^-2");
  EXPECT_EQ(unit("kg m s^-2"), "kg m s^-2");
  EXPECT_EQ(unit("kg·m"), "kg m");
  // `/` is about the factor behind it alone.
  EXPECT_EQ(unit("m/s m"), "m^2 s^-1");
  EXPECT_EQ(unit("1/s"), "s^-1");
  EXPECT_EQ(unit("1"), "1");
  EXPECT_EQ(unit("m/m"), "1");
}

TEST(Units, NamesOfTheSIMeanWhatTheyAreMadeOf) {
  EXPECT_EQ(unit("N"), unit("kg m/s^2"));
  EXPECT_EQ(unit("J"), unit("N m"));
  EXPECT_EQ(unit("W"), unit("J/s"));
  EXPECT_EQ(unit("V"), unit("W/A"));
  EXPECT_EQ(unit("ohm"), unit("V/A"));
  EXPECT_EQ(unit("F"), unit("C/V"));
  EXPECT_EQ(unit("T"), unit("Wb/m^2"));
  EXPECT_EQ(unit("H"), unit("Wb/A"));
  EXPECT_EQ(unit("S ohm"), "1");
  // Prefixes are not read.
  EXPECT_NE(unit("km"), unit("m"));
}

TEST(Units, RootsHaveParts) {
  Unit half, quarter, eighth;
  ASSERT_TRUE(read_unit("m^3").value().root(half));
  EXPECT_EQ(half.text(), "m^(3/2)");
  ASSERT_TRUE(half.root(quarter));
  EXPECT_EQ(quarter.text(), "m^(3/4)");
  EXPECT_FALSE(quarter.root(eighth));
  EXPECT_EQ(half.squared(), read_unit("m^3").value());
}

TEST(Units, OthersAreRefused) {
  for (const std::string_view text :
       {"", " ", "m/", "/", "2m", "m^", "m^x", "m^1000", "m^99999999999", "m**2", "(m)"})
    EXPECT_EQ(unit(text), "no unit") << text;
}

TEST(IdleInputs, AreThoseThatNoSoundProductHas) {
  const auto idle = [](std::vector<std::string> inputs, const std::string& target) {
    FitData data;
    for (const std::string& text : inputs)
      data.inputs.push_back({"x", "x", {}, read_unit(text).value()});
    data.target_unit = read_unit(target).value();
    return idle_inputs(data);
  };
  using Numbers = std::vector<u32>;
  EXPECT_EQ(idle({"kg", "m/s", "K"}, "J"), Numbers{2});
  // Two temperatures make a plain number.
  EXPECT_EQ(idle({"kg", "m/s", "K", "K"}, "J"), Numbers{});
  EXPECT_EQ(idle({"m", "1", "s"}, "m^2"), Numbers{2});
  // Length over time is a plain number with a speed, and nothing is with a mass.
  EXPECT_EQ(idle({"m", "s", "m/s", "kg"}, "1"), Numbers{3});
  EXPECT_EQ(idle({"m", "s"}, "m/s"), Numbers{});
}

}  // namespace
}  // namespace komuz::engine::test
