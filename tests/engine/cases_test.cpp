// SPDX-License-Identifier: Apache-2.0
// Files of cases, good and bad, down to the typed columns.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/engine.h"
#include "tests/engine/suite_builder.h"

namespace komuz::engine {
namespace {

using test::make_signature;

struct Read {
  CasesTable table;
  Suite suite;
  std::string error;
};

Read read(std::string_view file, std::string text, const Signature& signature,
          const CaseFields& fields = {}) {
  Read out;
  Problem error = read_cases(file, std::move(text), fields, out.table);
  if (!error) error = make_suite(out.table, signature, out.suite);
  if (error) out.error = error.text();
  return out;
}
Read csv(std::string text, const Signature& signature, const CaseFields& fields = {}) {
  return read("c.csv", std::move(text), signature, fields);
}
Read jsonl(std::string text, const Signature& signature, const CaseFields& fields = {}) {
  return read("c.jsonl", std::move(text), signature, fields);
}

Signature two_to_one() {
  return make_signature({{"x", Scalar::I64}, {"y", Scalar::F64}}, {Scalar::F64});
}
f64 as_f64(u64 cell) { return cell_as_f64(Scalar::F64, cell); }

void expect_the_usual_two(const Read& read) {
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.suite.count, 2u);
  EXPECT_EQ(read.suite.argument_cell(0, 0), 1u);
  EXPECT_EQ(as_f64(read.suite.argument_cell(1, 0)), 2.5);
  EXPECT_EQ(read.suite.argument_cell(0, 1), static_cast<u64>(-3));
  EXPECT_EQ(as_f64(read.suite.argument_cell(1, 1)), 4.0);
  EXPECT_EQ(as_f64(read.suite.expected_cell(0, 0)), 3.5);
  EXPECT_EQ(as_f64(read.suite.expected_cell(0, 1)), 1.0);
}

TEST(CsvCases, Plain) {
  expect_the_usual_two(csv("x,y,expected\n1,2.5,3.5\n-3,4,1\n", two_to_one()));
}

TEST(Cases, APipeIsReadByItsContent) {
  expect_the_usual_two(read("/dev/fd/63", "x,y,expected\n1,2.5,3.5\n-3,4,1\n", two_to_one()));
  expect_the_usual_two(read("/dev/fd/63",
                            "\n{\"args\": {\"x\": 1, \"y\": 2.5}, \"expected\": 3.5}\n"
                            "{\"args\": {\"x\": -3, \"y\": 4}, \"expected\": 1}\n",
                            two_to_one()));
}

TEST(CsvCases, CrlfByteOrderMarkBlankLinesBlanksAndQuotes) {
  expect_the_usual_two(csv(
      "\xEF\xBB\xBFx, y ,expected\r\n 1,\"2.5\", 3.5 \r\n\r\n-3,4,\"1\"\r\n\r\n", two_to_one()));
}

TEST(CsvCases, NoLineEndAtTheEnd) {
  expect_the_usual_two(csv("x,y,expected\n1,2.5,3.5\n-3,4,1", two_to_one()));
}

TEST(CsvCases, ColumnsInAnyOrder) {
  expect_the_usual_two(csv("expected,y,x\n3.5,2.5,1\n1,4,-3\n", two_to_one()));
}

TEST(CsvCases, InputsByOption) {
  CaseFields fields;
  fields.inputs = {"in1", "in2"};
  fields.output = "out";
  expect_the_usual_two(
      csv("note,in2,out,in1\nfirst,2.5,3.5,1\n\"a, b\",4,1,-3\n", two_to_one(), fields));
}

TEST(CsvCases, TupleCellsHoldJson) {
  Signature signature = make_signature({{"p", Scalar::I64}}, {Scalar::I64, Scalar::Bool});
  signature.parameter_types = {
      kTupleCode, 1, kTupleCode, 2, static_cast<char>(Scalar::I64), static_cast<char>(Scalar::I64)};
  const Read read = csv("p,expected\n\"[1, 2]\",\"[3, true]\"\n", signature);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.suite.argument_cell(1, 0), 2u);
  EXPECT_EQ(read.suite.expected_cell(0, 0), 3u);
  EXPECT_EQ(read.suite.expected_cell(1, 0), 1u);
}

