// SPDX-License-Identifier: Apache-2.0
// The cases of a session: their columns, expected values, the implied score, and interrupted reading.
#include "tests/repl/variants_fixture.h"

namespace komuz::repl {
namespace {

class CasesTest : public VariantsTest {};

// As `komuz eval` advises if no float is right.
TEST_F(CasesTest, TheScoreFollowsFromWhatIsExpected) {
  const std::string squared =
      "floats are ranked by squared errors; `:score exact 1e-9` counts right cases\n";
  EXPECT_EQ(told(":score"), "exact\n");
  EXPECT_EQ(told(":cases data.csv"),
            "4 cases of data.csv: (x: f64, y: f64), expected f64\n" + squared);
  EXPECT_EQ(told(":score"), "squared, as floats are expected\n");
  EXPECT_NE(told("x * ?[1.0, 2.0] + y * y").find("   1  #1      0 "), std::string::npos);
  // A stated score stays, whatever the cases are; `auto` states none.
  EXPECT_EQ(told(":score exact\n:score\n:cases data.csv\n:score"),
            "exact\n4 cases of data.csv: (x: f64, y: f64), expected f64\nexact\n");
  EXPECT_EQ(told(":score squared\n:score\n:score auto\n:score"),
            "squared\n" + squared + "squared, as floats are expected\n");
  EXPECT_NE(told(":score auto 1").find("only some scores take more"), std::string::npos);
  // Integers are right or not; of a line that gives floats they are floats, too.
  files_["whole.csv"] = "n,expected\n1,2\n2,4\n";
  EXPECT_EQ(told(":cases whole.csv"),
            "2 cases of whole.csv: (n: i64), expected i64\n"
            "lines are ranked by the number of right cases\n");
  EXPECT_NE(told("n * ?[2, 3]").find("   1  #0  ok          2 "), std::string::npos);
  EXPECT_NE(told("f64(n) * ?[2.0, 2.5]").find("   2  #1   1.25 "), std::string::npos);
  EXPECT_EQ(told(":score"), "squared, as floats are expected\n");
  // Cases that say how far off a value may be mean equality.
  files_["tol.csv"] = "x,expected,tol\n1.5,3.0,0.1\n2.5,5.0,0.1\n";
  EXPECT_EQ(told(":cases none\n:cases tol.csv\n:score"),
            "2 cases of tol.csv: (x: f64), expected f64\nexact\n");
  // A session that is made again follows, too.
  told(":cases data.csv\n:save all");
  EXPECT_EQ(files_["all"].find(":score"), std::string::npos);
}

TEST_F(CasesTest, AFitDefinesTheFormulaOfAColumn) {
  EXPECT_NE(told(":fit").find("a fit needs a table; `:cases FILE COLUMN` takes one"),
            std::string::npos);
  files_["line.csv"] = "x,n,y\n";
  for (u32 k = 0; k < 20; ++k)
    files_["line.csv"] += std::to_string(k) + "," + std::to_string(k * 7 % 20) + "," +
                          std::to_string(3 * k + 1) + "\n";
  told(":cases line.csv y");
  EXPECT_NE(told(":fit y 3").find("pub fn y(x: f64) -> f64 { 3.0 * x + 1.0 }"), std::string::npos);
  EXPECT_EQ(told("y(10.0)"), "31.0\n");
  // The session's integers, too.
  EXPECT_EQ(told("let whole = 10\ny(whole) + y(10)"),
            "whole = 10\na fitted function takes `f64`: this is `y(f64(whole)) + y(10)`\n62.0\n");
  EXPECT_NE(told("y(b\"x\")").find("error"), std::string::npos);
  // What was fitted is what is exported.
  EXPECT_NE(told(":export").find("// A formula for `y` of `line.csv`, fitted to 20 rows."),
            std::string::npos);
  told(":export law.py");
  EXPECT_NE(files_["law.py"].find("def y_seen("), std::string::npos) << files_["law.py"];
  told(":export law.komuz");
  EXPECT_NE(files_["law.komuz"].find("pub fn y(x: f64)"), std::string::npos);
  EXPECT_NE(told(":export law.json").find("the last formula is of a fit"), std::string::npos);
  EXPECT_NE(told(":fit z").find("`z`, which is no column of line.csv"), std::string::npos);
  EXPECT_NE(told(":fit z").find("`:fit` names `z`"), std::string::npos);
  // What is to be done is said in the session's words.
  files_["flat.csv"] = "x,y\n1,2\n2,2\n";
  told(":cases flat.csv y");
  EXPECT_NE(
      told(":fit y").find("there is nothing to fit; name another column, as in `:fit COLUMN`"),
      std::string::npos);
  told(":cases line.csv y");
  EXPECT_NE(told(":fit y soon").find("`soon` is neither a time nor a number of generations"),
            std::string::npos);
}

TEST_F(CasesTest, FormulasOfOtherToolsBecomeFunctions) {
  files_["law.txt"] = "sqrt(x) / 2 + fn\n";
  EXPECT_EQ(told(":import python law.txt"),
            "the input `fn` is the parameter `fn_`\n"
            "pub fn law(x: f64, fn_: f64) -> f64 { sqrt(x) / 2.0 + fn_ }\n");
  EXPECT_EQ(told("law(16.0, 1.0)"), "3.0\n");
  EXPECT_NE(told(":import python law.txt other").find("pub fn other(x: f64"), std::string::npos);
  // Several have the numbers of their lines; what cannot be read harms no other.
  files_["front.txt"] = "div(X0, 2.0)\nnope(X0)\nlog(X0)\n";
  const std::string several = told(":import gplearn front.txt");
  EXPECT_NE(several.find("pub fn front_1("), std::string::npos) << several;
  EXPECT_EQ(told("front_3(1.0) + front_1(4.0)"), "2.0\n");
  EXPECT_NE(told(":import").find("`:import` needs more"), std::string::npos);
  EXPECT_NE(told(":import maple law.txt").find("`maple` is no tool whose formulas are read"),
            std::string::npos);
  EXPECT_NE(told(":import python none.txt").find("none.txt"), std::string::npos);
  files_["empty.txt"] = "\n";
  EXPECT_NE(told(":import python empty.txt").find("has no formula"), std::string::npos);
  EXPECT_NE(told(":import python law.txt a b").find("behind the file stands a name"),
            std::string::npos);
}

TEST_F(CasesTest, TheColumnOfWhatIsExpectedMayBeNamed) {
  told(":score squared");
  EXPECT_EQ(told(":cases data.csv y"),
            "4 cases of data.csv: (x: f64, expected: f64), expected y: f64\n");
  EXPECT_NE(told("x + ?[1.0, 2.0]").find("   1  #0   20.5 "), std::string::npos);
  EXPECT_EQ(told(":cases data.csv y (expected: f64, x: f64)"),
            "4 cases of data.csv: (expected: f64, x: f64), expected y: f64\n");
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases data.csv y (expected: f64, x: f64)\n"), std::string::npos);
  // With a value score every column is a parameter; the next score expects it again.
  EXPECT_EQ(told(":cases data.csv x\n:score maximize\n:cases\n:score squared\n:cases"),
            "4 cases of data.csv: (y: f64, expected: f64), expected x: f64\n"
            "4 cases of data.csv: (x: f64, y: f64, expected: f64)\n"
            "4 cases of data.csv: (y: f64, expected: f64), expected x: f64\n");
  EXPECT_EQ(told(":cases data.csv X"),
            "input:1: error: data.csv:1: there is no column `X`, but `x`, `y` and `expected`; did "
            "you mean `x`?\n");
  EXPECT_EQ(told(":score minimize\n:cases data.csv X"),
            "input:2: error: there is no column `X` in data.csv; did you mean `x`?\n");
  EXPECT_EQ(told(":cases"), "4 cases of data.csv: (x: f64, y: f64, expected: f64)\n");
  told(":score squared");
  files_["blank.csv"] = "x,the sum\n1.5,3.0\n";
  EXPECT_EQ(told(":cases blank.csv \"the sum\""),
            "1 case of blank.csv: (x: f64), expected the sum: f64\n");
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases blank.csv \"the sum\"\n"), std::string::npos);
  EXPECT_NE(told(":cases blank.csv \"the sum").find("ends in `\"`"), std::string::npos);
  files_["a file.csv"] = files_["blank.csv"];
  EXPECT_EQ(told(":cases \"a file.csv\" \"the sum\""),
            "1 case of a file.csv: (x: f64), expected the sum: f64\n");
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases \"a file.csv\" \"the sum\"\n"), std::string::npos);
  files_["lines.jsonl"] = "{\"x\": 1.5, \"y\": 3.0}\n";
  EXPECT_EQ(told(":cases lines.jsonl y"), "1 case of lines.jsonl: (x: f64), expected y: f64\n");
  EXPECT_NE(told(":cases lines.jsonl Y").find("there is no field `Y`, but `x` and `y`; did you"),
            std::string::npos);
  // Remedies use the words of a session.
  files_["none.csv"] = "x,Expected\n1.5,3.0\n";
  EXPECT_NE(
      told(":cases none.csv").find("did you mean `Expected`? `:cases FILE Expected` takes it"),
      std::string::npos);
  EXPECT_NE(told(":cases blank.csv").find("`:cases FILE NAME` takes another column"),
            std::string::npos);
}

