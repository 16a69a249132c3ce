// SPDX-License-Identifier: Apache-2.0
#include "services/import/define_functions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "services/import/import_formulas.h"
#include "tests/services/import/formula_runner.h"

namespace komuz::services {
namespace {

std::string imported_with(FormulaFormat format, const std::string& formula,
                          const std::vector<std::string_view>& definitions) {
  Result<std::vector<DefinedFunction>> defined = read_definitions(format, definitions);
  if (defined.problem()) return defined.problem().text();
  ImportOptions options;
  options.format = format;
  options.defined = std::move(defined).value();
  const ImportedFormulas out = import_formulas(formula, "f.txt", options);
  return out.problems.empty() ? out.programs.at(0).source : out.problems[0].text();
}
f64 value_at(const std::string& source, std::vector<f64> point) {
  FormulaRunner runner;
  EXPECT_TRUE(runner.compile(source)) << source;
  return runner.run(point);
}

TEST(DefinedFunctions, AreWrittenAsTheToolDoes) {
  const std::string pdiv = imported_with(FormulaFormat::Deap, "add(pdiv(x, y), pdiv(y, y))",
                                         {"pdiv(a, b) = a / b if b != 0 else 1"});
  EXPECT_EQ(pdiv,
            "// Yours.\nfn pdiv(a: f64, b: f64) -> f64 { if b != 0.0 { a / b } else { 1.0 } }\n\n"
            "pub fn f(x: f64, y: f64) -> f64 { pdiv(x, y) + pdiv(y, y) }\n");
  EXPECT_EQ(value_at(pdiv, {3, 2}), 2.5);
  EXPECT_EQ(value_at(pdiv, {3, 0}), 2);
  const std::string julia =
      imported_with(FormulaFormat::Pysr, "soft(x0) ^ 2.0", {"soft(x) = log(1.0 + exp(x))"});
  EXPECT_NEAR(value_at(julia, {0.5}), std::pow(std::log1p(std::exp(0.5)), 2), 1e-12);
  // Capitals count for as much as in the tool.
  EXPECT_EQ(value_at(imported_with(FormulaFormat::Exprtk, "TWICE(x)", {"twice(v) = 2v"}), {4}), 8);
}

TEST(DefinedFunctions, HideThoseOfTheToolAndCallEarlierOnes) {
  const std::string numpy = imported_with(FormulaFormat::Deap, "protectedDiv(x, y)",
                                          {"protectedDiv(l, r) = 1 if isbad(l / r) else l / r"});
  EXPECT_NE(numpy.find("`isbad` is no function"), std::string::npos) << numpy;
  const std::string two =
      imported_with(FormulaFormat::Deap, "protectedDiv(x, y)",
                    {"unused(x) = x", "half(x) = x / 2", "protectedDiv(l, r) = half(l) + r"});
  EXPECT_EQ(value_at(two, {3, 1}), 2.5);
  EXPECT_EQ(two.find("unused"), std::string::npos);
  // A name that a function of Komuz has, and one that an input has.
  const std::string named = imported_with(FormulaFormat::Gplearn, "mul(clamp(a), twice)",
                                          {"clamp(twice) = twice + twice"});
  EXPECT_EQ(value_at(named, {3, 5}), 30) << named;
}

TEST(DefinedFunctions, OfAnotherFormAreRefused) {
  const auto problem = [](std::string_view word, FormulaFormat format = FormulaFormat::Deap) {
    const Result<std::vector<DefinedFunction>> defined = read_definitions(format, {{word}});
    return defined.problem() ? defined.problem().text() : "no problem";
  };
  for (const std::string_view word :
       {"pdiv", "pdiv = a", "f(a", "f(a) a", "f(a b) = a", "f(a, a) = a", "2f(a) = a", "= a"})
    EXPECT_NE(problem(word).find("is not of the form NAME(a, b) = FORMULA"), std::string::npos)
        << word << ": " << problem(word);
  EXPECT_NE(problem("f() = 1").find("has no parameters"), std::string::npos);
  EXPECT_NE(problem("f(a,b,c,d,e,g,h,i,j,k) = a").find("10 parameters"), std::string::npos);
  EXPECT_NE(problem("f(a) = a +").find("--define:1:"), std::string::npos) << problem("f(a) = a +");
  EXPECT_NE(problem("f(a) = b").find("`b` is none of the inputs"), std::string::npos);
  EXPECT_NE(problem("f(a) = a", FormulaFormat::Latex).find("is not for `--from latex`"),
            std::string::npos);
  EXPECT_NE(imported_with(FormulaFormat::Deap, "pdiv(x)", {"pdiv(a, b) = a"})
                .find("`pdiv` takes 2 arguments as `--define` has it, found 1"),
            std::string::npos);
  EXPECT_NE(imported_with(FormulaFormat::Deap, "pdiv(x)", {"pdiv(a) = a", "pdiv(b) = b"})
                .find("defines `pdiv` twice"),
            std::string::npos);
}

TEST(Import, RenamedInputsAreTold) {
  ImportOptions options;
  options.format = FormulaFormat::Sympy;
  ImportOptions stated = options;
  stated.inputs = {{"x", "max"}};
  const ImportedFormulas own = import_formulas("x + 1", "f", stated);
  EXPECT_TRUE(own.renamed.empty());
  options.format = FormulaFormat::Python;
  const ImportedFormulas both = import_formulas("clamp + x\nclamp - fn\n", "f", options);
  ASSERT_EQ(both.renamed.size(), 2u);
  EXPECT_EQ(both.renamed[0].name, "clamp");
  EXPECT_EQ(both.renamed[0].parameter, "clamp_");
  EXPECT_EQ(both.renamed[1].name, "fn");
}

TEST(Import, AProgramMayHaveAnotherName) {
  ImportOptions options;
  const ImportedFormulas out = import_formulas("x + 1", "f", options);
  ASSERT_EQ(out.programs.size(), 1u);
  EXPECT_EQ(out.programs[0].named("law"), "pub fn law(x: f64) -> f64 { x + 1.0 }\n");
}

}  // namespace
}  // namespace komuz::services