TEST(CsvCases, TrapsAndTolerances) {
  const Read read =
      csv("x,y,expected,trap,tol\n1,0,,DIV_ZERO,\n1,1,2,,0.5\n2,2,NaN,,\n", two_to_one());
  ASSERT_EQ(read.error, "");
  EXPECT_TRUE(read.suite.expects_traps);
  EXPECT_EQ(read.suite.expected_traps[0], Trap::DivZero);
  EXPECT_EQ(read.suite.expected_traps[1], Trap::None);
  ASSERT_EQ(read.suite.tolerances.size(), 3u);
  EXPECT_LT(read.suite.tolerances[0], 0);
  EXPECT_EQ(read.suite.tolerances[1], 0.5);
  EXPECT_EQ(read.suite.expected_cell(0, 2), kCanonicalNan64);
}

TEST(CsvCases, DoubledQuotesAndLineEndsInsideQuotesKeepLineNumbers) {
  CaseFields fields;
  fields.inputs = {"x", "y"};
  const Read read = csv("note,x,y,expected\n\"say \"\"hi\"\"\nthere\",1,2.5,3.5\nn,1,oops,1\n",
                        two_to_one(), fields);
  EXPECT_EQ(read.error,
            "c.csv:4:5: `y`: `oops` is no f64; write a number such as 2.5, NaN, Infinity or "
            "-Infinity");
}

TEST(CsvCases, ColumnsAreAlignedAndPadded) {
  std::string text = "a,b,expected\n";
  for (int i = 0; i < 130; ++i) text += std::to_string(i) + ",true,0\n";
  const Read read =
      csv(text, make_signature({{"a", Scalar::U8}, {"b", Scalar::Bool}}, {Scalar::I32}));
  ASSERT_EQ(read.error, "");
  std::vector<ArgumentColumn> columns;
  const CasesView view = read.suite.view(64, 66, columns);
  ASSERT_EQ(view.columns.size(), 2u);
  for (const ArgumentColumn& column : view.columns)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column.data) % 64, 0u);
  EXPECT_EQ(static_cast<const u8*>(view.columns[0].data)[65], 129);
  // Readable, and zero, up to the next multiple of 64.
  for (int i = 66; i < 128; ++i) EXPECT_EQ(static_cast<const u8*>(view.columns[0].data)[i], 0);
}

struct BadFile {
  std::string text;
  std::string error;
};