TEST_F(CasesTest, ColumnsAreLookedAt) {
  EXPECT_NE(told(":data").find("there are no cases; `:cases FILE` takes"), std::string::npos);
  told(":score exact");
  files_["all.csv"] =
      "n,x,b,s,l,expected,trap\n3,1.5,true,ab,[1],2.5,\n-4,NaN,false,abcd,\"[1, 2, 3]\",,DIV_ZERO\n"
      "20,-0.25,true,a,[],-Infinity,\n";
  told(":cases all.csv");
  EXPECT_EQ(told(":data"),
            "3 cases of all.csv\n"
            "column    type              least  largest\n"
            "n         i64                  -4       20\n"
            "x         f64               -0.25      1.5  1 NaN\n"
            "b         bool              false     true\n"
            "s         Bytes[4]              1        4  long\n"
            "l         List[i64, 3]          0        3  long\n"
            "expected  f64           -Infinity      2.5\n"
            "`expected` is expected, and in 1 case a trap\n");
  // Types that are said, and a score that expects nothing.
  told(":cases none\n:score maximize\n:cases data.csv (x: f32, y: f64, expected: f64)");
  EXPECT_EQ(told(":data"),
            "4 cases of data.csv\n"
            "column    type  least  largest\n"
            "x         f32     0.5      4.0\n"
            "y         f64     0.5      3.0\n"
            "expected  f64     2.0     13.0\n");
}

