// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/unprotect.h"

#include <gtest/gtest.h>

#include "engine/cases/read_cases.h"
#include "lang/cases.h"

namespace komuz::services {
namespace {

engine::CasesTable table_of(const std::string& csv) {
  engine::CasesTable table;
  engine::CaseFields fields;
  fields.has_expectations = false;
  EXPECT_FALSE(engine::read_cases("c.csv", csv, fields, table));
  return table;
}
// The text and what is said of it; or the problem.
std::string without_protections(const std::string& program,
                                const std::vector<std::string>& tables) {
  std::vector<engine::CasesTable> read;
  for (const std::string& csv : tables) read.push_back(table_of(csv));
  std::vector<const engine::CasesTable*> pointers;
  for (const engine::CasesTable& table : read) pointers.push_back(&table);
  const Result<Unprotected> made =
      unprotect(program, {.entry = {}, .tables = pointers, .fuel = kDefaultFuel, .stop = {}});
  if (made.problem()) return made.problem().text();
  return made.value().text + unprotected_text(made.value());
}
std::string with_body(const std::string& body, const std::string& csv) {
  return without_protections("pub fn f(x: f64, y: f64) -> f64 { " + body + " }\n", {csv});
}

constexpr const char* kAbove = "x,y\n1,2\n3,0.5\n";

TEST(Unprotect, WhatNoCaseNeedsIsPlain) {
  EXPECT_EQ(with_body("div0(x, y) + sqrt0(x) * log0(y)", kAbove),
            "pub fn f(x: f64, y: f64) -> f64 { x / y + sqrt(x) * log(y) }\n`/` for `div0`, `sqrt` "
            "for `sqrt0`, `log` for `log0`: no protection was needed there on 2 cases");
  EXPECT_EQ(with_body("div0(div0(x, y), div0(y, x))", kAbove),
            "pub fn f(x: f64, y: f64) -> f64 { x / y / (y / x) }\n`/` for 3 `div0`: no protection "
            "was needed there on 2 cases");
  EXPECT_EQ(with_body("x.div0(y).sqrt0()", kAbove),
            "pub fn f(x: f64, y: f64) -> f64 { sqrt(x / y) }\n`/` for `div0`, `sqrt` for `sqrt0`: "
            "no protection was needed there on 2 cases");
}

// The value may be the same with and without it: what counts is whether it was needed.
TEST(Unprotect, WhatACaseNeedsStays) {
  EXPECT_EQ(with_body("div0(x, y) + div0(y, x)", "x,y\n1,0\n3,0.5\n2,-0\n"),
            "pub fn f(x: f64, y: f64) -> f64 { div0(x, y) + y / x }\n`/` for `div0`: no protection "
            "was needed there on 3 cases; `div0` stays, which 2 of 3 cases need");
  EXPECT_EQ(
      with_body("sqrt0(x) * 0.0 + log0(y)", "x,y\n-1,0\n"),
      "pub fn f(x: f64, y: f64) -> f64 { sqrt0(x) * 0.0 + log0(y) }\n`sqrt0` stays, which 1 of "
      "1 case needs; `log0` stays, which 1 of 1 case needs");
  EXPECT_EQ(with_body("x + y", kAbove),
            "pub fn f(x: f64, y: f64) -> f64 { x + y }\nthe program has no protected operator that "
            "could go");
}

// In loops, in other functions, of integers, of f32, and in branches that no case takes.
TEST(Unprotect, WhereverItStands) {
  EXPECT_EQ(
      without_protections("fn g(a: i64, b: i64) -> i64 { div0(a, b) }\npub fn f(n: i64) -> i64 { "
                          "(0..n).map(i => g(i, n - i)).sum() }\n",
                          {"n\n3\n5\n"}),
      "fn g(a: i64, b: i64) -> i64 { a / b }\n\npub fn f(n: i64) -> i64 { (0..n).map(i => "
      "g(i, n - i)).sum() }\n`/` for `div0`: no protection was needed there on 2 cases");
  // -9223372036854775808 / -1 overflows.
  EXPECT_NE(without_protections("pub fn f(n: i64, m: i64) -> i64 { div0(n, m) }\n",
                                {"n,m\n-9223372036854775808,-1\n"})
                .find("{ div0(n, m) }"),
            std::string::npos);
  EXPECT_NE(without_protections(
                "pub fn f(x: f32) -> f32 { if x > 0.5 { div0(1.0, x) } else { sqrt0(x) } }\n",
                {"x\n1\n2\n"})
                .find("1.0 / x"),
            std::string::npos);
  EXPECT_NE(without_protections("pub fn f(xs: [f64]) -> f64 { xs.map(x => div0(1.0, x)).sum() }\n",
                                {"xs\n\"[1, 2]\"\n\"[0.0]\"\n"})
                .find("`div0` stays, which 1 of 2 cases needs"),
            std::string::npos);
}

TEST(Unprotect, AsksAllTables) {
  EXPECT_NE(without_protections("pub fn f(x: f64) -> f64 { div0(1.0, x) }\n", {"x\n1\n", "x\n0\n"})
                .find("which 1 of 2 cases needs"),
            std::string::npos);
}

TEST(Unprotect, SaysWhyItCannotAsk) {
  EXPECT_NE(without_protections("pub fn f(x: f64) -> f64 { div0(1.0, x) }\n", {"y\n1\n"})
                .find("no column"),
            std::string::npos);
  EXPECT_NE(without_protections("pub fn f(x: f64) -> f64 { x }\npub fn g(x: f64) -> f64 { x }\n",
                                {"x\n1\n"})
                .find("pub fn"),
            std::string::npos);
  EXPECT_NE(
      without_protections("pub fn f(x: f64) -> f64 { x * }\n", {"x\n1\n"}).find("does not compile"),
      std::string::npos);
}

}  // namespace
}  // namespace komuz::services