TEST(CsvCases, BadFilesNameThePlaceAndARemedy) {
  const BadFile files[] = {
      {"",
       "c.csv: the file holds no cases: it is empty; write a header and a case a line (CSV), or an "
       "object a line (JSONL)"},
      {" \r\n\n",
       "c.csv: the file holds no cases: it is empty; write a header and a case a line (CSV), or an "
       "object a line (JSONL)"},
      {"x,y,expected\n",
       "c.csv: there is a header but no case; write a case a line below the header"},
      {"x,y\n1,2\n",
       "c.csv:1: there is no column `expected`, but `x` and `y`; every case has its arguments and "
       "`expected` or `trap`; `komuz eval --output NAME` takes another column"},
      {"x,x,expected\n1,2,3\n",
       "c.csv:1:3: the column `x` stands here twice; the header names every column once"},
      {"x,,expected\n1,2,3\n",
       "c.csv:1: the cases have no column for the parameter `y`, but `x` (the entry is (x: i64, y: "
       "f64) -> "
       "f64); name the columns after the parameters, or say which columns are the inputs"},
      {"x,expected\n1,2\n",
       "c.csv:1: the cases have no column for the parameter `y`, but `x` (the entry is (x: i64, y: "
       "f64) -> "
       "f64); name the columns after the parameters, or say which columns are the inputs"},
      {"a,b,expected\n1,2,3\n",
       "c.csv:1: the cases have no column for the parameter `x`, but `a` and `b` (the entry is (x: "
       "i64, y: f64) -> f64); name the columns after the parameters, or say which columns are the "
       "inputs, as `--input a --input b`"},
      {"x;y;expected\n1;2\n",
       "c.csv:2: this line has 2 cells, the header has 3; a cell that holds a `;` is put in "
       "quotes"},
      {"1,2,3\n4,-5,9e2\n",
       "c.csv:1: the first line is no header: it has numbers; write the names of the columns above "
       "the cases"},
      {"x,y,Expected\n1,2,3\n",
       "c.csv:1: there is no column `expected`, but `x`, `y` and `Expected`; did you mean "
       "`Expected`? `komuz eval --output Expected` takes it"},
      {"x,y,expected\n1,2,3\n1,2\n",
       "c.csv:3: this line has 2 cells, the header has 3; a cell that holds a comma is put in "
       "quotes"},
      {"x,y,expected\n1,2,3\n1.5,2,3\n",
       "c.csv:3:1: `x`: `1.5` is no i64; write an integer such as 42 or 0x2A"},
      {"x,y,expected\n1,,3\n",
       "c.csv:2:3: `y`: a value of type f64 is missing; write a number such as 2.5, NaN, Infinity "
       "or -Infinity, or leave such rows out by `--skip-missing`"},
      {"x,y,expected\n99999999999999999999,2,3\n",
       "c.csv:2:1: `x`: `99999999999999999999` is out of range for i64 (-9223372036854775808 to "
       "9223372036854775807)"},
      {"x,y,expected\n1,2,\n",
       "c.csv:2: the case expects nothing; give it `expected` or `trap`, or leave such rows out by "
       "`--skip-missing`"},
      {"x,y,expected,trap\n1,2,3,FUEL\n",
       "c.csv:2: the case expects both a value and a trap; give it `expected` or `trap`"},
      {"x,y,expected,trap\n1,2,,BANG\n",
       "c.csv:2:6: `BANG` is no trap; traps are OVERFLOW, DIV_ZERO, INDEX, CAPACITY, RANGE, DEPTH, "
       "LIMIT, FUEL, HOLE, ASSERT"},
      {"x,y,expected,tol\n1,2,3,-1\n",
       "c.csv:2:7: `-1` is no tolerance; write a number that is not negative, such as 1e-9"},
      {"x,y,expected\n1,\"2,3\n",
       "c.csv:2:3: the quote that opens here is not closed; a quote inside a quoted cell is "
       "written twice"},
      {"x,y,expected\n1,\"2\"3,3\n",
       "c.csv:2:3: text after the closing quote of a cell; a quote inside a quoted cell is written "
       "twice"},
      {"x,y,expected\n1,2,3\n1,\xFF,3\n",
       "c.csv:3: this line is not UTF-8; save the file as UTF-8"},
  };
  for (const BadFile& file : files) EXPECT_EQ(csv(file.text, two_to_one()).error, file.error);
}

TEST(CsvCases, ALineThatIsTooLong) {
  const Read read = csv("x,y,expected\n1,2," + std::string(kMaxCaseLine, '3') + "\n", two_to_one());
  EXPECT_EQ(read.error,
            "c.csv:2: this line is too long; a line has at most 1,048,576 bytes: is "
            "this a file of cases, with line ends?");
}

TEST(JsonlCases, ByName) {
  expect_the_usual_two(jsonl(R"({"args": {"x": 1, "y": 2.5}, "expected": 3.5}
{"expected":1,"args":{"y":4,"x":-3}}
)",
                             two_to_one()));
}

TEST(JsonlCases, ByPosition) {
  expect_the_usual_two(
      jsonl("{\"args\": [1, 2.5], \"expected\": 3.5}\r\n\r\n"
            "{\"args\": [ -3 , 4 ], \"expected\": 1, \"note\": {\"deep\": [1]}}",
            two_to_one()));
}

TEST(JsonlCases, FlatByParameterNames) {
  expect_the_usual_two(
      jsonl("{\"x\": 1, \"y\": 2.5, \"expected\": 3.5}\n"
            "{\"y\": 4, \"expected\": 1, \"x\": -3}\n",
            two_to_one()));
}

