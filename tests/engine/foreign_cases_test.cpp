// SPDX-License-Identifier: Apache-2.0
// Cases as other tools write them: NumPy, pandas, C, R, spreadsheets, and texts copied from a web page.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/cases/column_types.h"
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
Signature f64_to_f64() { return make_signature({{"x", Scalar::F64}}, {Scalar::F64}); }
Signature bytes_to_i64() {
  const Result<Signature> read = read_signature("fn(s: Bytes[12]) -> i64");
  EXPECT_EQ(read.problem().text(), "");
  return read.value();
}
std::string text_cell(const Read& read, u32 row) {
  std::string out;
  for (u64 k = 0; k < read.suite.argument_cell(0, row); ++k)
    out += static_cast<char>(read.suite.argument_cell(static_cast<u32>(1 + k), row));
  return out;
}

TEST(ForeignCases, MessagesQuoteNoMoreOfANameThanIsRead) {
  const std::string name(30'000, 'a');
  const std::string error =
      csv("x,expected\n1,1\n", make_signature({{name, Scalar::F64}}, {Scalar::F64})).error;
  EXPECT_NE(error.find("no column for the parameter `aaa"), std::string::npos) << error;
  EXPECT_LT(error.size(), 1000u);
}

// As spreadsheets show them.
TEST(ForeignCases, NumbersWithMarksAreToldHowTheyAreWritten) {
  struct Cell {
    std::string text, marks, number;
  };
  const Cell cells[] = {
      {"\"1,000\"", "separators of thousands", "1000"},
      {"\"-1,234,567.5\"", "separators of thousands", "-1234567.5"},
      {"1 000", "separators of thousands", "1000"},
      {"1'000", "separators of thousands", "1000"},
      {"1\u2019000", "separators of thousands", "1000"},
      {"\"1.000,5\"", "separators of thousands and a comma for the point", "1000.5"},
      {"\"1 000,5\"", "separators of thousands and a comma for the point", "1000.5"},
      {"\"1,5\"", "a comma for the point", "1.5"},
      {"$5", "a currency", "5"},
      {"-5.25 €", "a currency", "-5.25"},
      {"\"$1,000\"", "a currency and separators of thousands", "1000"}};
  for (const Cell& cell : cells) {
    const Read read = csv("x,expected\n" + cell.text + ",1\n", f64_to_f64());
    EXPECT_NE(read.error.find(" is a number with " + cell.marks + "; write " + cell.number),
              std::string::npos)
        << read.error;
    EXPECT_NE(csv("x,expected\n1," + cell.text + "\n", f64_to_f64())
                  .error.find("is a number with " + cell.marks),
              std::string::npos);
  }
  EXPECT_NE(csv("x,expected\n5 %,1\n", f64_to_f64()).error.find("a percent sign; write 5, or what"),
            std::string::npos);
  EXPECT_NE(csv("x,expected\n1,000,2\n", f64_to_f64()).error.find("`1,000` is two cells"),
            std::string::npos);
  EXPECT_NE(csv("x,expected\n1,2,-12,345.5\n", f64_to_f64()).error.find("write -12345.5"),
            std::string::npos);
  for (const char* const other : {"5 kg", "n/a", "1 00", "1.2.3", "\"[1,000]\""})
    EXPECT_EQ(csv("x,expected\n" + std::string(other) + ",1\n", f64_to_f64())
                  .error.find("is a number with"),
              std::string::npos)
        << other;
  EXPECT_NE(csv("x,expected\n1,2,3\n", f64_to_f64()).error.find("is put in quotes"),
            std::string::npos);
}

TEST(ForeignCases, FilesThatAreNoTextAreNamed) {
  using namespace std::string_literals;
  struct File {
    std::string begin, what, remedy;
  };
  const File files[] = {
      {"\x28\xB5\x2F\xFD"s, "is compressed by zstd", "`zstd -dc c.csv"},
      {"\xFD\x37zXZ\0"s, "is compressed by xz", "`xz -dc c.csv"},
      {"BZh9"s, "is compressed by bzip2", "`bzip2 -dc c.csv"},
      {"PK\x03\x04\x14"s, "is a zip archive", "as CSV"},
      {"PAR1\x15\x04"s, "is Parquet",
       "`duckdb -c \"copy (select * from 'c.csv') to 'cases.csv' (header)\"`"},
      {"ARROW1\0\0"s, "is Arrow", "pandas.read_feather('c.csv').to_csv('cases.csv', index=False)"},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s, "is a workbook of old Excel",
       "`libreoffice --headless --convert-to csv c.csv`"},
      {"\x89HDF\r\n\x1A\n"s, "is HDF5", "pandas.read_hdf('c.csv')"},
      {"\x93NUMPY\x01\0"s, "is an array of NumPy", "numpy.load('c.csv')"},
      {"X\n\0\0\0\3"s, "is an object of R", "readRDS('c.csv')"},
      {std::string(257, 'a') + "ustar\0"s, "is an archive of tar", "`tar -xf c.csv`"},
      {"SQLite format 3\0"s, "is a database of SQLite", "sqlite3 -header -csv c.csv"}};
  for (const File& file : files)
    for (const std::string& name : {"c.csv"s, "c.jsonl"s}) {
      const std::string error = read(name, file.begin + "\xFF\0 more"s, f64_to_f64()).error;
      EXPECT_NE(error.find("the file " + file.what), std::string::npos) << error;
      const bool is_named = error.find(file.remedy) != std::string::npos;
      EXPECT_TRUE(is_named || name != "c.csv") << error;
    }
  // Letters that a header may begin with.
  EXPECT_EQ(
      csv("PAR1,expected\n1,1\n", make_signature({{"PAR1", Scalar::F64}}, {Scalar::F64})).error,
      "");
  EXPECT_EQ(csv("BZh,expected\n1,1\n", make_signature({{"BZh", Scalar::F64}}, {Scalar::F64})).error,
            "");
}