TEST_F(CasesTest, ALineThatNamesColumnsIsRunOnThem) {
  told(":cases data.csv");
  const std::string told_line = told("2.0 * x + y * y");
  EXPECT_NE(told_line.find("1 candidate on 4 cases: 1 ok"), std::string::npos);
  EXPECT_NE(told_line.find("  2.0 * x + y * y\n"), std::string::npos) << told_line;
  EXPECT_EQ(told(":type x * y"), "f64\n");
  // A line that has a meaning without the cases keeps it.
  EXPECT_EQ(told("[1, 2].map(x => x * 2).list(2)"), "[2, 4]\n");
  EXPECT_NE(told("x +").find("input:1:"), std::string::npos);
  EXPECT_NE(told("x + true").find("`f64` and `bool`"), std::string::npos);
  EXPECT_EQ(told(":cases none"), "");
  EXPECT_NE(told("x").find("there is no `x`"), std::string::npos);
}

TEST_F(CasesTest, AColumnHidesAVariable) {
  told("let x = 100.0\n:score exact");
  EXPECT_EQ(told(":cases data.csv"),
            "4 cases of data.csv: (x: f64, y: f64), expected f64\n"
            "in lines with holes `x` is the column\n");
  EXPECT_NE(told("x * ?[2.0] + y * y").find("1 ok"), std::string::npos);
}

