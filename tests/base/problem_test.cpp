// SPDX-License-Identifier: Apache-2.0
#include "base/problem.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace komuz {
namespace {

static_assert(sizeof(Problem) == sizeof(void*));

TEST(Problem, NoneIsFalseAndSaysNothing) {
  const Problem none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.text(), "");
  EXPECT_EQ(none.message(), "");
  EXPECT_EQ(none.place().line, 0u);
  for (const ProblemKind kind :
       {ProblemKind::Input, ProblemKind::Option, ProblemKind::Device, ProblemKind::Stop})
    EXPECT_FALSE(none.is(kind));
}

TEST(Problem, IsOfTheKindThatMadeIt) {
  EXPECT_TRUE(input_problem("a").is(ProblemKind::Input));
  EXPECT_TRUE(option_problem("a", "b").is(ProblemKind::Option));
  EXPECT_TRUE(device_problem("a").is(ProblemKind::Device));
  EXPECT_TRUE(stopped().is(ProblemKind::Stop));
  EXPECT_FALSE(stopped().is(ProblemKind::Input));
}

TEST(Problem, ItsTextNamesThePlaceAsFarAsThereIsOne) {
  EXPECT_EQ(input_problem({"a.csv", 3, 7}, "wrong", "mend it").text(), "a.csv:3:7: wrong; mend it");
  EXPECT_EQ(input_problem({"a.csv", 3}, "wrong").text(), "a.csv:3: wrong");
  EXPECT_EQ(input_problem({"a.csv"}, "wrong").text(), "a.csv: wrong");
  EXPECT_EQ(input_problem({"a.csv", 0, 7}, "wrong").text(), "a.csv: wrong");
  EXPECT_EQ(input_problem("wrong").text(), "wrong");
}

TEST(Problem, ACopyIsOfItsOwn) {
  Problem first = input_problem({"a.csv", 3}, "wrong");
  const Problem second = first;
  first = std::move(first).with_note(" here").with_remedy("mend it").at({"b.csv", 1});
  EXPECT_EQ(first.text(), "b.csv:1: wrong here; mend it");
  EXPECT_EQ(second.text(), "a.csv:3: wrong");
  first = second;
  EXPECT_EQ(first.text(), second.text());
  first = {};
  EXPECT_FALSE(first);
}

TEST(Problem, NoneStaysNone) {
  EXPECT_FALSE(Problem().at({"a.csv"}).with_remedy("mend it").with_note("note"));
}

TEST(Problem, StepsEndAtTheFirstThatFails) {
  std::vector<int> taken;
  const auto step = [&taken](int number, bool is_well) {
    taken.push_back(number);
    return is_well ? Problem() : input_problem("step " + std::to_string(number));
  };
  EXPECT_FALSE(step(1, true).then([&] { return step(2, true); }));
  EXPECT_EQ(
      step(3, true).then([&] { return step(4, false); }).then([&] { return step(5, true); }).text(),
      "step 4");
  EXPECT_EQ(taken, (std::vector{1, 2, 3, 4}));
}

TEST(Result, HasAValueOrAProblem) {
  const auto half = [](int number) -> Result<int> {
    if (number % 2 != 0) return input_problem("odd");
    return number / 2;
  };
  EXPECT_FALSE(half(6).problem());
  EXPECT_EQ(half(6).value(), 3);
  EXPECT_EQ(half(7).problem().message(), "odd");
}

TEST(Result, GivesAwayWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 5);
}

}  // namespace
}  // namespace komuz