// A name that differs from a column only in capitals means that column.
TEST(ForeignCases, ANameInOtherCapitalsIsNearest) {
  const std::string error =
      csv("E,f,expected\n1,1,1\n", make_signature({{"e", Scalar::F64}}, {Scalar::F64})).error;
  EXPECT_NE(error.find("did you mean `E`?"), std::string::npos) << error;
}

TEST(ForeignCases, NumbersAsNumpyAndCWriteThem) {
  struct Number {
    std::string text;
    f64 value;
  };
  for (const Number& number :
       {Number{".5", 0.5}, Number{"-.5", -0.5}, Number{"+.5", 0.5}, Number{"1.e5", 1e5},
        Number{"1.e+05", 1e5}, Number{"-1.E-05", -1e-5}, Number{"+1", 1}, Number{"2.", 2},
        Number{"007.5", 7.5}, Number{"1.000000000000000000e+00", 1}, Number{"-0.", -0.0},
        Number{"+inf", INFINITY}, Number{"1_000.5", 1000.5}}) {
    const Read read = csv("x,expected\n" + number.text + "," + number.text + "\n", f64_to_f64());
    ASSERT_EQ(read.error, "") << number.text;
    EXPECT_EQ(read.argument(0, 0), number.value) << number.text;
    EXPECT_EQ(std::signbit(read.argument(0, 0)), std::signbit(number.value)) << number.text;
    EXPECT_EQ(column_type(read.table, 0), number.text == "+1" ? "i64" : "f64") << number.text;
  }
  for (const std::string text : {".", "+", "-.", "1e", "1.e", "e5", "++1", "+-1", "1..2", "1.2.3"})
    EXPECT_NE(csv("x,expected\n" + text + ",1\n", f64_to_f64()).error, "") << text;
}