// With holes and without, in every expression.
TEST_F(CasesTest, AColumnHidesAConstant) {
  files_["e.csv"] = "E,PI,expected\n1.0,2,2.0\n2.0,3,4.0\n";
  told(":score exact");
  EXPECT_EQ(told(":cases e.csv"),
            "2 cases of e.csv: (E: f64, PI: i64), expected f64\n"
            "in expressions `E` is the column, not the constant; `let` and `fn` know no columns\n"
            "in expressions `PI` is the column, not the constant; `let` and `fn` know no "
            "columns\n");
  EXPECT_NE(told("2.0 * E").find("1 candidate on 2 cases: 1 ok"), std::string::npos);
  EXPECT_NE(told("E * ?[1.0, 2.0]").find("2 candidates on 2 cases: 1 ok"), std::string::npos);
  EXPECT_EQ(told(":type 2 * PI"), "i64\n");
  EXPECT_NE(told("2.0 * PI").find("error"), std::string::npos) << "it is an i64";
  // A command that knows no columns says so, or uses the constant.
  EXPECT_NE(told(":time 2.0 * E").find("knows no columns of cases: constants are those of the "),
            std::string::npos);
  EXPECT_EQ(told("let y = 2.0 * E"), "y = 5.43656365691809\n");
  EXPECT_EQ(told("fn g(E: f64) -> f64 { E }\ng(3.0)"), "3.0\n");
  EXPECT_EQ(told("let E = 7.0\n2.0 * E"), "E = 7.0\n14.0\n") << "a variable";
  EXPECT_EQ(told(":cases none\nTAU / PI"), "2.0\n");
}

TEST_F(CasesTest, TypesOfColumnsCanBeSaid) {
  files_["ints.csv"] = "n,expected\n1,0.5\n3,1.5\n";
  told(":score exact");
  EXPECT_EQ(told(":cases ints.csv"), "2 cases of ints.csv: (n: i64), expected f64\n");
  EXPECT_EQ(told(":cases ints.csv (n: f64)"), "2 cases of ints.csv: (n: f64), expected f64\n");
  EXPECT_NE(told("n * ?[0.5, 0.25]").find("   1  #0  ok          2"), std::string::npos);
  EXPECT_NE(told(":cases ints.csv (n: f6)").find("input:1: error: `(n: f6)` does not say"),
            std::string::npos);
  EXPECT_NE(told(":cases ints.csv (m: f64)\nm * ?[1.0]").find("error"), std::string::npos);
  files_["mixed.jsonl"] = "{\"a\": 1, \"expected\": 1}\n{\"a\": \"b\", \"expected\": 1}\n";
  EXPECT_NE(told(":cases mixed.jsonl").find("holds `\"b\"` on line 2"), std::string::npos);
  // A column that nobody uses does no harm.
  files_["some.jsonl"] =
      "{\"a\": 1, \"b c\": 1, \"n\": 3, \"expected\": 6}\n"
      "{\"a\": \"b\", \"b c\": 1, \"n\": 4, \"expected\": 8}\n";
  EXPECT_EQ(
      told(":cases some.jsonl"),
      "2 cases of some.jsonl: (b_c: i64, n: i64), expected i64; without a type, and so without "
      "use: `a`; `b_c` is the column `b c`\n");
  EXPECT_NE(told("n * ?[2, 3]").find("   1  #0  ok          2"), std::string::npos);
  files_["pair.csv"] = "n,label,expected\n1,x,2\n2,y,4\n";
  EXPECT_EQ(told(":cases pair.csv (n: f64)"),
            "2 cases of pair.csv: (n: f64), expected i64; without a type, and so without use: "
            "`label`\n");
}

