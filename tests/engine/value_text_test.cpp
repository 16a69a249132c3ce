// SPDX-License-Identifier: Apache-2.0
#include "engine/values/value_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "lang/cases.h"

namespace komuz::engine {
namespace {

std::string code_of(std::initializer_list<int> bytes) {
  std::string out;
  for (const int byte : bytes) out += static_cast<char>(byte);
  return out;
}
int number_of(Scalar type) { return static_cast<int>(type); }
std::string scalar_code(Scalar type) { return code_of({number_of(type)}); }
// (f64, (bool, u8))
std::string nested_code() {
  return code_of({kTupleCode, 2, number_of(Scalar::F64), kTupleCode, 2, number_of(Scalar::Bool),
                  number_of(Scalar::U8)});
}

// The value's text after reading and printing, or "error: …".
std::string round_trip(std::string_view type, std::string_view text, ValueStyle style) {
  std::vector<u64> cells(count_cells(type));
  if (auto error = parse_value(type, text, style, cells))
    return "error at " + std::to_string(error->at) + ": " + error->message;
  std::string out;
  print_value(out, type, cells, style);
  return out;
}
std::string text_trip(Scalar type, std::string_view text) {
  return round_trip(scalar_code(type), text, ValueStyle::Text);
}
std::string json_trip(Scalar type, std::string_view text) {
  return round_trip(scalar_code(type), text, ValueStyle::Json);
}

TEST(ValueText, IntegersAreExactToTheLastBit) {
  EXPECT_EQ(text_trip(Scalar::I64, "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(text_trip(Scalar::I64, "9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(text_trip(Scalar::U64, "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(json_trip(Scalar::U64, "9007199254740993"), "9007199254740993");
  EXPECT_EQ(text_trip(Scalar::I32, "-2147483648"), "-2147483648");
  EXPECT_EQ(text_trip(Scalar::U8, " 255\r"), "255");
}

TEST(ValueText, SignedCellsAreExtendedByTheirSign) {
  u64 cell = 0;
  ASSERT_FALSE(parse_scalar(Scalar::I32, "-1", ValueStyle::Text, cell));
  EXPECT_EQ(cell, ~u64{0});
  ASSERT_FALSE(parse_scalar(Scalar::U32, "4294967295", ValueStyle::Text, cell));
  EXPECT_EQ(cell, 0xFFFF'FFFFu);
}

TEST(ValueText, IntegersOutOfRangeNameTheRange) {
  EXPECT_EQ(text_trip(Scalar::U8, "256"), "error at 0: `256` is out of range for u8 (0 to 255)");
  EXPECT_EQ(text_trip(Scalar::U64, "-1"),
            "error at 0: `-1` is out of range for u64 (0 to 18446744073709551615)");
  EXPECT_EQ(json_trip(Scalar::I64, "9223372036854775808"),
            "error at 0: `9223372036854775808` is out of range for i64 (-9223372036854775808 to "
            "9223372036854775807)");
}

TEST(ValueText, WhatIsNoIntegerIsRefused) {
  for (const char* text : {"1.0", "1e3", "++1", "--1", "1 2", "true", "\"1\"", "0x", "0xfg", "1__x",
                           "_1", "'a'", "1i64", "1//", "1;", "-", "- 1"})
    EXPECT_TRUE(text_trip(Scalar::I64, text).starts_with("error")) << text;
  for (const char* text : {"01", "0x10", "1_000", "'a'"})
    EXPECT_TRUE(json_trip(Scalar::U8, text).starts_with("error")) << text;
  EXPECT_EQ(text_trip(Scalar::I64, ""), "error at 0: a value of type i64 is missing");
  EXPECT_EQ(text_trip(Scalar::I64, "1.5"), "error at 0: `1.5` is no i64");
}

TEST(ValueText, TextHasTheLiteralsOfTheLanguage) {
  EXPECT_EQ(text_trip(Scalar::I64, "0xff"), "255");
  EXPECT_EQ(text_trip(Scalar::I64, "-0x10"), "-16");
  EXPECT_EQ(text_trip(Scalar::I64, "1_000"), "1000");
  EXPECT_EQ(text_trip(Scalar::I64, "0b1010"), "10");
  EXPECT_EQ(text_trip(Scalar::I32, "-0x8000_0000"), "-2147483648");
  EXPECT_EQ(text_trip(Scalar::U64, "0xFFFF_FFFF_FFFF_FFFF"), "18446744073709551615");
  EXPECT_EQ(text_trip(Scalar::U8, "0o17"), "15");
  EXPECT_EQ(text_trip(Scalar::U8, "0x100"),
            "error at 0: `0x100` is out of range for u8 (0 to 255)");
  EXPECT_EQ(text_trip(Scalar::U8, "-0x1"), "error at 0: `-0x1` is out of range for u8 (0 to 255)");
  EXPECT_EQ(text_trip(Scalar::U8, "'a'"), "97");
  EXPECT_EQ(text_trip(Scalar::U8, "'\\''"), "39");
  EXPECT_EQ(text_trip(Scalar::U8, "'ab'"), "error at 0: `'ab'` is no u8");
  EXPECT_EQ(text_trip(Scalar::F64, "-1_000.5e-1"), "-100.05");
  EXPECT_EQ(text_trip(Scalar::F32, "1_0"), "10.0");
  EXPECT_EQ(text_trip(Scalar::F64, "0x10"), "error at 0: `0x10` is no f64");
  EXPECT_EQ(text_trip(Scalar::F64, "1_0e999"), "error at 0: `1_0e999` is out of range for f64");
  EXPECT_EQ(round_trip(nested_code(), "(1_0, (true, ','))", ValueStyle::Text),
            "(10.0, (true, 44))");
  const std::string digits(200, '1');  // of several blocks of the lexer
  EXPECT_EQ(text_trip(Scalar::F64, "1_0." + digits), "10.11111111111111");
}

TEST(ValueText, FloatsShowThatTheyAreFloats) {
  EXPECT_EQ(text_trip(Scalar::F64, "2"), "2.0");
  EXPECT_EQ(text_trip(Scalar::F64, "-0"), "-0.0");
  EXPECT_EQ(text_trip(Scalar::F64, "0.1"), "0.1");
  EXPECT_EQ(text_trip(Scalar::F32, "0.1"), "0.1");
  EXPECT_EQ(text_trip(Scalar::F64, "1e300"), "1e+300");
  EXPECT_EQ(text_trip(Scalar::F64, "NaN"), "NaN");
  EXPECT_EQ(text_trip(Scalar::F64, "-Infinity"), "-Infinity");
  EXPECT_EQ(text_trip(Scalar::F64, "NAN"), "NaN");
  EXPECT_EQ(text_trip(Scalar::F32, "INF"), "Infinity");
  EXPECT_EQ(text_trip(Scalar::F64, "-INF"), "-Infinity");
  EXPECT_EQ(text_trip(Scalar::F64, "nan"), "NaN");
  EXPECT_EQ(text_trip(Scalar::F32, "+inf"), "Infinity");
  EXPECT_EQ(text_trip(Scalar::F64, "-infinity"), "-Infinity");
  EXPECT_EQ(text_trip(Scalar::F64, "+2."), "2.0");
}

TEST(ValueText, SpecialFloatsAreStringsInJson) {
  EXPECT_EQ(json_trip(Scalar::F64, "\"NaN\""), "\"NaN\"");
  EXPECT_EQ(json_trip(Scalar::F32, "\"Infinity\""), "\"Infinity\"");
  EXPECT_EQ(json_trip(Scalar::F64, "\"-Infinity\""), "\"-Infinity\"");
  EXPECT_EQ(text_trip(Scalar::F64, "\"NaN\""), "NaN");
  // As Python's `json` writes them.
  EXPECT_EQ(json_trip(Scalar::F64, "NaN"), "\"NaN\"");
  EXPECT_EQ(json_trip(Scalar::F32, "Infinity"), "\"Infinity\"");
  EXPECT_EQ(json_trip(Scalar::F64, "-Infinity"), "\"-Infinity\"");
  EXPECT_TRUE(json_trip(Scalar::I64, "Infinity").starts_with("error"));
  EXPECT_TRUE(json_trip(Scalar::Bool, "NaN").starts_with("error"));
  for (const char* text :
       {"\"nan\"", "\"1.5\"", "null", ".5", "5.", "1e", "inf", "nan", "+Infinity", "-NaN", "NAN"})
    EXPECT_TRUE(json_trip(Scalar::F64, text).starts_with("error")) << text;
}

TEST(ValueText, EveryNanIsTheCanonicalOne) {
  u64 cell = 0;
  ASSERT_FALSE(parse_scalar(Scalar::F64, "NaN", ValueStyle::Text, cell));
  EXPECT_EQ(cell, kCanonicalNan64);
  ASSERT_FALSE(parse_scalar(Scalar::F32, "NaN", ValueStyle::Text, cell));
  EXPECT_EQ(cell, kCanonicalNan32);
}

TEST(ValueText, FloatsBeyondTheRangeAreErrorsAndBelowItAreZero) {
  EXPECT_EQ(text_trip(Scalar::F64, "1e400"), "error at 0: `1e400` is out of range for f64");
  EXPECT_EQ(text_trip(Scalar::F32, "-1e39"), "error at 0: `-1e39` is out of range for f32");
  EXPECT_EQ(text_trip(Scalar::F64, "1e-400"), "0.0");
  EXPECT_EQ(text_trip(Scalar::F64, "-1e-400"), "-0.0");
  EXPECT_EQ(text_trip(Scalar::F32, "1e-45"), "1e-45");
}

TEST(ValueText, F32RoundsOnce) {
  // Halfway between two f32 but for a digit that f64 cannot hold: rounding to f64 first would go to the even neighbour.
  u64 cell = 0;
  ASSERT_FALSE(parse_scalar(Scalar::F32, "1.00000005960464477540", ValueStyle::Text, cell));
  EXPECT_EQ(cell, std::bit_cast<u32>(std::nextafter(1.0f, 2.0f)));
}

TEST(ValueText, RandomBitsSurviveTheRoundTrip) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const u64 bits = random();
    for (const Scalar type : {Scalar::I64, Scalar::U64, Scalar::F64, Scalar::F32}) {
      u64 cell = type == Scalar::F32 ? bits >> 32 : bits;
      if (is_float(type)) {
        const f64 value = cell_as_f64(type, cell);
        if (value != value) cell = type == Scalar::F32 ? kCanonicalNan32 : kCanonicalNan64;
      }
      for (const ValueStyle style : {ValueStyle::Text, ValueStyle::Json}) {
        std::string text;
        print_scalar(text, type, cell, style);
        u64 back = 0;
        ASSERT_FALSE(parse_scalar(type, text, style, back)) << text;
        ASSERT_EQ(back, cell) << text;
      }
    }
  }
}

TEST(ValueText, Tuples) {
  EXPECT_EQ(round_trip(nested_code(), "[1, [true,7]]", ValueStyle::Text), "(1.0, (true, 7))");
  EXPECT_EQ(round_trip(nested_code(), "( -2.5,(false , 0) )", ValueStyle::Text),
            "(-2.5, (false, 0))");
  EXPECT_EQ(round_trip(nested_code(), "[\"NaN\", [true, 7]]", ValueStyle::Json),
            "[\"NaN\", [true, 7]]");
  const std::string unit = code_of({kTupleCode, 0});
  EXPECT_EQ(round_trip(unit, "()", ValueStyle::Text), "()");
  EXPECT_EQ(round_trip(unit, "[ ]", ValueStyle::Json), "[]");
  const std::string single = code_of({kTupleCode, 1, number_of(Scalar::I64)});
  EXPECT_EQ(round_trip(single, "(5,)", ValueStyle::Text), "(5,)");
  EXPECT_EQ(round_trip(single, "[5]", ValueStyle::Json), "[5]");
}

TEST(ValueText, BrokenTuplesSayWhere) {
  const std::string pair = code_of({kTupleCode, 2, number_of(Scalar::I64), number_of(Scalar::I64)});
  EXPECT_EQ(round_trip(pair, "[1]", ValueStyle::Json), "error at 2: expected `,` before `]`");
  EXPECT_EQ(round_trip(pair, "[1, 2, 3]", ValueStyle::Json),
            "error at 5: expected `]` before `, 3]`");
  EXPECT_EQ(round_trip(pair, "[1, x]", ValueStyle::Json), "error at 4: `x` is no i64");
  EXPECT_EQ(round_trip(pair, "[1, 2", ValueStyle::Json), "error at 5: expected `]` at the end");
  EXPECT_EQ(round_trip(pair, "(1, 2)", ValueStyle::Json),
            "error at 0: expected `[` before `(1, 2)`");
  EXPECT_EQ(round_trip(pair, "(1, 2]", ValueStyle::Text), "error at 5: expected `)` before `]`");
  EXPECT_EQ(round_trip(pair, "[1, 2] 3", ValueStyle::Text),
            "error at 7: expected nothing more before `3`");
  EXPECT_EQ(round_trip(pair, "", ValueStyle::Text), "error at 0: expected `[` at the end");
  EXPECT_EQ(round_trip(nested_code(), "[1, \"NaN]", ValueStyle::Json),
            "error at 4: expected `[` before `\"NaN]`");
}

TEST(ValueText, DeepTuplesNeedNoStack) {
  std::string type, text;
  for (int i = 0; i < 200'000; ++i) {
    type += code_of({kTupleCode, 1});
    text += '[';
  }
  type += scalar_code(Scalar::Bool);
  text += "true" + std::string(200'000, ']');
  std::vector<u64> cells(1);
  EXPECT_FALSE(parse_value(type, text, ValueStyle::Json, cells));
  EXPECT_EQ(cells[0], 1u);
}

TEST(ValueText, LongTextsAreCutInMessages) {
  const std::string text(100'000, 'x');
  EXPECT_LT(text_trip(Scalar::F64, text).size(), 100u);
  // 39 bytes, then a character of two.
  EXPECT_EQ(text_trip(Scalar::F64, std::string(39, 'x') + "éé"),
            "error at 0: `" + std::string(39, 'x') + "…` is no f64");
}

// Seg(a: V(x: f64, y: i64), t: (bool,))
std::string record_code() {
  std::string inner{static_cast<char>(kRecordCode), 2}, out = inner;
  for (const char* name : {"V", "x", "y"}) append_type_name(inner, name);
  inner += scalar_code(Scalar::F64) + scalar_code(Scalar::I64);
  for (const char* name : {"Seg", "a", "t"}) append_type_name(out, name);
  return out + inner + code_of({kTupleCode, 1, number_of(Scalar::Bool)});
}

TEST(ValueText, RecordsAreReadByPositionAndByName) {
  const std::string type = record_code(), text = "Seg(a: V(x: 1.5, y: 2), t: (true,))";
  for (const char* form :
       {"Seg(a: V(x: 1.5, y: 2), t: (true,))", "Seg(V(1.5, 2), (true,))", "((1.5, 2), (true,))",
        " Seg ( t : (true) , a : V ( y : 2 , x : 1.5 , ) ) ",
        R"({"t": [true], "a": {"y": 2, "x": 1.5}})", R"(Seg({"y":2,"x":1.5},[true]))"})
    EXPECT_EQ(round_trip(type, form, ValueStyle::Text), text) << form;
  EXPECT_EQ(round_trip(type, R"({"a": {"x": "NaN", "y": 2}, "t": [false]})", ValueStyle::Json),
            R"({"a": {"x": "NaN", "y": 2}, "t": [false]})");
}

TEST(ValueText, AWrongRecordSaysWhere) {
  const std::string type = record_code();
  const auto json = [&](std::string_view text) { return round_trip(type, text, ValueStyle::Json); };
  EXPECT_EQ(json(R"({"a": {"x": 1.5}, "t": [true]})"), "error at 15: the field `y` is missing");
  EXPECT_EQ(json(R"({"a": {"x": 1.5, "z": 2}, "t": [true]})"),
            "error at 17: there is no field `z`");
  EXPECT_EQ(json(R"({"a": {"x": 1.5, "y": 2, "z": 2}, "t": [true]})"),
            "error at 24: there is no field `z`");
  EXPECT_EQ(json(R"({"a": {"x": 1.5, "x": 2}, "t": [true]})"),
            "error at 17: the field `x` is given twice");
  EXPECT_EQ(json(R"({"a": [1.5, 2], "t": [true]})"),
            "error at 6: expected `{` before `[1.5, 2], \"t\": [true]}`");
  EXPECT_EQ(json(R"({"a")"), "error at 4: expected `:` at the end");
  EXPECT_EQ(json(R"({"a)"), "error at 1: expected a field's name in quotes before `\"a`");
  EXPECT_EQ(json(R"({"t": [true]})"), "error at 12: the field `a` is missing");
  EXPECT_EQ(json(R"({"t": [true], "a": {"x": 1, "y": 2}} 1)"),
            "error at 37: expected nothing more before `1`");
  EXPECT_EQ(json("Seg(1, 2)"), "error at 0: expected `{` before `Seg(1, 2)`");
  EXPECT_EQ(round_trip(type, "Sec((1, 2), (true,))", ValueStyle::Text),
            "error at 0: expected `{` before `Sec((1, 2), (true,))`");
  EXPECT_EQ(round_trip(type, "Seg((1, 2, 3), (true,))", ValueStyle::Text),
            "error at 11: expected `)` before `3), (true,))`");
}

}  // namespace
}  // namespace komuz::engine
