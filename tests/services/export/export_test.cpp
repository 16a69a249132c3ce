// SPDX-License-Identifier: Apache-2.0
// What is written for each target; tests/export/check_targets.py runs it.
#include "services/export/export.h"

#include <gtest/gtest.h>

#include <set>

#include "lang/ops.h"
#include "services/export/target_table.h"

namespace komuz::services {
namespace {

std::string exported(const std::string& source, ExportTarget target,
                     ExportOptions options = ExportOptions()) {
  options.target = target;
  const Result<Exported> made = export_source(source, options);
  return made.problem() ? made.problem().text() : made.value().text;
}
// Without comments.
std::string body(const std::string& source, ExportTarget target) {
  const std::string text = exported(source, target);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (!line.starts_with('#') && !line.starts_with("//") && !line.starts_with("--") &&
        !line.starts_with('%') && line != "\n")
      out += line;
    at = end;
  }
  return out;
}

TEST(ExportTargets, FollowFromNamesAndEndings) {
  EXPECT_EQ(find_target("python"), ExportTarget::Python);
  EXPECT_EQ(find_target("Python"), std::nullopt);
  EXPECT_EQ(target_of_file("a/best.py"), ExportTarget::Python);
  EXPECT_EQ(target_of_file("best.mjs"), ExportTarget::Javascript);
  EXPECT_EQ(target_of_file("best.cu"), ExportTarget::Cuda);
  EXPECT_EQ(target_of_file("a.py/best"), std::nullopt);
  EXPECT_EQ(target_of_file("best.komuz"), std::nullopt);
  EXPECT_EQ(target_of_file("best.json"), std::nullopt);
}

bool has_row(ExportTarget target, Op op, Scalar type) {
  for (const OperationRow& row : target_table(target).operations)
    if (row.op == op && !row.needs_nonzero && (row.types & type_bit(type)) != 0) return true;
  return false;
}

// A hole in a table is a decision, and stands here.
TEST(ExportTables, ProgramsHaveAllOperations) {
  const std::set<std::pair<ExportTarget, Op>> left_out = {{ExportTarget::Rust, Op::Erf},
                                                          {ExportTarget::Javascript, Op::Erf},
                                                          {ExportTarget::Javascript, Op::Fma}};
  for (const ExportTarget target : {ExportTarget::Python, ExportTarget::C, ExportTarget::Cuda,
                                    ExportTarget::Rust, ExportTarget::Javascript})
    for (u32 n = 0; n < kOpCount; ++n) {
      const Op op = static_cast<Op>(n);
      const OpRow& row = op_row(op);
      if (!is_pure_form(row.form) || op == Op::CheckIndex || left_out.contains({target, op}))
        continue;
      for (u32 t = 1; t < kScalarCount; ++t) {
        const Scalar type = static_cast<Scalar>(t);
        if ((row.types & type_bit(type)) == 0) continue;
        const bool is_narrow_fma =
            target == ExportTarget::Python && op == Op::Fma && type == Scalar::F32;
        EXPECT_EQ(has_row(target, op, type), !is_narrow_fma)
            << target_row(target).spelling << " " << row.mnemonic << " " << scalar_name(type);
      }
    }
}
TEST(ExportTables, HelpersThatAreNamedAreThere) {
  for (size_t k = 0; k < std::size(kTargetRows); ++k) {
    const TargetTable& table = target_table(static_cast<ExportTarget>(k));
    std::vector<std::string_view> texts;
    for (const OperationRow& row : table.operations) texts.push_back(row.text);
    for (const TargetHelper& row : table.helpers) texts.push_back(row.text);
    for (const SyntaxRow& row : table.syntax) texts.push_back(row.text);
    for (const std::string_view text : texts)
      for (size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
        size_t end = at + 1;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
          ++end;
        const std::string name(text.substr(at + 1, end - at - 1));
        EXPECT_NE(table.helper(name), nullptr) << kTargetRows[k].spelling << " " << name;
      }
  }
}

TEST(Export, KeepsNamesAndLets) {
  EXPECT_EQ(
      body("pub fn f(x: f64) -> f64 { let half = x / 2.0; half * half }", ExportTarget::Python),
      "def f(x):\n    half = x / 2.0\n    return half * half\n");
}

TEST(Export, PutsParenthesesWhereTheTargetNeedsThem) {
  const std::string source = "pub fn f(x: f64, y: f64) -> f64 { x - (y - 1.0) - -(x + y) * 2.0 }";
  EXPECT_NE(body(source, ExportTarget::Python).find("return x - (y - 1.0) - -(x + y) * 2.0"),
            std::string::npos)
      << body(source, ExportTarget::Python);
  EXPECT_EQ(body(source, ExportTarget::Excel), "=A2 - (B2 - 1) - (-(A2 + B2)) * 2\n");
  EXPECT_NE(body(source, ExportTarget::Latex)
                .find(R"(x - \left(y - 1\right) - \left(-\left(x + y\right)\right) \cdot 2)"),
            std::string::npos)
      << body(source, ExportTarget::Latex);
}

TEST(Export, CommentsAndRangesComeAlong) {
  const std::string source = "pub fn f(x: f64, t: f64) -> f64 { x + t }";
  ExportOptions options;
  options.comments = {"Seen for a--b."};
  options.ranges = {{"x", -1, 2.5}};
  const auto has = [&](ExportTarget target, const std::string& part) {
    const std::string text = exported(source, target, options);
    return text.find(part) != std::string::npos ? std::string() : text;
  };
  EXPECT_EQ(has(ExportTarget::Python, "# Seen for a--b.\n"), "");
  EXPECT_EQ(
      has(ExportTarget::Python, "\n\n\ndef f_seen(x, t):\n    return x >= -1.0 and x <= 2.5\n"),
      "");
  EXPECT_EQ(has(ExportTarget::C, "bool f_seen(double x, double t) {"), "");
  EXPECT_EQ(has(ExportTarget::Javascript, "export function f_seen(x, t) {"), "");
  EXPECT_EQ(has(ExportTarget::Rust, "pub fn f_seen(x: f64, t: f64) -> bool {"), "");
  // Hyphens would end that comment; a formula has no functions beside it.
  EXPECT_EQ(has(ExportTarget::Mathml, "<!-- Seen for a- -b. -->\n"), "");
  EXPECT_EQ(exported(source, ExportTarget::Sql, options).find("seen("), std::string::npos);
  // A name that is no parameter has no range.
  options.ranges = {{"z", 0, 1}};
  EXPECT_EQ(exported(source, ExportTarget::Python, options).find("f_seen"), std::string::npos);
}

TEST(Export, ComparisonsDoNotChain) {
  EXPECT_NE(body("pub fn f(x: f64, b: bool) -> bool { (x < 1.0) == b }", ExportTarget::Python)
                .find("return (x < 1.0) == b"),
            std::string::npos);
}

TEST(Export, NamesThatMeanSomethingElseGetAMark) {
  const std::string source =
      "pub fn lambda(def: f64, km_f: f64) -> f64 { let int = def + km_f; int * int }";
  EXPECT_EQ(body(source, ExportTarget::Python),
            "def lambda_(def_, vkm_f):\n    int_ = def_ + vkm_f\n    return int_ * int_\n");
}

TEST(Export, APowerIsAProductOfAVariable) {
  EXPECT_EQ(body("pub fn f(x: f64) -> f64 { (x + 1.0) ** 3 }", ExportTarget::Python),
            "def f(x):\n    t1 = x + 1.0\n    return t1 * t1 * t1\n");
  EXPECT_NE(body("pub fn f(x: f64) -> f64 { (x + 1.0) ** 3 }", ExportTarget::Latex)
                .find(R"({\left(x + 1\right)}^{3})"),
            std::string::npos);
}

TEST(Export, ArmsWithStatementsAssign) {
  EXPECT_EQ(body("pub fn f(x: f64) -> f64 {\n"
                 "  var s = x;\n"
                 "  if x > 1.0 { s = s * 2.0; } else if x > 0.5 { s = 0.0; }\n"
                 "  if s > 3.0 { return 1.0; }\n"
                 "  s\n}",
                 ExportTarget::Python),
            "def f(x):\n"
            "    s = x\n"
            "    if x > 1.0:\n"
            "        s = s * 2.0\n"
            "    elif x > 0.5:\n"
            "        s = 0.0\n"
            "    if s > 3.0:\n"
            "        return 1.0\n"
            "    return s\n");
}

TEST(Export, FormulasHaveReturnsAsChoices) {
  EXPECT_EQ(body("pub fn f(x: f64) -> f64 {\n"
                 "  if x < 0.0 { return 0.0; }\n"
                 "  var y = x;\n"
                 "  if x > 9.0 { y = 9.0; }\n"
                 "  y + 1.0\n}",
                 ExportTarget::Excel),
            "=IF(A2 < 0, 0, IF(A2 > 9, 9, A2) + 1)\n");
}

TEST(Export, OfTwoTrapsTheLeftOneComesFirstInC) {
  const std::string text =
      body("pub fn f(a: i64, b: i64) -> i64 { a / b - a % b }", ExportTarget::C);
  EXPECT_NE(
      text.find("const int64_t t1 = km_div_i64(a, b);\n  return km_sub_i64(t1, km_rem_i64(a, b));"),
      std::string::npos)
      << text;
}

TEST(Export, LongNumbersOfCellsAreSumsOfTwo) {
  EXPECT_EQ(body("pub fn f(x: f64) -> f64 { x * 0.1234567890123456 }", ExportTarget::Excel),
            "=A2 * (0.123456789012345 + 5.96744875736022E-16)\n");
}

// LibreOffice takes them for an error, and Excel for 0.
TEST(Export, NumbersOfCellsHaveAllDigitsOrAreZero) {
  const auto cell = [](const std::string& number) {
    return body("pub fn f(x: f64) -> f64 { x + " + number + " }", ExportTarget::Excel);
  };
  EXPECT_EQ(cell("5e-324"), "=A2 + 0\n");
  EXPECT_EQ(cell("(-1e-310)"), "=A2 + (-0)\n");
  EXPECT_EQ(cell("2.2250738585072014e-308"), "=A2 + 0\n");
  EXPECT_EQ(cell("2.3456789012345678e-300"), "=A2 + 2.34567890123456E-300\n");
  EXPECT_EQ(cell("2.5e-308"), "=A2 + 2.5E-308\n");
}

TEST(Export, FloatsThatDoNotFitAnIntegerAreItsEnds) {
  const auto as = [](const std::string& type, ExportTarget target, SqlDialect dialect) {
    ExportOptions options;
    options.dialect = dialect;
    const std::string text =
        exported("pub fn f(x: f64) -> " + type + " { " + type + "(x * 3.0) }", target, options);
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  const auto excel = [&](const std::string& type) {
    return as(type, ExportTarget::Excel, SqlDialect::Sqlite);
  };
  EXPECT_EQ(excel("u8"), "=MIN(MAX(TRUNC(A2 * 3), 0), 255)\n");
  EXPECT_EQ(excel("i32"), "=MIN(MAX(TRUNC(A2 * 3), -2147483648), 2147483647)\n");
  EXPECT_EQ(excel("u64"), "=MAX(TRUNC(A2 * 3), 0)\n");
  // Integers are exact up to 2 ** 53 there.
  EXPECT_EQ(excel("i64"), "=TRUNC(A2 * 3)\n");
  EXPECT_EQ(as("u8", ExportTarget::Sympy, SqlDialect::Sqlite),
            "f = km_saturate(x * sp.Float(\"3.0\"), 0, 255)\n");
  EXPECT_EQ(
      as("i32", ExportTarget::Sql, SqlDialect::Sqlite),
      "SELECT CAST(CASE WHEN (\"x\" * 3.0e0) <= -2147483648e0 THEN -2147483648 WHEN (\"x\" * "
      "3.0e0) < 2147483647e0 THEN CAST(trunc(\"x\" * 3.0e0) AS INTEGER) WHEN (\"x\" * 3.0e0) <= "
      "9e999 THEN 2147483647 ELSE 0 END AS INTEGER) AS \"f\" FROM t;\n");
  EXPECT_NE(as("i64", ExportTarget::Sql, SqlDialect::Duckdb)
                .find("< 9223372036854775807e0 THEN CAST(trunc(\"x\" * 3.0e0) AS BIGINT) WHEN "
                      "(\"x\" * 3.0e0) <= CAST('infinity' AS DOUBLE) THEN"),
            std::string::npos);
}

// A Piecewise is no Boolean of SymPy: And refuses it.
TEST(Export, ChoicesOfTruthValuesAreBooleansOfSympy) {
  EXPECT_NE(
      body("pub fn f(x: f64, b: bool) -> bool { (if x > 1.0 { b } else { x < 0.5 }) && x > 0.1 }",
           ExportTarget::Sympy)
          .find("sp.And(sp.ITE(sp.Gt(x, sp.Float(\"1.0\")), b, sp.Lt(x, sp.Float(\"0.5\"))), "),
      std::string::npos);
}

// Comparisons and Min of SymPy end in an error at `nan`.
TEST(Export, SympyHasNoNan) {
  EXPECT_NE(exported("pub fn f(x: f64) -> f64 { min(x, NAN) }", ExportTarget::Sympy)
                .find("a NaN cannot be exported to sympy"),
            std::string::npos)
      << exported("pub fn f(x: f64) -> f64 { min(x, NAN) }", ExportTarget::Sympy);
}

// A compiler that contracts a product and a sum would give other digits.
TEST(Export, ProductsOfCudaAreRoundedOnTheHostToo) {
  for (const std::string type : {"f64", "f32"}) {
    const std::string text =
        exported("pub fn f(a: " + type + ", b: " + type + ") -> " + type + " { a * b + aq(a, b) }",
                 ExportTarget::Cuda);
    const std::string c_type = type == "f64" ? "double" : "float";
    EXPECT_NE(text.find("  const volatile " + c_type + " product = a * b;\n  return product;\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("const volatile " + c_type + " square = b * b;"), std::string::npos);
  }
}

TEST(Export, WhatCannotBeSaidHasItsPlace) {
  ExportOptions options;
  options.name = "f.komuz";
  EXPECT_EQ(
      exported("pub fn f(x: f64) -> f64 {\n  erf(x)\n}", ExportTarget::Rust, options).substr(0, 13),
      "f.komuz:2:6: ");
  EXPECT_NE(exported("pub fn f(n: i64) -> i64 { var k = n; while k > 3 { k = k - 2; } k }",
                     ExportTarget::Sql)
                .find("a loop cannot be exported to sql"),
            std::string::npos);
}

TEST(Export, SlicesAreListsOfTheTarget) {
  const std::string source =
      "fn total(xs: [f64]) -> f64 { xs.sum() }\n"
      "pub fn f(xs: [f64], k: i64) -> f64 { total(xs[1..xs.len()]) + xs[k] + total([1.0, 2.0]) }";
  const std::string python = body(source, ExportTarget::Python);
  EXPECT_NE(python.find("def f(xs, k):\n    xs_len = len(xs)\n"), std::string::npos) << python;
  EXPECT_NE(python.find("xs[1:xs_len]"), std::string::npos) << python;
  EXPECT_NE(python.find(" = km_index(k, xs_len)\n"), std::string::npos) << python;
  const std::string c = body(source, ExportTarget::C);
  EXPECT_NE(c.find("double f(int64_t xs_len, double const* xs, int64_t k) {"), std::string::npos)
      << c;
  EXPECT_NE(c.find("(xs + 1)"), std::string::npos) << c;
  EXPECT_NE(body(source, ExportTarget::Rust).find("pub fn f(xs: &[f64], k: i64) -> f64 {"),
            std::string::npos);
  EXPECT_NE(exported(source, ExportTarget::Excel).find("a slice cannot be exported to excel"),
            std::string::npos);
}

TEST(Export, RecordsOfTheEntryAreRecordsOfTheTarget) {
  const std::string source =
      "type P = P(x: f64, w: [f64; 2]);\ntype Q = Q(p: P, n: i64);\n"
      "pub fn f(q: Q, k: f64) -> P { P(x: q.p.x + k, w: [q.p.w[1], k]) }";
  const std::string python = body(source, ExportTarget::Python);
  EXPECT_NE(python.find("class P(NamedTuple):\n    x: float\n    w: list\n"), std::string::npos)
      << python;
  EXPECT_NE(python.find("class Q(NamedTuple):\n    p: P\n    n: int\n"), std::string::npos);
  EXPECT_NE(python.find("def f(q, k):"), std::string::npos) << python;
  EXPECT_NE(python.find("return P(q.p.x + k, [q.p.w[1], k])"), std::string::npos) << python;
  const std::string rust = body(source, ExportTarget::Rust);
  EXPECT_NE(rust.find("pub fn f(q: Q, k: f64) -> P {"), std::string::npos) << rust;
  EXPECT_NE(rust.find("return P { x: q.p.x + k, w: [q.p.w[1], k] };"), std::string::npos) << rust;
  const std::string c = body(source, ExportTarget::C);
  EXPECT_NE(c.find("typedef struct {\n  double x;\n  double w[2];\n} P;"), std::string::npos) << c;
  EXPECT_NE(c.find("return (P){q.p.x + k, {q.p.w[1], k}};"), std::string::npos) << c;
  EXPECT_NE(
      body(source, ExportTarget::Javascript).find("return { x: q.p.x + k, w: [q.p.w[1], k] };"),
      std::string::npos);
}

// What calls itself has numbers for parameters, and a function around it for callers.
TEST(Export, ARecursiveEntryOfRecordsHasAFunctionAroundIt) {
  const std::string source =
      "type P = P(x: i64, y: f64);\n"
      "pub fn f(p: P) -> P rec 9 { if p.x < 1 { return P(x: 0, y: p.y); } f(P(x: p.x - 1, y: "
      "p.y)) }";
  const std::string python = body(source, ExportTarget::Python);
  EXPECT_NE(python.find("def km_deep_f(p_x, p_y, km_depth=1):"), std::string::npos) << python;
  EXPECT_NE(python.find("def f(p):\n    km_r1, km_r2 = km_deep_f(p.x, p.y)\n    return P(km_r1, "
                        "km_r2)\n"),
            std::string::npos)
      << python;
  const std::string c = body(source, ExportTarget::C);
  EXPECT_NE(c.find("const km_result_f km_results1 = km_deep_f(p.x, p.y, 1);"), std::string::npos)
      << c;
}

TEST(Export, SqliteHasNoLargerIntegersThanSignedOnes) {
  EXPECT_NE(exported("pub fn f(b: bool) -> u64 { if b { U64_MAX } else { 1 } }", ExportTarget::Sql)
                .find("a number of u64 cannot be exported to sql"),
            std::string::npos);
}

// A variable of arms that is stored several times stays, and one that is stored once is what it is stored to.
TEST(Export, AValueOfArmsThatStandsTwiceKeepsItsVariable) {
  const std::string python = body(
      "pub fn f(b: bool, k: i64) -> i64 {\n"
      "  var c: List[(i64, i64), 2] = [if b { (k, 2) } else { let q = k * 2; (q, 4) }; 2];\n"
      "  c.len() + k\n}",
      ExportTarget::Python);
  EXPECT_NE(python.find("        t5 = k\n        t6 = 2\n"), std::string::npos) << python;
  EXPECT_NE(python.find("    t4 = t6\n    t3 = t6\n"), std::string::npos) << python;
}

// Quotients of Python's own numbers would end in an exception.
TEST(Export, NumPyDividesByZero) {
  EXPECT_NE(body("pub fn f(x: f64, y: f64) -> f64 { div0(x, y) }", ExportTarget::Numpy)
                .find("np.divide(a, b)"),
            std::string::npos);
}

TEST(Export, AnArrayThatChangesWhileItIsLookedAtIsRefused) {
  EXPECT_NE(exported("fn g(xs: [f64], k: f64) -> f64 { xs.sum() + k }\n"
                     "pub fn f(a: [f64; 4]) -> f64 { var b = a; g(b[0..3], { b[0] = 9.0; 1.0 }) }",
                     ExportTarget::Python)
                .find("an array that changes while a slice of it is in use cannot be exported yet; "
                      "copy the array to another variable first"),
            std::string::npos);
  // The array may change before and behind it.
  EXPECT_NE(body("fn g(xs: [f64]) -> f64 { xs.sum() }\n"
                 "pub fn f(a: [f64; 4]) -> f64 { var b = a; b[1] = 2.0; let s = g(b[0..3]); b[0] = "
                 "s; s + g(b) }",
                 ExportTarget::Python)
                .find("b[0:3]"),
            std::string::npos);
}

TEST(Export, NumPyRefusesWhatMayTrapInAnArm) {
  EXPECT_NE(
      exported("pub fn f(n: i64) -> i64 { if n > 0 { n * n } else { 0 } }", ExportTarget::Numpy)
          .find("cannot be exported to numpy"),
      std::string::npos);
  EXPECT_NE(exported("pub fn f(n: i64) -> i64 { let unused = n * n; 1 }", ExportTarget::Numpy)
                .find("cannot be exported to numpy"),
            std::string::npos);
  EXPECT_NE(
      exported("pub fn f(n: i64) -> i64 { if n > 0 { n +% 1 } else { 0 } }", ExportTarget::Numpy)
          .find("np.where"),
      std::string::npos);
}

TEST(Export, NumbersReadBack) {
  EXPECT_NE(body("pub fn f(x: f32) -> f32 { x * 0.1 }", ExportTarget::C).find("x * 0.1f"),
            std::string::npos);
  EXPECT_NE(body("pub fn f(x: f32) -> f32 { x * 0.1 }", ExportTarget::Javascript)
                .find("x * 0.10000000149011612"),
            std::string::npos);
  EXPECT_NE(
      body("pub fn f(x: f64) -> f64 { x + 1e300 * 1e300 }", ExportTarget::Python).find("1e+300"),
      std::string::npos);
}

TEST(Export, NotesSayHowMuchMayDiffer) {
  ExportOptions options;
  options.target = ExportTarget::Python;
  const Result<Exported> made =
      export_source("pub fn f(x: f64) -> f64 { exp(x) + tanh(x) }", options);
  ASSERT_FALSE(made.problem());
  ASSERT_EQ(made.value().notes.size(), 1u);
  EXPECT_NE(made.value().notes[0].find("exp, tanh: of Python's `math`"), std::string::npos);
  EXPECT_NE(made.value().notes[0].find("at most 2 ulp"), std::string::npos);
}

}  // namespace
}  // namespace komuz::services
