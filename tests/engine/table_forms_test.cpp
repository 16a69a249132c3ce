// SPDX-License-Identifier: Apache-2.0
// Tables as people have them: other separators, decimal commas, headers that are no names, missing cells.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/cases/column_names.h"
#include "engine/cases/column_types.h"
#include "engine/cases/indicators.h"
#include "engine/values/decimal_commas.h"
#include "tests/engine/suite_builder.h"

namespace komuz::engine {
namespace {

using test::make_signature;

struct Read {
  CasesTable table;
  Suite suite;
  std::string error;
  [[nodiscard]] f64 argument(u32 slot, u32 row) const {
    return cell_as_f64(suite.argument_types[slot], suite.argument_cell(slot, row));
  }
  [[nodiscard]] f64 expected(u32 row) const {
    return cell_as_f64(Scalar::F64, suite.expected_cell(0, row));
  }
};
Read read(std::string_view file, std::string text, const std::vector<std::string>& parameters,
          const CaseFields& fields = {}) {
  std::vector<test::NamedType> typed;
  for (const std::string& name : parameters) typed.push_back({name, Scalar::F64});
  Read out;
  Problem error = read_cases(file, std::move(text), fields, out.table);
  if (!error) error = make_suite(out.table, make_signature(typed, {Scalar::F64}), out.suite);
  if (error) out.error = error.text();
  return out;
}
Read csv(std::string text, const std::vector<std::string>& parameters,
         const CaseFields& fields = {}) {
  return read("c.csv", std::move(text), parameters, fields);
}
CaseFields with_form(TableForm form) {
  CaseFields fields;
  fields.form = form;
  return fields;
}

TEST(TableForms, TheHeaderShowsTheSeparator) {
  for (const char* const text :
       {"x,y,expected\n1,2,3\n4,5,6\n", "x;y;expected\n1;2;3\n4;5;6\n",
        "x\ty\texpected\n1\t2\t3\n4\t5\t6\n", "x|y|expected\n1|2|3\n4|5|6\n",
        "x ; y ;expected\r\n 1 ; 2;3\r\n4;5;6\r\n", "\"x\";\"y\";expected\n1;\"2\";3\n4;5;6\n",
        "# by a tool, version 2\n# x;y;expected\n1;2;3\n4;5;6\n", "x;y;expected\r1;2;3\r4;5;6",
        "\n\nx;y;expected\n\n1;2;3\n\n4;5;6", "x y expected\n1 2 3\n4 5 6\n",
        "# x\ty\texpected\n1\t2\t3\n4\t5\t6\n"}) {
    const Read read = csv(text, {"x", "y"});
    ASSERT_EQ(read.error, "") << text;
    ASSERT_EQ(read.suite.count, 2u) << text;
    EXPECT_EQ(read.argument(1, 1), 5) << text;
    EXPECT_EQ(read.expected(0), 3) << text;
  }
}

TEST(TableForms, WhatStandsInQuotesSeparatesNothing) {
  const Read read = csv("x;note;expected\n1;\"a;b, c\"\"\n;\";2\n3;,;4\n", {"x"});
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 1), 3);
  const Read header = csv("x;\"a, b\";expected\n1;2;3\n", {"x"});
  ASSERT_EQ(header.error, "");
  EXPECT_EQ(header.table.columns[1], "a_b");
}

// Whatever was a table by commas is one.
TEST(TableForms, CommasGoFirst) {
  const Read read = csv("x,a;b,expected\n1,2;3,4\n", {"x"});
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.table.columns, (std::vector<std::string>{"x", "a_b"}));
  // A header with a comma in a name is one by `;`, if the rows are.
  const Read units = csv("t, s;x, m;expected\n1;2;3\n", {"t_s"});
  ASSERT_EQ(units.error, "");
  EXPECT_EQ(units.table.columns, (std::vector<std::string>{"t_s", "x_m"}));
}

