// SPDX-License-Identifier: Apache-2.0
// Formulas of other tools: that they mean what they mean there (facts.tsv, which tools.py writes by running the tools), that
// what a tool would print reads back as what it was, and that nothing a file may have harms the reader.
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "services/import/import_formulas.h"
#include "services/import/read_formula.h"
#include "tests/services/import/formula_runner.h"

namespace komuz::services {
namespace {

constexpr f64 kPoints[][3] = {
    {3.0, 5.0, -2.0}, {-2.5, 0.75, 3.0}, {0.0005, 0.5, 7.0}, {0.3, 0.1, 0.0}};

ImportOptions with_inputs(FormulaFormat format) {
  ImportOptions options;
  options.format = format;
  for (const char* name : {"x", "y", "a"}) options.inputs.push_back({name, {}});
  if (format == FormulaFormat::Excel) {
    options.inputs.clear();
    for (const char* name : {"A2", "B2", "C2"}) options.inputs.push_back({name, {}});
  }
  return options;
}

// The program of a formula; empty, and a failed expectation, if there is none.
std::string imported(const std::string& formula, const ImportOptions& options) {
  const ImportedFormulas out = import_formulas(formula, "f", options);
  for (const Problem& problem : out.problems) ADD_FAILURE() << formula << ": " << problem.text();
  EXPECT_EQ(out.programs.size(), 1u) << formula;
  return out.programs.empty() ? "" : out.programs[0].source;
}
std::string problem_of(FormulaFormat format, const std::string& formula) {
  ImportOptions options;
  options.format = format;
  const ImportedFormulas out = import_formulas(formula, "f.txt", options);
  EXPECT_TRUE(out.programs.empty()) << formula << "\n"
                                    << (out.programs.empty() ? "" : out.programs[0].source);
  return out.problems.size() == 1 ? out.problems[0].text() : "not one problem";
}
std::string source_of(FormulaFormat format, const std::string& formula) {
  ImportOptions options;
  options.format = format;
  return imported(formula, options);
}

bool is_near(f64 found, const std::string& expected, f64 tolerance) {
  // A tool that refuses a value, or has a complex one, has a NaN or an infinity in Komuz.
  if (expected == "error") return !std::isfinite(found);
  const f64 wanted = std::strtod(expected.c_str(), nullptr);
  if (std::isnan(wanted) || std::isnan(found)) return std::isnan(wanted) && std::isnan(found);
  return found == wanted ||
         std::abs(found - wanted) <= tolerance * std::max(std::abs(found), std::abs(wanted));
}

TEST(Import, FormulasMeanWhatTheyMeanInTheirTools) {
  std::ifstream in(KOMUZ_SOURCE_DIR "/tests/services/import/facts.tsv");
  u32 facts = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::vector<std::string> cells;
    std::istringstream words(line);
    for (std::string cell; std::getline(words, cell, '\t');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 2 + std::size(kPoints)) << line;
    const std::optional<FormulaFormat> format = find_format(cells[0]);
    ASSERT_TRUE(format) << line;
    const std::string formula = cells[1].substr(0, cells[1].find("  <-  "));
    const std::string source = imported(formula, with_inputs(*format));
    FormulaRunner runner;
    ASSERT_TRUE(runner.compile(source)) << formula << "\n" << source;
    // Spreadsheets write 15 digits.
    const f64 tolerance = *format == FormulaFormat::Excel ? 1e-12 : 4e-15;
    for (size_t k = 0; k < std::size(kPoints); ++k) {
      const f64 value = runner.run(kPoints[k]);
      EXPECT_TRUE(is_near(value, cells[k + 2], tolerance))
          << line << "\npoint " << k << ": " << value << "\n"
          << source;
    }
    ++facts;
  }
  EXPECT_GT(facts, 500u);
}

// A random formula as a tree, its value, and what each format prints for it.
struct Node {
  char kind = 'x';  // x y a: an input; 1: a number; ~: a sign; s c: sin, cos; + - * / ^
  f64 number = 0;
  u32 left = 0, right = 0;
};
class Formula {
 public:
  explicit Formula(u64 seed) {
    for (u32 k = 0; k < 4; ++k) nodes_.push_back(k == 3 ? Node{'1', 2.5} : Node{"xya"[k]});
    Random random(seed);
    const u32 count = 3 + static_cast<u32>(random.next() % 8);
    for (u32 k = 0; k < count; ++k) {
      const u64 r = random.next();
      const u32 all = static_cast<u32>(nodes_.size());
      nodes_.push_back({"~sc+-*/^+-*/^^~"[r % 15], 0, static_cast<u32>((r >> 8) % all),
                        static_cast<u32>((r >> 32) % all)});
    }
  }

