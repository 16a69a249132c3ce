// SPDX-License-Identifier: Apache-2.0
// Types of columns: every column can be read as its type.
#include "engine/cases/column_types.h"

#include <gtest/gtest.h>

#include "engine/cases/suite.h"

namespace komuz::engine {
namespace {

// For the parameter `x` of cases in JSON.
CasesTable jsonl_of(std::initializer_list<const char*> values) {
  std::string text;
  for (const char* value : values)
    text += std::string(R"({"x": )") + value + R"(, "expected": )" + value + "}\n";
  CasesTable table;
  const Problem error = read_jsonl_cases("cases.jsonl", text, {}, table);
  EXPECT_FALSE(error) << error.text();
  return table;
}
std::string type_of(std::initializer_list<const char*> values) {
  const CasesTable table = jsonl_of(values);
  const std::string type = column_type(table, 0);
  EXPECT_EQ(expected_type(table), type);
  if (type.empty()) return type;
  const Result<Signature> signature = read_signature("fn(x: " + type + ") -> " + type);
  EXPECT_EQ(signature.problem().text(), "");
  Suite suite;
  const Problem error = make_suite(table, signature.value(), suite);
  EXPECT_FALSE(error) << type << ": " << error.text();
  return type;
}

TEST(ColumnTypes, OfJson) {
  EXPECT_EQ(type_of({"1", "-2"}), "i64");
  EXPECT_EQ(type_of({"1", "2.5"}), "f64");
  EXPECT_EQ(type_of({"2.5", "1", "\"Infinity\""}), "f64");
  EXPECT_EQ(type_of({"2.5", "NaN", "-Infinity"}), "f64");
  EXPECT_EQ(type_of({"[1, NaN]", "[Infinity, -Infinity, 2.5]"}), "List[f64, 3]");
  EXPECT_EQ(type_of({R"(["a NaN", "\", NaN"])"}), "List[Bytes[6], 2]");
  EXPECT_EQ(type_of({"true", "false"}), "bool");
  EXPECT_EQ(type_of({"18446744073709551615", "0"}), "u64");
  EXPECT_EQ(type_of({"18446744073709551615", "-1"}), "f64");
  EXPECT_EQ(type_of({"\"ab\"", "\"\"", "\"abcd\""}), "Bytes[4]");
  EXPECT_EQ(type_of({"[1, 2, 3]", "[]"}), "List[i64, 3]");
  EXPECT_EQ(type_of({"[]", "[0.5]"}), "List[f64, 1]");
  EXPECT_EQ(type_of({"[[1], [2, 3]]", "[[], [], []]"}), "List[List[i64, 2], 3]");
  EXPECT_EQ(type_of({"[\"a\", \"bcd\"]"}), "List[Bytes[3], 2]");
}

TEST(ColumnTypes, WhereRowsDoNotAgreeThereIsNone) {
  for (const auto& values :
       std::initializer_list<std::initializer_list<const char*>>{{"1", "true"},
                                                                 {"1", "\"a\""},
                                                                 {"1", "[1]"},
                                                                 {"[1]", "1"},
                                                                 {"[]", "[]"},
                                                                 {"{\"a\": 1}"},
                                                                 {"null", "1"},
                                                                 {"[1, [2]]"},
                                                                 {"[[1], 2]"}})
    EXPECT_EQ(type_of(values), "") << *values.begin();
}

TEST(ColumnTypes, NoTypeNestsWithoutEnd) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CasesTable table;
  ASSERT_FALSE(
      read_jsonl_cases("cases.jsonl", "{\"x\": " + deep + ", \"expected\": 1}\n", {}, table));
  EXPECT_EQ(column_type(table, 0), "");
}

TEST(ColumnTypes, OfCsv) {
  CasesTable table;
  const Problem error = read_csv_cases(
      "cases.csv", "a,b,c,d,expected,trap\n1,1,NaN,\"[1, 2]\",,DIV_ZERO\n2,0.5,1,[3],4,\n", {},
      table);
  ASSERT_FALSE(error) << error.text();
  EXPECT_EQ(column_type(table, 0), "i64");
  EXPECT_EQ(column_type(table, 1), "f64");
  EXPECT_EQ(column_type(table, 2), "f64");
  EXPECT_EQ(column_type(table, 3), "List[i64, 2]");
  EXPECT_EQ(expected_type(table), "i64");
}

}  // namespace
}  // namespace komuz::engine
