// SPDX-License-Identifier: Apache-2.0
#include "lang/types.h"

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

}  // namespace
}  // namespace komuz
