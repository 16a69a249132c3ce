// SPDX-License-Identifier: Apache-2.0
// tests/mistakes.txt: what people and language models write by habit, what they are told, and what
// `komuz fix` makes of it.
// An entry is a program on lines of its own; below it, indented, its diagnostics, and the mended program, or how many
// errors are left. KOMUZ_UPDATE=1 writes the indented lines anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/load_modules.h"
#include "lang/standard_uses.h"
#include "services/fix.h"

namespace komuz::services {
namespace {

constexpr const char* kPath = KOMUZ_SOURCE_DIR "/tests/mistakes.txt";
constexpr std::string_view kIndent = "    ";

class Table {
 public:
  explicit Table(std::istream& in) {
    modules_.load(standard_use_items());
    std::string program;
    for (std::string line; std::getline(in, line);) {
      const bool is_code = !line.empty() && !line.starts_with("# ") && !line.starts_with(kIndent);
      if (!is_code) finish(program);
      if (is_code) program += line + "\n";
      if (!line.starts_with(kIndent)) out_ += line + "\n";
    }
    finish(program);
  }
  [[nodiscard]] const std::string& text() const { return out_; }

  u32 entries = 0, mended = 0;
  std::string silent;  // programs without a diagnostic

 private:
  void finish(std::string& program) {
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
        out_ += std::string(kIndent) + "=> " + line + "\n";
    }
    program.clear();
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
        *out +=
            std::string(kIndent) + std::string(row.code) + " " + diagnostic_message(d, told) + "\n";
    }
    return errors;
  }

  engine::ModuleLoader modules_;
  frontend::Compiler compiler_{{.examples = true, .library = &modules_.library()}};
  std::string out_;
};

TEST(Mistakes, AreToldAsTheTableSays) {
  std::ifstream in(kPath, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  std::istringstream lines(text.str());
  const Table table(lines);
  if (std::getenv("KOMUZ_UPDATE") != nullptr)
    std::ofstream(kPath, std::ios::binary) << table.text();
  else
    EXPECT_EQ(table.text(), text.str()) << "run with KOMUZ_UPDATE=1 and look at the difference";
  EXPECT_GE(table.entries, 60u);
  EXPECT_GE(table.mended, 40u);
  EXPECT_EQ(table.silent, "");
}

}  // namespace
}  // namespace komuz::services