TEST(TableForms, WhatMayBeSeparatedInTwoWaysIsAsked) {
  const std::string text = "a;b|expected\n1;2|3\n";
  EXPECT_EQ(csv(text, {"a"}).error,
            "c.csv:1: the cells of this file may be separated by `;` or by `|`; say which by "
            "`--separator`");
  const Read read = csv(text, {"a_b"}, with_form({.separator = '|'}));
  EXPECT_EQ(read.error,
            "c.csv:2:1: `a_b`: `1;2` is no f64; write a number such as 2.5, NaN, Infinity or "
            "-Infinity");
  EXPECT_EQ(csv("a;b|expected\n1;2;3|4\n", {"a_b"}, with_form({.separator = '|'}))
                .error.find("c.csv:2:1: `a_b`: `1;2;3`"),
            0u);
  // Rows that differ from the header are told by it.
  EXPECT_EQ(csv("x;expected\n1;2\n3;4;5\n", {"x"}).error,
            "c.csv:3: this line has 3 cells, the header has 2; a cell that holds a `;` is put in "
            "quotes");
  EXPECT_EQ(csv("x\texpected\n1\t2\t\n", {"x"}).error,
            "c.csv:2: this line has 3 cells, the header has 2; a cell that holds a tab is put in "
            "quotes");
}

TEST(TableForms, CellsOfTabsMayBeEmpty) {
  const Read read = csv("x\tnote\texpected\ttrap\n1\t\t2\t\n3\t\t\tDIV_ZERO\n", {"x"});
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.suite.expected_traps[1], Trap::DivZero);
}

TEST(TableForms, OptionsAreRead) {
  TableForm form;
  for (const auto& [word, character] : {std::pair{";", ';'},
                                        {"tab", '\t'},
                                        {"\t", '\t'},
                                        {" ", ' '},
                                        {"blank", ' '},
                                        {"|", '|'},
                                        {",", ','}}) {
    EXPECT_FALSE(read_form_option("separator", word, form));
    EXPECT_EQ(form.separator, character);
  }
  EXPECT_EQ(read_form_option("separator", ":", form).text(),
            "`--separator` takes `,`, `;`, `|`, `tab` or `blank`, not `:`");
  EXPECT_EQ(read_form_option("decimal", "comma", form).text(),
            "`--decimal` takes `,` or `.`, not `comma`");
  EXPECT_FALSE(read_form_option("decimal", ",", form));
  EXPECT_FALSE(read_form_option("skip-missing", "", form));
  EXPECT_EQ(form_text(form), "--separator , --decimal , --skip-missing");
  EXPECT_EQ(form_text({}), "");
  TableForm weighted;
  EXPECT_TRUE(read_form_option("weights", "", weighted));
  EXPECT_FALSE(read_form_option("weights", "a w", weighted));
  EXPECT_EQ(form_text(weighted), "--weights 'a w'");
}

TEST(DecimalCommas, NumbersAreRead) {
  struct Number {
    std::string text;
    f64 value;
  };
  for (const Number& number :
       {Number{"3,14", 3.14}, Number{"-3,14", -3.14}, Number{"+,5", 0.5}, Number{"3,", 3},
        Number{"3", 3}, Number{"1.234,5", 1234.5}, Number{"-1.234.567,25", -1234567.25},
        Number{"1.234.567", 1234567}, Number{"2,5e-3", 2.5e-3}, Number{"2,5E+3", 2500},
        Number{"1e3", 1000}, Number{"-INF", -INFINITY}}) {
    const Read read = csv("x;expected\n" + number.text + ";" + number.text + "\n", {"x"},
                          with_form({.has_decimal_commas = true}));
    ASSERT_EQ(read.error, "") << number.text;
    EXPECT_EQ(read.argument(0, 0), number.value) << number.text;
    EXPECT_EQ(read.expected(0), number.value) << number.text;
  }
  const Read typed = csv("n;x;s;expected;tol\n1;1,5;a;0,5;1e-9\n2;2;b,c;1;0,25\n", {"n", "x"},
                         with_form({.has_decimal_commas = true}));
  ASSERT_EQ(typed.error, "");
  EXPECT_EQ(column_type(typed.table, 0), "i64");
  EXPECT_EQ(column_type(typed.table, 1), "f64");
  EXPECT_EQ(column_type(typed.table, 2), "Bytes[3]") << "texts keep their commas";
  EXPECT_EQ(typed.suite.tolerances[1], 0.25);
}

