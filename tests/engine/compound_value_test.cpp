// SPDX-License-Identifier: Apache-2.0
// Values of arrays, lists, sums and Options as text, and back. tests/engine/value_text_test.cpp covers scalars,
// tuples and records.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "tests/engine/value_fuzzers.h"

namespace komuz::engine {
namespace {

std::string codes_of(std::string_view type) {
  const Result<Signature> read = read_signature("fn() -> " + std::string(type));
  EXPECT_EQ(read.problem().text(), "") << type;
  return read.value().result_type;
}

// The value's text after reading and printing, or "error at …".
std::string trip(std::string_view type, std::string_view text, ValueStyle from, ValueStyle to) {
  const std::string codes = codes_of(type);
  std::vector<u64> cells(count_cells(codes), 77);  // what a value does not use becomes zero
  if (auto error = parse_value(codes, text, from, cells)) {
    std::string out = "error at " + std::to_string(error->at) + ": " + error->message;
    return error->remedy.empty() ? out : out + "; " + error->remedy;
  }
  std::string out;
  print_value(out, codes, cells, to);
  return out;
}
std::string text_trip(std::string_view type, std::string_view text) {
  return trip(type, text, ValueStyle::Text, ValueStyle::Text);
}
std::string json_trip(std::string_view type, std::string_view text) {
  return trip(type, text, ValueStyle::Json, ValueStyle::Json);
}
std::string to_json(std::string_view type, std::string_view text) {
  return trip(type, text, ValueStyle::Text, ValueStyle::Json);
}

constexpr std::string_view kShape =
    "Shape(Circle(c: Vec2(x: f64, y: f64), r: f64) | Named(b: Bytes[4], n: i64) | Empty)";

struct Form {
  std::string_view type, text, json;
};
TEST(CompoundValue, FormsOfTextAndJson) {
  constexpr Form kForms[] = {
      {"[i64; 3]", "[1, 2, 3]", "[1, 2, 3]"},
      {"[f64; 0]", "[]", "[]"},
      {"[(i64, f64); 2]", "[(1, 2.0), (3, NaN)]", R"([[1, 2.0], [3, "NaN"]])"},
      {"[[u8; 2]; 2]", "[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]"},
      {"List[f64, 32]", "[1.0, 2.5]", "[1.0, 2.5]"},
      {"List[f64, 32]", "[]", "[]"},
      {"List[List[bool, 2], 2]", "[[true], []]", "[[true], []]"},
      {"Bytes[5]", R"("abc")", R"("abc")"},
      {"Bytes[5]", R"("")", R"("")"},
      {"Bytes[8]", R"("\n\t\r\0\\'\"\x1B")", R"("\n\t\r\u0000\\'\"\u001b")"},
      {"Bytes[5]", "\"é\"", "\"é\""},
      {"Bytes[5]", R"("\xFFa")", "[255, 97]"},
      {"Bytes[5]", R"("\xC2\x9B")", "\"\xC2\x9B\""},
      {"[u8; 3]", "[97, 98, 99]", "[97, 98, 99]"},
      {"List[Bytes[3], 2]", R"(["ab", ""])", R"(["ab", ""])"},
      {"Option[i64]", "Some(3)", "3"},
      {"Option[i64]", "None", "null"},
      {"Option[[i64; 2]]", "Some([1, 2])", "[1, 2]"},
      {"List[Option[bool], 3]", "[Some(true), None]", "[true, null]"},
      {"[Option[(i64, f64)]; 2]", "[None, Some((1, 2.0))]", "[null, [1, 2.0]]"},
      {kShape, "Circle(c: Vec2(x: 1.0, y: 2.0), r: 1.0)",
       R"({"Circle": {"c": {"x": 1.0, "y": 2.0}, "r": 1.0}})"},
      {kShape, R"(Named(b: "xy", n: -1))", R"({"Named": {"b": "xy", "n": -1}})"},
      {kShape, "Empty", R"("Empty")"},
      {"S(A(o: Option[S2(B | C(x: f32))]) | D)", "A(o: Some(C(x: 1.5)))",
       R"({"A": {"o": {"C": {"x": 1.5}}}})"},
      {"S(A(o: Option[S2(B | C(x: f32))]) | D)", "A(o: Some(B))", R"({"A": {"o": "B"}})"},
      {"V(a: [R(x: i64); 2], b: Option[()])", "V(a: [R(x: 1), R(x: 2)], b: Some(()))",
       R"({"a": [{"x": 1}, {"x": 2}], "b": []})"},
  };
  for (const Form& form : kForms) {
    EXPECT_EQ(text_trip(form.type, form.text), form.text);
    EXPECT_EQ(to_json(form.type, form.text), form.json);
    EXPECT_EQ(json_trip(form.type, form.json), form.json);
    // Text reads the forms of JSON, too.
    EXPECT_EQ(text_trip(form.type, form.json), form.text);
  }
}

TEST(CompoundValue, FormsThatAreOnlyRead) {
  EXPECT_EQ(text_trip("[i64; 2]", " [ 0x10 , 1_000 , ] "), "[16, 1000]");
  EXPECT_EQ(text_trip("List[i64, 2]", "[1,]"), "[1]");
  EXPECT_EQ(text_trip("Bytes[3]", "['a', 98,]"), R"("ab")");
  EXPECT_EQ(json_trip("Bytes[3]", "[97, 0]"), R"("a\u0000")");
  EXPECT_EQ(json_trip("Bytes[8]", R"("\u00e9\ud83d\ude00\/")"), "\"é😀/\"");
  EXPECT_EQ(text_trip("Bytes[8]", R"("\u00e9\b\f\x41")"), R"("é\x08\x0CA")");
  EXPECT_EQ(text_trip("Option[i64]", " Some ( 3 , ) "), "Some(3)");
  EXPECT_EQ(text_trip(kShape, "Circle(Vec2(1, 2), r: 3)"),
            "Circle(c: Vec2(x: 1.0, y: 2.0), r: 3.0)");
  EXPECT_EQ(text_trip(kShape, "Named(n: 5, b: \"\",)"), R"(Named(b: "", n: 5))");
  EXPECT_EQ(text_trip("Option[Option[i64]]", "Some(None)"), "Some(None)");
  EXPECT_EQ(text_trip("Option[Option[i64]]", "Some(3)"), "Some(Some(3))");
  EXPECT_EQ(to_json("Option[Option[i64]]", "Some(None)"), R"({"Some": null})");
  EXPECT_EQ(to_json("Option[Option[i64]]", "None"), "null");
}

// Errors end in "; the type is …" but where a remedy stands here.
std::string json_error(std::string_view type, std::string_view text) {
  std::string out = json_trip(type, text);
  const size_t tail = out.find("; the type is ");
  return tail == std::string::npos ? out : out.substr(0, tail);
}
std::string text_error(std::string_view type, std::string_view text) {
  std::string out = text_trip(type, text);
  const size_t tail = out.find("; the type is ");
  return tail == std::string::npos ? out : out.substr(0, tail);
}

TEST(CompoundValue, WhatDoesNotFitSaysBothNumbers) {
  EXPECT_EQ(json_trip("(bool, List[f64, 2])", R"([true, [1, 2, 3, [",", 4], "]\""]])"),
            "error at 7: List[f64, 2] holds at most 2 elements, found 5; the type is (bool, "
            "List[f64, 2])");
  EXPECT_EQ(text_error("List[u8, 2]", "['[', ',', '\\'', 1,]"),
            "error at 0: Bytes[2] holds at most 2 bytes, found 4");
  EXPECT_EQ(json_error("Bytes[3]", R"("a\nbc")"),
            "error at 0: Bytes[3] holds at most 3 bytes, found 4");
  EXPECT_EQ(json_error("[i64; 3]", "[1, 2]"), "error at 0: [i64; 3] has 3 elements, found 2");
  EXPECT_EQ(json_error("[i64; 1]", "[]"), "error at 0: [i64; 1] has 1 element, found 0");
  EXPECT_EQ(json_error("[i64; 1]", "[1, 2"), "error at 0: [i64; 1] has 1 element, found 2");
  EXPECT_EQ(json_error("List[[i64; 2], 4]", "[[1, 2], [1, 2, 3]]"),
            "error at 9: [i64; 2] has 2 elements, found 3");
  EXPECT_EQ(json_error("List[i64, 0]", "[1]"),
            "error at 0: List[i64, 0] holds at most 0 elements, found 1");
}

