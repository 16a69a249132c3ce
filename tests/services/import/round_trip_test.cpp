// SPDX-License-Identifier: Apache-2.0
// What is exported and imported again means the same: of random formulas, and of those of facts.tsv, for each format that
// is also a target.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "services/export/export.h"
#include "services/import/import_formulas.h"
#include "tests/services/import/formula_runner.h"
#include "tests/services/simplify/random_formula.h"

namespace komuz::services {
namespace {

struct Pair {
  ExportTarget target;
  FormulaFormat format;
};
constexpr Pair kPairs[] = {{ExportTarget::Sympy, FormulaFormat::Sympy},
                           {ExportTarget::Latex, FormulaFormat::Latex},
                           {ExportTarget::Excel, FormulaFormat::Excel},
                           {ExportTarget::Python, FormulaFormat::Python}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The formula alone, on a line; empty: the file has more than a formula.
std::string formula_of(const Exported& exported, ExportTarget target) {
  const std::string& text = exported.text;
  switch (target) {
    case ExportTarget::Excel: return text.substr(text.find('=') + 1);
    case ExportTarget::Latex: {
      const size_t begin = text.find(" = ") + 3;
      return text.substr(begin, text.find("\n\\end{equation*}") - begin);
    }
    case ExportTarget::Sympy: {
      std::string formula = text.substr(text.find("\n" + exported.entry + " = ") + 1);
      formula = formula.substr(formula.find(" = ") + 3);
      // Definitions before it, of what stands there twice, are lines of their own.
      if (text.find("def km_") != std::string::npos || text.find("\nt1 = ") != std::string::npos)
        return {};
      replace_all(formula, "sp.", "");
      for (size_t at = formula.find("(\""); at != std::string::npos; at = formula.find("(\"", at)) {
        formula.erase(at + 1, 1);
        formula.erase(formula.find('"', at), 1);
      }
      return formula;
    }
    case ExportTarget::Python: {
      const std::string head = "def " + exported.entry + "(";
      std::string function = text.substr(text.find(head));
      const size_t gap = function.find("\n    ");
      // Neither functions beside it nor variables.
      if (text.find("def ") != text.rfind("def ") || function.substr(gap + 5, 6) != "return")
        return {};
      return function.replace(gap, 5, " ");
    }
    default: return {};
  }
}

// Points at which both are run.
std::vector<std::vector<f64>> points_for(u64 seed) {
  std::vector<std::vector<f64>> points = {{3.0, 5.0, -2.0}, {-2.5, 0.75, 3.0}, {0.0, 0.5, 7.0}};
  Random random(seed);
  for (u32 k = 0; k < 5; ++k) {
    std::vector<f64>& point = points.emplace_back();
    for (u32 i = 0; i < 3; ++i)
      point.push_back((static_cast<f64>(random.next() >> 11) * 0x1p-53 - 0.4) * 8);
  }
  return points;
}

bool is_same(f64 a, f64 b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// Exports the program, imports what comes of it, and compares.
enum class Round : u8 { NotExported, NotRead, Same, Different };
Round go_round(const std::string& source, const std::vector<std::string>& names, Pair pair,
               u64 seed) {
  ExportOptions options;
  options.target = pair.target;
  const Result<Exported> exported = export_source(source, options);
  if (exported.problem()) return Round::NotExported;
  const std::string formula = formula_of(exported.value(), pair.target);
  if (formula.empty()) return Round::NotExported;
  ImportOptions reading;
  reading.format = pair.format;
  for (size_t k = 0; k < names.size(); ++k)
    reading.inputs.push_back({pair.format == FormulaFormat::Excel
                                  ? std::string(1, static_cast<char>('A' + k)) + "2"
                                  : names[k],
                              {}});
  const ImportedFormulas imported = import_formulas(formula, "f", reading);
  if (!imported.problems.empty() || imported.programs.size() != 1) return Round::NotRead;
  FormulaRunner before, after;
  EXPECT_TRUE(before.compile(source) && after.compile(imported.programs[0].source));
  for (const std::vector<f64>& all : points_for(seed)) {
    const std::span<const f64> point = std::span(all).first(names.size());
    const f64 wanted = before.run(point), found = after.run(point);
    EXPECT_TRUE(is_same(found, wanted))
        << target_row(pair.target).spelling << " " << testing::PrintToString(all) << ": " << wanted
        << ", and then " << found << "\n"
        << source << formula << "\n"
        << imported.programs[0].source;
  }
  return testing::Test::HasFailure() ? Round::Different : Round::Same;
}

// The first ones are what Python has without functions around it.
constexpr std::string_view kForms[] = {
    "($ + $)",  "($ - $)",  "($ * $)",   "(-$)",      "(if $ < $ { $ } else { $ })",
    "abs($)",   "tanh($)",  "atan($)",   "($ / $)",   "($ / $)",
    "($ ** 2)", "($ ** 3)", "min($, $)", "max($, $)", "sin($)",
    "cos($)",   "exp($)",   "sqrt($)",   "log($)",    "asin($)",
    "sinh($)",  "cosh($)",  "floor($)",  "ceil($)",   "log10($)",
    "log2($)"};
constexpr size_t kPlainForms = 8;

TEST(RoundTrip, RandomFormulasMeanTheSameAgain) {
  for (const Pair pair : kPairs) {
    const std::span<const std::string_view> forms = std::span(kForms).first(
        pair.target == ExportTarget::Python ? kPlainForms : std::size(kForms));
    u32 round = 0;
    for (u64 seed = 1; seed <= 150; ++seed) {
      const std::string program = random_program(seed, forms);
      const Round one = go_round(program, {"x", "y", "a"}, pair, seed);
      round += one == Round::Same ? 1 : 0;
      ASSERT_NE(one, Round::NotRead) << target_row(pair.target).spelling << "\n" << program;
      if (one == Round::Different) return;
    }
    EXPECT_GT(round, 60u) << target_row(pair.target).spelling;
  }
}

TEST(RoundTrip, FormulasOfToolsMeanTheSameAgain) {
  std::ifstream in(KOMUZ_SOURCE_DIR "/tests/services/import/facts.tsv");
  u32 round = 0, not_read = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    const size_t tab = line.find('\t');
    const std::optional<FormulaFormat> format = find_format(line.substr(0, tab));
    ASSERT_TRUE(format);
    std::string formula = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    formula = formula.substr(0, formula.find("  <-  "));
    ImportOptions options;
    options.format = *format;
    const bool is_excel = *format == FormulaFormat::Excel;
    for (const char* name : {"x", "y", "a"})
      options.inputs.push_back({is_excel ? name[0] == 'x'   ? "A2"
                                           : name[0] == 'y' ? "B2"
                                                            : "C2"
                                         : name,
                                name});
    const ImportedFormulas imported = import_formulas(formula, "f", options);
    ASSERT_EQ(imported.programs.size(), 1u) << line;
    for (const Pair pair : kPairs) {
      // Readers take the real root of a negative number; SymPy, as which LaTeX is read, has none.
      if (pair.target == ExportTarget::Latex &&
          imported.programs[0].source.find("cbrt(") != std::string::npos)
        continue;
      const Round one = go_round(imported.programs[0].source, {"x", "y", "a"}, pair, 1);
      round += one == Round::Same ? 1 : 0;
      not_read += one == Round::NotRead ? 1 : 0;
      if (one == Round::Different) return;
    }
  }
  EXPECT_GT(round, 800u);
  // Comparisons of truth values, which LaTeX and Excel refuse to read.
  EXPECT_LT(not_read, 60u);
}

}  // namespace
}  // namespace komuz::services