TEST(DecimalCommas, PointsThatMayBeDecimalAreErrors) {
  struct Number {
    std::string text, error;
  };
  for (const Number& number :
       {Number{"3.14",
               "`3.14` has a point, and commas are decimal; write 3,14, or leave `--decimal "
               ",` out"},
        Number{"1.234",
               "`1.234` may be 1234 or 1,234 where commas are decimal; write it without a "
               "point"},
        Number{"1.5e3",
               "`1.5e3` has a point, and commas are decimal; write 1,5e3, or leave "
               "`--decimal ,` out"},
        Number{"1.2.3", "`1.2.3` has a point, and commas are decimal; write one comma"},
        Number{"12.34,5", "`12.34,5` has points that part no groups of three digits; write 1234,5"},
        Number{"1 000,5", "`1 000,5` is a number with separators of thousands; write 1000,5"},
        Number{"1,000.5", "`1,000.5` is a number with separators of thousands; write 1000,5"}}) {
    const CaseFields fields = with_form({.has_decimal_commas = true});
    EXPECT_EQ(csv("x;expected\n1;1\n" + number.text + ";1\n", {"x"}, fields).error,
              "c.csv:3:1: `x`: " + number.error);
    EXPECT_EQ(csv("x;expected\n1;1\n1;" + number.text + "\n", {"x"}, fields).error,
              "c.csv:3:3: the expected value: " + number.error);
  }
}

TEST(DecimalCommas, WhoMeetsOneIsToldOfTheOption) {
  EXPECT_EQ(csv("x;expected\n3,14;1\n", {"x"}).error,
            "c.csv:2:1: `x`: `3,14` is a number with a comma for the point; write 3.14, or read "
            "such numbers by `--decimal ,`");
  EXPECT_EQ(csv("x;expected\n1;3,14\n", {"x"}).error,
            "c.csv:2:3: the expected value: `3,14` is a number with a comma for the point; write "
            "3.14, or read such numbers by `--decimal ,`");
}

TEST(DecimalCommas, CommasThatSeparateToo) {
  const CaseFields fields = with_form({.has_decimal_commas = true});
  const Read quoted = csv("x,expected\n\"3,14\",\"1.000,5\"\n", {"x"}, fields);
  ASSERT_EQ(quoted.error, "");
  EXPECT_EQ(quoted.argument(0, 0), 3.14);
  EXPECT_EQ(quoted.expected(0), 1000.5);
  EXPECT_EQ(csv("x,expected\n3,14,1\n", {"x"}, fields).error,
            "c.csv:2: this line has 3 cells, the header has 2; `3,14` is two cells: where commas "
            "separate cells, a number with a decimal comma is put in quotes");
  // No number of JSON has one.
  EXPECT_EQ(read("c.jsonl", "{\"x\": 1.5, \"expected\": 2}\n", {"x"}, fields).error, "");
}

TEST(ColumnNames, AreMadeWhereAHeaderIsNone) {
  struct Name {
    std::string header, name;
  };
  for (const Name& name :
       {Name{"x", "x"}, Name{"Time (s)", "Time_s"},
        Name{"Temp (\xC2\xB0"
             "C)",
             "Temp_C"},
        Name{"2nd", "x2nd"}, Name{"in", "in_"}, Name{"type", "type_"}, Name{"a=b", "a_b"},
        Name{"\xC3\xA9t\xC3\xA9", "t"}, Name{"\xE6\xB8\xA9", "column"}, Name{"a  -  b", "a_b"},
        Name{"_x", "_x"}, Name{"%", "column"}})
    EXPECT_EQ(names_of_columns(std::vector<std::string_view>{name.header})[0], name.name);
  // In the order of the header; a header that is a name has it.
  EXPECT_EQ(names_of_columns(std::vector<std::string_view>{"a b", "a-b", "a_b", "", "a/b", ""}),
            (std::vector<std::string>{"a_b2", "a_b3", "a_b", "", "a_b4", ""}));
}