TEST(ForeignCases, IntegersMayHaveAPlus) {
  const Signature signature =
      make_signature({{"n", Scalar::I64}, {"k", Scalar::U8}}, {Scalar::I64});
  const Read read = csv("n,k,expected\n+1,+255,-0\n", signature);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 0), 1);
  EXPECT_EQ(read.argument(1, 0), 255);
  EXPECT_EQ(csv("n,k,expected\n1.0,1,0\n", signature).error,
            "c.csv:2:1: `n`: `1.0` is no i64; write an integer such as 42 or 0x2A");
}

TEST(ForeignCases, NumbersInsideOfListsToo) {
  const Result<Signature> signature = read_signature("fn(xs: List[f64, 4]) -> f64");
  const Read read = csv("xs,expected\n\"[.5, 1.e5, +2]\",-.5\n", signature.value());
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(cell_as_f64(Scalar::F64, read.suite.argument_cell(2, 0)), 1e5);
}

// JSON has one spelling of a number.
TEST(ForeignCases, JsonStaysJson) {
  for (const char* number : {".5", "+1", "1.e5", "True"})
    EXPECT_NE(
        read("c.jsonl", std::string("{\"x\": ") + number + ", \"expected\": 1}\n", f64_to_f64())
            .error,
        "")
        << number;
}

TEST(ForeignCases, TruthAsPythonAndSpreadsheetsWriteIt) {
  const Signature signature = make_signature({{"b", Scalar::Bool}}, {Scalar::Bool});
  const Read read = csv("b,expected\nTrue,FALSE\nFalse,TRUE\n", signature);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.argument(0, 0), 1);
  EXPECT_EQ(read.argument(0, 1), 0);
  EXPECT_EQ(read.suite.expected_cell(0, 1), 1u);
  EXPECT_EQ(column_type(read.table, 0), "bool");
}

TEST(ForeignCases, TolerancesToo) {
  const Read read = csv("x,expected,tol\n1,1,.5\n1,1,1.e-5\n", f64_to_f64());
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.suite.tolerances[0], 0.5);
  EXPECT_EQ(read.suite.tolerances[1], 1e-5);
}

TEST(ForeignCases, APlainTextIsAText) {
  const Read read =
      csv("s,expected\nhello,1\n\"\"\"hello\"\"\",1\n\"a, \"\"b\"\"\",1\n,1\n\" x \",1\n"
          "42,1\n\"[104, 105]\",1\nK\xC3\xB6ln,1\n\"two\nlines\",1\n",
          bytes_to_i64());
  ASSERT_EQ(read.error, "");
  const std::vector<std::string> texts = {"hello", "hello", "a, \"b\"",    "",          " x ",
                                          "42",    "hi",    "K\xC3\xB6ln", "two\nlines"};
  ASSERT_EQ(read.suite.count, texts.size());
  for (u32 row = 0; row < texts.size(); ++row) EXPECT_EQ(text_cell(read, row), texts[row]);
  EXPECT_EQ(csv("s,expected\nhello,1\nfar too long for it,1\n", bytes_to_i64()).error,
            "c.csv:3:1: `s`: Bytes[12] holds at most 12 bytes, found 19; the type is Bytes[12]");
}

TEST(ForeignCases, PlainTextsOfSlicesAndOptions) {
  const Read slice =
      csv("s,expected\nhello,1\n\"\"\"hi\"\"\",1\n", read_signature("fn(s: [u8]) -> i64").value());
  ASSERT_EQ(slice.error, "");
  EXPECT_EQ(text_cell(slice, 0), "hello");
  EXPECT_EQ(text_cell(slice, 1), "hi");
  const Read option = csv("s,expected\nhello,1\nNone,1\n\"Some(\"\"hi\"\")\",1\n",
                          read_signature("fn(s: Option[Bytes[8]]) -> i64").value());
  ASSERT_EQ(option.error, "");
  EXPECT_EQ(option.suite.argument_cell(0, 0), 1u);
  EXPECT_EQ(option.suite.argument_cell(1, 0), 5u);
  EXPECT_EQ(option.suite.argument_cell(0, 1), 0u);
  EXPECT_EQ(option.suite.argument_cell(1, 2), 2u);
}