TEST(JsonlCases, FlatByOption) {
  CaseFields fields;
  fields.inputs = {"input1"};
  fields.output = "output1";
  const Read read =
      jsonl("{\"input1\": 3, \"output1\": 8}\n{\"id\": 7, \"output1\": 9, \"input1\": 4}\n",
            make_signature({{"n", Scalar::I64}}, {Scalar::I64}), fields);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.suite.argument_cell(0, 1), 4u);
  EXPECT_EQ(read.suite.expected_cell(0, 0), 8u);
  EXPECT_EQ(read.suite.expected_cell(0, 1), 9u);
}

TEST(JsonlCases, TrapsTolerancesAndSpecialFloats) {
  const Read read = jsonl(R"({"args": [1, 0], "trap": "DIV_ZERO", "expected": null}
{"args": [1, "Infinity"], "expected": "NaN", "tol": 1e-9, "trap": null}
)",
                          two_to_one());
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.suite.expected_traps[0], Trap::DivZero);
  EXPECT_EQ(read.suite.expected_cell(0, 1), kCanonicalNan64);
  EXPECT_EQ(read.suite.tolerances[1], 1e-9);
  EXPECT_TRUE(std::isinf(as_f64(read.suite.argument_cell(1, 1))));
}

// As Python's `json` writes them, wherever a value may stand; nothing else that is no JSON.
TEST(JsonlCases, NumbersThatPythonWrites) {
  const auto cases = [](const std::string& text) {
    return jsonl(text, make_signature({{"x", Scalar::F64}, {"y", Scalar::F64}}, {Scalar::F64}));
  };
  const Read read = cases(R"({"args": [NaN, Infinity], "expected": -Infinity}
{"args": [ -Infinity , NaN ], "expected":NaN }
{"args": [1, Infinity], "expected": Infinity, "more": [NaN, {"z": -Infinity}]}
)");
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.suite.count, 3u);
  const f64 infinity = std::numeric_limits<f64>::infinity();
  EXPECT_EQ(read.suite.argument_cell(0, 0), kCanonicalNan64);
  EXPECT_EQ(as_f64(read.suite.argument_cell(1, 0)), infinity);
  EXPECT_EQ(as_f64(read.suite.expected_cell(0, 0)), -infinity);
  EXPECT_EQ(as_f64(read.suite.argument_cell(0, 1)), -infinity);
  EXPECT_EQ(read.suite.argument_cell(1, 1), kCanonicalNan64);
  EXPECT_EQ(read.suite.expected_cell(0, 1), kCanonicalNan64);
  EXPECT_EQ(as_f64(read.suite.expected_cell(0, 2)), infinity);
  for (const char* const other : {"nan", "inf", "-inf", "+Infinity", "-NaN", "Infinit", "NaNs",
                                  "Infinity0", "undefined", "None", "1.0f", "0x1"}) {
    const std::string text =
        std::string(R"({"args": {"x": 1, "y": )") + other + R"(}, "expected": 1})";
    EXPECT_NE(cases(text).error.find("c.jsonl:1:24: "), std::string::npos) << cases(text).error;
  }
  EXPECT_NE(cases(R"({"args": {"x": 1, "y": 1}, "expected": 1, "tol": NaN})")
                .error.find("`NaN` is no tolerance"),
            std::string::npos);
}

TEST(JsonlCases, EscapedNames) {
  const Read read = jsonl("{\"args\": {\"\\u0078\": 1, \"y\": 2}, \"expected\": 3}", two_to_one());
  EXPECT_EQ(read.error, "");
}

TEST(JsonlCases, NoParameters) {
  const Read read = jsonl("{\"args\": [], \"expected\": 3}", make_signature({}, {Scalar::I64}));
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.suite.count, 1u);
  EXPECT_EQ(read.suite.argument_types.size(), 0u);
}

