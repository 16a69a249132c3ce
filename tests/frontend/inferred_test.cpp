// SPDX-License-Identifier: Apache-2.0
// Programs whose first function has its result type inferred from its body, on every group.
#include <gtest/gtest.h>

#include "lang/type_codes.h"
#include "mend/mend.h"
#include "tests/frontend/everywhere.h"

namespace komuz::test {
namespace {

using frontend::Compilation;
using frontend::Compiler;
using frontend::GroupKind;

// The type of its result, or what is wrong, a line each.
std::string describe(const Compilation& compiled, std::string_view source) {
  if (compiled.ok) {
    const CodeView code = compiled.code.view();
    return type_text(code.result_type(code.functions[0]));
  }
  std::string text;
  for (const Diagnostic& d : compiled.diagnostics)
    text += std::to_string(d.begin) + " " + diagnostic_message(d, source) + "\n";
  return text;
}
std::string infer(std::string_view body) {
  const std::string source = "fn f(x: f64, n: i64) -> () {\n" + std::string(body) + "\n}\n";
  Compilation first, other;
  Compiler(frontend::Options{}).compile_inferred(source, first);
  for (const GroupKind kind : {GroupKind::Permuted, GroupKind::Emulated}) {
    Compiler(frontend::Options{.make_runner = frontend::on_group(kind, 0x5EED)})
        .compile_inferred(source, other);
    EXPECT_EQ(first_difference(first, other), "") << source;
  }
  return describe(first, source);
}

TEST(InferredResult, IsThatOfTheBody) {
  EXPECT_EQ(infer("x * 2.0"), "f64");
  EXPECT_EQ(infer("1 + 2"), "i64");
  EXPECT_EQ(infer("let y = x; (y, n > 1, 'c')"), "(f64, bool, u8)");
  EXPECT_EQ(infer("let xs = [1.5, 2.5, x]; xs"), "[f64; 3]");
  EXPECT_EQ(infer("[n].map(k => k + 1).list(4)"), "List[i64, 4]");
  EXPECT_EQ(infer("if n > 0 { Some(x) } else { None }"), "Option[f64]");
  EXPECT_EQ(infer("let y = x;"), "()");
  EXPECT_EQ(infer(""), "()");
  EXPECT_EQ(infer("\"abc\""), "Bytes[3]");
}

TEST(InferredResult, IsKnown) {
  for (const std::string_view body :
       {"None", "[]", "Some(None)", "[None]", "[Some(None), None]", "Some(None).or(None)",
        "if n > 0 { None } else { None }", "let q = Some([]); q", "match n { 1 => [], _ => [] }"})
    EXPECT_NE(infer(body).find(" is not known here"), std::string::npos) << body;
  EXPECT_EQ(infer("[None, Some(n)]"), "[Option[i64]; 2]");
  EXPECT_EQ(infer("if n > 0 { Some(None) } else { Some(Some(x)) }"), "Option[Option[f64]]");
}

TEST(InferredResult, BelongsToTheFirstFunctionAlone) {
  EXPECT_EQ(infer("g(n)\n}\nfn g(n: i64) -> f32 { f32(n) "), "f32");
  EXPECT_EQ(infer("x\n}\nfn g() -> i64 { 1.5 "), "49 expected `i64`, found a float literal\n");
}

TEST(InferredResult, IsNotReturnedAndTheFunctionNotNamed) {
  EXPECT_EQ(infer("return x"),
            "29 `return` has no function to leave here; write the value alone\n");
  EXPECT_EQ(infer("f(x, n)"), "29 there is no function `f`\n");
  EXPECT_EQ(infer("[x].map(f).list(1)"), "37 there is no `f` here\n");
  EXPECT_EQ(infer("f"), "29 there is no `f` here\n");
}

// The state of one program does not affect the next.
TEST(InferredResult, IsOfOneCall) {
  Compiler compiler{frontend::Options{}};
  Compilation out;
  const std::string_view source = "fn f() -> i32 { 7 }";
  compiler.compile_inferred(source, out);
  EXPECT_EQ(describe(out, source), "i64");
  compiler.compile(source, out);
  EXPECT_EQ(describe(out, source), "i32");
}

}  // namespace
}  // namespace komuz::test