TEST(ForeignCases, AColumnOfPlainTextsHasAType) {
  const Read read =
      csv("s,t,expected\nred,a (b),1\ngreen,7,1\n", make_signature({}, {Scalar::I64}));
  EXPECT_EQ(column_type(read.table, 0), "Bytes[5]");
  EXPECT_EQ(column_type(read.table, 1), "");  // a text and a number
}

TEST(ForeignCases, AColumnWithoutANameIsReadByWhoAsksForIt) {
  const std::string text = ",x,expected\n0,2.5,1\n1,3.5,2\n";
  const Read without = csv(text, f64_to_f64());
  ASSERT_EQ(without.error, "");
  EXPECT_EQ(without.argument(0, 1), 3.5);
  CaseFields fields;
  fields.inputs = {"", "x"};
  const Signature signature =
      make_signature({{"row", Scalar::I64}, {"v", Scalar::F64}}, {Scalar::F64});
  const Read with = csv(text, signature, fields);
  ASSERT_EQ(with.error, "");
  EXPECT_EQ(with.argument(0, 1), 1);
  EXPECT_EQ(with.argument(1, 1), 3.5);
  CaseFields as_output;
  as_output.output = "";
  as_output.inputs = {"x"};
  const Read output = csv(text, f64_to_f64(), as_output);
  ASSERT_EQ(output.error, "");
  EXPECT_EQ(cell_as_f64(Scalar::F64, output.suite.expected_cell(0, 1)), 1);
  // Excel leaves several at the end.
  EXPECT_EQ(csv("x,expected,,\n2.5,1,,\n", f64_to_f64()).error, "");
  EXPECT_EQ(csv("x,,,expected\n2.5,1,1,1\n", signature, fields).error,
            "c.csv:1:4: there are several columns without a name; give the one that is meant a "
            "name");
  EXPECT_EQ(csv("x,expected\n2.5,1\n", signature, fields).error,
            "c.csv:1: there is no column `''` for `--input`, but `x` and `expected`; name one "
            "column for each parameter");
}

TEST(ForeignCases, PlacesBehindCellsOfSeveralLines) {
  CaseFields fields;
  fields.inputs = {"x"};
  const Signature signature = f64_to_f64();
  const std::string remedy = "; write a number such as 2.5, NaN, Infinity or -Infinity";
  // In the same record, behind the text and in the next line; the record begins on line 2.
  EXPECT_EQ(csv("note,x,expected\n\"one\ntwo\nthree\",oops,1\n", signature, fields).error,
            "c.csv:4:8: `x`: `oops` is no f64" + remedy);
  EXPECT_EQ(csv("note,x,expected\n\"one\ntwo\",1,oops\n", signature, fields).error,
            "c.csv:3:8: the expected value: `oops` is no f64" + remedy);
  EXPECT_EQ(csv("note,x,expected\n\"say \"\"hi\"\"\nthere\",oops,1\n", signature, fields).error,
            "c.csv:3:8: `x`: `oops` is no f64" + remedy);
  // Quotes that were doubled, line ends among them.
  EXPECT_EQ(csv("note,x,expected\n\"\"\"\n\"\"\n\"\"\",oops,1\n", signature, fields).error,
            "c.csv:4:5: `x`: `oops` is no f64" + remedy);
  EXPECT_EQ(csv("note,x,expected,tol\n\"a\nb\",1,1,no\n", signature, fields).error,
            "c.csv:3:8: `no` is no tolerance; write a number that is not negative, such as 1e-9");
  EXPECT_EQ(csv("note,x,expected,trap\n\"a\nb\",1,,BANG\n", signature, fields).error.substr(0, 26),
            "c.csv:3:7: `BANG` is no tr");
  EXPECT_EQ(csv("\"a\nb\",x,x,expected\n1,1,1,1\n", signature).error,
            "c.csv:2:6: the column `x` stands here twice; the header names every column once");
  EXPECT_EQ(csv("note,x,expected\n\"a\nb\",\"1\" 2,1\n", signature, fields).error,
            "c.csv:3:4: text after the closing quote of a cell; a quote inside a quoted cell is "
            "written twice");
}

