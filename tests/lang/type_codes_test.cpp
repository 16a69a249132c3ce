// SPDX-License-Identifier: Apache-2.0
#include "lang/type_codes.h"

#include <gtest/gtest.h>

namespace komuz {
namespace {

using namespace std::string_literals;

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

}  // namespace
}  // namespace komuz