TEST(JsonlCases, BadFilesNameThePlaceAndARemedy) {
  const std::string good = "{\"args\": {\"x\": 1, \"y\": 2}, \"expected\": 3}\n";
  const std::string example =
      "; write an object a line, such as {\"args\": {\"x\": 1}, \"expected\": 2}";
  const BadFile files[] = {
      {good + "[1]\n", "c.jsonl:2:1: this line is no JSON object" + example},
      {good + "{\"args\": {\"x\": 1, \"y\": 2}}\n",
       "c.jsonl:2: the case expects nothing; give it `expected` or `trap`"},
      {good + "{\"args\": {\"x\": 1}, \"expected\": 3}\n",
       "c.jsonl:2: `y` is missing; every case has the same arguments"},
      {good + "{\"args\": {\"x\": 1, \"z\": 1}, \"expected\": 3}\n",
       "c.jsonl:2:24: `z` is no argument of the first case; every case has the same arguments"},
      {good + "{\"args\": {\"x\": 1, \"x\": 1, \"y\": 2}, \"expected\": 3}\n",
       "c.jsonl:2:24: `x` stands here twice"},
      {good + "{\"args\": {\"x\": 1, \"y\": 2}, \"expected\": 3, \"expected\": 3}\n",
       "c.jsonl:2: `expected` stands here twice"},
      {good + "{\"args\": {\"x\": 1, \"y\": 2}, \"trap\": \"INDEX\", \"trap\": null}\n",
       "c.jsonl:2: `trap` stands here twice"},
      {good + "{\"args\": {\"x\": 1, \"y\": 2}, \"args\": [1, 2], \"expected\": 3}\n",
       "c.jsonl:2: `args` stands here twice"},
      {good + "{\"args\": 5, \"expected\": 3}\n",
       "c.jsonl:2: `args` is neither an object nor an array; write {\"x\": 1} or [1]"},
      {good + "{\"args\": {\"x\": 1, \"y\": true}, \"expected\": 3}\n",
       "c.jsonl:2:24: `y`: `true` is no f64; write a number such as 2.5, \"NaN\", \"Infinity\" or "
       "\"-Infinity\""},
      {good + "{\"args\": {\"x\": 1.0, \"y\": 1}, \"expected\": 3}\n",
       "c.jsonl:2:16: `x`: `1.0` is no i64; write an integer in decimal digits, such as 42"},
      {good + "{\"args\": {\"x\": 1, \"y\": 1}, \"expected\": [3]}\n",
       "c.jsonl:2:40: the expected value: `[3]` is no f64; write a number such as 2.5, "
       "\"NaN\", \"Infinity\" or \"-Infinity\""},
      {"{\"args\": [1], \"expected\": 3}\n",
       "c.jsonl:1: the cases have 1 argument, the entry takes 2 (the entry is (x: i64, y: f64) -> "
       "f64); give each case one argument for each parameter"},
      {"{\"args\": [1, 2], \"trap\": \"BANG\"}\n",
       "c.jsonl:1:26: `BANG` is no trap; traps are OVERFLOW, DIV_ZERO, INDEX, CAPACITY, RANGE, "
       "DEPTH, LIMIT, FUEL, HOLE, ASSERT"},
  };
  for (const BadFile& file : files) EXPECT_EQ(jsonl(file.text, two_to_one()).error, file.error);
}

TEST(JsonlCases, BrokenJsonIsAnErrorOfItsLine) {
  const std::string good = "{\"args\": {\"x\": 1, \"y\": 2}, \"expected\": 3}\n";
  for (const char* line :
       {"{", "}", "{\"args\"", "{\"args\": {\"x\": 1, \"y\": 2}, \"expected\": 3",
        "{\"args\": {\"x\": 1, \"y\": 2}, \"expected\": 3} {}",
        "{\"args\": [1, 2, \"expected\": 3}", "{args: 1}",
        "{\"args\": {\"x\": 1, \"y\": 2} \"expected\": 3}", "\"", "{\"a\": \"\\q\"", "nul",
        "{\"args\": {\"x\": 1, \"y\": 2}, \"expected\": 3}}", "{\"expected\": \"\x01\"}"}) {
    const Read read = jsonl(good + line + "\n" + good, two_to_one());
    EXPECT_TRUE(read.error.starts_with("c.jsonl:2")) << line << " → " << read.error;
  }
}

TEST(JsonlCases, EmptyAndNotUtf8) {
  EXPECT_TRUE(jsonl("", two_to_one()).error.starts_with("c.jsonl: the file holds no cases"));
  EXPECT_EQ(jsonl("\n{\"x\": \"\xC0\"}", two_to_one()).error,
            "c.jsonl:2: this line is not UTF-8; save the file as UTF-8");
}