TEST(CompoundValue, WhatIsNoneOfTheFormsSaysWhere) {
  EXPECT_EQ(json_error("[i64; 2]", "{}"), "error at 0: expected `[` before `{}`");
  EXPECT_EQ(json_error("[i64; 2]", "[1 2]"), "error at 3: expected `,` or `]` before `2]`");
  EXPECT_EQ(json_error("[i64; 2]", "[1, 2,]"), "error at 6: expected a value before `]`");
  EXPECT_EQ(json_error("[i64; 2]", "[1, 2"), "error at 5: expected `,` or `]` at the end");
  EXPECT_EQ(json_error("[i64; 2]", "[1, x]"),
            "error at 4: `x` is no i64; write an integer in decimal digits, such as 42");
  EXPECT_EQ(json_error("Bytes[2]", "x"), "error at 0: expected a text in quotes or `[` before `x`");
  EXPECT_EQ(json_error("Bytes[2]", R"("a)"), "error at 0: the quote that opens here is not closed");
  EXPECT_EQ(json_error("Bytes[2]", "\"\n\""),
            R"(error at 1: a control character in a text; write \n, \t or \u0001)");
  EXPECT_EQ(json_error("Bytes[2]", R"("\x41")"),
            R"(error at 1: `\x` starts no escape; escapes are \n \t \r \b \f \" \\ \/ \uXXXX)");
  EXPECT_EQ(text_error("Bytes[2]", R"("\x4")"),
            R"(error at 1: `\x` starts no escape; escapes are \n \t \r \0 \\ \' \" \xHH)");
  for (const char* text : {R"("\ud800")", R"("\udc00\ud800")", R"("\u12g4")", R"("\u12)", R"("\)"})
    EXPECT_TRUE(json_error("Bytes[9]", text).starts_with("error at 1: ")) << text;
  EXPECT_EQ(json_error("[u8; 2]", R"("ab")"), R"(error at 0: expected `[` before `"ab"`)");
  EXPECT_EQ(json_error("Option[i64]", "None"),
            "error at 0: `None` is no i64; write an integer in decimal digits, such as 42");
  EXPECT_EQ(text_error("Option[i64]", "Some 3"), "error at 5: expected `(` before `3`");
  EXPECT_EQ(text_error("Option[i64]", "Some(3"), "error at 6: expected `)` at the end");
  EXPECT_EQ(text_error("Option[Option[i64]]", "null"),
            "error at 0: expected `None` or `Some(…)` before `null`");
  EXPECT_EQ(json_error("(i64, Option[Option[i64]])", "[1, null]"),
            "error at 0: JSON cannot tell the values of an `Option` of an `Option` apart; use a "
            "type of your "
            "own for the inner one");
  EXPECT_EQ(
      json_error(kShape, R"("Square")"),
      "error at 0: there is no alternative `Square` of Shape; Shape has Circle, Named and Empty");
  EXPECT_EQ(
      json_error(kShape, R"({"Square": {}})"),
      "error at 1: there is no alternative `Square` of Shape; Shape has Circle, Named and Empty");
  EXPECT_EQ(text_error(kShape, "[1]"),
            "error at 0: expected an alternative of Shape; Shape has Circle, Named and Empty");
  EXPECT_EQ(json_error(kShape, "Empty"),
            "error at 0: expected `{` or a name in quotes before `Empty`");
  EXPECT_EQ(json_error(kShape, R"("Circle")"),
            R"(error at 0: `Circle` has fields: write {"Circle": {…}})");
  EXPECT_EQ(json_error(kShape, R"({"Empty": {}})"),
            R"(error at 1: `Empty` has no fields: write "Empty")");
  EXPECT_EQ(json_error(kShape, R"({"Circle": [1]})"), "error at 11: expected `{` before `[1]}`");
  EXPECT_EQ(json_error(kShape, R"({"Circle": {"r": 1}})"), "error at 18: the field `c` is missing");
  EXPECT_EQ(json_error(kShape, R"({"Named": {"b": "", "n": 1}, "x": 1})"),
            R"(error at 27: expected `}` before `, "x": 1}`)");
  EXPECT_EQ(text_error(kShape, "Circle"), "error at 6: expected `(` at the end");
  EXPECT_EQ(text_error(kShape, "Empty()"), "error at 5: expected nothing more before `()`");
  EXPECT_EQ(text_error("[f64]", "[1.0]"), "error at 0: a slice has no values of its own");
}

TEST(CompoundValue, CellsThatAreNoValueAreShownAsFarAsTheyAre) {
  const auto shown_as = [](std::string_view type, std::vector<u64> cells, ValueStyle style) {
    const std::string codes = codes_of(type);
    cells.resize(count_cells(codes));
    std::string out;
    print_value(out, codes, cells, style);
    return out;
  };
  EXPECT_EQ(shown_as("List[i64, 2]", {~u64{0}, 5, 6}, ValueStyle::Text), "[5, 6]");
  EXPECT_EQ(shown_as("Bytes[2]", {3, 65, 66}, ValueStyle::Json), R"("AB")");
  EXPECT_EQ(shown_as("Option[i64]", {2, 5}, ValueStyle::Text), "Option[i64]#2");
  EXPECT_EQ(shown_as(kShape, {200}, ValueStyle::Json), R"("Shape#200")");
}

// Without end: bin/fuzz_values.
TEST(CompoundValue, RandomValuesAgreeWithTheReference) {
  ValueFuzzers fuzzers;
  for (u64 seed = 1; seed <= 3000; ++seed) ASSERT_EQ(fuzzers.agrees(seed), "") << "seed " << seed;
  EXPECT_GT(fuzzers.compound, 2000u);
}

TEST(CompoundValue, ElementsOfSlicesAreThoseOfTheReference) {
  ValueFuzzers fuzzers;
  for (u64 seed = 1; seed <= 500; ++seed) ASSERT_EQ(fuzzers.slices(seed), "") << "seed " << seed;
  EXPECT_GT(fuzzers.compound, 200u);
}

TEST(CompoundValue, DamagedTextsAreReadOrRefused) {
  constexpr std::string (ValueFuzzers::*kDamaged[])(u64) = {
      &ValueFuzzers::damaged_value, &ValueFuzzers::damaged_type, &ValueFuzzers::damaged_cases};
  for (const auto damaged : kDamaged) {
    ValueFuzzers fuzzers;
    for (u64 seed = 1; seed <= 3000; ++seed)
      ASSERT_EQ((fuzzers.*damaged)(seed), "") << "seed " << seed;
    EXPECT_GT(fuzzers.read, 150u);
    EXPECT_GT(fuzzers.refused, 1000u);
  }
}

}  // namespace
}  // namespace komuz::engine