  [[nodiscard]] f64 value(std::span<const f64> point, FormulaFormat format) const {
    std::vector<f64> values;
    for (const Node& node : nodes_) {
      const f64 a = node.kind == 'x' || values.empty() ? 0 : values[node.left];
      const f64 b = values.empty() ? 0 : values[node.right];
      values.push_back(value_of(node, a, b, point, format));
    }
    return values.back();
  }

  [[nodiscard]] std::string text(FormulaFormat format) const {
    struct Part {
      std::string text;
      int binds = 9;  // 1: sums, 2: products, 3: signs, 4: powers
    };
    const FormatRow& row = format_row(format);
    const bool calls = row.side == PowerSide::None;
    const bool is_latex = format == FormulaFormat::Latex;
    std::vector<Part> parts;
    const auto bracket = [&](const Part& part, bool needed) {
      return needed ? "(" + part.text + ")" : part.text;
    };
    for (const Node& node : nodes_) {
      const Part a = parts.empty() ? Part{} : parts[node.left];
      const Part b = parts.empty() ? Part{} : parts[node.right];
      Part out;
      switch (node.kind) {
        case 'x':
        case 'y':
        case 'a':
          out.text = node.kind;
          if (format == FormulaFormat::Excel)
            out.text = node.kind == 'x' ? "A2" : node.kind == 'y' ? "B2" : "C2";
          break;
        case '1': out.text = "2.5"; break;
        case 's': out.text = (is_latex ? "\\sin" : "sin") + ("(" + a.text + ")"); break;
        case 'c': out.text = (is_latex ? "\\cos" : "cos") + ("(" + a.text + ")"); break;
        case '~':
          if (calls) {
            out.text = "neg(" + a.text + ")";
          } else {
            const bool is_tight = row.minus == MinusOfPower::Tighter;
            out = {"-" + bracket(a, a.binds <= (is_tight ? 4 : 3)), is_tight ? 5 : 3};
          }
          break;
        default: out = infix(node.kind, a, b, row, bracket); break;
      }
      parts.push_back(std::move(out));
    }
    return parts.back().text;
  }

 private:
  template <class Part, class Bracket>
  static Part infix(char kind, const Part& a, const Part& b, const FormatRow& row,
                    const Bracket& bracket) {
    if (row.side == PowerSide::None) {
      const std::string_view name = kind == '+' ? "add" : kind == '-' ? "sub" : "mul";
      return {std::string(name) + "(" + a.text + ", " + b.text + ")", 9};
    }
    if (kind == '^') {
      const bool is_right = row.side == PowerSide::Right, is_left = row.side == PowerSide::Left;
      std::string_view op =
          row.format == FormulaFormat::Sympy || row.format == FormulaFormat::Python ? "**" : "^";
      const std::string base = bracket(a, a.binds < 4 || (a.binds == 4 && !is_left));
      if (row.side == PowerSide::Never) return {base + "^{" + b.text + "}", 4};
      // A sign in an exponent needs no brackets, and binds as the format says.
      const bool is_sign = b.binds == 3 && is_right && b.text.find('^') == std::string::npos &&
                           b.text.find("**") == std::string::npos;
      return {base + std::string(op) +
                  bracket(b, !is_sign && (b.binds < 4 || (b.binds == 4 && !is_right))),
              4};
    }
    const int level = kind == '+' || kind == '-' ? 1 : 2;
    std::string_view op = kind == '*' ? " * " : kind == '/' ? " / " : kind == '+' ? " + " : " - ";
    if (row.format == FormulaFormat::Latex && kind == '*') op = " \\cdot ";
    if (row.joined == Joined::Product && kind == '*') op = " ";
    // Where products need no sign, a factor that begins with one would be a difference.
    return {bracket(a, a.binds < level) + std::string(op) +
                bracket(b, b.binds <= level || b.binds == 3 || b.text.starts_with('-')),
            level};
  }

