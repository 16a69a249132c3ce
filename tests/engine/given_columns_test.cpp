// SPDX-License-Identifier: Apache-2.0
// Columns in memory mean what a file of CSV with the same columns means: the same names, types, numbers to the bit, messages and hash.
#include "engine/cases/given_columns.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "engine/cases/cases_table.h"
#include "engine/cases/column_types.h"
#include "engine/cases/signature.h"
#include "engine/cases/split_cases.h"
#include "engine/cases/suite.h"
#include "engine/fit/fit_data.h"
#include "engine/log/log_header.h"

namespace komuz::engine {
namespace {

constexpr std::string_view kFile = "c.csv";
constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
constexpr f64 kNan = std::numeric_limits<f64>::quiet_NaN();

template <class T>
GivenColumn column(const std::string& name, NumberKind kind, const std::vector<T>& values) {
  const auto* const data = reinterpret_cast<const std::byte*>(values.data());
  return {name, {{name, kind, data, sizeof(T), values.size()}}};
}

// Both tables, and what was said of them.
struct Both {
  std::string text;
  CasesTable given, read;
  std::string given_problem, read_problem;
};
Both read_both(std::vector<GivenColumn> columns, const CaseFields& fields = {}) {
  Both out;
  GivenColumns given;
  given.rows = columns.front().parts[0].rows;
  given.columns = std::move(columns);
  given.append_header(out.text);
  for (size_t row = 0; row < given.rows; ++row) given.append_line(out.text, row);
  const auto source = std::make_shared<const GivenColumns>(std::move(given));
  out.given_problem = read_given_cases(kFile, source, fields, out.given).text();
  out.read_problem = read_cases(kFile, out.text, fields, out.read).text();
  EXPECT_EQ(out.given_problem, out.read_problem);
  return out;
}

Signature signature(std::string_view text) {
  Result<Signature> read = read_signature(text);
  EXPECT_FALSE(read.problem()) << read.problem().text();
  return std::move(read).value();
}

void expect_same_suite(const Both& both, const Signature& of) {
  SCOPED_TRACE(of.text());
  Suite given, read;
  const std::string said = make_suite(both.read, of, read).text();
  EXPECT_EQ(make_suite(both.given, of, given).text(), said);
  if (!said.empty()) return;
  ASSERT_EQ(given.count, read.count);
  EXPECT_EQ(given.lines, read.lines);
  EXPECT_EQ(given.weights, read.weights);
  EXPECT_EQ(given.case_types, read.case_types);
  EXPECT_EQ(given.all_expected(), read.all_expected());
  ASSERT_EQ(given.argument_types.size(), read.argument_types.size());
  for (u32 row = 0; row < read.count; ++row)
    for (u32 slot = 0; slot < read.argument_types.size(); ++slot)
      EXPECT_EQ(given.argument_cell(slot, row), read.argument_cell(slot, row))
          << row << " " << slot;
}

std::string hash_of(const CasesTable& table) {
  const LogHeader header = make_header("1", "eval", {}, table, {}, {});
  return header_text(header, "cases_hash").value_or("");
}

void expect_same(const Both& both, std::initializer_list<std::string_view> signatures) {
  ASSERT_EQ(both.given_problem, "");
  EXPECT_EQ(both.given.columns, both.read.columns);
  EXPECT_EQ(both.given.fields, both.read.fields);
  EXPECT_EQ(both.given.by_name, both.read.by_name);
  EXPECT_EQ(both.given.left_out.lines, both.read.left_out.lines);
  EXPECT_EQ(both.given.left_out.column, both.read.left_out.column);
  ASSERT_EQ(both.given.rows.size(), both.read.rows.size());
  for (size_t column = 0; column < both.read.columns.size(); ++column)
    EXPECT_EQ(column_type(both.given, column), column_type(both.read, column));
  EXPECT_EQ(expected_type(both.given), expected_type(both.read));
  EXPECT_EQ(hash_of(both.given), hash_of(both.read));
  for (const std::string_view text : signatures) expect_same_suite(both, signature(text));
}

const std::vector<f64> kFloats = {0.1, -0.0, 0.0, 5e-324, 1.0, -1e308, kInfinity, 1.0 + 0x1p-24};

TEST(GivenColumns, NumbersAreThoseOfTheTextToTheBit) {
  std::vector<f32> singles;
  for (const f64 x : kFloats) singles.push_back(static_cast<f32>(x));
  const std::vector<i64> wholes = {1,
                                   -1,
                                   (i64{1} << 53) + 1,
                                   std::numeric_limits<i64>::min(),
                                   7,
                                   0,
                                   -3,
                                   std::numeric_limits<i64>::max()};
  const std::vector<u64> large = {1, 2, ~u64{0}, (u64{1} << 63) + 1, 5, 6, 7, 8};
  const std::vector<u8> bools = {1, 0, 2, 0, 0, 1, 1, 0};
  const std::vector<i8> bytes = {1, -1, 127, -128, 0, 4, 5, 6};
  const Both both =
      read_both({column("d", NumberKind::F64, kFloats), column("s", NumberKind::F32, singles),
                 column("w", NumberKind::I64, wholes), column("u", NumberKind::U64, large),
                 column("b", NumberKind::Bool, bools), column("k", NumberKind::I8, bytes),
                 column("expected", NumberKind::F64, kFloats)});
  expect_same(both, {
                        "fn(d: f64, s: f64, w: f64, u: f64, b: f64, k: f64) -> f64",
                        "fn(d: f32, s: f32, w: f32, u: f32, k: f32) -> f32",
                        "fn(w: i64, u: u64, b: bool, k: i64) -> f64",
                        "fn(k: i32) -> f64",
                        // These do not fit.
                        "fn(d: i64) -> f64",
                        "fn(u: i64) -> f64",
                        "fn(w: u64) -> f64",
                        "fn(w: i32) -> f64",
                        "fn(b: i64) -> f64",
                        "fn(k: u8) -> f64",
                        "fn(k: bool) -> f64",
                        "fn(k: i64) -> i64",
                        "fn(k: [i64]) -> f64",
                        "fn(k: List[i64, 3]) -> f64",
                        "fn(k: Option[i64]) -> f64",
                        "fn(missing: i64) -> f64",
                    });
}

TEST(GivenColumns, ExpectedValuesAreOfAnyType) {
  const std::vector<f64> x = {1, 2, 3};
  const std::vector<i32> wholes = {0, -5, 7};
  const std::vector<u8> bools = {1, 0, 1};
  const std::vector<f64> zeros = {0, 0, 0};
  expect_same(
      read_both({column("x", NumberKind::F64, x), column("expected", NumberKind::I32, wholes)}),
      {"fn(x: f64) -> i64", "fn(x: f64) -> i32", "fn(x: f64) -> f64", "fn(x: f64) -> u8"});
  expect_same(
      read_both({column("x", NumberKind::F64, x), column("expected", NumberKind::Bool, bools)}),
      {"fn(x: f64) -> bool", "fn(x: f64) -> f64", "fn(x: f64) -> i64"});
  const Both both =
      read_both({column("x", NumberKind::F64, zeros), column("expected", NumberKind::F64, zeros)});
  expect_same(both, {"fn(x: f64) -> f64"});
  Suite suite;
  ASSERT_FALSE(make_suite(both.given, signature("fn(x: f64) -> f64"), suite));
  EXPECT_TRUE(suite.expects_zeros(0));
}

TEST(GivenColumns, SeveralExpectedColumnsAreATuple) {
  const std::vector<f64> x = {1, 2.5, 3};
  const std::vector<i64> n = {1, -2, 3};
  GivenColumn expected = {
      "expected",
      {column("", NumberKind::F64, x).parts[0], column("", NumberKind::I64, n).parts[0]}};
  const Both both = read_both({column("x", NumberKind::F64, x), expected});
  EXPECT_EQ(both.text, "x,expected\n1.0,\"(1.0, 1)\"\n2.5,\"(2.5, -2)\"\n3.0,\"(3.0, 3)\"\n");
  expect_same(both,
              {"fn(x: f64) -> (f64, i64)", "fn(x: f64) -> (f64, f64)", "fn(x: f64) -> (f32, i64)",
               "fn(x: f64) -> f64", "fn(x: f64) -> (f64, i64, i64)", "fn(x: f64) -> (i64, i64)"});
}

TEST(GivenColumns, AnyDistanceLiesBetweenNumbers) {
  const std::vector<f64> square = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  GivenColumn backwards = column("x", NumberKind::F64, square),
              third = column("y", NumberKind::F64, square),
              same = column("expected", NumberKind::F64, square);
  backwards.parts[0].data += 8 * sizeof(f64);
  backwards.parts[0].stride = -static_cast<std::ptrdiff_t>(sizeof(f64));
  third.parts[0].stride = 3 * sizeof(f64);
  same.parts[0].stride = 0;
  for (GivenColumn* const one : {&backwards, &third, &same}) one->parts[0].rows = 3;
  const Both both = read_both({backwards, third, same});
  EXPECT_EQ(both.text, "x,y,expected\n9.0,1.0,1.0\n8.0,4.0,1.0\n7.0,7.0,1.0\n");
  expect_same(both, {"fn(x: f64, y: f64) -> f64", "fn(x: f32, y: f64) -> f32"});
}

TEST(GivenColumns, RowsThatLackANumberAreLeftOut) {
  const std::vector<f64> x = {1, kNan, 3, 4, 5}, y = {1, 2, kNan, 4, 5}, w = {1, 1, 1, kNan, 2};
  CaseFields fields;
  fields.form.weights = "w";
  fields.form.skips_missing = true;
  Both both = read_both({column("x", NumberKind::F64, x), column("w", NumberKind::F64, w),
                         column("expected", NumberKind::F64, y)},
                        fields);
  EXPECT_EQ(both.given.rows.size(), 2u);
  expect_same(both, {"fn(x: f64) -> f64", "fn(x: i64) -> f64"});
  const CasesTable a = split_cases(both.given, 1, 7), b = split_cases(both.read, 1, 7);
  EXPECT_EQ(a.rows.front().line, b.rows.front().line);
  both.given.left_out = both.read.left_out = {};
  expect_same(both, {"fn(x: f64) -> f64"});
  const std::vector<f64> none = {kNan};
  fields.form.weights = "";
  read_both({column("x", NumberKind::F64, none), column("expected", NumberKind::F64, none)},
            fields);
}

TEST(GivenColumns, RolesAndMessagesAreThoseOfAFile) {
  const std::vector<f64> x = {1, 2}, bad = {1, -2}, y = {1, 2};
  const auto three = [&] {
    return std::vector{column("x", NumberKind::F64, x), column("w", NumberKind::F64, bad),
                       column("expected", NumberKind::F64, y)};
  };
  CaseFields fields;
  expect_same(read_both(three()), {"fn(x: f64, w: f64) -> f64", "fn(w: f64) -> f64"});
  fields.form.weights = "w";
  EXPECT_NE(read_both(three(), fields).given_problem, "");
  fields.form.weights = "v";
  EXPECT_NE(read_both(three(), fields).given_problem, "");
  fields = {};
  fields.inputs = {"w", "x"};
  expect_same(read_both(three(), fields),
              {"fn(a: f64, b: f64) -> f64", "fn(a: i64, b: f64) -> f64"});
  fields.inputs = {"q"};
  EXPECT_NE(read_both(three(), fields).given_problem, "");
  fields = {};
  fields.output = "x";
  expect_same(read_both(three(), fields), {"fn(w: f64, expected: f64) -> f64"});
  fields.output = "y";
  EXPECT_NE(read_both(three(), fields).given_problem, "");
  EXPECT_NE(
      read_both({column("x", NumberKind::F64, x), column("x", NumberKind::F64, x)}).given_problem,
      "");
}

TEST(GivenColumns, ATableToFitHasTheSameData) {
  const std::vector<i32> kinds = {0, 1, 0, -1, 2, 1}, wholes = {1, 2, 3, 4, 5, 6};
  const std::vector<u8> bools = {1, 0, 1, 1, 0, 0};
  const std::vector<f64> x = {1, 2, kNan, 4, kInfinity, 6}, y = {1, 4, 9, 16, 25, 36};
  GivenColumn texts = column("the kind", NumberKind::I32, kinds);
  texts.texts = std::vector<std::string>{"red", "pale, blue", "a \"quoted\" one"};
  CaseFields all;
  all.has_expectations = false;
  const Both both =
      read_both({texts, column("n", NumberKind::I32, wholes), column("b", NumberKind::Bool, bools),
                 column("x", NumberKind::F64, x), column("y", NumberKind::F64, y)},
                all);
  ASSERT_EQ(both.given_problem, "");
  FitFields fields;
  Result<FitData> without = fit_data_of(both.given, fields),
                  of_text = fit_data_of(both.read, fields);
  EXPECT_EQ(without.problem().text(), of_text.problem().text());
  EXPECT_NE(without.problem().text(), "");
  fields.skips_missing = true;
  fields.group = "n";
  Result<FitData> given = fit_data_of(both.given, fields), read = fit_data_of(both.read, fields);
  ASSERT_FALSE(given.problem()) << given.problem().text();
  ASSERT_FALSE(read.problem()) << read.problem().text();
  EXPECT_EQ(given.value().columns, read.value().columns);
  EXPECT_EQ(given.value().expected, read.value().expected);
  EXPECT_EQ(given.value().groups, read.value().groups);
  EXPECT_EQ(given.value().lines, read.value().lines);
  ASSERT_EQ(given.value().inputs.size(), read.value().inputs.size());
  for (size_t k = 0; k < given.value().inputs.size(); ++k) {
    EXPECT_EQ(given.value().inputs[k].name, read.value().inputs[k].name);
    EXPECT_EQ(given.value().inputs[k].category, read.value().inputs[k].category);
  }
  fields.target = "the kind";
  given = fit_data_of(both.given, fields);
  EXPECT_EQ(given.problem().text(), fit_data_of(both.read, fields).problem().text());
  EXPECT_NE(given.problem().text(), "");
}

TEST(GivenColumns, TheFirstNanIsThatOfTheFirstRow) {
  const std::vector<f64> late = {1, 2, kNan}, early = {1, kNan, kNan};
  const std::vector<f32> none = {1, 2, 3};
  GivenColumns given;
  given.rows = 3;
  given.columns = {column("a", NumberKind::F64, late), column("n", NumberKind::F32, none),
                   column("b", NumberKind::F64, early)};
  const std::optional<GivenPlace> found = find_nan(given);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->row, 1u);
  EXPECT_EQ(found->column, 2u);
  given.columns.resize(2);
  EXPECT_EQ(find_nan(given)->row, 2u);
  given.columns.erase(given.columns.begin());
  EXPECT_FALSE(find_nan(given));
}

TEST(GivenColumns, CopiesStandOnTheirOwn) {
  std::vector<f64> numbers = {1.5, 2.5, 3.5, 4.5};
  std::vector<i32> wholes = {7};
  GivenColumns columns;
  columns.rows = 2;
  columns.columns = {column("x", NumberKind::F64, numbers), column("n", NumberKind::I32, wholes)};
  columns.columns[0].parts[0].stride = -16;  // from the third number back to the first
  columns.columns[0].parts[0].data += 16;
  columns.columns[0].parts[0].rows = 2;
  columns.columns[1].parts[0].stride = 0;
  columns.columns[1].parts[0].rows = 2;
  std::string before;
  for (size_t row = 0; row < 2; ++row) columns.append_line(before, row);
  const std::shared_ptr<const GivenColumns> copy = copy_of(columns);
  numbers = {0, 0, 0, 0};
  wholes = {0};
  std::string after;
  for (size_t row = 0; row < 2; ++row) copy->append_line(after, row);
  EXPECT_EQ(before, after);
  EXPECT_EQ(before, "3.5,7\n1.5,7\n");
}

}  // namespace
}  // namespace komuz::engine