TEST(ForeignCases, PlacesInsideOfCells) {
  const Signature signature = read_signature("fn(xs: List[i64, 4]) -> i64").value();
  EXPECT_EQ(csv("xs,expected\n\"[1,\n 2,\n oops]\",1\n", signature).error,
            "c.csv:4:2: `xs`: `oops` is no i64; write an integer such as 42 or 0x2A");
  const Signature texts = read_signature("fn(xs: List[Bytes[4], 4]) -> i64").value();
  EXPECT_EQ(csv("xs,expected\n\"[\"\"a\"\", oops]\",1\n", texts).error,
            "c.csv:2:10: `xs`: expected a text in quotes or `[` before `oops]`; the type is "
            "List[Bytes[4], 4]");
}

TEST(ForeignCases, CommentsAboveTheHeader) {
  const Read read = csv(
      "# made by a tool, version 2\n#\n\n# x: metres\r\nx,expected\n1,2\n3,oops\n", f64_to_f64());
  EXPECT_EQ(read.error,
            "c.csv:7:3: the expected value: `oops` is no f64; write a number such as 2.5, NaN, "
            "Infinity or -Infinity");
  ASSERT_EQ(csv("# note, more\nx,expected\n1,2\n", f64_to_f64()).error, "");
  EXPECT_EQ(csv("# note\nx,expected\n1,2\n# end\n", f64_to_f64()).error,
            "c.csv:4: this line has 1 cell, the header has 2; comments stand above the header "
            "alone");
  EXPECT_EQ(csv("# note\n1,2\n", f64_to_f64()).error,
            "c.csv:2: the first line behind the comments is no header: it has numbers; write the "
            "names of the columns above the cases");
}

// As numpy.savetxt writes it.
TEST(ForeignCases, AHeaderBehindAHash) {
  for (const char* head : {"# x,expected\n", "#x,expected\n", "# about\n# x, expected\n"}) {
    const Read read =
        csv(head + std::string("1.000000000000000000e+00,2.0\n3.0,4.0\n"), f64_to_f64());
    ASSERT_EQ(read.error, "") << head;
    EXPECT_EQ(read.argument(0, 1), 3);
  }
  CaseFields all;
  all.has_expectations = false;
  const Read read = csv("# x\n1\n2\n", f64_to_f64(), all);
  ASSERT_EQ(read.error, "");
  EXPECT_EQ(read.table.columns, std::vector<std::string>{"x"});
}

// Of several comments with as many cells it is the one that names what is expected, wherever it stands.
TEST(ForeignCases, OneOfSeveralCommentsIsTheHeader) {
  for (const char* head : {"# x,expected\n# metres,seconds\n", "# metres,seconds\n# x,expected\n",
                           "# x,expected\n# one more\n"}) {
    const Read read = csv(head + std::string("1,2\n3,4\n"), f64_to_f64());
    ASSERT_EQ(read.error, "") << head;
    EXPECT_EQ(read.argument(0, 1), 3) << head;
  }
  CaseFields all;
  all.has_expectations = false;
  EXPECT_EQ(csv("# x\n# metres\n1\n", f64_to_f64(), all).error,
            "c.csv: 2 comments above the cases may be the header: all have as many cells; take the "
            "`#` off the one that names the columns");
}

