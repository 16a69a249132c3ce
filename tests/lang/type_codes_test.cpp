// SPDX-License-Identifier: Apache-2.0
#include "lang/type_codes.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "lang/text/text_signature.h"

namespace komuz {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Types, TextIsAsInTheSource) {
  EXPECT_EQ(type_text("\x03"), "i64");
  EXPECT_EQ(type_text("\x10\x00"s), "()");
  EXPECT_EQ(type_text("\x10\x02\x08\x10\x02\x01\x04"s), "(f64, (bool, u8))");
  EXPECT_EQ(type_text("\x10\x02\x10\x00\x10\x01\x03"s), "((), (i64,))");
}

TEST(Types, SkipFindsTheEndOfTheFirstType) {
  const std::string codes = "\x10\x02\x03\x10\x00\x08"s;
  EXPECT_EQ(skip_type(codes, 0), 5u);
  EXPECT_EQ(skip_type(codes, 2), 3u);
  EXPECT_EQ(skip_type(codes, 5), 6u);
}

TEST(Types, WhatIsNoTypeHasNoEnd) {
  for (const std::string& codes : {""s, "\x00"s, "\x09"s, "\xff"s, "\x10"s, "\x10\x02\x03"s}) {
    EXPECT_EQ(skip_type(codes, 0), codes.size() + 1);
    EXPECT_EQ(type_text(codes), "?");
  }
  EXPECT_EQ(type_text("\x03\x03"), "?") << "two types";
  EXPECT_EQ(skip_type("\x03", 7), 2u) << "behind the end";
}

TEST(Types, DeepNestingNeedsNoRecursion) {
  std::string codes;
  for (int i = 0; i < 1'000'000; ++i) codes += "\x10\x01";
  EXPECT_EQ(skip_type(codes, 0), codes.size() + 1);
  codes += "\x01";
  EXPECT_EQ(skip_type(codes, 0), codes.size());
  EXPECT_EQ(type_text(codes).size(), 4'000'000u - 1'000'000u + 4u);
}

// Seg(a: V(x: f64), t: (i64,))
std::string record_code() {
  return "\x11\x02\x03Seg\x01\x61\x01t"
         "\x11\x01\x01V\x01x\x08"
         "\x10\x01\x03"s;
}

TEST(Types, ARecordHasItsNames) {
  const std::string codes = record_code();
  EXPECT_EQ(skip_type(codes, 0), codes.size());
  EXPECT_EQ(type_text(codes), "Seg(a: V(x: f64), t: (i64,))");
  EXPECT_EQ(type_text(codes, RecordText::Name), "Seg");
  EXPECT_EQ(type_text("\x10\x02\x03"s + codes, RecordText::Name), "(i64, Seg)");
  EXPECT_EQ(count_cells(codes), 2u);
}

TEST(Types, WhatIsCutOrNamesNothingIsNoType) {
  const std::string codes = record_code();
  for (size_t size = 0; size < codes.size(); ++size)
    EXPECT_EQ(skip_type(codes.substr(0, size), 0), size + 1) << size;
  for (const char bad : {' ', '\n', '\x1b', '(', '\0'}) {
    std::string named = codes;
    named[3] = bad;
    EXPECT_EQ(skip_type(named, 0), codes.size() + 1);
  }
  EXPECT_EQ(skip_type("\x11\x01\x01V\x00\x08"s, 0), 7u) << "a field without a name";
  EXPECT_EQ(skip_type("\x11\x01\x01V\x01\x39\x08"s, 0), 8u) << "a name that starts with a digit";
}

// The codes of a type that is spelled as in the assembler.
std::string codes_of(std::string_view text) {
  const std::string header = "f() -> " + std::string(text);
  TextLine line(header);
  Signature signature;
  EXPECT_EQ(read_signature(line, signature), "") << text;
  EXPECT_TRUE(line.at_end()) << text;
  return std::string(
      as_codes(signature.types.data(), signature.types.size()).substr(signature.result_at));
}
std::string refusal_of(std::string_view text) {
  const std::string header = "f() -> " + std::string(text);
  TextLine line(header);
  Signature signature;
  return read_signature(line, signature);
}
// "i64 1, f64 6"
std::string layout_text(std::string_view codes) {
  std::string text;
  for_each_block(codes, [&](LayoutBlock block) {
    if (!text.empty()) text += ", ";
    if (is_reference(block.scalar)) text += "ref ";
    const u8 scalar = static_cast<u8>(block.scalar) & ~kReferenceBit;
    (text += scalar_name(static_cast<Scalar>(scalar))) += ' ' + std::to_string(block.cells);
  });
  return text;
}

constexpr std::string_view kShape =
    "Shape(Circle(c: Vec2(x: f64, y: f64), r: f64) | Named(b: Bytes[4], n: i64) | Empty)";