TEST(JsonlCases, RandomDamageNeverCrashes) {
  const std::string good =
      R"({"args": {"x": 1, "y": [2, {"a": "b\n"}]}, "expected": "NaN", "tol": 1e-3})";
  u64 state = 1;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good + "\n" + good;
    for (int hits = 0; hits < 3; ++hits) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text[(state >> 33) % text.size()] = "{}[]\",:\\0 \n\x80x"[(state >> 20) % 13];
    }
    const Read read = jsonl(text, two_to_one());
    ASSERT_FALSE(read.error.empty());  // `y` is no f64, whatever else happened
  }
}

Signature signature_of_text(std::string_view text) {
  Result<Signature> read = read_signature(text);
  EXPECT_EQ(read.problem().text(), "");
  return read.value();
}
std::string argument_text(const Suite& suite, size_t parameter, u32 row) {
  std::string_view types = suite.signature.parameter_types;
  size_t at = 2;
  u32 slot = 0;
  for (; parameter > 0; --parameter) {
    const size_t end = skip_type(types, at);
    slot += static_cast<u32>(count_cells(types.substr(at, end - at)));
    at = end;
  }
  const std::string_view type = types.substr(at, skip_type(types, at) - at);
  std::vector<u64> cells;
  for (size_t k = 0; k < count_cells(type); ++k)
    cells.push_back(suite.argument_cell(slot + static_cast<u32>(k), row));
  std::string out;
  print_value(out, type, cells, ValueStyle::Text);
  return out;
}
std::string expected_text(const Suite& suite, u32 row) {
  std::vector<u64> cells;
  for (size_t k = 0; k < suite.result_types.size(); ++k)
    cells.push_back(suite.expected_cell(k, row));
  std::string out;
  print_value(out, suite.signature.result_type, cells, ValueStyle::Text);
  return out;
}

constexpr std::string_view kCompound =
    "fn(xs: List[i32, 4], s: S(A(b: Bytes[3]) | B), g: [[bool; 2]; 2]) -> Option[f64]";

void expect_compound_cases(const Read& read) {
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.suite.count, 2u);
  EXPECT_EQ(argument_text(read.suite, 0, 0), "[1, -2, 3]");
  EXPECT_EQ(argument_text(read.suite, 1, 0), R"(A(b: "x\n"))");
  EXPECT_EQ(argument_text(read.suite, 2, 0), "[[true, false], [false, true]]");
  EXPECT_EQ(expected_text(read.suite, 0), "Some(2.5)");
  EXPECT_EQ(argument_text(read.suite, 0, 1), "[]");
  EXPECT_EQ(argument_text(read.suite, 1, 1), "B");
  EXPECT_EQ(expected_text(read.suite, 1), "None");
  // What the shorter values do not use is zero, whatever was read before.
  for (u32 slot = 0; slot < 10; ++slot)
    EXPECT_EQ(read.suite.argument_cell(slot, 1), slot == 5 ? 1u : 0u) << slot;
}

TEST(JsonlCases, ValuesOfEveryType) {
  expect_compound_cases(jsonl(
      R"({"args": {"xs": [1, -2, 3], "s": {"A": {"b": "x\n"}}, "g": [[true, false], [false, true]]}, "expected": 2.5}
{"args": {"s": "B", "xs": [], "g": [[true, true], [true, true]]}, "expected": null}
)",
      signature_of_text(kCompound)));
}

// A type has room for 8,000 elements, and the cases hold three at most.
TEST(JsonlCases, WhatNoCaseUsesTakesNoRoom) {
  const Read read = jsonl(
      "{\"args\": [[1, 2, 3], 4], \"expected\": [5]}\n"
      "{\"args\": [[], -6], \"expected\": []}\n",
      signature_of_text("fn(xs: List[i64, 8000], y: i32) -> List[i64, 8000]"));
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(argument_text(read.suite, 0, 0), "[1, 2, 3]");
  EXPECT_EQ(argument_text(read.suite, 1, 1), "-6");
  EXPECT_EQ(expected_text(read.suite, 0), "[5]");
  std::vector<ArgumentColumn> columns;
  const CasesView view = read.suite.view(0, 2, columns);
  ASSERT_EQ(view.columns.size(), 8002u);
  std::set<const void*> own;
  for (const ArgumentColumn& column : view.columns) own.insert(column.data);
  for (u32 cell = 0; cell < 8001; ++cell) own.insert(read.suite.expected_column(cell));
  // A length and three elements, y, a length and an element, and one for all others.
  EXPECT_EQ(own.size(), 4u + 1u + 2u + 1u);
}