// As spreadsheets write it, with or without quotes.
TEST(ForeignCases, AFirstLineThatNamesTheSeparator) {
  for (const char* head :
       {"sep=,\n", "SEP=,\r\n", "\"sep=,\"\n", "\xEF\xBB\xBFsep=,\n", "sep=,\r"}) {
    const std::string end = std::string(head).ends_with('\r') ? "\r" : "\n";
    const Read read =
        csv(head + std::string("x,expected") + end + "1,2" + end + "3,oops" + end, f64_to_f64());
    EXPECT_EQ(read.error,
              "c.csv:4:3: the expected value: `oops` is no f64; write a number such as 2.5, NaN, "
              "Infinity or -Infinity")
        << head;
  }
  EXPECT_EQ(csv("sep=;\nx;expected\n1;2\n", f64_to_f64()).error, "");
  EXPECT_EQ(csv("sep=\t\nx\texpected\n1\t2\n", f64_to_f64()).error, "");
  // It says more than the header does.
  CaseFields in_metres;
  in_metres.output = "expected, in m";
  EXPECT_EQ(csv("sep=|\nx|expected, in m\n1|2\n", f64_to_f64(), in_metres).error, "");
  EXPECT_EQ(csv("sep=#\nx#expected\n1#2\n", f64_to_f64()).error,
            "c.csv:1: the cells of this file are separated by `#`; separate them by `,`, `;`, `|` "
            "or tabs");
  EXPECT_EQ(csv("sep=,\nx;expected\n1;2\n", f64_to_f64()).error,
            "c.csv:2: the cells of this file are separated by `;`; `--separator`, or a first line "
            "`sep=`, says otherwise");
}

// With the default separator of numpy.savetxt.
TEST(ForeignCases, CellsThatAreSeparatedByBlanks) {
  for (const char* const text : {"x expected\n1 2\n", "# x expected\n1.0 2.0\n",
                                 "x  expected\n 1  2\n", "# about this\n# x expected\n1 2 \r\n"}) {
    const Read read = csv(text, f64_to_f64());
    ASSERT_EQ(read.error, "") << text;
    EXPECT_EQ(read.argument(0, 0), 1) << text;
  }
  EXPECT_EQ(csv("x expected\n1 2\n3 4 5\n", f64_to_f64())
                .error.find("c.csv:1: the cells of this "
                            "file are separated by blanks"),
            0u);
  EXPECT_EQ(csv("1 2\n3 4\n", f64_to_f64()).error,
            "c.csv:1: the first line is no header: it has numbers; write the names of the columns "
            "above the cases");
  // Words that are no numbers may be one cell.
  EXPECT_EQ(csv("x expected\na b\n", f64_to_f64())
                .error.find("c.csv:1: the cells of this file are "
                            "separated by blanks; the header"),
            0u);
  CaseFields all;
  all.has_expectations = false;
  all.inputs = {"my x"};
  EXPECT_EQ(csv("my x\n1\n", f64_to_f64(), all).error, "");
  const Read text = csv("my x\n1 2\n", read_signature("fn(s: Bytes[8]) -> f64").value(), all);
  ASSERT_EQ(text.error, "") << "one column of texts";
  EXPECT_EQ(text_cell(text, 0), "1 2");
  EXPECT_EQ(csv("x,expected,a note\n1,2,3\n", f64_to_f64()).error.find("blanks"),
            std::string::npos);
}

TEST(ForeignCases, LinesThatEndInCarriageReturnsAlone) {
  EXPECT_EQ(csv("x,expected\r1,2\r3,oops\r", f64_to_f64()).error.substr(0, 10), "c.csv:3:3:");
  ASSERT_EQ(csv("x,expected\r1,2\r3,4", f64_to_f64()).suite.count, 2u);
  // Among others, and doubled before a LF.
  const Read mixed = csv("x,expected\n1,2\r3,4\r\r5,6\r\r\n7,8\r\n", f64_to_f64());
  ASSERT_EQ(mixed.error, "");
  ASSERT_EQ(mixed.suite.count, 4u);
  EXPECT_EQ(mixed.argument(0, 2), 5);
  const Read jsonl =
      read("c.jsonl", "{\"x\": 1, \"expected\": 2}\r{\"x\": 3, \"expected\": 4}\r", f64_to_f64());
  ASSERT_EQ(jsonl.error, "");
  ASSERT_EQ(jsonl.suite.count, 2u);
  // Time in proportion to the file.
  const Read many =
      csv("x,expected\n1,2" + std::string(kMaxCaseLine - 10, '\r') + "3,4\n", f64_to_f64());
  ASSERT_EQ(many.error, "");
  EXPECT_EQ(many.suite.count, 2u);
}