TEST(ColumnNames, ParametersTakeThem) {
  const std::string text = "Time (s),v,expected\n1,2,3\n";
  for (const char* const file : {"c.csv", "c.jsonl"}) {
    const bool is_csv = std::string_view(file) == "c.csv";
    const std::string cases = is_csv ? text : "{\"Time (s)\": 1, \"v\": 2, \"expected\": 3}\n";
    const Read by_name = read(file, cases, {"v", "Time_s"});
    ASSERT_EQ(by_name.error, "");
    EXPECT_EQ(by_name.argument(1, 0), 1);
    EXPECT_EQ(made_names_text(by_name.table), "`Time_s` is the column `Time (s)`");
    EXPECT_NE(read(file, cases, {"Tme_s"}).error.find("did you mean `Time_s`?"), std::string::npos);

    CaseFields fields;
    fields.inputs = {"Time (s)=t", "v"};
    const Read renamed = read(file, cases, {"t"}, fields);
    ASSERT_EQ(renamed.error, "");
    EXPECT_EQ(renamed.argument(0, 0), 1);
    EXPECT_EQ(made_names_text(renamed.table), "") << "whoever says a name knows it";
    fields.inputs = {"v", "Time_s"};
    const Read in_order = read(file, cases, {"a", "b"}, fields);
    ASSERT_EQ(in_order.error, "");
    EXPECT_EQ(in_order.argument(1, 0), 1);
    EXPECT_EQ(read(file, cases, {"Time_s"}, fields).error, "");
    fields.inputs = {"Time_s=t"};
    EXPECT_EQ(read(file, cases, {"t"}, fields).error, "");
    fields.inputs = {"Tim (s)=t"};
    EXPECT_NE(
        read(file, cases, {"t"}, fields)
            .error.find("`Tim (s)` for `--input`, but `Time (s)`, `v` and `expected`; did you mean "
                        "`Time (s)`?"),
        std::string::npos);
    fields.inputs = {"v=2x"};
    EXPECT_EQ(read(file, cases, {"t"}, fields).error,
              "`--input 'v=2x'` gives a column the name `2x`, which no program can use; write "
              "`--input 'COLUMN=NAME'`, with a name such as `x1`");
    fields.inputs = {"v=t", "Time (s)=t"};
    EXPECT_EQ(read(file, cases, {"t"}, fields).error,
              "`--input 'Time (s)=t'` gives a column the name `t`, which another input has; give "
              "each a name of its own");
    fields.inputs = {"v", "v=t"};
    EXPECT_NE(read(file, cases, {"t"}, fields).error.find("`--input v` stands there twice"),
              std::string::npos);
    fields.inputs = {};
    fields.output = "Time_s";
    const Read output = read(file, cases, {"v"}, fields);
    ASSERT_EQ(output.error, "");
    EXPECT_EQ(output.expected(0), 1);
  }
}

// A header may hold a `=` itself.
TEST(ColumnNames, AnExactHeaderGoesFirst) {
  CaseFields fields;
  fields.inputs = {"a=b", "c=d=e"};
  const Read read = csv("a=b,a,c=d,expected\n1,2,3,4\n", {"a_b", "e"}, fields);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 0), 1);
  EXPECT_EQ(read.argument(1, 0), 3);
}

