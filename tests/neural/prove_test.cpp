// SPDX-License-Identifier: Apache-2.0
// Programs that are equal are proved to be; those that nearly are, are refuted by arguments that show it.
#include "tests/neural/proof_questions.h"

namespace komuz::test {
namespace {

using neural::FuelRule;

TEST(Prove, ArithmeticThatWraps) {
  KOMUZ_NEEDS_PROVER();
  expect_proved("pub fn f(x: i64) -> i64 { x +% x }", "pub fn f(x: i64) -> i64 { x *% 2 }");
  expect_proved("pub fn f(x: u32, y: u32) -> u32 { x ^ y ^ x }",
                "pub fn f(x: u32, y: u32) -> u32 { y }");
  expect_proved("pub fn f(x: u32, y: u32) -> u32 { (x & y) +% (x | y) }",
                "pub fn f(x: u32, y: u32) -> u32 { y +% x }");
  expect_refuted("pub fn f(x: u32, y: u32) -> u32 { (x & y) +% (x | y) }",
                 "pub fn f(x: u32, y: u32) -> u32 { y +% x | 1 }");
}

TEST(Prove, ArithmeticThatTraps) {
  KOMUZ_NEEDS_PROVER();
  expect_proved("pub fn f(x: i64) -> i64 { x + x }", "pub fn f(x: i64) -> i64 { x * 2 }");
  expect_proved("pub fn f(x: i32) -> i32 { x + 3 - 3 + 1 }",
                "pub fn f(x: i32) -> i32 { x + 3 - 2 }");
  // Sums of three overflow in different places.
  expect_refuted("pub fn f(x: i64, y: i64, z: i64) -> i64 { x + y + z }",
                 "pub fn f(x: i64, y: i64, z: i64) -> i64 { x + (y + z) }");
  expect_refuted("pub fn f(x: i64) -> i64 { x + 1 - 1 }", "pub fn f(x: i64) -> i64 { x }");
  // Both trap, with different traps.
  expect_refuted(
      "pub fn f(x: i64) -> i64 { 1 / x }",
      "pub fn f(x: i64) -> i64 { if x == 0 { 9223372036854775807 + x + 1 } else { 1 / x } }");
}

TEST(Prove, Division) {
  KOMUZ_NEEDS_PROVER();
  expect_proved("pub fn f(x: u64) -> u64 { x / 8 }", "pub fn f(x: u64) -> u64 { x >> 3 }");
  expect_proved("pub fn f(x: i64, y: i64) -> i64 { x % y }",
                "pub fn f(x: i64, y: i64) -> i64 { let q = x % y; q }");
  expect_refuted("pub fn f(x: i64) -> i64 { x / 8 }", "pub fn f(x: i64) -> i64 { x >> 3 }");
  expect_proved("pub fn f(x: i64) -> bool { x % 2 == 0 }",
                "pub fn f(x: i64) -> bool { x & 1 == 0 }");
}

TEST(Prove, BranchesAndChoices) {
  KOMUZ_NEEDS_PROVER();
  expect_proved("pub fn f(x: i64, y: i64) -> i64 { if x < y { x } else { y } }",
                "pub fn f(x: i64, y: i64) -> i64 { min(x, y) }");
  expect_proved("pub fn f(x: f64, y: f64) -> f64 { if x < y { x + y } else { y + x } }",
                "pub fn f(x: f64, y: f64) -> f64 { x + y }");
  expect_proved("pub fn f(a: bool, b: bool) -> bool { if a { b } else { false } }",
                "pub fn f(a: bool, b: bool) -> bool { a && b }");
  expect_refuted("pub fn f(x: i64, y: i64) -> i64 { if x == 7777 { y } else { 0 } }",
                 "pub fn f(x: i64, y: i64) -> i64 { 0 }");
  expect_proved("pub fn f(x: i64) -> i64 { if x > 5 { if x > 3 { 1 } else { 2 } } else { 3 } }",
                "pub fn f(x: i64) -> i64 { if x > 5 { 1 } else { 3 } }");
}

TEST(Prove, FloatsByWhatIsComputed) {
  KOMUZ_NEEDS_PROVER();
  expect_proved("pub fn f(x: f64, y: f64) -> f64 { let s = x * y; s + s }",
                "pub fn f(x: f64, y: f64) -> f64 { (y * x) * 2.0 }");
  expect_proved("pub fn f(x: f64) -> f64 { x / 4.0 }", "pub fn f(x: f64) -> f64 { x * 0.25 }");
  // Not to the bit.
  const ProofPair sums("pub fn f(x: f64, y: f64, z: f64) -> f64 { x + y + z }",
                       "pub fn f(x: f64, y: f64, z: f64) -> f64 { x + (y + z) }");
  EXPECT_NE(proof_name(prove(sums).proof), "proved");
  const ProofPair zeros("pub fn f(x: f64) -> f64 { x + 0.0 }", "pub fn f(x: f64) -> f64 { x }");
  const neural::ProofAnswer answer = prove(zeros);
  ASSERT_EQ(proof_name(answer.proof), "refuted") << answer.why;
  EXPECT_TRUE(zeros.differ(answer.arguments, FuelRule::Same)) << "-0.0 + 0.0 is 0.0";
}

TEST(Prove, LoopsThatEnd) {
  KOMUZ_NEEDS_PROVER();
  expect_proved("pub fn f(x: i64) -> i64 { var s = 0; for i in 0..4 { s = s +% x; } s }",
                "pub fn f(x: i64) -> i64 { var s = 0; for i in 0..4 { s = x *% (i + 1); } s }");
  expect_proved(
      "pub fn f(x: u8) -> i64 { var n = 0; var k = x; while k != 0 limit 8 { n += 1; k = k >> 1; } "
      "n }",
      "pub fn f(x: u8) -> i64 { var n = 0; var k = x; while k > 0 limit 8 { k = k >> 1; n += 1; } "
      "n }");
  expect_refuted(
      "pub fn f(x: u8) -> i64 { var n = 0; var k = x; while k != 0 limit 8 { n += 1; k = k >> 1; } "
      "n }",
      "pub fn f(x: u8) -> i64 { var n = 0; var k = x; while k != 0 limit 7 { n += 1; k = k >> 1; } "
      "n }");
}

TEST(Prove, FuelAsTheRuleSays) {
  KOMUZ_NEEDS_PROVER();
  const char* const loop = "pub fn f(x: i64) -> i64 { var s = x; for i in 0..3 { s = s ^ 0; } s }";
  const char* const none = "pub fn f(x: i64) -> i64 { x }";
  expect_proved(loop, none, FuelRule::Any);
  expect_proved(loop, none, FuelRule::Less);
  expect_refuted(loop, none, FuelRule::Same);
  expect_proved(none, loop, FuelRule::Any);
  expect_refuted(none, loop, FuelRule::Less);
}

TEST(Prove, ListsWithinTheirTypes) {
  KOMUZ_NEEDS_PROVER();
  // Its length is never more than 3.
  expect_proved("pub fn f(x: List[i64, 3]) -> bool { x.len() <= 3 }",
                "pub fn f(x: List[i64, 3]) -> bool { true }");
  expect_refuted("pub fn f(x: List[i64, 3]) -> bool { x.len() < 3 }",
                 "pub fn f(x: List[i64, 3]) -> bool { true }");
  expect_proved("pub fn f(x: Option[i64]) -> i64 { match x { Some(v) => v, None => 0 } }",
                "pub fn f(x: Option[i64]) -> i64 { match x { None => 0, Some(v) => v ^ 0 } }");
}

TEST(Prove, RecursionByInduction) {
  KOMUZ_NEEDS_PROVER();
  const char* const plain =
      "pub fn fib(n: i64) -> i64 rec 60 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }";
  const char* const other =
      "pub fn fib(n: i64) -> i64 rec 60 { if n >= 2 { let a = fib(n - 1); let b = fib(n - 2); b + "
      "a } else { n } }";
  const neural::ProofAnswer answer = prove(ProofPair(plain, other));
  EXPECT_EQ(proof_name(answer.proof), "proved") << answer.why;
  EXPECT_EQ(answer.method, "induction over calls of `fib`");
  const ProofPair wrong(plain,
                        "pub fn fib(n: i64) -> i64 rec 60 { if n < 3 { n } else { fib(n - 1) + "
                        "fib(n - 2) } }");
  EXPECT_NE(proof_name(prove(wrong).proof), "proved");
  // The bound is part of what a program does.
  expect_refuted("pub fn f(n: u8) -> u8 rec 4 { if n == 0 { n } else { f(n - 1) } }",
                 "pub fn f(n: u8) -> u8 rec 5 { if n == 0 { n } else { f(n - 1) } }");
  expect_refuted("pub fn f(n: u8) -> u8 rec 4 { if n == 0 { 0 } else { f(n - 1) } }",
                 "pub fn f(n: u8) -> u8 rec 4 { if n == 0 { 0 } else { f(n - 1) | (n >> 1) } }");
}

TEST(Prove, LoopsWithoutAnEndByInduction) {
  KOMUZ_NEEDS_PROVER();
  const char* const sum =
      "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..n { s = s + i * k; } s }";
  const char* const other =
      "pub fn f(n: i64, k: i64) -> i64 { let zero = 0; var t = zero; var s = zero; for i in "
      "zero..n { t = k * i; s = "
      "t + s; } s }";
  const neural::ProofAnswer answer = prove(ProofPair(sum, other));
  EXPECT_EQ(proof_name(answer.proof), "proved") << answer.why;
  EXPECT_EQ(answer.method, "induction over the rounds of loops");
  // One in another, with an early end and a trap.
  expect_proved(
      "pub fn f(n: i64, m: i64) -> i64 { var s = 0; for i in 0..n { for j in 0..m { if s > 99 { "
      "return s; } s += j; } "
      "s = s * 2; } s }",
      "pub fn f(n: i64, m: i64) -> i64 { var s = 0; for i in 0..n { for j in 0..m { if s >= 100 { "
      "return s; } s = j + "
      "s; } s += s; } s }");
  expect_proved(
      "pub fn f(x: f64, n: i64) -> f64 { var y = x; var i = 0; while i < n limit 1000000 { y = 0.5 "
      "* (y + x / y); i += 1; } y }",
      "pub fn f(x: f64, n: i64) -> f64 { var i = 0; var y = x; while n > i limit 1000000 { i += 1; "
      "y = (x / y + y) * 0.5; } y }");
  const auto expect_unknown = [](std::string_view a, std::string_view b) {
    const ProofPair pair(a, b);
    EXPECT_EQ(proof_name(prove(pair).proof), "unknown") << a << "\n" << b;
  };
  // Each has one thing that is not the same: a start, a step, an end, a tick, a trap, a result.
  expect_unknown(
      sum, "pub fn f(n: i64, k: i64) -> i64 { var s = 1; for i in 0..n { s = s + i * k; } s }");
  expect_unknown(
      sum, "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..n { s = s - i * k; } s }");
  expect_unknown(
      sum, "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..k { s = s + i * k; } s }");
  expect_unknown(
      sum, "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..=n { s = s + i * k; } s }");
  expect_unknown(
      sum, "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..n { s = s +% i * k; } s }");
  expect_unknown(
      sum, "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..n { s = s + i * k; } s + 1 }");
  expect_unknown(sum,
                 "pub fn f(n: i64, k: i64) -> i64 { var s = 0; for i in 0..n { s = s + i * k; if s "
                 "== 77 { break; } } s }");
  expect_unknown(sum,
                 "fn g(x: i64) -> i64 rec 2 { if x == 0 { x } else { g(0) } } pub fn f(n: i64, k: "
                 "i64) -> i64 { var s = 0; "
                 "for i in 0..n { s = s + i * k + g(0); } s }");
}

TEST(Prove, WithoutAnEndItSaysWhere) {
  KOMUZ_NEEDS_PROVER();
  const ProofPair pair("pub fn f(n: i64) -> i64 { var s = 0; for i in 0..n { s = s ^ i; } s }",
                       "pub fn f(n: i64) -> i64 { var s = 0; for i in 0..n { s = s | i; } s }");
  const neural::ProofAnswer answer = prove(pair);
  EXPECT_EQ(proof_name(answer.proof), "unknown");
  EXPECT_NE(answer.why.find("`f`"), std::string::npos) << answer.why;
}

TEST(Prove, TypesAreTheSameOrNothingIsSaid) {
  KOMUZ_NEEDS_PROVER();
  const neural::ProofAnswer answer =
      prove(ProofPair("pub fn f(x: i64) -> i64 { x }", "pub fn f(x: u64) -> u64 { x }"));
  EXPECT_EQ(proof_name(answer.proof), "unknown");
  EXPECT_EQ(answer.why, "the types of both functions are not the same");
}

TEST(Prove, HardQuestionsEndWithinTheirResources) {
  KOMUZ_NEEDS_PROVER();
  ProofPair pair(
      "pub fn f(x: u64, y: u64) -> u64 { (x *% y *% (x ^ y)) / (y | 1) }",
      "pub fn f(x: u64, y: u64) -> u64 { (x *% ((x ^ y) *% y)) / (y | 1) % 18446744073709551557 }");
  neural::ProofQuestion question = pair.question(FuelRule::Any);
  question.resources = 400'000;
  const neural::ProofAnswer one = opened_prover()->prove(question, nullptr);
  const neural::ProofAnswer other = opened_prover()->prove(question, nullptr);
  EXPECT_EQ(proof_name(one.proof), proof_name(other.proof));
  EXPECT_EQ(one.resources, other.resources);
  EXPECT_EQ(one.arguments, other.arguments);
  EXPECT_EQ(one.why, other.why);
}

TEST(Prove, AStopEndsIt) {
  KOMUZ_NEEDS_PROVER();
  std::stop_source source;
  source.request_stop();
  const std::stop_token stop = source.get_token();
  const ProofPair pair("pub fn f(x: u64, y: u64) -> u64 { x *% y }",
                       "pub fn f(x: u64, y: u64) -> u64 { (x ^ y) *% (x & y) / 3 }");
  const neural::ProofAnswer answer = opened_prover()->prove(pair.question(FuelRule::Any), &stop);
  EXPECT_EQ(proof_name(answer.proof), "unknown");
  EXPECT_EQ(answer.why, "it was stopped");
}

TEST(Prove, WithoutASolverTheSameTermsAreProved) {
  const ProofPair pair("pub fn f(x: i64, y: i64) -> i64 { x * y + y * x }",
                       "pub fn f(x: i64, y: i64) -> i64 { let a = y * x; a + a }");
  const neural::ProofAnswer answer = neural::prove_by_terms(pair.question(FuelRule::Same), nullptr);
  EXPECT_EQ(proof_name(answer.proof), "proved");
  EXPECT_EQ(answer.method, "the same terms");
}

}  // namespace
}  // namespace komuz::test