TEST(ForeignCases, CharactersThatLookLikeOthers) {
  EXPECT_EQ(csv("x,expected\n\xE2\x88\x92"
                "5,1\n",
                f64_to_f64())
                .error,
            "c.csv:2:1: `x`: `\xE2\x88\x92"
            "5` is no f64: it holds U+2212, a minus sign of typesetting; write `-`");
  EXPECT_EQ(csv("x,expected\n1\xC2\xA0"
                "000,1\n",
                f64_to_f64())
                .error,
            "c.csv:2:1: `x`: `1\xC2\xA0"
            "000` is no f64: it holds U+00A0, a no-break space; take it out");
  EXPECT_EQ(read("c.jsonl", "{\"x\": \"1\xE2\x80\xAF\", \"expected\": 1}\n", f64_to_f64()).error,
            "c.jsonl:1:7: `x`: `\"1\xE2\x80\xAF\"` is no f64: it holds U+202F, a narrow no-break "
            "space; take it out");
  const Signature list = read_signature("fn(xs: List[i64, 4]) -> i64").value();
  EXPECT_EQ(csv("xs,expected\n\"[1,\xC2\xA0"
                "2]\",1\n",
                list)
                .error,
            "c.csv:2:5: `xs`: `\xC2\xA0"
            "2` is no i64: it holds U+00A0, a no-break space; take it out");
}

TEST(ForeignCases, FieldsThatAreNamedTwice) {
  CaseFields twice;
  twice.inputs = {"x", "y", "x"};
  CaseFields output;
  output.inputs = {"expected"};
  for (const char* file : {"c.csv", "c.jsonl"}) {
    EXPECT_EQ(read(file, "", f64_to_f64(), twice).error,
              "`--input x` stands there twice; name each field once, in the order of the "
              "parameters");
    EXPECT_EQ(read(file, "", f64_to_f64(), output).error,
              "`--input expected` names what is expected; leave it out, or say by `--output` which "
              "field is expected");
  }
}

// A field that would mean something else is an input where it is named as one, in files of both kinds.
TEST(ForeignCases, AnInputMayBeCalledTol) {
  CaseFields fields;
  fields.inputs = {"tol"};
  const Read of_csv = csv("tol,expected\n5,1\n", f64_to_f64(), fields);
  const Read of_jsonl = read("c.jsonl", "{\"tol\": 5, \"expected\": 1}\n", f64_to_f64(), fields);
  for (const Read* read : {&of_csv, &of_jsonl}) {
    ASSERT_EQ(read->error, "");
    EXPECT_EQ(read->argument(0, 0), 5);
    EXPECT_TRUE(read->suite.tolerances.empty());
  }
}

TEST(ForeignCases, OtherEncodings) {
  EXPECT_EQ(csv(std::string("\xFF\xFEx\0,\0", 6), f64_to_f64()).error,
            "c.csv: the file is UTF-16; save it as UTF-8: `iconv -f UTF-16 -t UTF-8 c.csv "
            ">cases.csv`");
  EXPECT_EQ(csv(std::string("x,expected\n1,\0", 14) + "2\n", f64_to_f64()).error,
            "c.csv:2: this line holds a NUL byte; is the file a text? Save it as UTF-8");
}

}  // namespace
}  // namespace komuz::engine
