// SPDX-License-Identifier: Apache-2.0
// The text that a remedy proposes works in this version of the language.
#include <gtest/gtest.h>

#include "frontend_gpu/frontend.h"
#include "lang/builtins.h"
#include "mend/aliases.h"
#include "mend/mend.h"
#include "mend/standard_uses.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::frontend {
namespace {

u32 count_unsupported(Compiler& compiler, std::string_view source) {
  Compilation out;
  compiler.compile(source, out);
  u32 count = 0;
  for (const Diagnostic& d : out.diagnostics) count += diagnostic_row(d.code()).code == "K0115";
  return count;
}

TEST(Fixes, NoneLeadsToWhatIsNotSupportedYet) {
  Compiler compiler;
  u32 fixes = 0;
  for (const std::string& source : test::golden_sources()) {
    const u32 before = count_unsupported(compiler, source);
    Compilation program;
    compiler.compile(source, program);
    for (const Diagnostic& d : program.diagnostics) {
      const auto fix = diagnostic_fix(d, source);
      if (!fix) continue;
      ++fixes;
      ASSERT_LE(fix->end, source.size());
      ASSERT_LE(fix->begin, fix->end);
      std::string mended = source;
      mended.replace(fix->begin, fix->end - fix->begin, fix->text);
      EXPECT_LE(count_unsupported(compiler, mended), before)
          << diagnostic_message(d, source) << "\n"
          << mended;
    }
  }
  EXPECT_GT(fixes, 100u);
}

TEST(Fixes, AliasesAreWordsOfTheLanguage) {
  for (const AliasRow& row : kAliases) {
    EXPECT_NE(row.right.empty(), row.advice.empty()) << row.wrong;
    const bool is_called = row.kind == AliasKind::Function || row.kind == AliasKind::Method;
    if (!is_called || row.right.empty()) continue;
    bool known = false;
    for (const BuiltinRow& builtin : kBuiltins) known |= builtin.name == row.right;
    for (u32 k = 0; k < kCollectionCount; ++k) known |= collection_row(k).name == row.right;
    for (u32 k = 0; k < kChainCount; ++k)
      known |= chain_row(static_cast<ChainOp>(k)).name == row.right;
    // For a function of the standard library, the next edit writes the `use`.
    known |= !standard_modules_with(row.right).empty();
    EXPECT_TRUE(known) << row.wrong;
  }
}

}  // namespace
}  // namespace komuz::frontend