TEST(Types, TheirTextComesBack) {
  constexpr std::string_view kTexts[] = {"i64",
                                         "()",
                                         "(i64,)",
                                         "(f64, (bool, u8))",
                                         "V(x: f64)",
                                         "V()",
                                         "[f64; 3]",
                                         "[f64]",
                                         "[[bool; 6]; 0]",
                                         "List[f64, 32]",
                                         "List[[u8; 2], 0]",
                                         "Bytes[16]",
                                         "Option[i64]",
                                         "Option[Option[()]]",
                                         "List[List[Bytes[3], 4], 5]",
                                         "A(B)",
                                         "A(B | C)",
                                         "A(B | C(x: i64))",
                                         "A(B(x: (i64,)) | C | D)",
                                         "A(B(x: C(y: i64, z: D(E | F(g: [u8; 2]))), h: f32) | I)",
                                         "([f64; 65535], Option[A(B)])",
                                         kShape};
  for (const std::string_view text : kTexts) {
    const std::string codes = codes_of(text);
    EXPECT_EQ(type_text(codes), text);
    EXPECT_EQ(skip_type(codes, 0), codes.size());
    for (size_t size = 0; size < codes.size(); ++size)
      EXPECT_EQ(skip_type(std::string_view(codes).substr(0, size), 0), size + 1) << text;
  }
  EXPECT_EQ(type_text(codes_of("List[u8, 7]")), "Bytes[7]");
  const std::string shape = codes_of(kShape);
  EXPECT_EQ(type_text(shape, RecordText::Name), "Shape");
  EXPECT_EQ(type_text(codes_of("[Option[V(x: f64)]; 2]"), RecordText::Name), "[Option[V]; 2]");
}

TEST(Types, TheCodesAreTheDocumented) {
  EXPECT_EQ(codes_of("[f64; 259]"), "\x14\x03\x01\x08"s);
  EXPECT_EQ(codes_of("List[i64, 2]"), "\x15\x02\x00\x03"s);
  EXPECT_EQ(codes_of("Bytes[2]"), "\x15\x02\x00\x04"s);
  EXPECT_EQ(codes_of("Option[bool]"), "\x13\x01"s);
  EXPECT_EQ(codes_of("[bool]"), "\x16\x01"s);
  EXPECT_EQ(codes_of("S(A(x: i64, y: f64) | B | C(z: u8))"),
            "\x12\x03\x01S\x01"
            "A\x02\x01x\x01y\x01"
            "B\x00\x01"
            "C\x01\x01z\x03\x08\x04"s);
}

TEST(Types, LayoutsAreBlocksOfOneType) {
  const auto layout = [](std::string_view text) { return layout_text(codes_of(text)); };
  EXPECT_EQ(layout("(i64, V(x: f64, y: ()))"), "i64 1, f64 1");
  EXPECT_EQ(layout("[(i64, [f64; 2]); 3]"), "i64 3, f64 6");
  EXPECT_EQ(layout("[[[u8; 2]; 3]; 4]"), "u8 24");
  EXPECT_EQ(layout("[f64; 0]"), "f64 0");
  EXPECT_EQ(layout("List[(i64, f64), 3]"), "i64 1, i64 3, f64 3");
  EXPECT_EQ(layout("[List[Bytes[3], 2]; 4]"), "i64 4, i64 8, u8 24");
  EXPECT_EQ(layout("Option[f32]"), "u8 1, f32 1");
  EXPECT_EQ(layout("Option[()]"), "u8 1");
  EXPECT_EQ(layout("[Option[(f64, bool, f64)]; 2]"), "u8 2, bool 2, f64 4");
  EXPECT_EQ(layout(kShape), "u8 1, i64 2, u8 4, f64 3");
  EXPECT_EQ(layout("S(A | B)"), "u8 1");
  // Outer cells of u8: one for each inner tag, two of B; i64: the lengths and the payloads.
  EXPECT_EQ(layout("S(A(o: [Option[i64]; 3]) | B(b: List[(u8, i64), 2]))"), "u8 1, i64 3, u8 3");
  EXPECT_EQ(layout("([S(A(o: Option[Option[f64]]) | B(x: u64)); 2], i32)"),
            "u8 2, u8 4, u64 2, f64 2, i32 1");
  EXPECT_EQ(layout("([f64], i64)"), "i64 1, ref f64 1, i64 1");
  EXPECT_EQ(layout("[(i64, Option[List[f64, 9]])]"),
            "i64 1, ref i64 1, ref u8 1, ref i64 1, ref f64 1");
  EXPECT_EQ(count_cells(codes_of(kShape)), 10u);
  std::string cells;
  for_each_cell(codes_of("(bool, List[u8, 2])"),
                [&](Scalar s) { (cells += scalar_name(s)) += ' '; });
  EXPECT_EQ(cells, "bool i64 u8 u8 ");
}

