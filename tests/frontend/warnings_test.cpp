// SPDX-License-Identifier: Apache-2.0
// Warnings about valid code that mostly means something else in other languages: code that gets one, and code that
// does not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {
namespace {

// `K0017 b`: the code and the text that it speaks of, for each warning of a program without errors.
std::vector<std::string> warnings_of(std::string_view source) {
  Options options;
  options.examples = true;
  Compiler compiler(options);
  Compilation out;
  compiler.compile(source, out);
  EXPECT_TRUE(out.ok) << source;
  std::vector<std::string> warnings;
  for (const Diagnostic& d : out.diagnostics) {
    const bool is_comment = d.code() == DiagnosticCode::CommentedOperand;
    warnings.push_back(
        std::string(diagnostic_row(d.code()).code) + " " +
        std::string(is_comment ? source.substr(d.a, d.b) : source.substr(d.begin, d.length)));
  }
  return warnings;
}
std::vector<std::string> warnings_of_line(std::string_view line) {
  return warnings_of("fn f(a: i64, b: i64) -> i64 {\n" + std::string(line) + "\n    a\n}\n");
}
using Texts = std::vector<std::string>;

TEST(Suspicions, AnOperandInACommentIsTold) {
  EXPECT_EQ(warnings_of_line("let x = a // b;"), Texts{"K0017 b"});
  EXPECT_EQ(warnings_of_line("let x = a // b"), Texts{"K0017 b"});
  EXPECT_EQ(warnings_of_line("let x = (a + b) // 2;"), Texts{"K0017 2"});
  EXPECT_EQ(warnings_of_line("let x = a // f(a, b)"), Texts{"K0017 f(a, b)"});
  EXPECT_EQ(warnings_of_line("let x = a // b + 1;"), Texts{"K0017 b"});
  EXPECT_EQ(warnings_of_line("let x = a // b;\n    let y = x // 2;"),
            (Texts{"K0017 b", "K0017 2"}));
}

TEST(Suspicions, OtherCommentsAreNot) {
  EXPECT_EQ(warnings_of_line("let x = a; // b"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = a // the first"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = a // unknown"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = a // b is the second"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = a +  // b\n    b;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = a //"), Texts{});
  EXPECT_EQ(warnings_of("type P = P(\n    x: f64, // 1\n    y: f64 // 2\n);\n"), Texts{});
}

TEST(Suspicions, APatternThatLacksItsCapitalIsTold) {
  const std::string type = "type C = Red | Green | Blue(v: f64);\n";
  EXPECT_EQ(warnings_of(type + "fn f(c: C) -> i64 { match c { Red => 1, green => 2 } }\n"),
            Texts{"K0380 green"});
  EXPECT_EQ(warnings_of(type + "fn f(c: C) -> i64 { match c { Red => 1, other => 2 } }\n"),
            Texts{});
  EXPECT_EQ(warnings_of(type + "fn f(c: C) -> i64 { match c { Red => 1, blue => 2 } }\n"), Texts{});
  EXPECT_EQ(warnings_of(type + "fn f(c: i64) -> i64 { match c { 0 => 1, red => red } }\n"),
            Texts{});
}

TEST(Suspicions, ANegativeIndexAndExponentAreTold) {
  EXPECT_EQ(warnings_of("fn f(a: [i64]) -> i64 { a[-1] }\n"), Texts{"K0378 a[-1]"});
  EXPECT_EQ(warnings_of("fn f(a: [[i64; 2]; 2]) -> i64 { a[0][-2] }\n"), Texts{"K0378 a[0][-2]"});
  EXPECT_EQ(warnings_of_line("let x = 2 ** -1;"), Texts{"K0378 2 ** -1"});
  EXPECT_EQ(warnings_of_line("let x = a ** -b;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = a ** -0;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = 2.0 ** -1.0;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = [-1];"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = [2, 3][a - 1];"), Texts{});
  EXPECT_EQ(warnings_of("fn f(a: [i64]) -> i64 { a[0] }\n"
                        "test \"t\" { assert traps(f([1][-1..0]), INDEX); }\n"),
            Texts{});
  EXPECT_EQ(warnings_of("test \"t\" { assert traps(2 ** -1, RANGE); }\n"), Texts{});
}

TEST(Suspicions, ThePowerOfTwoNumbersIsTold) {
  EXPECT_EQ(warnings_of_line("let x = 2 ^ 10;"), Texts{"K0326 ^"});
  EXPECT_EQ(warnings_of_line("let x = 10 ^ 9 + 7;"), Texts{"K0326 ^"});
  EXPECT_EQ(warnings_of_line("let x = a ^ 2;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = 5 ^ 3;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = 2 ^ 8 ^ a;"), Texts{});
  EXPECT_EQ(warnings_of_line("let x = 2 ^ 0xFF;"), Texts{});
}

TEST(Suspicions, TheFirstOnesAreTold) {
  std::string lines;
  for (u32 k = 0; k < 100; ++k) {
    const std::string n = std::to_string(k);
    lines += "    let x" + n + " = 2 ^ 10;\n    let y" + n + " = a // b;\n";
  }
  const Texts warnings = warnings_of_line(lines);
  ASSERT_EQ(warnings.size(), 64u);
  EXPECT_EQ(warnings[0], "K0326 ^");
  EXPECT_EQ(warnings[63], "K0017 b");
}

}  // namespace
}  // namespace komuz::frontend
