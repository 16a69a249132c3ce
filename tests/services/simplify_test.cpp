// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/simplify.h"

#include <gtest/gtest.h>

#include <chrono>

#include "engine/candidates/load_modules.h"

namespace komuz::services {
namespace {

std::string simplified(const std::string& program) {
  const Simplified out = simplify(program);
  EXPECT_EQ(out.why_not, "") << program;
  EXPECT_LE(out.tokens_after, out.tokens_before) << program;
  EXPECT_EQ(simplify(out.text).text, out.text) << "again: " << program;
  return out.text;
}
constexpr std::string_view kHead =
    "fn g(n: i64) -> i64 { n / 2 }\npub fn f(x: f64, y: f64, z: f64, n: i64, m: i64, b: bool, c: "
    "bool) -> ";
// What becomes of an expression, or of the statements of a body.
std::string became(const std::string& body, const std::string& type = "f64") {
  const std::string text = simplified(std::string(kHead) + type + " {\n" + body + "\n}\n");
  const size_t begin = text.find('{', text.find("pub fn"));
  std::string out;
  bool is_blank = true;
  for (const char byte : text.substr(begin + 1, text.rfind('}') - begin - 1)) {
    const bool blank = byte == ' ' || byte == '\n';
    if (!blank || !is_blank) out += blank ? ' ' : byte;
    is_blank = blank;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

TEST(Simplify, NeutralOperandsGo) {
  EXPECT_EQ(became("1.0 * x"), "x");
  EXPECT_EQ(became("x * 1.0 / 1.0 - 0.0"), "x");
  EXPECT_EQ(became("x + (-0.0)"), "x");
  EXPECT_EQ(became("x + 0.0"), "x + 0.0");  // it is 0.0 where x is -0.0
  EXPECT_EQ(became("x * x + 0.0"), "x * x");
  EXPECT_EQ(became("exp(x) + 0.0"), "exp(x)");
  EXPECT_EQ(became("sqrt(x) + 0.0"), "sqrt(x) + 0.0");
  EXPECT_EQ(became("sqrt(x * x + y * y) + 0.0"), "sqrt(x * x + y * y)");
  EXPECT_EQ(became("let s = x * x; s + 0.0 + s"), "let s = x * x; s + s");
  EXPECT_EQ(became("(n + 0) * 1 - 0", "i64"), "n");
  EXPECT_EQ(became("g(n) / 1", "i64"), "g(n)");
}

TEST(Simplify, SignsMove) {
  EXPECT_EQ(became("(-2.0) + 1.0"), "-1.0");
  EXPECT_EQ(became("x - (-0.5)"), "x + 0.5");
  EXPECT_EQ(became("x + (-0.5)"), "x - 0.5");
  EXPECT_EQ(became("(-3.0) + x"), "x - 3.0");
  EXPECT_EQ(became("x - (-y)"), "x + y");
  EXPECT_EQ(became("x + (-y)"), "x - y");
  EXPECT_EQ(became("(-x) + y"), "y - x");
  EXPECT_EQ(became("-(-x)"), "x");
  EXPECT_EQ(became("(-x) * (-y)"), "x * y");
  EXPECT_EQ(became("x * (-1.0)"), "-x");
  EXPECT_EQ(became("-(x * y)"), "-x * y");
  EXPECT_EQ(became("x + (-2.0) * y"), "x - 2.0 * y");
  EXPECT_EQ(became("x - (-y) / z"), "x + y / z");
  // However many factors there are.
  EXPECT_EQ(became("y + -1.5 * x * y"), "y - 1.5 * x * y");
  EXPECT_EQ(became("y - x * (-z) / y"), "y + x * z / y");
  EXPECT_EQ(became("y + (-x) * y * z / 2.0"), "y - x * y * z / 2.0");
  EXPECT_EQ(became("y + -1.5 * x * (-y) * z"), "y + 1.5 * x * y * z");
  EXPECT_EQ(became("-1.5 * x * y + z"), "z - 1.5 * x * y");
  // Integers may overflow there.
  EXPECT_EQ(became("n - (-m)", "i64"), "n - (-m)");
  EXPECT_EQ(became("-(-n)", "i64"), "-(-n)");
  EXPECT_EQ(became("n + -m", "i64"), "n + -m");
}

TEST(Simplify, ConstantsAreComputedWhereTheyGetNoLonger) {
  EXPECT_EQ(became("2.0 * 3.0 * x"), "6.0 * x");
  EXPECT_EQ(became("x * (1.0 / 3.0)"), "1.0 / 3.0 * x");
  EXPECT_EQ(became("x + (0.1 + 0.2)"), "0.1 + 0.2 + x");
  EXPECT_EQ(became("x * sqrt(2.0)"), "x * sqrt(2.0)");
  EXPECT_EQ(became("x * sqrt(4.0)"), "x * 2.0");
  EXPECT_EQ(became("PI / 2.0 * x"), "PI / 2.0 * x");
  // Their protection goes all the same.
  EXPECT_EQ(became("x * div0(1.0, 3.0)"), "1.0 / 3.0 * x");
  EXPECT_EQ(became("x * sqrt0(2.0)"), "x * sqrt(2.0)");
  EXPECT_EQ(became("x * log0(4.5)"), "x * log(4.5)");
  EXPECT_EQ(became("x * div0(6.0, 2.0)"), "x * 3.0");
  EXPECT_EQ(became("x * log0(1.0)"), "x * 0.0");
  EXPECT_EQ(became("n + 9223372036854775807 + 1", "i64"), "n + 9223372036854775807 + 1");
  EXPECT_EQ(became("n + (9223372036854775807 + 1)", "i64"), "9223372036854775807 + 1 + n");
  EXPECT_EQ(became("n + 1 / 0", "i64"), "n + 1 / 0");
}

TEST(Simplify, PowersStayAsTheyAreWritten) {
  EXPECT_EQ(became("x ** 2"), "x ** 2");
  EXPECT_EQ(became("x ** 2.0"), "x ** 2.0");
  EXPECT_EQ(became("x ** (-0.5)"), "x ** -0.5");
  EXPECT_EQ(became("let e: f64 = 2; x ** e"), "x ** 2.0");
  EXPECT_EQ(became("(-x) ** 2"), "(-x) ** 2");
}

TEST(Simplify, ProtectionGoesWhereItIsNotNeeded) {
  EXPECT_EQ(became("div0(x, 2.0)"), "x / 2.0");
  EXPECT_EQ(became("div0(x, y)"), "div0(x, y)");
  EXPECT_EQ(became("div0(x, 1.0 + y * y)"), "x / (1.0 + y * y)");
  EXPECT_EQ(became("div0(x, 0.0)"), "div0(x, 0.0)");
  EXPECT_EQ(became("div0(n, 2)", "i64"), "n / 2");
  EXPECT_EQ(became("div0(n, -1)", "i64"), "div0(n, -1)");
  EXPECT_EQ(became("sqrt0(x * x + y * y)"), "sqrt(x * x + y * y)");
  EXPECT_EQ(became("sqrt0(x)"), "sqrt0(x)");
  EXPECT_EQ(became("log0(x * x + 1.0)"), "log(x * x + 1.0)");
  EXPECT_EQ(became("log0(exp(x))"), "log0(exp(x))");  // it may be 0.0
  EXPECT_EQ(became("abs(abs(-x))"), "abs(x)");
  EXPECT_EQ(became("max(x, x) + min(y, y)"), "x + y");
  EXPECT_EQ(became("f64(x)"), "x");
}

TEST(Simplify, ChoicesThatAreNone) {
  EXPECT_EQ(became("if true { x } else { y }"), "x");
  EXPECT_EQ(became("if 1.0 > 2.0 { x } else { y }"), "y");
  EXPECT_EQ(became("if b { x } else { x }"), "x");
  EXPECT_EQ(became("if g(n) == 2 { x } else { x }"), "if g(n) == 2 { x } else { x }");
  EXPECT_EQ(became("if b { true } else { false }", "bool"), "b");
  EXPECT_EQ(became("!!b && true", "bool"), "b");
  EXPECT_EQ(became("!(n < m)", "bool"), "n >= m");
  EXPECT_EQ(became("!(x < y)", "bool"), "!(x < y)");
  EXPECT_EQ(became("(b == true) || false", "bool"), "b");
}

TEST(Simplify, ParenthesesAndBlocksGo) {
  EXPECT_EQ(became("((x)) + ((0.5))"), "x + 0.5");
  EXPECT_EQ(became("(x * y) + (z)"), "x * y + z");
  EXPECT_EQ(became("x - (y - z)"), "x - (y - z)");
  EXPECT_EQ(became("x * (y * z)"), "y * z * x");
  EXPECT_EQ(became("max({ x }, { y + z })"), "max(x, y + z)");
  EXPECT_EQ(became("let a = TAU * sqrt(x); a * (1.0 / y)"), "TAU * sqrt(x) * (1.0 / y)");
  EXPECT_EQ(became("if b { x } else { { if c { y } else { z } } }"),
            "if b { x } else if c { y } else { z }");
  EXPECT_EQ(became("n | (m << 1)", "i64"), "n | (m << 1)");
  EXPECT_EQ(became("(x < y) && (y < z)", "bool"), "x < y && y < z");
  EXPECT_EQ(became("(x + y).sqrt() * (2.0).sqrt()"), "(x + y).sqrt() * (2.0).sqrt()");
}

TEST(Simplify, ValuesGoWhereTheyAreUsed) {
  EXPECT_EQ(became("let k: f64 = 2.0; k * x + k"), "2.0 * x + 2.0");
  EXPECT_EQ(became("let a = x; a * a"), "x * x");
  EXPECT_EQ(became("let a = x + y; a * a"), "let a = x + y; a * a");
  EXPECT_EQ(became("let a = x + y; a * z"), "(x + y) * z");
  EXPECT_EQ(became("let a = x; y"), "y");
  EXPECT_EQ(became("let a = n / m; y"), "let a = n / m; y");
  EXPECT_EQ(became("let (p_1, q_2): (f64, f64) = (x + 1.0, y); p_1 * p_1 + q_2"),
            "let p = x + 1.0; p * p + y");
  EXPECT_EQ(became("let (x_1, q_2): (f64, f64) = (x + 1.0, y); x_1 * x_1 + q_2 * x"),
            "let x_1 = x + 1.0; x_1 * x_1 + y * x");
  EXPECT_EQ(became("({ let t = x + y; t * t })"), "let t = x + y; t * t");
  EXPECT_EQ(became("let (p_1, q_2): (f64, f64) = (x, y); p_1 * q_2"), "x * y");
}

TEST(Simplify, TrapsKeepTheirOrder) {
  EXPECT_EQ(became("let a = n / m; a + g(n)", "i64"), "n / m + g(n)");
  EXPECT_EQ(became("let a = n / m; let d = n * m; a + d", "i64"), "n / m + n * m");
  EXPECT_EQ(became("let a = n / m; let d = n * m; d + a", "i64"), "let a = n / m; n * m + a");
  EXPECT_EQ(became("let a = n / m; if b { a } else { 0 }", "i64"),
            "let a = n / m; if b { a } else { 0 }");
  EXPECT_EQ(became("let a = n + m; let s = [1, 2]; s[0] + a", "i64"),
            "let a = n + m; let s = [1, 2]; s[0] + a");
}

TEST(Simplify, NamesKeepTheirMeanings) {
  EXPECT_EQ(became("let a = x; let x = y; a + x * x"), "x + y * y");
  EXPECT_EQ(became("let a = x + y; let x = sin(y); a * x + x"),
            "let a = x + y; let x = sin(y); a * x + x");
  EXPECT_EQ(became("var v = x; let a = v; v = y; a + v"), "var v = x; let a = v; v = y; a + v");
  EXPECT_EQ(became("let a = x * y; var s = 0.0; for i in 0..3 { s += a }; s"),
            "let a = x * y; var s = 0.0; for i in 0..3 { s += a; } s");
}

TEST(Simplify, TypesOfNumbersStay) {
  EXPECT_EQ(simplified("pub fn f(n: i32) -> i32 {\n    let k = i32(1);\n    k + n\n}\n"),
            "pub fn f(n: i32) -> i32 { 1 + n }\n");
  EXPECT_EQ(became("let k = i32(1); let j = k + 2; i64(j) + n", "i64"), "3 + n");
  EXPECT_EQ(became("let k: f32 = 0.1; f64(k) + x"), "let k: f32 = 0.1; f64(k) + x");
  EXPECT_EQ(became("let k: f32 = 0.1; near(k, f32(x), 0.5)", "bool"), "near(0.1, f32(x), 0.5)");
}

TEST(Simplify, CommentsStay) {
  const std::string program =
      "// What it is.\npub fn f(x: f64) -> f64 {\n    // The first.\n    let a = x * 1.0;\n    a + "
      "0.5 * 1.0  // the "
      "second\n}\n";
  EXPECT_EQ(simplified(program),
            "// What it is.\npub fn f(x: f64) -> f64 {\n    // The first.\n    let a = x;\n    a + "
            "0.5 // the "
            "second\n}\n");
  EXPECT_EQ(
      simplified("pub fn f(x: f64) -> f64 {\n    max(\n        x,  // one\n        1.0 * x,  // "
                 "two\n    )\n}\n"),
      "pub fn f(x: f64) -> f64 {\n    max(\n        x, // one\n        x, // two\n    )\n}\n");
}

TEST(Simplify, OtherItemsAndFreeHolesStay) {
  EXPECT_EQ(simplified("const C: f64 = 1.0 * 2.0;\npub fn f(x: f64) -> f64 {\n    ?rest + 1.0 * x "
                       "+ C\n}\ntest \"t\" { assert 1.0 * "
                       "2.0 == 2.0; }\n"),
            "const C: f64 = 1.0 * 2.0;\n\npub fn f(x: f64) -> f64 { ?rest + x + C }\n\ntest \"t\" "
            "{ assert 1.0 * 2.0 == 2.0; }\n");
  // What is written there may use the name.
  EXPECT_EQ(became("let k = 2.0 * 1.0; ?rest * x"), "let k = 2.0; ?rest * x");
}

TEST(Simplify, SaysWhyItLeavesATextAsItIs) {
  EXPECT_EQ(simplify("pub fn f(x: f64) -> f64 { x * }").why_not, "it does not compile by itself");
  EXPECT_EQ(simplify("pub fn f(x: f64) -> f64 { x * ?[1.0, 2.0] }").why_not,
            "it is a sketch: fill it first");
  EXPECT_EQ(simplify(std::string(kMostSimplified + 1, ' ')).why_not, "it is longer than 256 KiB");
  EXPECT_EQ(simplified_text("pub fn f(x: f64)->f64{x*?[1.0, 2.0]}"),
            "pub fn f(x: f64) -> f64 { x * ?[1.0, 2.0] }\n");
}

// Deep and long texts take no recursion, and time that grows as they do.
TEST(Simplify, LargeProgramsTakeLittleTime) {
  const auto seconds_of = [](const std::string& program) {
    const auto begin = std::chrono::steady_clock::now();
    const Simplified out = simplify(program);
    EXPECT_EQ(out.why_not, "");
    EXPECT_GT(out.rewritings, 0u);
    EXPECT_LT(out.tokens_after, out.tokens_before);
    return std::chrono::duration<f64>(std::chrono::steady_clock::now() - begin).count();
  };
  std::string sum = "pub fn f(x: f64) -> f64 {\n    x";
  for (u32 k = 0; k < 6000; ++k) sum += "\n        + 1.0 * sin(x) * (x + (-0.5))";
  EXPECT_LT(seconds_of(sum + "\n}\n"), 20.0);
  std::string functions;
  for (u32 k = 0; k < 2000; ++k)
    functions +=
        "fn f" + std::to_string(k) + "(x: f64) -> f64 {\n    let a = x * 1.0;\n    a + (-0.5)\n}\n";
  EXPECT_LT(seconds_of(functions), 20.0);
  std::string deep = "pub fn f(x: f64) -> f64 {\n    ";
  for (u32 k = 0; k < 900; ++k) deep += "sin(1.0 * ";
  EXPECT_LT(seconds_of(deep + "x" + std::string(900, ')') + "\n}\n"), 20.0);
}

}  // namespace
}  // namespace komuz::services
