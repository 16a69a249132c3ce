// SPDX-License-Identifier: Apache-2.0
#include "services/highlight.h"

#include <gtest/gtest.h>

namespace komuz::services {
namespace {

// "keyword:fn type:i64 …"
std::string kinds(std::string_view source) {
  frontend::Compiler compiler;
  std::string out;
  for (const Stretch& s : highlight(compiler, source)) {
    out += out.empty() ? "" : " ";
    out += std::string(text_kind_name(s.kind)) + ":" +
           std::string(source.substr(s.begin, s.end - s.begin));
  }
  return out;
}

TEST(Highlight, TokensAreWhatTheyAre) {
  EXPECT_EQ(kinds("pub fn half(x: f64) -> f64 { x / 2.0 } // of it\n"),
            "keyword:pub keyword:fn function:half type:f64 type:f64 number:2.0 comment:// of it");
  EXPECT_EQ(
      kinds("type V = V(n: i64);\ntest \"a\" { assert true; }"),
      "keyword:type type:V type:V type:i64 keyword:test string:\"a\" keyword:assert number:true");
  EXPECT_EQ(kinds("fn f() -> i64 { ?n[1, 2] }"),
            "keyword:fn function:f type:i64 hole:?n number:1 number:2");
}

TEST(Highlight, AWordThatIsANameIsNoKeyword) {
  EXPECT_EQ(kinds("fn f(depth: i64) -> i64 { depth }"), "keyword:fn function:f type:i64 type:i64");
}

TEST(Highlight, ProgramsWithErrorsAndModulesHaveTokens) {
  EXPECT_EQ(kinds("fn f( { 1 "), "keyword:fn function:f number:1");
  EXPECT_EQ(kinds("use std.math;\nfn f() -> i64 { 1 }"),
            "keyword:use keyword:fn function:f type:i64 number:1");
  EXPECT_EQ(kinds("// alone"), "comment:// alone");
  EXPECT_EQ(kinds(""), "");
}

TEST(Highlight, WhatIsNoTextHasNone) { EXPECT_EQ(kinds("fn f\xFF() { 1 }"), ""); }

}  // namespace
}  // namespace komuz::services