// As `komuz eval` reads them.
TEST_F(CasesTest, TablesOfOtherForms) {
  told(":score exact");
  files_["lab.csv"] = "Time (s);y\n1,5;3\n2,5;NA\n3;6\n";
  EXPECT_EQ(told(":cases lab.csv y --decimal , --skip-missing"),
            "2 cases of lab.csv: (Time_s: f64), expected y: i64; `Time_s` is the column `Time "
            "(s)`; 1 of 3 rows is left out, in which a cell is missing, the first on line 3 "
            "(`y`)\n");
  EXPECT_NE(told("i64(Time_s * ?[1.0, 2.0])").find("   1  #1  ok          2"), std::string::npos);
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases lab.csv y --decimal , --skip-missing\n"), std::string::npos);
  EXPECT_EQ(told(":cases lab.csv --skip-missing y --input \"Time (s)=t\" --decimal=, (t: f64)"),
            "2 cases of lab.csv: (t: f64), expected y: i64; 1 of 3 rows is left out, in which a "
            "cell is missing, the first on line 3 (`y`)\n");
  told(":save all");
  EXPECT_NE(files_["all"].find(
                ":cases lab.csv y --decimal , --skip-missing --input \"Time (s)=t\" (t: f64)\n"),
            std::string::npos);
  // By a value of the line every column is a name, whatever the one of what is expected is called.
  EXPECT_EQ(told(":score minimize\n:cases lab.csv \"Time (s)\" --separator ; --skip-missing "
                 "--decimal ,"),
            "2 cases of lab.csv: (Time_s: f64, y: i64); `Time_s` is the column `Time (s)`; 1 of 3 "
            "rows is left out, in which a cell is missing, the first on line 3 (`y`)\n");
  told(":score exact");
  EXPECT_EQ(told(":cases lab.csv y"),
            "input:1: error: the column `Time_s` holds `3` on line 4, and no type fits it and what "
            "stands above it; `--decimal ,` reads numbers with a comma\n");
  EXPECT_EQ(
      told(":cases lab.csv y --decimal ,"),
      "3 cases of lab.csv: (Time_s: f64); `Time_s` is the column `Time (s)`; what is expected "
      "is missing on line 3, and `--skip-missing` leaves such rows out\n");
  files_["texts.csv"] = "t;x;expected\n1,5;1;3\n2,5;2;NA\n";
  EXPECT_NE(
      told(":cases texts.csv x")
          .find(
              "(t: Bytes[3]), expected x: i64; without a type, and so without use: `expected`; `t` "
              "has texts such as `1,5`, which `--decimal ,` reads as numbers"),
      std::string::npos);
  EXPECT_EQ(told(":cases lab.csv y --decimal"),
            "input:1: error: `--decimal` takes a value, as `komuz eval` does\n");
  EXPECT_EQ(told(":cases lab.csv y --decimals ,"),
            "input:1: error: `:cases` has no option `--decimals`; there are `--separator`, "
            "`--decimal`, `--skip-missing`, `--weights`, `--input`\n");
  EXPECT_EQ(told(":cases lab.csv y --separator :"),
            "input:1: error: `--separator` takes `,`, `;`, `|`, `tab` or `blank`, not `:`\n");
  // Weights are no parameter; lines are ranked by errors.
  files_["heavy.csv"] = "x,y,a w\n1,1.5,1\n2,3.5,3\n";
  EXPECT_EQ(told(":score auto\n:cases heavy.csv y --weights \"a w\""),
            "2 cases of heavy.csv: (x: i64), expected y: f64, weights a w\nfloats are ranked by "
            "squared errors; `:score exact 1e-9` counts right cases\n");
  EXPECT_NE(told("f64(x) * ?[1.5, 2.0]").find("0.75  "), std::string::npos);
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases heavy.csv y --weights \"a w\"\n"), std::string::npos);
  EXPECT_NE(told(":cases heavy.csv y --weights w").find("there is no column `w` for `--weights`"),
            std::string::npos);
  told(":score exact");
  files_["dash.csv"] = "x,--y\n1,2\n";
  EXPECT_EQ(told(":cases dash.csv \"--y\""), "1 case of dash.csv: (x: i64), expected --y: i64\n");
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases dash.csv \"--y\"\n"), std::string::npos);
}

