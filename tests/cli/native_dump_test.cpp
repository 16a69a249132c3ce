// SPDX-License-Identifier: Apache-2.0
// komuz dump --phase=ir: the text of native code beside its places.
#include <gtest/gtest.h>

#include "tests/cli/native_backend.h"
#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

// A function that stays one, with what it takes from another file.
constexpr char kProgram[] =
    "mkdir -p $T/lib && printf 'pub fn ratio(a: i64, b: i64) -> i64 { a / b }\\n' "
    ">$T/lib/rules.komuz && printf 'use lib.rules;\\n\\npub fn sum(n: i64) -> i64 rec 50 {\\n  if "
    "n < 1 { 0 } else {\\n    rules.ratio(n, 2) + sum(n - 1)\\n  }\\n}\\n' >$T/main.komuz && cd $T "
    "&& komuz dump main.komuz ";

TEST(NativeDump, InstructionsStandBesideTheirPlaces) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  for (const char* const options :
       {"--phase=ir", "--phase=ir --effort=quick", "--phase=ir --lanes=8"}) {
    const CommandResult made = run_command(std::string(kProgram) + options, scratch.path());
    EXPECT_EQ(made.exit, 0) << made.err;
    const std::string& text = made.out;
    EXPECT_NE(text.find("source_filename = \"main.komuz\"\n"), std::string::npos) << options;
    EXPECT_NE(text.find("; fn sum, main.komuz:3\n"), std::string::npos) << options;
    // The comparison, and the division of the other file.
    EXPECT_NE(text.find("; 4:8\n"), std::string::npos) << options << text;
    EXPECT_NE(text.find("; lib/rules.komuz:1:41\n"), std::string::npos) << options << text;
    // Places are comments alone.
    EXPECT_EQ(text.find("!dbg"), std::string::npos) << options;
    EXPECT_EQ(text.find("DISubprogram"), std::string::npos) << options;
    EXPECT_EQ(text.find("<8 x i64>") != std::string::npos,
              std::string(options).find("lanes") != std::string::npos)
        << options;
  }
}

// Passes or none: the same instructions with the comments and without.
TEST(NativeDump, PlacesChangeNoCode) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult same = run_command(
      "komuz dump examples/collatz/loop.komuz --phase=ir --effort=full | sed 's/ *; "
      "[0-9]*:[0-9]*$//' "
      "| grep -v '^source_filename' >$T/dumped; komuz build examples/collatz/loop.komuz --emit=ll "
      "| "
      "grep -v '^source_filename' | diff - $T/dumped",
      scratch.path());
  EXPECT_EQ(same.out, "");
  EXPECT_EQ(same.exit, 0) << same.err;
}

TEST(NativeDump, BytecodeHasNoPlaces) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult made = run_command(
      "komuz build examples/collatz/loop.komuz -o $T/loop.kbc && komuz dump $T/loop.kbc --phase=ir",
      scratch.path());
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_NE(made.out.find("define i64 @steps_case("), std::string::npos);
  EXPECT_EQ(made.out.find("; fn "), std::string::npos) << made.out;
}

TEST(NativeDump, WhatIsWrongIsSaid) {
  const ScratchFolder scratch;
  struct Wrong {
    const char* command;
    int exit;
    const char* says;
  };
  for (const Wrong& wrong : {
           Wrong{"komuz dump examples/collatz/loop.komuz --lanes=8", 2,
                 "`--lanes` is of the phase `ir`"},
           Wrong{"komuz dump examples/collatz/loop.komuz --phase=ir --lanes=4", 2,
                 "`--lanes` takes one of 1, 8, 16, 32"},
           Wrong{"komuz dump examples/collatz/loop.komuz --phase=ir --before", 2,
                 "--before and --after are of the phase `code`"},
           Wrong{"komuz dump examples/collatz/loop.komuz --phase=ir --entry=none", 2, "none"},
           Wrong{"printf 'fn f( {}' | komuz dump - --phase=ir", 1, "error["},
           Wrong{"KOMUZ_BACKEND=/no/such.so komuz dump examples/collatz/loop.komuz --phase=ir", 4,
                 "no native code of `steps`: there is no /no/such.so, which KOMUZ_BACKEND names"},
       }) {
    const CommandResult said = run_command(wrong.command, scratch.path());
    EXPECT_EQ(said.exit, wrong.exit) << wrong.command << said.err;
    EXPECT_NE(said.err.find(wrong.says), std::string::npos) << wrong.command << said.err;
    EXPECT_EQ(said.out, "") << wrong.command;
  }
  // A copy elsewhere has no backend beside it: it says how to get one.
  const CommandResult alone = run_command(
      "mkdir $T/bin && cp $(command -v komuz) $T/bin && $T/bin/komuz dump "
      "examples/collatz/loop.komuz --phase=ir",
      scratch.path());
  EXPECT_EQ(alone.exit, 4);
  EXPECT_NE(alone.err.find("install llvm-19-dev and build Komuz again"), std::string::npos)
      << alone.err;
}

}  // namespace
}  // namespace komuz::cli_test