TEST(MissingCells, AreErrorsThatNameTheOption) {
  EXPECT_EQ(csv("x,expected\n1,1\n,1\n", {"x"}).error,
            "c.csv:3:1: `x`: a value of type f64 is missing; write a number such as 2.5, NaN, "
            "Infinity or -Infinity, or leave such rows out by `--skip-missing`");
  for (const std::string_view word : kMissingWords) {
    EXPECT_NE(csv("x,expected\n1,1\n" + std::string(word) + ",1\n", {"x"})
                  .error.find(", or leave such rows out by `--skip-missing`"),
              std::string::npos)
        << word;
  }
  EXPECT_NE(csv("x,expected\n1,\n", {"x"}).error.find("or leave such rows out by `--skip-missing`"),
            std::string::npos);
  EXPECT_EQ(csv("x,expected\nkg,1\n", {"x"}).error.find("--skip-missing"), std::string::npos);
}

TEST(Separator, BlanksAreFoundWithoutExpectedValues) {
  CaseFields fields;
  fields.has_expectations = false;
  CasesTable table;
  EXPECT_FALSE(read_cases("c.csv", "x  y\n1  2\n3 NA\n", fields, table));
  EXPECT_EQ(table.separator, ' ');
  EXPECT_EQ(table.columns, (std::vector<std::string>{"x", "y"}));
  // A column whose name has a blank.
  EXPECT_FALSE(read_cases("c.csv", "the time\n1\n3\n", fields, table));
  EXPECT_EQ(table.separator, ',');
}

TEST(MissingCells, RowsAreLeftOut) {
  const CaseFields fields = with_form({.skips_missing = true});
  const Read read =
      csv("x,y,expected,tol\n1,1,1,\nNA,2,2,\n3,,3,\n4,4,?,\n5,NaN,5,NA\n\"\",6,6,\n7,7,7,0.5\n",
          {"x", "y"}, fields);
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.suite.count, 3u);
  EXPECT_EQ(read.argument(0, 1), 5);
  EXPECT_TRUE(std::isnan(read.argument(1, 1))) << "NaN is a value";
  EXPECT_EQ(read.suite.lines, (std::vector<u64>{2, 6, 8}));
  EXPECT_EQ(left_out_text(read.table),
            "4 of 7 rows are left out, in which a cell is missing, the first on line 3 (`x`)");
  // Columns that are no inputs are not looked at.
  CaseFields only = fields;
  only.inputs = {"x"};
  const Read one = csv("x,y,expected\n1,NA,1\n,2,2\n", {"x"}, only);
  ASSERT_EQ(one.error, "");
  EXPECT_EQ(left_out_text(one.table),
            "1 of 2 rows is left out, in which a cell is missing, the first on line 3 (`x`)");
  // A trap is expected in place of a value.
  EXPECT_EQ(csv("x,expected,trap\n1,NA,DIV_ZERO\n2,2,\n", {"x"}, fields).suite.count, 2u);
  EXPECT_EQ(csv("x,expected\nNA,1\n,2\n", {"x"}, fields).error,
            "c.csv:2: all rows are left out: in each of them a cell is missing, in the first `x`; "
            "name the columns that are needed by `--input`");
  EXPECT_NE(csv("x,expected\n1\n", {"x"}, fields).error.find("this line has 1 cell"),
            std::string::npos);
}

TEST(MissingCells, AreNullInJson) {
  const CaseFields fields = with_form({.skips_missing = true});
  const Read by_name =
      read("c.jsonl",
           "{\"x\": null, \"y\": 0, \"expected\": 1}\n{\"x\": 2, \"y\": 0, \"expected\": 2}\n"
           "{\"x\": 3, \"y\": 0, \"expected\": null}\n{\"y\": 0, \"x\": 4, \"expected\": 4}\n",
           {"x"}, fields);
  ASSERT_EQ(by_name.error, "");
  EXPECT_EQ(by_name.suite.lines, (std::vector<u64>{2, 4}));
  EXPECT_EQ(by_name.argument(0, 1), 4);
  EXPECT_EQ(left_out_text(by_name.table),
            "2 of 4 rows are left out, in which a cell is missing, the first on line 1 (`x`)");
  const Read by_position =
      read("c.jsonl", "{\"args\": [null], \"expected\": 1}\n{\"args\": [2], \"expected\": 2}\n",
           {"x"}, fields);
  ASSERT_EQ(by_position.error, "");
  EXPECT_EQ(by_position.suite.count, 1u);
  EXPECT_NE(read("c.jsonl", "{\"x\": null, \"expected\": 1}\n", {"x"})
                .error.find("or leave such rows out by `--skip-missing`"),
            std::string::npos);
  // A field that is not there is an error in any case.
  EXPECT_NE(read("c.jsonl", "{\"x\": 1, \"expected\": 1}\n{\"expected\": 1}\n", {"x"}, fields)
                .error.find("`x` is missing; every case has the same arguments"),
            std::string::npos);
}