// Wherever the interrupt comes: in the file, its types, what is expected.
TEST_F(CasesTest, AnInterruptOfReadingLeavesTheCasesThatThereAre) {
  std::string many = "a,b,expected\n";
  for (int k = 0; k < 30'000; ++k) many += "1.5," + std::to_string(k) + ",\"[2]\"\n";
  files_["many.csv"] = many;
  told(":cases many.csv");
  const u64 tellings = tellings_;
  EXPECT_GE(tellings, 10u);
  EXPECT_EQ(told_nouns_, (std::set<std::string>{"bytes", "cells", "expected values"}));
  told(":cases none");
  for (stop_at_telling_ = 1; stop_at_telling_ <= tellings; ++stop_at_telling_) {
    const bool has_before = stop_at_telling_ % 2 == 0;
    tellings_ = 0;
    if (has_before) told(":cases data.csv");
    EXPECT_EQ(told(":cases many.csv"),
              has_before ? "interrupted\nthe cases are those of data.csv as before\n"
                         : "interrupted\nthere are no cases\n")
        << stop_at_telling_;
    EXPECT_TRUE(stop_.stop_requested());
    stop_ = {};
    EXPECT_EQ(told(":cases").find("data.csv") != std::string::npos, has_before);
    told(":cases none");
  }
  // Another score reads them anew.
  stop_at_telling_ = 0;
  told(":cases many.csv");
  tellings_ = 0;
  stop_at_telling_ = 2;
  EXPECT_EQ(told(":score maximize"), "interrupted\nthe cases are those of many.csv as before\n");
  stop_ = {};
  EXPECT_EQ(told(":score"), "exact\n");
}

TEST_F(CasesTest, AColumnInOtherCapitalsIsTold) {
  files_["capitals.csv"] = "E,m,expected\n1,2,2\n";
  told(":cases capitals.csv");
  for (const char* const line : {"e + 1", "e * ?[1, 2]", "m * e", "e * ?[m, 2]"})
    EXPECT_NE(told(line).find("there is no `e` here; did you mean `E`?"), std::string::npos)
        << line << told(line);
  EXPECT_NE(told("M * 2").find("there is no `M` here; did you mean `m`?"), std::string::npos);
}

TEST_F(CasesTest, ColumnsHaveTypesOnce) {
  EXPECT_NE(told(":cases data.csv (x: f64, x: f64, y: f64)").find("names `x` twice"),
            std::string::npos);
  EXPECT_NE(told(":cases data.csv (x: f64)").find("; without a type, and so without use: `y`\n"),
            std::string::npos);
  files_["ints.csv"] = "x,expected\n1,2\n";
  told(":cases ints.csv");
  EXPECT_NE(told("x * ?(0.0..1.0, steps: 3)").find("columns are (x: i64); `:cases ints.csv (…)`"),
            std::string::npos);
  EXPECT_NE(told(":cost x + 1").find("knows no columns"), std::string::npos);
  EXPECT_EQ(told(":type x + 1"), "i64\n");
}

// The expected values may have a type without a name here; the columns exist all the same.
TEST_F(CasesTest, ColumnsOfCasesWithOtherExpectationsAreLookedAt) {
  files_["shapes.csv"] = "x,expected\n1.5,Circle(r: 1.0)\n2.5,Dot\n";
  EXPECT_EQ(told(":cases shapes.csv"), "2 cases of shapes.csv: (x: f64)\n");
  EXPECT_EQ(told(":data"),
            "2 cases of shapes.csv\ncolumn  type  least  largest\nx       f64     1.5      2.5\n");
  EXPECT_NE(told(":plot x").find("is no number that could be drawn"), std::string::npos);
  stop_.request_stop();
  EXPECT_EQ(told(":data"), "");
}

// Beside `args` what is expected is no column.
TEST_F(CasesTest, TheTargetOfCasesWithArgumentsIsKept) {
  files_["a.jsonl"] = "{\"args\": {\"x\": 1.0}, \"y\": 2.0}\n";
  EXPECT_EQ(told(":score exact\n:cases a.jsonl y"),
            "1 case of a.jsonl: (x: f64), expected y: f64\n");
  EXPECT_EQ(told(":score maximize\n:cases"), "1 case of a.jsonl: (x: f64)\n");
  EXPECT_EQ(told(":cases a.jsonl y\n:score exact\n:cases"),
            "1 case of a.jsonl: (x: f64)\n1 case of a.jsonl: (x: f64), expected y: f64\n");
}

TEST_F(CasesTest, NamesAreQuotedAsTheyAreTaken) {
  files_["q.csv"] = "x,\"the \"\"y\"\"\"\n1.5,3.0\n";
  EXPECT_NE(told(":cases q.csv the").find("did you mean `the \"y\"`?"), std::string::npos);
  files_["e.csv"] = "x,\"expected \"\"y\"\"\"\n1.5,3.0\n";
  EXPECT_NE(told(":cases e.csv").find("`:cases FILE \"expected \"\"y\"\"\"` takes it"),
            std::string::npos)
      << told(":cases e.csv");
  EXPECT_EQ(told(":cases q.csv \"the \"\"y\"\"\""),
            "1 case of q.csv: (x: f64), expected the \"y\": f64\n"
            "floats are ranked by squared errors; `:score exact 1e-9` counts right cases\n");
  told(":save all");
  EXPECT_NE(files_["all"].find(":cases q.csv \"the \"\"y\"\"\"\n"), std::string::npos)
      << files_["all"];
}

// No two have one name, and each is that of the column.
TEST_F(CasesTest, ColumnsThatNoProgramCanNameHaveOtherNames) {
  files_["odd.csv"] = "a b,a_b,in,2020,%,expected\n1,2,3,4,5,12\n";
  EXPECT_EQ(told(":cases odd.csv\n"),
            "1 case of odd.csv: (a_b2: i64, a_b: i64, in_: i64, x2020: i64, column: i64), expected "
            "i64; `a_b2` is the column `a b`, `in_` is the column `in`, `x2020` is the column "
            "`2020`, `column` is the column `%`\n");
  EXPECT_NE(told("a_b2 * 100 + a_b * 10 + in_ - 111\n").find("1 ok"), std::string::npos);
  EXPECT_NE(told(":data\n").find("`a_b2` is the column `a b`\n"), std::string::npos);
  EXPECT_EQ(
      told(":cases odd.csv (a_b2: f64, in_: i64)\n"),
      "1 case of odd.csv: (a_b2: f64, in_: i64), expected i64; without a type, and so "
      "without use: `a_b`, `x2020`, `column`; `a_b2` is the column `a b`, `in_` is the column "
      "`in`, `x2020` is the column `2020`, `column` is the column `%`\n");
  // Many that want one name cost no more than others.
  std::string header, row;
  for (u32 k = 0; k < 2'000; ++k) {
    for (u32 bit = 0; bit < 11; ++bit) header += (k >> bit & 1) != 0 ? '!' : '?';
    header += "q,";
    row += "1,";
  }
  files_["many.csv"] = header + "expected\n" + row + "1\n";
  EXPECT_EQ(told(":cases many.csv (q2000: i64)\n").substr(0, 36),
            "1 case of many.csv: (q2000: i64), ex");
  files_["spaced.csv"] = "x,the result\n1,2\n";
  EXPECT_EQ(told(":cases spaced.csv \"the result\"\n"),
            "1 case of spaced.csv: (x: i64), expected the result: i64\n");
}

// A harness's types are used if all of them fit the rows, whether the harness or the cases come first.
TEST_F(CasesTest, ColumnsHaveTheTypesThatAHarnessWants) {
  files_["h.komuz"] = "pub fn f(x: f64) -> f64;\npub fn score(a: f64, n: i64) -> f64 { f(a) }\n";
  files_["whole.csv"] = "a,n,more\n1,2,3\n";
  files_["texts.csv"] = "a,n\n1,yes\n";
  told(":score maximize\n:harness h.komuz\n");
  EXPECT_EQ(told(":cases whole.csv\n"), "1 case of whole.csv: (a: f64, n: i64, more: i64)\n");
  told(":save session.txt\n");
  EXPECT_NE(files_["session.txt"].find(":cases whole.csv (a: f64, n: i64, more: i64)\n"),
            std::string::npos)
      << files_["session.txt"];
  EXPECT_EQ(told(":cases texts.csv\n"), "1 case of texts.csv: (a: i64, n: Bytes[3])\n");
  EXPECT_EQ(told(":cases whole.csv (a: i64)\n"),
            "1 case of whole.csv: (a: i64); without a type, and so without use: `n`, `more`\n");
  told(":reset\n:cases whole.csv\n");
  EXPECT_EQ(told(":cases\n"), "1 case of whole.csv: (a: i64, n: i64, more: i64)\n");
  EXPECT_EQ(told(":harness h.komuz\n"),
            "1 case of whole.csv: (a: f64, n: i64, more: i64)\n"
            "open until an input defines it: `f(x: f64) -> f64`\n");
}

}  // namespace
}  // namespace komuz::repl