  static f64 value_of(const Node& node, f64 a, f64 b, std::span<const f64> point,
                      FormulaFormat format) {
    const bool calls = format_row(format).side == PowerSide::None;
    switch (node.kind) {
      case 'x': return point[0];
      case 'y': return point[1];
      case 'a': return point[2];
      case '1': return node.number;
      case '~': return -a;
      case 's': return std::sin(a);
      case 'c': return std::cos(a);
      case '+': return a + b;
      case '-': return a - b;
      case '*': return a * b;
      case '/': return calls ? a * b : a / b;
      default: break;
    }
    if (calls) return a * b;
    const bool is_nan =
        format == FormulaFormat::Pysr && ((a == 0 && b < 0) || (a < 0 && std::isinf(b)));
    return is_nan ? NAN : std::pow(a, b);
  }

  std::vector<Node> nodes_;
};

TEST(Import, WhatAToolPrintsReadsBackAsWhatItWas) {
  constexpr f64 kPoint[] = {1.25, 0.75, 2.0};
  for (const FormatRow& row : formula_formats()) {
    for (u64 seed = 1; seed <= 60; ++seed) {
      const Formula formula(seed * 7919 + static_cast<u64>(row.format));
      const std::string text = formula.text(row.format);
      const std::string source = imported(text, with_inputs(row.format));
      FormulaRunner runner;
      ASSERT_TRUE(runner.compile(source)) << text << "\n" << source;
      const f64 found = runner.run(kPoint), wanted = formula.value(kPoint, row.format);
      const bool is_same = found == wanted || (std::isnan(found) && std::isnan(wanted)) ||
                           std::abs(found - wanted) <= 1e-9 * std::abs(wanted);
      EXPECT_TRUE(is_same) << row.name << " " << seed << ": " << text << "\n"
                           << source << found << " " << wanted;
    }
  }
}

TEST(Import, NothingThatAFileMayHaveHarms) {
  constexpr std::string_view kPieces[] = {"(",
                                          ")",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ";",
                                          "+",
                                          "-",
                                          "*",
                                          "/",
                                          "^",
                                          "**",
                                          "%",
                                          "x",
                                          "y1",
                                          "2",
                                          "1.5",
                                          "e",
                                          " ",
                                          "\\frac",
                                          "\\sqrt",
                                          "\\left",
                                          "\\right",
                                          "|",
                                          "_",
                                          "\\begin{cases}",
                                          "\\end{cases}",
                                          "&",
                                          "\\\\",
                                          "sin",
                                          "\\sin",
                                          "max",
                                          "if",
                                          "else",
                                          "?",
                                          ":",
                                          "=",
                                          "<",
                                          "and",
                                          "not",
                                          "Piecewise",
                                          "'",
                                          "\"",
                                          "$",
                                          "@",
                                          "lambda ",
                                          "!",
                                          "~",
                                          ".",
                                          "\xC3\xA9",
                                          "\xFF",
                                          "1e999",
                                          "\\operatorname{",
                                          "\\text{for}",
                                          "A2",
                                          "#",
                                          "\\log_",
                                          "1e"};
  for (const FormatRow& row : formula_formats()) {
    for (u64 seed = 1; seed <= 200; ++seed) {
      std::string text;
      Random random(seed + 1'000'000 * static_cast<u64>(row.format));
      const u64 count = random.next() % 24;
      for (u64 k = 0; k < count; ++k) text += kPieces[random.next() % std::size(kPieces)];
      ImportOptions options;
      options.format = row.format;
      const ImportedFormulas out = import_formulas(text, "f", options);
      EXPECT_LE(out.programs.size() + out.problems.size(), 1u) << text;
      for (const Problem& problem : out.problems) {
        EXPECT_FALSE(problem.message().empty()) << text;
        EXPECT_LE(problem.place().column, text.size() + 1) << text;
      }
    }
  }
}

TEST(Import, DeepFormulasAreRefusedInTime) {
  for (const FormatRow& row : formula_formats()) {
    for (const std::string piece :
         {"(", "-", "sin(", "{", "\\frac{", "\\sin ", "2^", "x<", "if(x,", "x?", "|", "abs(x)+(",
          "\\sqrt[", "x if x else ", "max(", "Piecewise((x,", "!", "\\left|", "add(x,"}) {
      std::string text;
      while (text.size() + piece.size() < 60'000) text += piece;
      ImportOptions options;
      options.format = row.format;
      const ImportedFormulas out = import_formulas(text, "f", options);
      EXPECT_TRUE(out.programs.empty()) << row.name << " " << piece;
    }
    std::string sum = row.side == PowerSide::None ? "" : "x";
    if (sum.empty()) continue;
    for (u32 k = 0; k < 2'000; ++k) sum += "+x";
    FormulaRunner runner;
    ImportOptions options;
    options.format = row.format;
    if (row.format == FormulaFormat::Excel) continue;
    EXPECT_TRUE(runner.compile(imported(sum, options))) << row.name;
  }
  const std::string nested = std::string(kMostFormulaDepth + 1, '(') + "x";
  EXPECT_EQ(problem_of(FormulaFormat::Python, nested),
            "f.txt:1:201: more than 200 brackets, calls and operators stand in each other here; "
            "split the formula");
}

TEST(Import, ProgramsAreReadable) {
  EXPECT_EQ(source_of(FormulaFormat::Gplearn, "add(mul(X0, X0), sub(X1, 0.500))"),
            "pub fn f(X0: f64, X1: f64) -> f64 { X0 * X0 + (X1 - 0.5) }\n");
  EXPECT_EQ(source_of(FormulaFormat::Excel, "=A2*EXP(-B2^2)"),
            "pub fn f(A2: f64, B2: f64) -> f64 { A2 * exp((-B2) ** 2) }\n");
  EXPECT_EQ(source_of(FormulaFormat::Latex, "f(x) = \\frac{1}{2} m v^2 + \\sin^2 x"),
            "pub fn f(m: f64, v: f64, x: f64) -> f64 { 1.0 / 2.0 * m * v ** 2 + sin(x) ** 2 }\n");
  EXPECT_EQ(source_of(FormulaFormat::Muparser, "_pi*r^2"),
            "pub fn f(r: f64) -> f64 { 3.141592653589 * r ** 2 }\n");
  EXPECT_EQ(source_of(FormulaFormat::Sympy, "log1p(x)"),
            "use std.math;\n\npub fn f(x: f64) -> f64 { math.log1p(x) }\n");
  EXPECT_EQ(source_of(FormulaFormat::Operon, "((-0.50) * X1) / (sqrt(1 + X2 ^ 2))"),
            "pub fn f(X1: f64, X2: f64) -> f64 { -0.5 * X1 / sqrt(1.0 + X2 ** 2) }\n");
}

TEST(Import, InputsAreNamed) {
  // Names of functions that a program may call are none of parameters; nor are keywords.
  EXPECT_EQ(source_of(FormulaFormat::Python, "clz + E*let"),
            "pub fn f(clz_: f64, E: f64, let_: f64) -> f64 { clz_ + E * let_ }\n");
  EXPECT_EQ(source_of(FormulaFormat::Gplearn, "add(petal width (cm), b 1)"),
            "pub fn f(petal_width_cm: f64, b_1: f64) -> f64 { petal_width_cm + b_1 }\n");
  EXPECT_EQ(source_of(FormulaFormat::Exprtk, "Rate * rATE"),
            "pub fn f(Rate: f64) -> f64 { Rate * Rate }\n");
  EXPECT_EQ(source_of(FormulaFormat::Python, "lambda a, b: b"),
            "pub fn f(a: f64, b: f64) -> f64 { b }\n");
  EXPECT_EQ(source_of(FormulaFormat::Octave, "g = @(u, v) v.^2;"),
            "pub fn f(u: f64, v: f64) -> f64 { v ** 2 }\n");

  const std::string_view words[] = {"length,width=w", "height"};
  const auto inputs = read_stated_inputs(words);
  ASSERT_FALSE(inputs.problem());
  ImportOptions options;
  options.format = FormulaFormat::Gplearn;
  options.inputs = inputs.value();
  EXPECT_EQ(imported("sub(X2, add(X1, length))", options),
            "pub fn f(length: f64, w: f64, height: f64) -> f64 { height - (w + length) }\n");
  const ImportedFormulas out = import_formulas("add(X3, X0)", "f", options);
  ASSERT_EQ(out.problems.size(), 1u);
  EXPECT_EQ(
      out.problems[0].text(),
      "f:1:5: `X3` is none of the inputs; name all that the formulas have, as in `--input a,b`");
  EXPECT_FALSE(read_stated_signature("fn(x: f64, y: f64) -> f64").problem());
  EXPECT_EQ(read_stated_signature("fn(x: i64) -> f64").problem().message(),
            "`--signature fn(x: i64) -> f64` is not of f64 alone");
}

TEST(Import, TablesOfPySRAreRead) {
  ImportOptions options;
  options.format = FormulaFormat::Pysr;
  const ImportedFormulas out = import_formulas(
      "Complexity,Loss,Equation\n1,44.7,\"x0\"\n\n3,2.5,\"max(x0, x1) - 2.1e-5\"\n4,1,\"x0 + "
      "foo(x1)\"\n5\n",
      "hof.csv", options);
  ASSERT_EQ(out.programs.size(), 2u);
  EXPECT_EQ(out.programs[1].line, 4u);
  ASSERT_EQ(out.problems.size(), 2u);
  EXPECT_EQ(out.problems[0].text(),
            "hof.csv:5:11: `foo` is no function that import knows of PySR; docs/import.md lists "
            "what it reads");
  EXPECT_EQ(out.problems[1].text(),
            "hof.csv:6:1: the row has no cell in the column `Equation`; the header names 3 columns "
            "or more");
}

TEST(Import, LinesWithoutAFormulaArePassedOver) {
  ImportOptions options;
  options.format = FormulaFormat::Octave;
  const ImportedFormulas out =
      import_formulas("\xEF\xBB\xBF% a comment\r\n\r\nx + 1 # more\r\n  y = 2*x;\n", "f", options);
  ASSERT_EQ(out.programs.size(), 2u);
  EXPECT_TRUE(out.problems.empty());
  EXPECT_EQ(out.programs[0].line, 3u);
  EXPECT_EQ(out.programs[1].source, "pub fn f(x: f64) -> f64 { 2.0 * x }\n");
}

struct Refusal {
  FormulaFormat format;
  const char *formula, *problem;
};
TEST(Import, WhatHasTwoReadingsOrNoneIsRefused) {
  const Refusal refusals[] = {
      {FormulaFormat::Exprtk, "x**2",
       "f.txt:1:2: `**` is no operator of ExprTk; write a power as `^`"},
      {FormulaFormat::Python, "x^2",
       "f.txt:1:2: `^` is no power in Python but an exclusive or; write a power as `**`"},
      {FormulaFormat::Python, "1 < x < 3",
       "f.txt:1:7: two comparisons stand in a row; write `a < b and b < c`"},
      {FormulaFormat::Python, "x and y",
       "f.txt:1:3: `and` and `or` of numbers give one of the numbers in Python; compare them, as "
       "in `x != 0 and y != 0`"},
      {FormulaFormat::Sympy, "2x",
       "f.txt:1:2: expected an operator, found `x`: in SymPy operands side by side do not "
       "multiply; write `*` between them"},
      {FormulaFormat::Sympy, "sine(x)",
       "f.txt:1:1: `sine` is no function that import knows of SymPy; did you mean `sin`?"},
      {FormulaFormat::Sympy, "x + I",
       "f.txt:1:5: import cannot read `I` of SymPy: it is the imaginary unit, and Komuz has no "
       "complex numbers; leave the formula out, or write that part in another way"},
      {FormulaFormat::Sympy, "Max(x, y) + (x > 1)",
       "f.txt:1:11: a truth value stands where a number is expected; SymPy calculates with numbers "
       "only"},
      {FormulaFormat::Sympy, "sin(x, y)",
       "f.txt:1:1: `sin` takes 1 argument, found 2; docs/import.md says what it means"},
      {FormulaFormat::Sympy, "(x + 1",
       "f.txt:1:1: `(` is not closed; each bracket needs its other half"},
      {FormulaFormat::Sympy, "x + 1)", "f.txt:1:6: `)` closes no bracket; leave it out"},
      {FormulaFormat::Sympy, "x +",
       "f.txt:1:4: the formula ends where an operand is missing; complete it"},
      {FormulaFormat::Excel, "=SUM(A2:A9)",
       "f.txt:1:6: import reads single cells of the sheet itself; write each cell as `A2`, and a "
       "sum of a range as `A2+A3`"},
      {FormulaFormat::Excel, "=A2<B2<C2",
       "f.txt:1:7: a comparison is compared: Excel holds each truth value for larger than any "
       "number; write `AND(A2<B2,B2<C2)`"},
      {FormulaFormat::Excel, "=1,5*A2",
       "f.txt:1:3: `,` stands in no call; with decimal commas, give `--decimal ,`"},
      {FormulaFormat::Latex, "ab",
       "f.txt:1:1: `ab` may be one name, or a product of letters; write \\mathrm{ab} or the "
       "letters with blanks, or name it by `--input`"},
      {FormulaFormat::Latex, "1/2 x",
       "f.txt:1:5: a product without a sign behind `/` may belong to its divisor or not; write "
       "\\frac{…}{…}, or \\cdot"},
      {FormulaFormat::Latex, "x^2^3",
       "f.txt:1:4: a power has two exponents; write {x^{2}}^{3} or x^{2^{3}}"},
      {FormulaFormat::Latex, "\\sin^{-1} x",
       "f.txt:1:6: a function to the power -1 may be its inverse, or 1 divided by it; write "
       "\\arcsin, or \\frac{1}{\\sin x}"},
      {FormulaFormat::Latex, "\\theta\\left(x\\right)",
       "f.txt:1:7: `theta` touches a bracket: it may be a function, or a factor; write \\cdot "
       "between them, or name it by `--input`"},
      {FormulaFormat::Latex, "1.5e-5 x",
       "f.txt:1:1: `e` behind a number may be its exponent, or Euler's number; write 1.5 \\cdot "
       "10^{-5}, or 1.5 e"},
      {FormulaFormat::Muparser, "x = 3",
       "f.txt:1:3: `=` is nothing that import knows of muParser; docs/import.md lists what it "
       "reads"},
      {FormulaFormat::Gplearn, "X0 + X1",
       "f.txt:1:1: expected a number, an input or a function of gplearn; it writes `add(a, b)`, "
       "and has no operators"},
      {FormulaFormat::Exprtk, "x; y",
       "f.txt:1:2: `;` parts statements; import reads one formula a line"},
      {FormulaFormat::Octave, "x'",
       "f.txt:1:2: a text is no number; import reads formulas of numbers"},
  };
  for (const Refusal& refusal : refusals)
    EXPECT_EQ(problem_of(refusal.format, refusal.formula), refusal.problem) << refusal.formula;
}

TEST(Import, ThePageListsAllFunctions) {
  std::ifstream in(KOMUZ_SOURCE_DIR "/docs/import.md");
  u32 rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `") || line.find("` | `sin`") == line.find("` | `SIN`")) continue;
    const std::optional<FormulaFormat> format = find_format(line.substr(3, line.find('`', 3) - 3));
    ASSERT_TRUE(format) << line;
    ++rows;
    for (const std::string_view name : function_names(*format)) {
      std::string shown(name);
      if (*format == FormulaFormat::Excel)
        for (char& c : shown) c = static_cast<char>(std::toupper(c));
      EXPECT_NE(line.find("`" + shown + "`"), std::string::npos) << line << "\n" << name;
    }
  }
  EXPECT_EQ(rows, formula_formats().size());
}

// An argument that stood there twice would double a formula with each call around it.
TEST(Import, RowsOfFunctionsTakeEachArgumentOnce) {
  const std::pair<std::string_view, std::string_view> rows[] = {
#define FUNCTION(formats, name, arguments, Type, Form, text) {name, text},
#include "services/import/functions.def"
  };
  for (const auto& [name, text] : rows)
    for (const char digit : std::string_view("123")) {
      size_t count = 0;
      for (size_t k = 1; k < text.size(); ++k)
        count += text[k] == digit && (text[k - 1] == '$' || text[k - 1] == '@');
      EXPECT_LE(count, 1u) << name;
    }
}

}  // namespace
}  // namespace komuz::services
