// SPDX-License-Identifier: Apache-2.0
// tests/mistakes.txt: what people and language models write by habit, the messages that they get, and the result of
// `komuz fix`.
// An entry is a program on lines of its own, with comparisons behind `= ` that the mended program fulfils. Indented
// lines below it hold its diagnostics, and the mended program or the number of remaining errors. KOMUZ_UPDATE=1
// rewrites the indented lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/candidates/load_modules.h"
#include "engine/testing/run_tests.h"
#include "mend/mend.h"
#include "mend/standard_uses.h"
#include "services/apply_edits.h"
#include "tests/services/mistake_entries.h"

namespace komuz::services {
namespace {

using test::kMistakeIndent;
using test::kMistakesPath;
using test::kMistakeValue;

class Table {
 public:
  explicit Table(std::istream& in) {
    modules_.load(standard_use_items());
    std::string program, asserts;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with(kMistakeValue)) {
        asserts += "assert " + line.substr(kMistakeValue.size()) + "; ";
        out_ += line + "\n";
        continue;
      }
      const bool is_code = test::is_of_program(line);
      if (!is_code) finish(program, asserts);
      if (is_code) program += line + "\n";
      if (!line.starts_with(kMistakeIndent)) out_ += line + "\n";
    }
    finish(program, asserts);
  }
  [[nodiscard]] const std::string& text() const { return out_; }

  u32 entries = 0, mended = 0;
  u32 valued = 0;      // entries with values
  std::string silent;  // programs without a diagnostic
  std::string wrong;   // programs that are mended to another one than meant, or not at all

 private:
  void finish(std::string& program, std::string& asserts) {
    if (program.empty()) return;
    ++entries;
    const u32 errors = diagnose(program, &out_);
    if (errors == 0) silent += program;
    const Fixed fixed = fix_source(compiler_, program, FixKind::All);
    const u32 left = diagnose(fixed.text, nullptr);
    if (!fixed.fixes.empty() && left == 0) {
      ++mended;
      std::istringstream lines(fixed.text);
      for (std::string line; std::getline(lines, line);)
        out_ += std::string(kMistakeIndent) + "=> " + line + "\n";
    }
    valued += !asserts.empty();
    if (!asserts.empty() && !holds(fixed.text + "test \"values\" { " + asserts + "}\n"))
      wrong += program;
    program.clear();
    asserts.clear();
  }
  bool holds(std::string_view program) {
    frontend::Compilation compilation;
    compiler_.compile(program, compilation);
    const bool has_errors = std::ranges::any_of(compilation.diagnostics, [](const Diagnostic& d) {
      return diagnostic_row(d.code()).severity == Severity::Error;
    });
    if (has_errors) return false;
    const std::vector<engine::TestResult> results = engine::run_tests(compilation.code.view());
    return !results.empty() &&
           std::ranges::all_of(results, [](const auto& result) { return result.passed; });
  }
  u32 diagnose(std::string_view program, std::string* out) {
    frontend::Compilation compilation;
    compiler_.compile(program, compilation);
    // Behind the text may stand what its modules say of themselves, for messages.
    const std::string_view told = compilation.text.empty() ? program : compilation.text;
    u32 errors = 0;
    for (const Diagnostic& d : compilation.diagnostics) {
      const DiagnosticRow& row = diagnostic_row(d.code());
      errors += row.severity == Severity::Error;
      if (out != nullptr)
        *out += std::string(kMistakeIndent) + std::string(row.code) + " " +
                diagnostic_message(d, told) + "\n";
    }
    return errors;
  }

  engine::ModuleLoader modules_;
  frontend::Compiler compiler_{{.examples = true, .library = &modules_.library()}};
  std::string out_;
};

TEST(Mistakes, AreToldAsTheTableSays) {
  std::ifstream in(kMistakesPath, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  std::istringstream lines(text.str());
  const Table table(lines);
  if (std::getenv("KOMUZ_UPDATE") != nullptr)
    std::ofstream(kMistakesPath, std::ios::binary) << table.text();
  else
    EXPECT_EQ(table.text(), text.str()) << "run with KOMUZ_UPDATE=1 and look at the difference";
  EXPECT_GE(table.entries, 60u);
  EXPECT_GE(table.mended, 40u);
  EXPECT_GE(table.valued, 20u);
  EXPECT_EQ(table.silent, "");
  EXPECT_EQ(table.wrong, "");
}

}  // namespace
}  // namespace komuz::services