TEST(CsvCases, CellsHoldJsonOrLiterals) {
  expect_compound_cases(
      csv("xs,s,g,expected\n"
          "\"[1, -2, 3]\",\"A(\"\"x\\n\"\")\",\"[[true, false], [false, true]]\",2.5\n"
          "[],\"\"\"B\"\"\",\"[[true, true], [true, true]]\",null\n",
          signature_of_text(kCompound)));
  expect_compound_cases(
      csv("xs,s,g,expected\n"
          "\"[0x1, -2, 3,]\",\"{\"\"A\"\": {\"\"b\"\": [120, 10]}}\",\"[[true, false], [false, "
          "true]]\",Some(2.5)\n"
          "[],B,\"[[true, true], [true, true]]\",None\n",
          signature_of_text(kCompound)));
}

TEST(JsonlCases, ValuesThatDoNotFitSayWhere) {
  const Signature signature = signature_of_text("fn(xs: List[i32, 2]) -> Option[i64]");
  EXPECT_EQ(jsonl(R"({"args": [[1, 2, 3]], "expected": 1})", signature).error,
            "c.jsonl:1:11: `xs`: List[i32, 2] holds at most 2 elements, found 3; the type is "
            "List[i32, 2]");
  EXPECT_EQ(jsonl(R"({"args": [[1]], "expected": None})", signature).error.substr(0, 10),
            "c.jsonl:1:");
  EXPECT_EQ(jsonl(R"({"args": [[1]]})", signature).error,
            "c.jsonl:1: there is no field `expected`, but `args`; every case has its arguments and "
            "`expected` or `trap`; `komuz eval --output NAME` takes another field");
  EXPECT_EQ(jsonl(R"({"args": [[1]], "expected": null})",
                  signature_of_text("fn(xs: List[i32, 2]) -> i64"))
                .error,
            "c.jsonl:1:29: the expected value: `null` is no i64; write an integer in decimal "
            "digits, such as 42, or leave such rows out by `--skip-missing`");
}

// Each of the steps by itself.
TEST(Cases, AStopEndsReadingAndTyping) {
  std::stop_source stop;
  stop.request_stop();
  const Watch watch(stop.get_token());
  CasesTable table;
  const Problem csv = read_csv_cases("c.csv", "x,expected\n1,2\n", {}, table, watch);
  ASSERT_TRUE(csv);
  EXPECT_TRUE(csv.is(ProblemKind::Stop));
  const Problem json =
      read_jsonl_cases("c.jsonl", "{\"x\": 1, \"expected\": 2}\n", {}, table, watch);
  ASSERT_TRUE(json);
  EXPECT_TRUE(json.is(ProblemKind::Stop));
  ASSERT_FALSE(read_csv_cases("c.csv", "x,expected\n\"[1]\",2\n", {}, table));
  for (const char* text : {"fn(x: [i64]) -> i64", "fn(x: [i64; 1]) -> i64"}) {
    Suite suite;
    const Problem typed = make_suite(table, read_signature(text).value(), suite, stop.get_token());
    ASSERT_TRUE(typed) << text;
    EXPECT_TRUE(typed.is(ProblemKind::Stop)) << text;
  }
  for (const bool is_stated : {false, true}) {
    const std::vector<Candidate> candidates = {{"a", "pub fn f(x: [i64; 1]) -> i64 { x[0] }", {}}};
    CandidateList source(candidates);
    EvaluateOptions options;
    if (is_stated) options.programs.signature = read_signature("fn(x: [i64; 1]) -> i64").value();
    Results results;
    EXPECT_FALSE(evaluate(source, table, options, results, nullptr, nullptr, stop.get_token()));
    EXPECT_FALSE(results.complete);
    EXPECT_EQ(results.candidates(), 0u);
  }
}

}  // namespace
}  // namespace komuz::engine