// Work grows with the columns alone.
TEST(TableForms, ManyColumns) {
  std::string header, row;
  for (int k = 0; k < 20'000; ++k) {
    header += "c" + std::to_string(k) + ";";
    row += std::to_string(k % 10) + ";";
  }
  const Read read = csv(header + "expected\n" + row + "1\n", {"c19999"});
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 0), 9);
}

// As a fit names them.
TEST(TableForms, AParameterMayBeAnIndicatorOfAColumnOfTexts) {
  const std::string text = "state,x,expected\ntreated,1,2\nnot treated,3,4\n,5,6\n";
  CaseFields leaves_out;
  leaves_out.form.skips_missing = true;
  const Read read =
      csv(text, {"x", "state_treated", "state_not_treated", "state_other"}, leaves_out);
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.suite.count, 2u);
  EXPECT_EQ(read.argument(1, 0), 1);
  EXPECT_EQ(read.argument(1, 1), 0);
  EXPECT_EQ(read.argument(2, 0), 0);
  EXPECT_EQ(read.argument(2, 1), 1);
  EXPECT_EQ(read.argument(3, 0), 0);
  EXPECT_EQ(read.argument(3, 1), 0);
  EXPECT_EQ(
      indicators_text(read.suite.indicators, read.table),
      "`state_treated` is 1 where the column `state` is `treated`, else 0; `state_not_treated` "
      "is 1 where the column `state` is `not treated`, else 0; `state_other` is 0: it is no "
      "value of the column `state`");
  EXPECT_EQ(
      csv(text, {"x", "state_treated"}).error,
      "c.csv:4:1: `state_treated`: the cell is missing of the column `state`; write a value, or "
      "leave such rows out by `--skip-missing`");
}

TEST(TableForms, IndicatorsOfTextsAreForNumbersAndNamesThatMeanOneText) {
  const std::string text = "state,x,expected\na b,1,2\na-b,3,4\n";
  EXPECT_EQ(csv(text, {"x", "state_a_b"}).error,
            "c.csv:1: `state_a_b` may be `a b` of the column `state`, or `a-b` of `state`; add a "
            "column of that name, which is 1 or 0");
  EXPECT_NE(csv(text, {"x", "states_c"}).error.find("no column for the parameter"),
            std::string::npos);
  // A number of a column of few numbers, which has to be there.
  const std::string numbers = "cyl,expected\n4,2\n6,4\n4,6\n";
  const Read read = csv(numbers, {"cyl_4"});
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 2), 1);
  EXPECT_EQ(read.argument(0, 1), 0);
  EXPECT_NE(csv(numbers, {"cyl_5"}).error.find("no column for the parameter"), std::string::npos);
  Read other;
  ASSERT_FALSE(read_cases("c.csv", text, {}, other.table));
  EXPECT_TRUE(make_suite(other.table, make_signature({{"state_c", Scalar::I64}}, {Scalar::F64}),
                         other.suite));
}

TEST(TableForms, BoolsAreNumbersForParametersThatAreNumbers) {
  const Read read = csv("is_on,expected\ntrue,2\nfalse,4\n", {"is_on"});
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 0), 1);
  EXPECT_EQ(read.argument(0, 1), 0);
  EXPECT_NE(csv("is_on,expected\ntrue,2\n3,4\n", {"is_on"}).error, "");
}

}  // namespace
}  // namespace komuz::engine
