// SPDX-License-Identifier: Apache-2.0
// Optimisation of operations with known values, of slow operations, and of repeated ones.
#include <gtest/gtest.h>

#include "frontend_gpu/frontend.h"
#include "lang/ops.h"

namespace komuz::frontend {
namespace {

// The operations of the first function, without what brings operands to the stack and its RETURN.
std::string operations(std::string_view source, bool is_plain = false) {
  Compiler compiler(Options{.is_plain = is_plain});
  Compilation out;
  compiler.compile(source, out);
  if (!out.ok) return "does not compile";
  std::string text;
  const CodeView code = out.code.view();
  const Function& f = code.functions[0];
  for (u32 k = f.code_begin; k < f.code_end; ++k) {
    const Op op = code.instructions[k].op;
    if (op == Op::LoadVar || op == Op::LoadConst || op == Op::StoreVar || op == Op::Return)
      continue;
    text += (text.empty() ? "" : " ") + std::string(op_row(op).mnemonic);
  }
  return text;
}

struct Row {
  std::string_view source, before, after;
};

class Optimise : public testing::TestWithParam<Row> {};

TEST_P(Optimise, LeavesTheseOperations) {
  const Row& row = GetParam();
  EXPECT_EQ(operations(row.source, true), row.before) << row.source;
  EXPECT_EQ(operations(row.source), row.after) << row.source;
}

constexpr Row kFolded[] = {
    {"fn f() -> i64 { (1 + 2) * 3 }", "BINARY_ADD BINARY_MUL", ""},
    {"fn f(x: f64) -> f64 { x * -0.5 }", "UNARY_NEG BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: f64) -> f64 { x * sqrt(2.0) }", "SQRT BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: bool) -> bool { x && 1 > 2 }", "JUMP_IF_FALSE_OR_POP COMPARE_GT",
     "JUMP_IF_FALSE_OR_POP"},
    {"fn f() -> bool { 1 < 2 && (false || true) }",
     "COMPARE_LT JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP", ""},
    {"fn f() -> u8 { u8(1.5 * 2.0) }", "BINARY_MUL CONVERT", ""},
    // An operation that traps does so at run time.
    {"fn f() -> i64 { 1 / (2 - 2) }", "BINARY_SUB BINARY_DIV", "BINARY_DIV"},
    {"fn f() -> i64 { 9223372036854775807 + 1 }", "BINARY_ADD", "BINARY_ADD"},
};
// A `let` whose value is known is that value where it is used.
constexpr Row kKnownVariables[] = {
    {"fn f(x: f64) -> f64 { let k = 7; x + f64(k) }", "CONVERT BINARY_ADD", "BINARY_ADD"},
    {"fn f(x: i64) -> i64 { let k = 2 * 3; let j: i64 = (k) + 1; x * j }",
     "BINARY_MUL BINARY_ADD BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: f64) -> f64 { let two = 2.0; x / (two * two) }", "BINARY_MUL BINARY_DIV",
     "BINARY_MUL"},
    {"fn f(x: f64) -> f64 { let k = sqrt(2.0); if x > k + 1.0 { k * 2.0 } else { x } }",
     "SQRT BINARY_ADD COMPARE_GT JUMP_IF_FALSE BINARY_MUL JUMP", "COMPARE_GT JUMP_IF_FALSE JUMP"},
    {"fn f(x: u64) -> u64 { let size: u64 = 8; x % size }", "BINARY_REM", "BINARY_AND"},
    {"fn f(x: i64) -> i64 { let k = -3; for i in 0..x { let y = i * (k - 1); } k + x }",
     "LOOP FOR_NEXT TICK BINARY_SUB BINARY_MUL END BINARY_ADD",
     "LOOP FOR_NEXT TICK BINARY_MUL END BINARY_ADD"},
    // What a name stands for is its own binding, and a variable that changes is none.
    {"fn f(k: i64) -> i64 { let j = k; let k = 3; j + k * 2 }", "BINARY_MUL BINARY_ADD",
     "BINARY_ADD"},
    {"fn f(x: i64) -> i64 { let k = 3; let k = k + x; k * (2 + k) }",
     "BINARY_ADD BINARY_ADD BINARY_MUL", "BINARY_ADD BINARY_ADD BINARY_MUL"},
    {"fn f(x: i64) -> i64 { var k = 3; k += x; 4 * (2 + k) }", "BINARY_ADD BINARY_ADD BINARY_MUL",
     "BINARY_ADD BINARY_ADD BINARY_MUL"},
    {"fn f(x: i64) -> i64 { let (k, j) = (3, 4); k + j }", "BINARY_ADD", "BINARY_ADD"},
    // It need be no operand.
    {"fn f(x: bool) -> i64 { let k = 3; if x { k } else { for i in 0..k { let j = i; } k } }",
     "JUMP_IF_FALSE JUMP LOOP FOR_NEXT TICK END", "JUMP_IF_FALSE JUMP LOOP FOR_NEXT TICK END"},
    {"fn f() -> i64 { let k = 3; match k { 1 => 2, n => n + 1 } }",
     "COMPARE_EQ JUMP_IF_FALSE JUMP BINARY_ADD", "COMPARE_EQ JUMP_IF_FALSE JUMP BINARY_ADD"},
    // An operation that traps does so at run time.
    {"fn f() -> i64 { let z = 0; 1 / z }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f() -> i64 { let z = 1 / 0; z + 1 }", "BINARY_DIV BINARY_ADD", "BINARY_DIV BINARY_ADD"},
};
// An operand that changes nothing. Adding 0.0 does: it makes 0.0 of -0.0.
constexpr Row kNeutral[] = {
    {"fn f(x: i64) -> i64 { x * 1 + 0 - 0 }", "BINARY_MUL BINARY_ADD BINARY_SUB", ""},
    {"fn f(x: i64) -> i64 { ((x / (1)) * 1) + 0 }", "BINARY_DIV BINARY_MUL BINARY_ADD", ""},
    {"fn f(x: u8) -> u8 { (x | 0) ^ 0 }", "BINARY_OR BINARY_XOR", ""},
    {"fn f(x: i32) -> i32 { x << 0 >> 0 }", "SHIFT_LEFT SHIFT_RIGHT", ""},
    {"fn f(x: u64) -> u64 { x *% 1 +% 0 -% 0 }", "MUL_WRAP ADD_WRAP SUB_WRAP", ""},
    {"fn f(x: bool) -> bool { x | false }", "BINARY_OR", ""},
    {"fn f(x: f64) -> f64 { x * 1.0 / 1.0 - 0.0 }", "BINARY_MUL BINARY_DIV BINARY_SUB", ""},
    {"fn f(x: f32) -> f32 { x * 1.0 }", "BINARY_MUL", ""},
    {"fn f(x: f64) -> f64 { x + 0.0 }", "BINARY_ADD", "BINARY_ADD"},
    {"fn f(x: f64) -> f64 { let none = -0.0; x + none }", "UNARY_NEG BINARY_ADD", ""},
    {"fn f(x: f64) -> f64 { let some = 0.0; x + some }", "BINARY_ADD", "BINARY_ADD"},
    {"fn f(x: f64) -> f64 { x - -0.0 }", "UNARY_NEG BINARY_SUB", "BINARY_SUB"},
    {"fn f(x: f64) -> f64 { 0.0 - x }", "BINARY_SUB", "BINARY_SUB"},
    {"fn f(x: i64) -> i64 { 0 - x }", "BINARY_SUB", "BINARY_SUB"},
    {"fn f(x: i64) -> i64 { 0 << x }", "SHIFT_LEFT", "SHIFT_LEFT"},
    {"fn f(x: i64) -> i64 { 1 / x }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f(x: i64) -> i64 { x * 0 }", "BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: i64) -> i64 { x * 4607182418800017408 }", "BINARY_MUL",
     "BINARY_MUL"},  // 1.0, bit by bit
    {"fn f(x: f64) -> f64 { x * 4.94065645841246544e-324 }", "BINARY_MUL", "BINARY_MUL"},  // bit 1
    {"fn f(x: i64) -> i64 { let one = 1; let none = 0; x * one + none }", "BINARY_MUL BINARY_ADD",
     ""},
    // The same on the left.
    {"fn f(x: i64) -> i64 { 0 + 1 * x }", "BINARY_MUL BINARY_ADD", ""},
    {"fn f(x: f64) -> f64 { 1.0 * (x) }", "BINARY_MUL", ""},
    {"fn f(x: f64) -> f64 { 0.0 + x }", "BINARY_ADD", "BINARY_ADD"},
    {"fn f(x: f64) -> f64 { -0.0 + x }", "UNARY_NEG BINARY_ADD", ""},
    {"fn f(x: u8) -> u8 { 255 & (x & (254 + 1)) }", "BINARY_ADD BINARY_AND BINARY_AND", ""},
    {"fn f(x: u32) -> u32 { 4294967295 & x }", "BINARY_AND", ""},
    {"fn f(x: i32) -> i32 { x & -1 }", "BINARY_AND", ""},
    {"fn f(x: i64) -> i64 { x & -1 }", "BINARY_AND", ""},
    {"fn f(x: u64) -> u64 { x & 18446744073709551615 }", "BINARY_AND", ""},
    {"fn f(x: u64) -> u64 { x & 9223372036854775807 }", "BINARY_AND", "BINARY_AND"},
    {"fn f(x: i64) -> i64 { let one = (1); x * (one) }", "BINARY_MUL", ""},
    {"fn f(x: bool) -> bool { true & x }", "BINARY_AND", ""},
    {"fn f(x: u32) -> u32 { x & 255 }", "BINARY_AND", "BINARY_AND"},
    // The same for `&&` and `||`.
    {"fn f(x: bool) -> bool { true && x }", "JUMP_IF_FALSE_OR_POP", ""},
    {"fn f(x: bool) -> bool { x && (true) }", "JUMP_IF_FALSE_OR_POP", ""},
    {"fn f(x: bool) -> bool { 1 > 2 || x }", "COMPARE_GT JUMP_IF_TRUE_OR_POP", ""},
    {"fn f(x: bool, y: bool) -> bool { x || false || y }",
     "JUMP_IF_TRUE_OR_POP JUMP_IF_TRUE_OR_POP", "JUMP_IF_TRUE_OR_POP"},
    {"fn f(x: bool) -> bool { let on = true; on && x }", "JUMP_IF_FALSE_OR_POP", ""},
    {"fn f(x: bool) -> bool { false && x }", "JUMP_IF_FALSE_OR_POP", "JUMP_IF_FALSE_OR_POP"},
    {"fn f(x: bool) -> bool { x || true }", "JUMP_IF_TRUE_OR_POP", "JUMP_IF_TRUE_OR_POP"},
    // The rest is shared and folded as if it stood alone.
    {"fn f(x: f64, y: f64) -> f64 { x / y * 1.0 - x / (y - 0.0) }",
     "BINARY_DIV BINARY_MUL BINARY_SUB BINARY_DIV BINARY_SUB", "BINARY_DIV BINARY_SUB"},
    {"fn f(x: f64) -> bool { x * 1.0 > 2.0 && x - 0.0 < 3.0 }",
     "BINARY_MUL COMPARE_GT JUMP_IF_FALSE_OR_POP BINARY_SUB COMPARE_LT",
     "COMPARE_GT JUMP_IF_FALSE_OR_POP COMPARE_LT"},
    {"fn f(b: bool, c: bool) -> bool { (b | false) && (c ^ false) }",
     "BINARY_OR JUMP_IF_FALSE_OR_POP BINARY_XOR", "JUMP_IF_FALSE_OR_POP"},
    {"fn f(x: i64) -> i64 { let y = x * 1; match x + 0 { 1 => y, n => n + 0 } }",
     "BINARY_MUL BINARY_ADD COMPARE_EQ JUMP_IF_FALSE JUMP BINARY_ADD",
     "COMPARE_EQ JUMP_IF_FALSE JUMP"},
};
constexpr Row kReduced[] = {
    {"fn f(x: f64) -> f64 { x / 4.0 }", "BINARY_DIV", "BINARY_MUL"},
    {"fn f(x: f32) -> f32 { x / -0.125 }", "UNARY_NEG BINARY_DIV", "BINARY_MUL"},
    {"fn f(x: f64) -> f64 { x / 3.0 }", "BINARY_DIV", "BINARY_DIV"},
    // The reciprocal is no normal number.
    {"fn f(x: f64) -> f64 { x / 1.7976931348623157e308 }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f(x: f64) -> f64 { x / 8.98846567431158e307 }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f(x: f64) -> f64 { x / 0.0 }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f(x: u64) -> u64 { x / 8 + x % 8 }", "BINARY_DIV BINARY_REM BINARY_ADD",
     "SHIFT_RIGHT BINARY_AND BINARY_ADD"},
    {"fn f(x: u8) -> u8 { x / 6 }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f(x: i64) -> bool { x % 2 == 0 }", "BINARY_REM COMPARE_EQ", "BINARY_AND COMPARE_EQ"},
    {"fn f(x: i64) -> bool { x % 4 != 3 }", "BINARY_REM COMPARE_NE", "BINARY_AND COMPARE_NE"},
    {"fn f(x: i64) -> bool { x % 4 == -3 }", "BINARY_REM COMPARE_EQ", "BINARY_REM COMPARE_EQ"},
    {"fn f(x: i64) -> i64 { x / 2 }", "BINARY_DIV", "BINARY_DIV"},
};
constexpr Row kUnused[] = {
    {"fn f(x: f64) -> f64 { let y = sqrt(x) / 3.0 + max(x, 1.0); x }",
     "SQRT BINARY_DIV MAX BINARY_ADD", ""},
    {"fn f(x: f64) -> f64 { let y: f64 = (x * 3.0); let z = y + 1.0; x }", "BINARY_MUL BINARY_ADD",
     ""},
    {"fn f(x: i64) -> i64 { let y = x +% 1 < 3; x }", "ADD_WRAP COMPARE_LT", ""},
    {"fn f(x: i64) -> i64 { let y = x + 1; x }", "BINARY_ADD", "BINARY_ADD"},
    {"fn f(x: f64) -> f64 { let y = x * x; y }", "BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: i64) -> i64 { let y = x / 3; x }", "BINARY_DIV", "BINARY_DIV"},
    {"fn f(x: i64) -> i64 { let y = x % 3; x }", "BINARY_REM", "BINARY_REM"},
    {"fn f(x: i64) -> i64 { let y = x ** 2; x }", "BINARY_POW", "BINARY_POW"},
    {"fn f(x: i64) -> i64 { let y = x << x; x }", "SHIFT_LEFT", "SHIFT_LEFT"},
    {"fn f(x: i64) -> i64 { let y = i32(x); x }", "CONVERT", "CONVERT"},
    {"fn f(x: f64) -> f64 { let y = i64(x); x }", "CONVERT", "CONVERT"},
    {"fn f(x: f64) -> f64 { let y = x.max(2.0 * 3.0).sqrt(); x }", "BINARY_MUL MAX SQRT", ""},
    {"fn f(x: f64) -> f64 { let y = g(x); x }\nfn g(x: f64) -> f64 { x }", "CALL", "CALL"},
    {"fn f(x: f64) -> f64 { var y = x; y *= 2.0; x }", "BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: f64) -> f64 { let (y, z) = (x * x, x); z }", "BINARY_MUL", "BINARY_MUL"},
    {"fn f(x: f64) -> f64 { for i in 0..3 { let y = x * x; } x }",
     "LOOP FOR_NEXT TICK BINARY_MUL END", "LOOP FOR_NEXT TICK END"},
    // Its value is another one's, too.
    {"fn f(x: f64) -> f64 { let y = x / 3.0; x / 3.0 }", "BINARY_DIV BINARY_DIV", "BINARY_DIV"},
};
constexpr Row kShared[] = {
    {"fn f(x: f64, y: f64) -> f64 { (x * x + y) * (x * x + y) }",
     "BINARY_MUL BINARY_ADD BINARY_MUL BINARY_ADD BINARY_MUL", "BINARY_MUL BINARY_ADD BINARY_MUL"},
    {"fn f(x: f64) -> f64 { let y = x / 3.0; x / 3.0 - y }", "BINARY_DIV BINARY_DIV BINARY_SUB",
     "BINARY_DIV BINARY_SUB"},
    // Other remainders, beside one that is only compared.
    {"fn f(x: i64, y: i64) -> bool { (x + y) % 4 == 1 || (x + y) % 4 == 2 }",
     "BINARY_ADD BINARY_REM COMPARE_EQ JUMP_IF_TRUE_OR_POP BINARY_ADD BINARY_REM COMPARE_EQ",
     "BINARY_ADD BINARY_AND COMPARE_EQ JUMP_IF_TRUE_OR_POP COMPARE_EQ"},
    // One operation takes no longer than to keep its value.
    {"fn f(x: f64) -> f64 { (x + 1.0) * (x + 1.0) }", "BINARY_ADD BINARY_ADD BINARY_MUL",
     "BINARY_ADD BINARY_ADD BINARY_MUL"},
    // A root and a mathematical function take longer, however small their operands are.
    {"fn f(x: f64) -> f64 { sin(x) * sin(x) + sqrt(x) * sqrt(x) }",
     "SIN SIN BINARY_MUL SQRT SQRT BINARY_MUL BINARY_ADD",
     "SIN BINARY_MUL SQRT BINARY_MUL BINARY_ADD"},
    {"fn f(x: f64) -> f64 { let a = exp(x); let b = exp(x); a - b + abs(x) * abs(x) }",
     "EXP EXP BINARY_SUB ABS ABS BINARY_MUL BINARY_ADD",
     "EXP BINARY_SUB ABS ABS BINARY_MUL BINARY_ADD"},
    // So do all divisions.
    {"fn f(x: f64, y: f64) -> f64 { div0(x, y) - sqrt0(y) + div0(x, y) * sqrt0(y) }",
     "DIV0 SQRT0 BINARY_SUB DIV0 SQRT0 BINARY_MUL BINARY_ADD",
     "DIV0 SQRT0 BINARY_SUB BINARY_MUL BINARY_ADD"},
    {"fn f(n: i64, m: i64) -> i64 { div_floor(n, m) * mod_floor(n, m) - div_floor(n, m) }",
     "DIV_FLOOR MOD_FLOOR BINARY_MUL DIV_FLOOR BINARY_SUB",
     "DIV_FLOOR MOD_FLOOR BINARY_MUL BINARY_SUB"},
    // Variables may have changed.
    {"fn f(x: f64) -> f64 { var y = x; let a = y / 3.0; y += 1.0; a - y / 3.0 }",
     "BINARY_DIV BINARY_ADD BINARY_DIV BINARY_SUB", "BINARY_DIV BINARY_ADD BINARY_DIV BINARY_SUB"},
    // The first one may not have run.
    {"fn f(x: f64) -> f64 { if x > 0.0 { x / 3.0 } else { x / 3.0 + 1.0 } }",
     "COMPARE_GT JUMP_IF_FALSE BINARY_DIV JUMP BINARY_DIV BINARY_ADD",
     "COMPARE_GT JUMP_IF_FALSE BINARY_DIV JUMP BINARY_DIV BINARY_ADD"},
    {"fn f(x: f64) -> bool { x > 1.0 && x / 3.0 > 1.0 || x / 3.0 > 2.0 }",
     "COMPARE_GT JUMP_IF_FALSE_OR_POP BINARY_DIV COMPARE_GT JUMP_IF_TRUE_OR_POP BINARY_DIV "
     "COMPARE_GT",
     "COMPARE_GT JUMP_IF_FALSE_OR_POP BINARY_DIV COMPARE_GT JUMP_IF_TRUE_OR_POP BINARY_DIV "
     "COMPARE_GT"},
    // Here it has.
    {"fn f(x: f64) -> f64 { if x / 3.0 > 1.0 { x / 3.0 } else { 0.0 } }",
     "BINARY_DIV COMPARE_GT JUMP_IF_FALSE BINARY_DIV JUMP",
     "BINARY_DIV COMPARE_GT JUMP_IF_FALSE JUMP"},
};
// Parentheses around values are nothing of the operation.
constexpr Row kInParentheses[] = {
    {"fn f(n: i64) -> bool { n / (n) > n / n }", "BINARY_DIV BINARY_DIV COMPARE_GT",
     "BINARY_DIV COMPARE_GT"},
    {"fn f(n: i64) -> bool { ((n) / n) > ((n / ((n)))) }", "BINARY_DIV BINARY_DIV COMPARE_GT",
     "BINARY_DIV COMPARE_GT"},
    {"fn f(x: f64, y: f64) -> f64 { max((x * x), y) - max(x * (x), (y)) }",
     "BINARY_MUL MAX BINARY_MUL MAX BINARY_SUB", "BINARY_MUL MAX BINARY_SUB"},
    {"fn f(x: i64) -> bool { (x % 8) == 3 || x % (8) == 3 }",
     "BINARY_REM COMPARE_EQ JUMP_IF_TRUE_OR_POP BINARY_REM COMPARE_EQ",
     "BINARY_AND COMPARE_EQ JUMP_IF_TRUE_OR_POP"},
    // They make it no dearer.
    {"fn f(x: f64) -> f64 { (((x)) + 1.0) * (x + 1.0) * ((((x))) + 1.0) }",
     "BINARY_ADD BINARY_ADD BINARY_MUL BINARY_ADD BINARY_MUL",
     "BINARY_ADD BINARY_ADD BINARY_MUL BINARY_ADD BINARY_MUL"},
    // Those that say what belongs together tell these apart.
    {"fn f(a: i64, b: i64) -> bool { (a -% b) -% a > a -% (b -% a) }",
     "SUB_WRAP SUB_WRAP SUB_WRAP SUB_WRAP COMPARE_GT",
     "SUB_WRAP SUB_WRAP SUB_WRAP SUB_WRAP COMPARE_GT"},
};

// A variable whose value is known goes itself, too: x, 7.0, BINARY_ADD and RETURN are left.
TEST(OptimiseVariables, LeavesOutVariablesThatAreKnown) {
  Compiler compiler;
  Compilation out;
  compiler.compile("fn f(x: f64) -> f64 { let k = 7; x + f64(k) }", out);
  ASSERT_TRUE(out.ok);
  EXPECT_EQ(out.code.view().instructions.size(), 4u);
}
TEST(OptimiseVariables, ManyThatFollowFromOneAnotherAreKnown) {
  constexpr u32 kNames = 8'000;  // a function may have 8,192
  std::string source = "fn f(x: i64) -> i64 {\nlet a0 = 1;\n";
  for (u32 k = 1; k < kNames; ++k)
    source += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + " + 1;\n";
  source += "x + a" + std::to_string(kNames - 1) + " }\n";
  Compiler compiler;
  Compilation out;
  compiler.compile(source, out);
  ASSERT_TRUE(out.ok);
  ASSERT_EQ(out.code.view().instructions.size(), 4u);
  EXPECT_EQ(out.code.view().constants[out.code.view().instructions[1].b], u64{kNames});
}

INSTANTIATE_TEST_SUITE_P(InParentheses, Optimise, testing::ValuesIn(kInParentheses));
INSTANTIATE_TEST_SUITE_P(KnownVariables, Optimise, testing::ValuesIn(kKnownVariables));
INSTANTIATE_TEST_SUITE_P(Neutral, Optimise, testing::ValuesIn(kNeutral));
INSTANTIATE_TEST_SUITE_P(Folded, Optimise, testing::ValuesIn(kFolded));
INSTANTIATE_TEST_SUITE_P(Reduced, Optimise, testing::ValuesIn(kReduced));
INSTANTIATE_TEST_SUITE_P(Unused, Optimise, testing::ValuesIn(kUnused));
INSTANTIATE_TEST_SUITE_P(Shared, Optimise, testing::ValuesIn(kShared));

}  // namespace
}  // namespace komuz::frontend
