// SPDX-License-Identifier: Apache-2.0
// Values of all forms in all places where a value may stand: every misfit is reported, and every accepted program has
// sound code.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/frontend/everywhere.h"

namespace komuz::test {
namespace {

constexpr std::string_view kHead = R"(type P = P(a: f64, b: i64);
type S = A(i64) | B;
fn g(x: i64) -> i64 { x }
fn total(xs: [i64]) -> i64 { xs.sum() }
fn first(xs: [Option[i64]]) -> i64 { 1 }
fn open(x: Option[i64]) -> i64 { 1 }
space s(a: i64) -> i64 depth 2 { a, s + 1 }
pub fn f(n: i64, xs: [i64], o: Option[i64], t: (i64, i64), p: P, q: [i64; 3]) -> i64 {
  var l: List[i64, 8] = [1];
  var m = 1;
)";

constexpr std::string_view kValues[] = {"1",
                                        "1.5",
                                        "n",
                                        "true",
                                        "'a'",
                                        "\"ab\"",
                                        "\"\"",
                                        "()",
                                        "(1, 2)",
                                        "(n, None)",
                                        "zz",
                                        "break",
                                        "(return 1)",
                                        "None",
                                        "Some(1)",
                                        "Some(n)",
                                        "Some(xs)",
                                        "Some(l)",
                                        "Some(-xs)",
                                        "Some(zz)",
                                        "Some(None)",
                                        "Some(())",
                                        "Some(\"ab\")",
                                        "Some(Some(1))",
                                        "Some((1, None))",
                                        "Some(return 2)",
                                        "Some(?h)",
                                        "Some(1) == None",
                                        "Some(1) + 1",
                                        "!Some(1)",
                                        "(Some(1))",
                                        "{ Some(2) }",
                                        "(if n > 0 { Some(1) } else { None })",
                                        "match n { 1 => Some(1), _ => None }",
                                        "o",
                                        "o.or(1)",
                                        "[]",
                                        "[[]]",
                                        "[1]",
                                        "[Some(1)]",
                                        "[Some(xs)]",
                                        "[Some(1), 2]",
                                        "[1, Some(2)]",
                                        "[None, None]",
                                        "[None; 2]",
                                        "[n; 2]",
                                        "[1].list(3)",
                                        "[zz]",
                                        "xs",
                                        "(xs)",
                                        "{ xs }",
                                        "-xs",
                                        "xs[0]",
                                        "xs[0..1]",
                                        "xs.len",
                                        "xs.len()",
                                        "xs.max()",
                                        "xs.sum()",
                                        "xs.map(x => x)",
                                        "xs.map(x => Some(x))",
                                        "xs.find(x => x > 0)",
                                        "xs.sort_by(x => x)",
                                        "xs.sort_by(x => Some(x))",
                                        "xs.fold(None, (a, x) => Some(x))",
                                        "xs.zip(xs)",
                                        "xs.enumerate()",
                                        "xs.reverse()",
                                        "tabulate(3, i => i)",
                                        "tabulate(3, i => Some(i))",
                                        "(1..2)",
                                        "1..2",
                                        "q",
                                        "q[0]",
                                        "l",
                                        "l.pop()",
                                        "t",
                                        "t.0",
                                        "p",
                                        "p.a",
                                        "P",
                                        "P(1.0, 2)",
                                        "P(..p)",
                                        "A(1)",
                                        "A(Some(1))",
                                        "B",
                                        "g",
                                        "g(1)",
                                        "x => x",
                                        "i64(\"a\")",
                                        "min(1)",
                                        "1 + true",
                                        "\"a\" + 1",
                                        "{ 1 }",
                                        "{ }",
                                        "(if n > 0 { 1 } else { 2 })",
                                        "if n > 0 { 1 }",
                                        "while n > 0 { }",
                                        "?h",
                                        "?[1, 2]",
                                        "?k(1..=3)",
                                        "?s(n)",
                                        "?zz(n)"};

// `@`: a value.
constexpr std::string_view kPlaces[] = {"@",
                                        "@;",
                                        "return @;",
                                        "{ @ };",
                                        "(@);",
                                        "m = @;",
                                        "m += @;",
                                        "l[@] = 1;",
                                        "l[0] = @;",
                                        "l.push(@);",
                                        "l.extend(@);",
                                        "let v = @;",
                                        "var v = @; v = 3;",
                                        "let v: i64 = @;",
                                        "let v: f64 = @;",
                                        "let v: bool = @;",
                                        "let v: () = @;",
                                        "let v: Option[i64] = @;",
                                        "let v: Option[Option[i64]] = @;",
                                        "let v: [i64; 2] = @;",
                                        "let v: List[i64, 4] = @;",
                                        "let v: List[Option[i64], 4] = @;",
                                        "let v: (i64, i64) = @;",
                                        "let v: (Option[i64], i64) = (@, 1);",
                                        "let v: P = @;",
                                        "let v: S = @;",
                                        "let v: Bytes[4] = @;",
                                        "let (a, b) = @;",
                                        "let P(a, b) = @;",
                                        "total(@)",
                                        "first(@)",
                                        "open(@)",
                                        "g(@)",
                                        "let v = Some(@);",
                                        "let v = [@];",
                                        "let v = [@, @];",
                                        "let v = [1, @];",
                                        "let v = [n; @];",
                                        "let v = [@; 2];",
                                        "let v = (@, 1);",
                                        "let v = P(1.0, @);",
                                        "let v = P(a: @, b: 2);",
                                        "let v = P(..@);",
                                        "let v = A(@);",
                                        "let v = f64(@);",
                                        "let v = i32_exact(@);",
                                        "let v = abs(@);",
                                        "let v = sqrt(@);",
                                        "let v = max(@, 1);",
                                        "let v = cmp(@, @);",
                                        "let v = @ + 1;",
                                        "let v = 1 + @;",
                                        "let v = -@;",
                                        "let v = !@;",
                                        "let v = @ == @;",
                                        "let v = @ < @;",
                                        "let v = n << @;",
                                        "let v = @ << 1;",
                                        "let v = n ** @;",
                                        "let v = @ ** 2;",
                                        "let v = @ && true;",
                                        "let v = true || @;",
                                        "let v = @.0;",
                                        "let v = @.a;",
                                        "let v = @[0];",
                                        "let v = @[0..1];",
                                        "let v = @.len();",
                                        "let v = @.sum();",
                                        "let v = @.or(1);",
                                        "let v = o.or(@);",
                                        "let v = @.map(x => x).list(4);",
                                        "let v = @.fold(0, (a, x) => a);",
                                        "let v = xs[@];",
                                        "let v = [0][@];",
                                        "let v = xs.list(@);",
                                        "let v = xs.contains(@);",
                                        "let v = xs.map(x => @).list(4);",
                                        "let v = xs.filter(x => @).count(x => true);",
                                        "let v = xs.any(x => @);",
                                        "let v = xs.find(x => @);",
                                        "let v = xs.argmin(x => @);",
                                        "let v = xs.sort_by(x => @).list(4);",
                                        "let v = xs.fold(@, (a, x) => a);",
                                        "let v = xs.fold(0, (a, x) => @);",
                                        "let v = xs.zip(@).count(x => true);",
                                        "let v = [1].zip(@).count(p => true);",
                                        "let v = xs.enumerate().map((i, x) => @).sum();",
                                        "let v = (0..@).sum();",
                                        "let v = (0..3).step_by(@).sum();",
                                        "let v = tabulate(@, i => i);",
                                        "for i in @ { }",
                                        "for i in 0..@ { }",
                                        "if @ { }",
                                        "while @ { }",
                                        "while n > 0 limit @ { }",
                                        "assert @;",
                                        "let v = if n > 0 { @ } else { 1 };",
                                        "let v = if n > 0 { @ } else { @ };",
                                        "let v = match @ { 1 => 1, _ => 2 };",
                                        "let v = match @ { Some(x) => 1, None => 2 };",
                                        "let v = match @ { (a, b) => 1 };",
                                        "let v = match n { 1 => @, _ => 3 };",
                                        "let v = match n { 1 => @, _ => None };",
                                        "let v = match n { 1 if @ => 1, _ => 2 };",
                                        "let v = ?[@, 1];",
                                        "let v = ?s(@);"};

std::string program(std::string_view place, std::string_view value) {
  std::string text(kHead);
  text += "  ";
  for (const char c : place) c == '@' ? void(text += value) : text.push_back(c);
  return text + "\n  1\n}\n";
}

// visit(program) for every `step`-th of them.
template <class Visit>
void each_program(size_t step, Visit visit) {
  size_t number = 0;
  for (const std::string_view place : kPlaces)
    for (const std::string_view value : kValues)
      if (number++ % step == 0) visit(program(place, value));
}

void expect_said(const frontend::Compilation& out, const std::string& text) {
  EXPECT_TRUE(out.ok || !out.diagnostics.empty()) << text;
  for (const Diagnostic& d : out.diagnostics)
    EXPECT_NE(d.code(), DiagnosticCode::InternalRefused) << text;
}

TEST(EveryPlace, SaysWhatDoesNotFit) {
  frontend::Compiler compiler;
  frontend::Compilation out;
  each_program(1, [&](const std::string& text) {
    compiler.compile(text, out);
    expect_said(out, text);
  });
}

TEST(EveryPlace, SaysSoOnEveryGroup) {
  EveryGroup groups;
  each_program(97, [&](const std::string& text) {
    std::string difference;
    expect_said(groups.compile(text, difference), text);
    EXPECT_EQ(difference, "") << text;
  });
}

}  // namespace
}  // namespace komuz::test
