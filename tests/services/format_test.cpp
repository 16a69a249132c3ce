// SPDX-License-Identifier: Apache-2.0
// The files of tests/services/format are pairs: the formatter turns NAME.source into NAME.komuz. KOMUZ_UPDATE=1
// writes the latter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/candidates/load_modules.h"
#include "services/format.h"
#include "tests/frontend/golden_sources.h"
#include "tests/services/format_checks.h"

namespace komuz::test {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
std::vector<fs::path> files_below(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}
const fs::path kSource = KOMUZ_SOURCE_DIR;

std::string formatted(std::string_view source) {
  frontend::Compiler compiler;
  const services::Formatted result = services::format(compiler, source);
  return result.ok ? result.text : "errors of syntax";
}

TEST(Format, GoldenFilesAreWhatTheySay) {
  const std::vector<fs::path> paths = files_below(kSource / "tests/services/format", ".source");
  EXPECT_GE(paths.size(), 8u);
  for (fs::path path : paths) {
    const std::string text = formatted(read_file(path));
    path.replace_extension(".komuz");
    if (std::getenv("KOMUZ_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(read_file(path), text) << path << ": run with KOMUZ_UPDATE=1, look at the difference";
  }
}

TEST(Format, ExamplesAreFormatted) {
  const std::vector<fs::path> paths = files_below(kSource / "examples", ".komuz");
  EXPECT_GE(paths.size(), 6u);
  for (const fs::path& path : paths) {
    const std::string source = read_file(path);
    EXPECT_EQ(formatted(source), source) << path << ": run `komuz fmt examples`";
  }
}

TEST(Format, GoldenSourcesKeepTreeCommentsAndCode) {
  FormatChecker checker;
  for (const std::string& source : golden_sources()) EXPECT_EQ(checker.check(source), "");
  EXPECT_GT(checker.formatted, 30u);
  EXPECT_GT(checker.compiled, 15u);
}

TEST(Format, ErrorsOfSyntaxAreLeftAlone) {
  frontend::Compiler compiler;
  const services::Formatted result = services::format(compiler, "fn f( -> i64 { 1 }\n");
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.text.empty());
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].code(), DiagnosticCode::UnclosedBracket);
}

// Modules are not loaded for it, so it cannot say which are there.
TEST(Format, OfErrorsItTellsThoseOfSyntaxAlone) {
  frontend::Compiler compiler;
  const services::Formatted result = services::format(
      compiler, "use std.math;\n/* a */\nfn f(x: f64) -> f64 { math.lerp(x, x, y) }\n");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code(), DiagnosticCode::ForeignComment);
}

// Errors that the front end does not report inside of unsupported constructs.
TEST(Format, ErrorsOfSyntaxAreFound) {
  EXPECT_EQ(formatted("fn f() -> i64 { xs.map(x => \"a) }\n"), "errors of syntax");
  EXPECT_EQ(formatted("fn f() -> i64 { g(x => 1, \"a\\\")\n}\n"), "errors of syntax");
  EXPECT_EQ(formatted("fn f() -> i64 { g([1\nlet n, 2]) }\n"), "errors of syntax");
  EXPECT_EQ(formatted("fn f() -> i64 { xs.map(x => 1 2) }\n"), "errors of syntax");
  EXPECT_EQ(formatted("use a.{b\nc};\n"), "errors of syntax");
}

TEST(Format, OtherErrorsAreNoneOfItsBusiness) {
  EXPECT_EQ(formatted("fn f() -> i64 {x+y}"), "fn f() -> i64 { x + y }\n");
  EXPECT_EQ(formatted("fn f() -> i64 {xs.map(x=>1.0)}"), "fn f() -> i64 { xs.map(x => 1.0) }\n");
}

TEST(Format, ModulesMakeNoDifference) {
  const std::string source =
      "use std.math;\nfn f(x: f64) -> f64 {math.lerp(0.0,x,0.5)}\nfn g(x: i64) -> i64 "
      "{math.gcd(x,2)}\n";
  engine::ModuleLoader modules;
  modules.load(source);
  frontend::Compiler with({.library = &modules.library()}), without;
  const std::string text = services::format(with, source).text;
  EXPECT_EQ(text, services::format(without, source).text);
  frontend::Compilation out;
  with.compile(text, out);
  EXPECT_TRUE(out.ok) << text;
}

TEST(Format, AliasesAreRewritten) {
  EXPECT_EQ(
      formatted("def f(x: float, b: bool) -> f64 { if b and x ≤ 1.0 { fabs(x) } else { pi } }"),
      "fn f(x: f64, b: bool) -> f64 { if b && x <= 1.0 { abs(x) } else { PI } }\n");
}

TEST(Format, PrefixesGoWhateverStandsAroundTheDot) {
  const std::string_view wanted = "fn f(x: f64) -> f64 { max(x, abs(x)) }\n";
  EXPECT_EQ(formatted("fn f(x: f64) -> f64 { Math.max(x, math.fabs(x)) }"), wanted);
  EXPECT_EQ(formatted("fn f(x: f64) -> f64 { Math. max(x, math .\n fabs(x)) }"), wanted);
  const std::string text =
      formatted("fn f(x: f64) -> f64 { Math // of two\n. // numbers\nmax(x, 1.0) }");
  EXPECT_EQ(text, "fn f(x: f64) -> f64 { // of two\n    // numbers\n    max(x, 1.0)\n}\n");
  EXPECT_EQ(formatted(text), text);
}

TEST(Format, AliasesOfMethodsAreCalled) {
  const std::string_view wanted = "fn f(xs: [f64]) -> i64 { xs.len() + xs.len() }\n";
  EXPECT_EQ(formatted("fn f(xs: [f64]) -> i64 { xs.length + xs.size }"), wanted);
  EXPECT_EQ(formatted("fn f(xs: [f64]) -> i64 { xs. length + xs.size () }"), wanted);
}

TEST(Format, AMissingRecIsWrittenOut) {
  EXPECT_EQ(formatted("fn f(n: i64) -> i64 // of a {\n{ if n == 0 { 0 } else { f(n - 1) } }\n"
                      "fn g(n: i64) -> i64 rec 9 { if n == 0 { 0 } else { h(n - 1) } }\n"
                      "fn h(n: i64) -> i64 { g(n) }\n"),
            "fn f(n: i64) -> i64 rec 64 { // of a {\n    if n == 0 { 0 } else { f(n - 1) }\n}\n\n"
            "fn g(n: i64) -> i64 rec 9 { if n == 0 { 0 } else { h(n - 1) } }\n\n"
            "fn h(n: i64) -> i64 rec 9 { g(n) }\n");
}

TEST(Format, LongChainsTakeNoStack) {
  std::string source = "fn f(a: i64) -> i64 { a";
  for (int k = 0; k < 100000; ++k) source += "\n+ a";
  EXPECT_EQ(formatted(source + " }").size(),
            std::string("fn f(a: i64) -> i64 {\n    a\n}\n").size() +
                100000 * std::string("\n        + a").size());
}

}  // namespace
}  // namespace komuz::test