TEST(Types, WhatIsTooLargeOrTooDeepIsNoType) {
  const auto nested = [](std::string_view open, size_t times) {
    std::string codes;
    for (size_t i = 0; i < times; ++i) codes += open;
    return codes + "\x03";
  };
  const auto is_sound = [](const std::string& codes) {
    return skip_type(codes, 0) == codes.size();
  };
  EXPECT_TRUE(is_sound("\x14\xFF\xFF\x03"s));
  EXPECT_FALSE(is_sound("\x15\xFF\xFF\x03"s)) << "a list has its length, too";
  EXPECT_TRUE(is_sound("\x14\x00\x01\x14\xFF\x00\x03"s)) << "256 of 255";
  EXPECT_FALSE(is_sound("\x14\x00\x01\x14\x00\x01\x03"s)) << "256 of 256";
  EXPECT_FALSE(is_sound("\x14\x00\x00\x14\x00\x01\x14\x00\x01\x03"s)) << "none of those";
  EXPECT_FALSE(is_sound(nested("\x14\xFF\xFF", 32)));
  EXPECT_FALSE(is_sound("\x13\x14\xFF\xFF\x03"s)) << "an Option has its number, too";
  EXPECT_TRUE(is_sound(nested("\x13", kMaxTypeDepth)));
  EXPECT_FALSE(is_sound(nested("\x13", kMaxTypeDepth + 1)));
  EXPECT_FALSE(is_sound(nested("\x13", 1'000'000)));
  EXPECT_TRUE(is_sound("\x10\x02"s + nested("\x13", kMaxTypeDepth) +
                       nested("\x14\x01\x00"s, kMaxTypeDepth)));
  EXPECT_TRUE(is_sound("\x16" + nested("\x10\x01", 1000)));
  for (const std::string_view around : {"\x13"sv, "\x14\x01\x00"sv, "\x15\x01\x00"sv, "\x16"sv,
                                        "\x16\x10\x01"sv, "\x12\x01\x01S\x01V\x01\x01x"sv})
    EXPECT_FALSE(is_sound(std::string(around) + "\x16\x03")) << "a slice in it";
  EXPECT_FALSE(is_sound("\x12\x00\x01S"s)) << "no alternatives";
  EXPECT_FALSE(is_sound("\x12\x01\x01S\x00\x00"s)) << "an alternative without a name";
  EXPECT_FALSE(is_sound("\x17\x03"s));
}

TEST(Types, WrongTextsSayWhatIsWrong) {
  EXPECT_EQ(refusal_of("[f64; 65536]"), "expected a number up to 65535 in a type");
  EXPECT_EQ(refusal_of("[f64, 3]"), "expected `;` or `]` in a type");
  EXPECT_EQ(refusal_of("List[f64]"), "expected `,` in `List[T, n]`");
  EXPECT_EQ(refusal_of("Bytes[]"), "expected `Bytes[n]`");
  EXPECT_EQ(refusal_of("Vec[f64]"), "expected a type");
  EXPECT_EQ(refusal_of("Option[f64"), "expected `]` in a type");
  EXPECT_EQ(refusal_of("S(A | )"), "an alternative has a name");
  EXPECT_EQ(refusal_of("S(A B)"), "expected `|` or `)` in a sum");
  EXPECT_EQ(refusal_of("S(A(i64) | B)"), "a field is a name, `:` and a type");
  EXPECT_EQ(refusal_of("S(A(x: i64) B)"), "expected `|` or `)` in a sum");
  EXPECT_TRUE(refusal_of("[[f64]; 2]").starts_with("this is no type: "));
  EXPECT_TRUE(refusal_of("[[f64; 256]; 256]").starts_with("this is no type: "));
  std::string deep = "u8";
  for (int i = 0; i < 65; ++i) deep = "(" + deep + ",)";
  EXPECT_EQ(refusal_of(deep), "types nest deeper than 64");
}

// Random types: the text comes back, and the cells of parts add up where no sum takes them together.
TEST(Types, RandomCodesAreSoundOrRefused) {
  u32 sound = 0;
  for (u64 seed = 1; seed <= 20'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::string codes;
    for (u32 length = random.below(40) + 1; length > 0; --length) {
      switch (random.below(6)) {
        case 0: codes += static_cast<char>(kTupleCode + random.below(8)); break;
        case 1: codes += "\x01\x00"s; break;
        case 2:
          codes +=
              "\x01"
              "A";
          break;
        case 3: codes += static_cast<char>(random.below(4)); break;
        default: codes += static_cast<char>(1 + random.below(kScalarCount)); break;
      }
    }
    const size_t end = skip_type(codes, 0);
    if (end > codes.size()) {
      EXPECT_EQ(end, codes.size() + 1);
      continue;
    }
    const std::string_view type = std::string_view(codes).substr(0, end);
    const std::string text = type_text(type);
    ASSERT_NE(text, "?");
    EXPECT_EQ(codes_of(text), type) << text;
    size_t cells = 0;
    for_each_cell(type, [&](Scalar) { ++cells; });
    EXPECT_EQ(cells, count_cells(type));
    sound += static_cast<u8>(type[0]) > kRecordCode;
  }
  EXPECT_GT(sound, 500u);
}

}  // namespace
}  // namespace komuz
