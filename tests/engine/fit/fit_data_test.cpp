// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_data.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "engine/fit/fit_cases.h"
#include "engine/values/value_text.h"
#include "tests/engine/fit/fit_samples.h"

namespace komuz::engine::test {
namespace {

std::vector<std::string> names_of(const FitData& data) {
  std::vector<std::string> out;
  for (const FitInput& input : data.inputs) out.push_back(input.name);
  return out;
}
using Names = std::vector<std::string>;

TEST(FitData, ColumnsOfNumbersAndTruthValuesAreInputs) {
  const FitData data = fit_of("x,on,y\n1,true,2\n2.5,false,3\n-1e3,true,4\n");
  EXPECT_EQ(data.target, "y");
  EXPECT_EQ(names_of(data), (Names{"x", "on"}));
  EXPECT_EQ(data.columns[0], (std::vector<f64>{1, 2.5, -1000}));
  EXPECT_EQ(data.columns[1], (std::vector<f64>{1, 0, 1}));
  EXPECT_EQ(data.expected, (std::vector<f64>{2, 3, 4}));
  EXPECT_EQ(data.lines, (std::vector<u64>{2, 3, 4}));
}

TEST(FitData, TheTargetIsFoundByItsNameOrLast) {
  EXPECT_EQ(fit_of("y,x\n1,2\n2,3\n").target, "y");
  EXPECT_EQ(fit_of("a,target,y\n1,2,4\n2,3,5\n").target, "target");
  EXPECT_EQ(fit_of("a,b\n1,2\n2,3\n").target, "b");
  EXPECT_EQ(fit_of("a,b\n1,2\n2,3\n", {.target = "a"}).target, "a");
  EXPECT_EQ(fit_of("Time (s),b\n1,2\n2,3\n", {.target = "Time (s)"}).target_name, "Time_s");
  EXPECT_EQ(fit_of("Time (s),b\n1,2\n2,3\n", {.target = "Time_s"}).target, "Time (s)");
}

TEST(FitData, TextsOfFewValuesBecomeIndicators) {
  const FitData data = fit_of("kind,y\nred,1\nblue,2\nred,3\ngreen one,4\n");
  EXPECT_EQ(names_of(data), (Names{"kind_blue", "kind_green_one"}));
  EXPECT_EQ(data.inputs[0].category, "blue");
  EXPECT_EQ(data.columns[0], (std::vector<f64>{0, 1, 0, 0}));
  EXPECT_EQ(data.columns[1], (std::vector<f64>{0, 0, 0, 1}));
}

TEST(FitData, NumbersMayBeCategories) {
  const std::string csv = "cyl,x,y\n4,1,1\n6,2,2\n4,3,3\n8,4,4\n";
  EXPECT_EQ(names_of(fit_of(csv)), (Names{"cyl", "x"}));
  const FitData data = fit_of(csv, {.categories = {"cyl"}});
  EXPECT_EQ(names_of(data), (Names{"cyl_6", "cyl_8", "x"}));
  EXPECT_EQ(data.columns[0], (std::vector<f64>{0, 1, 0, 0}));
  EXPECT_EQ(fit_fault(csv, {.categories = {"y"}}),
            "`--category` names the target `y`; categories are a column of their own");
  std::string many = "id,y\n";
  for (u32 k = 0; k < 13; ++k) many += std::to_string(k) + "," + std::to_string(k * k) + "\n";
  EXPECT_EQ(fit_fault(many, {.categories = {"id"}}),
            "cases.csv:1: `--category` names `id`, which has more than 12 different values; of so "
            "many each says little: take it as numbers, or join some of them");
}

TEST(FitData, GroupsAreNoInputs) {
  const std::string csv = "who,x,y\nann,1,1\nbob,2,2\nann,3,3\n,4,4\n";
  const FitData data = fit_of(csv, {.group = "who", .skips_missing = true});
  EXPECT_EQ(names_of(data), (Names{"x"}));
  EXPECT_EQ(data.groups, (std::vector<f64>{0, 1, 0}));
  EXPECT_EQ(data.group_count, 2u);
  EXPECT_EQ(data.group_column, "who");
  EXPECT_NE(fit_fault(csv, {.group = "who"}).find("`who` has no number in 1 of 4 rows"),
            std::string::npos);
  EXPECT_EQ(
      fit_fault("who,x,y\na,1,1\na,2,2\n", {.group = "who"}),
      "cases.csv:1: `--group` names `who`, which is the same everywhere; rows of a group stay "
      "together, so there have to be several");
}

TEST(FitData, ColumnsThatCannotHelpAreLeftOut) {
  std::string csv = "id,same,none,x,y\n";
  for (u32 k = 0; k < 20; ++k)
    csv +=
        "n" + std::to_string(k) + ",7,," + std::to_string(k) + "," + std::to_string(k * k) + "\n";
  const FitData data = fit_of(csv);
  EXPECT_EQ(names_of(data), (Names{"x"}));
  ASSERT_EQ(data.left_out.size(), 3u);
  EXPECT_EQ(data.left_out[0].column, "id");
  EXPECT_EQ(data.left_out[0].why, "holds texts, such as `n0` on line 2");
  EXPECT_EQ(data.left_out[1].why, "is the same everywhere");
  EXPECT_EQ(data.left_out[2].why, "has no number");
  EXPECT_EQ(data.rows(), 20u);
}

TEST(FitData, RowsWithoutANumberAreLeftOutOnRequest) {
  const std::string csv = "a,b,y\n1,2,3\n2,,4\n3,NaN,5\n4,1,6\n5,5,inf\n";
  EXPECT_EQ(fit_fault(csv),
            "cases.csv:3:3: `b` has no number in 2 of 5 rows, of which this is the first; "
            "`--skip-missing` leaves such rows out, "
            "`--ignore b` the column");
  const FitData data = fit_of(csv, {.skips_missing = true});
  EXPECT_EQ(data.expected, (std::vector<f64>{3, 6}));
  EXPECT_EQ(data.lines, (std::vector<u64>{2, 5}));
  EXPECT_EQ(data.left_out_rows.count, 3u);
  EXPECT_EQ(data.left_out_rows.line, 3u);
  EXPECT_EQ(data.left_out_rows.column, "b");
}

TEST(FitData, BadTablesGetASentenceEach) {
  EXPECT_EQ(fit_fault("a,y\n1,3\n2,3\n"),
            "cases.csv:1: the target `y` is 3.0 in all rows: there is nothing to fit; name another "
            "column by `--target`");
  EXPECT_EQ(fit_fault("a,y\n1,3\n"),
            "cases.csv:1: there is one row: any formula that gives 3.0 fits it; give more rows");
  EXPECT_EQ(fit_fault("a,y\n1,3\n1,4\n"),
            "cases.csv:1: no column can help: `a` is the same everywhere; a formula needs columns "
            "of numbers that vary, or of few texts");
  EXPECT_EQ(fit_fault("a,y\n1,nan\n2,\n"),
            "cases.csv:1: the target `y` has no number in any row; name another column by "
            "`--target`");
  // The target itself is not offered to be left out.
  EXPECT_EQ(fit_fault("a,y\n1,3\n2,\n3,4\n"),
            "cases.csv:3:3: `y` has no number in 1 of 3 rows, of which this is the first; "
            "`--skip-missing` leaves such rows out");
  EXPECT_EQ(fit_fault("y\n1\n2\n"),
            "cases.csv:1: there is no column beside the target `y`; a formula needs a column that "
            "it is a formula of");
  EXPECT_EQ(fit_fault("a,y\n1,low\n2,high\n"),
            "cases.csv:2:3: the target `y` is no column of numbers: here it holds `low`; name a "
            "column of numbers, or write numbers, such as 0 and 1");
  EXPECT_EQ(fit_fault("a,y\n1,2\n2,3\n", {.target = "z"}),
            "`--target` names `z`, which is no column of cases.csv, but `a` and `y`; name a column "
            "of the header");
  EXPECT_EQ(fit_fault("a,y\n1,2\n2,3\n", {.target = "y", .inputs = {"y"}}),
            "`--input` names `y`, which is the target: a formula of the target itself says "
            "nothing; leave it out, or name another `--target`");
  EXPECT_EQ(fit_fault("a,y\n1,2\n2,3\n", {.inputs = {"a", "a"}}),
            "`--input` names `a` twice; name each column once");
  EXPECT_EQ(fit_fault("a,y\n1,2\n2,3\n", {.ignored = {"a"}}),
            "cases.csv:1: there is no column beside the target `y`; a formula needs a column that "
            "it is a formula of");
}

TEST(FitData, ManyColumnsAreRead) {
  constexpr u32 kColumns = 100'000;
  std::string csv;
  for (u32 k = 0; k < kColumns; ++k) csv += "c" + std::to_string(k) + ",";
  csv += "y\n";
  for (u32 row = 0; row < 3; ++row) {
    for (u32 k = 0; k < kColumns; ++k) csv += std::to_string(row * (k % 7)) + ",";
    csv += std::to_string(row) + "\n";
  }
  const FitData data = fit_of(csv);
  // Each seventh one is 0 everywhere.
  EXPECT_EQ(data.inputs.size() + data.left_out.size(), kColumns);
  EXPECT_EQ(data.left_out.size(), (kColumns + 6) / 7);
}

TEST(FitData, WeightsAreNumbersThatAreNotNegative) {
  const FitData data = fit_of("a,w,y\n1,1,2\n2,0,3\n3,2.5,5\n", {.weights = "w"});
  EXPECT_EQ(data.weights, (std::vector<f64>{1, 0, 2.5}));
  EXPECT_EQ(names_of(data), (Names{"a"}));
  EXPECT_EQ(fit_fault("a,w,y\n1,1,2\n2,-1,3\n", {.weights = "w"}),
            "cases.csv:3: a weight in `w` is below 0; weights are 0 or more");
  EXPECT_EQ(fit_fault("a,w,y\n1,0,2\n2,0,3\n", {.weights = "w"}),
            "cases.csv:1: all weights in `w` are 0; a row counts as often as its weight says");
  EXPECT_EQ(fit_fault("a,w,y\n1,0,2\n2,0,3\n", {.weights = "y"}),
            "`--weights` names the target `y`; weights are a column of their own");
}

TEST(FitData, OtherRowsHaveTheSameInputs) {
  const FitData data = fit_of("kind,x,y\nred,1,1\nblue,2,2\nred,3,3\n");
  const CasesTable other = fit_table("y,x,kind\n5,6,blue\n7,8,other\n");
  Result<FitData> like = fit_data_like(data, other, {});
  ASSERT_FALSE(like.problem()) << like.problem().text();
  EXPECT_EQ(names_of(like.value()), names_of(data));
  EXPECT_EQ(like.value().columns[0], (std::vector<f64>{1, 0}));
  EXPECT_EQ(like.value().columns[1], (std::vector<f64>{6, 8}));
  const CasesTable without = fit_table("y,x\n5,6\n");
  EXPECT_EQ(fit_data_like(data, without, {}).problem().text(),
            "cases.csv:1: there is no column `kind`, which cases.csv has; give the same columns");
}

TEST(FitData, CasesHaveTheNumbersToTheBit) {
  const FitData data = fit_of("x,y\n0.1,1e-320\n-0.0,3\n1e308,0.30000000000000004\n");
  const std::vector<u32> rows = {2, 0};
  const CasesTable cases = cases_of(data, rows);
  ASSERT_EQ(cases.rows.size(), 2u);
  const auto number = [&](CellAt cell) {
    u64 bits = 0;
    std::string room;
    EXPECT_FALSE(parse_scalar(Scalar::F64, cases.text_of(cell, room), cases.style, bits));
    EXPECT_EQ(std::bit_cast<u64>(cases.numbers_of(cell.column)->number(cell.row)), bits);
    return bits;
  };
  EXPECT_EQ(number({0, 0}), std::bit_cast<u64>(1e308));
  EXPECT_EQ(number({0, CellAt::kExpected}), std::bit_cast<u64>(0.30000000000000004));
  EXPECT_EQ(number({1, CellAt::kExpected}), std::bit_cast<u64>(1e-320));
  EXPECT_EQ(cases.rows[0].line, 4u);
}

TEST(FitData, UnitsAreThoseOfColumns) {
  const FitData named = fit_of("x,t,v\n1,2,3\n2,3,4\n", {.units = "x=m, v=m/s, t=s"});
  EXPECT_TRUE(named.has_units);
  EXPECT_EQ(named.inputs[0].unit.text(), "m");
  EXPECT_EQ(named.inputs[1].unit.text(), "s");
  EXPECT_EQ(named.target_unit.text(), "m s^-1");
  EXPECT_EQ(fit_of("x,t,v\n1,2,3\n2,3,4\n", {.units = "m, s, m/s"}).target_unit, named.target_unit);
  EXPECT_EQ(fit_fault("x,v\n1,2\n2,3\n", {.units = "m"}),
            "`--units` has 1 unit, and cases.csv has 2 columns; name the columns, as in `--units "
            "\"x=m, v=m/s\"`");
  EXPECT_EQ(fit_fault("x,v\n1,2\n2,3\n", {.units = "x=m//"}),
            "`m//` is no unit: it is not clear what `m//` means; write it like `m/s`, `kg*m^2/s^2` "
            "or `1`");
}

}  // namespace
}  // namespace komuz::engine::test
