// SPDX-License-Identifier: Apache-2.0
// Native code as a user makes it: an object file that a C program calls, and what is said where there is none.
#include <gtest/gtest.h>

#include "tests/cli/native_backend.h"
#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

// docs/native.md declares it so.
constexpr char kCaller[] = R"(#include <stdint.h>
#include <stdio.h>
struct komuz_case { uint64_t left, reserve, ended; void* scratch; uint32_t stop; };
uint64_t steps_case(struct komuz_case*, const void* const*, uint64_t, uint64_t*, uint64_t);
int main(void) {
  const int64_t n[3] = {27, 97, 1};
  const void* columns[1] = {n};
  for (uint64_t row = 0; row < 3; ++row) {
    struct komuz_case state = {16384, 1000000 - 1 - 16384, 0, 0, 0};
    uint64_t value = 0;
    const uint64_t trap = steps_case(&state, columns, row, &value, 1);
    printf("%d %d %d\n", (int)trap, (int)value, (int)(1000000 - state.left - state.reserve));
  }
  struct komuz_case state = {9, 0, 0, 0, 0};
  uint64_t value = 0;
  const uint64_t trap = steps_case(&state, columns, 0, &value, 1);
  printf("%d %d\n", (int)(trap & 255), (int)(trap >> 8 & 0xffffff));
}
)";

TEST(Native, AnObjectFileIsCalledFromC) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult made = run_command(
      "komuz build examples/collatz/loop.komuz --emit=obj -o $T/loop.o && cat >$T/main.c "
      "<<'END'\n" +
          std::string(kCaller) + "END\ncc -O1 $T/main.c $T/loop.o -o $T/main && $T/main",
      scratch.path());
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(made.out, "0 111 112\n0 118 119\n0 0 1\n8 1\n");
}

TEST(Native, TextsSayWhatTheyAre) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const std::string command = "komuz build examples/collatz/loop.komuz --emit=";
  EXPECT_NE(run_command(command + "ll", scratch.path()).out.find("define i64 @steps_case("),
            std::string::npos);
  EXPECT_NE(run_command(command + "asm-native", scratch.path()).out.find("steps_case:"),
            std::string::npos);
  const CommandResult other = run_command(command + "ll --cpu z80", scratch.path());
  EXPECT_EQ(other.exit, 4);
  EXPECT_NE(other.err.find("z80"), std::string::npos) << other.err;
}

// What C cannot have is refused before anything is written, with what to do.
TEST(Native, HeadersSayWhatCCannotHave) {
  const ScratchFolder scratch;
  struct Wrong {
    const char *program, *options, *said;
  };
  const Wrong all[] = {
      {"pub fn short(x: i64) -> i64 { x }", "", "`--prefix my_`"},
      {"pub fn main(x: i64) -> i64 { x }", "", "`main` is no name for a function of C"},
      {"type S = A(x: i64) | B; pub fn f(s: S) -> i64 { 1 }", "",
       "C cannot call `f`: `s`: C does not get sums"},
      {"type S = A(x: i64) | B; pub fn f(x: i64) -> S { B }", "",
       "C cannot call `f`: its result: "},
      {"pub fn f(x: [i64]) -> i64 { 1 } pub fn g() -> i64 { 1 }", "",
       "or name one function: `--entry NAME`"},
      {"pub fn f(x: i64) -> i64 { x } pub fn f_rows(x: i64) -> i64 { x }", "",
       "two functions of C would both be `f_rows`"},
      {"pub fn f(x: i64) -> i64 { x } pub fn f_within(x: i64) -> i64 { x }", "",
       "two functions of C would both be `f_within`"},
      {"type A = B_C | X; type A_B = C | Y; pub fn f(a: A, b: A_B) -> i64 { 1 }", "",
       "two alternatives of C would both be `A_B_C`"},
      {"fn f(x: i64) -> i64 { x }", "--entry g", "no function `g`"},
      {"pub fn f(x: i64) -> i64 { x }", "--prefix 3d_",
       "`--prefix` is the beginning of a name in C"},
      {"pub fn f(x: i64) -> i64 { x }", "--fuel 0", "--fuel"},
  };
  for (const Wrong& wrong : all) {
    const CommandResult made = run_command(
        "echo '" + std::string(wrong.program) +
            "' >$T/p.komuz; komuz build $T/p.komuz --emit=obj -o $T/p.o --header $T/p.h " +
            wrong.options,
        scratch.path());
    EXPECT_EQ(made.exit, 2) << wrong.program;
    EXPECT_NE(made.err.find(wrong.said), std::string::npos) << made.err;
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(scratch.path()) / "p.o"));
  }
  for (const char* const options :
       {"--prefix p_ --emit=obj", "--header $T/p.h", "--header $T/p.komuz --emit=obj",
        "--header $T/p.o -o $T/p.o --emit=obj", "--header - -o - --emit=obj"}) {
    const CommandResult made =
        run_command("komuz build $T/p.komuz " + std::string(options), scratch.path());
    EXPECT_NE(made.exit, 0) << options;
    EXPECT_NE(made.err, "") << options;
  }
}

TEST(Native, APrefixStandsBeforeAllNames) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult made = run_command(
      "echo 'type P = P(x: f64); type E = A | B; pub fn short(p: P) -> E { if p.x > 0.0 { A } else "
      "{ B } }' >$T/p.komuz; "
      "komuz build $T/p.komuz --emit=ll --prefix my_ --header $T/p.h -o - && komuz build "
      "$T/p.komuz --emit=obj --prefix my_ --header -",
      scratch.path());
  EXPECT_EQ(made.exit, 0) << made.err;
  for (const char* const part :
       {" @my_short(", " @my_short_rows(", " @my_short_case(", "struct my_P {", "my_E_B = 1",
        "int32_t my_short(const struct my_P* p, uint8_t* out, struct komuz_trap* trap);"})
    EXPECT_NE(made.out.find(part), std::string::npos) << part << "\n" << made.out;
}

// One kernel a program, with names of their own, for the GPU that is named.
TEST(Native, AModuleForGpus) {
  const ScratchFolder scratch;
  const std::string two =
      "komuz build examples/collatz/loop.komuz examples/collatz/off_by_one.komuz ";
  const CommandResult portable = run_command(two + "--emit=ptx", scratch.path());
  if (has_backend(scratch)) {
    EXPECT_EQ(portable.exit, 0) << portable.err;
    for (const char* const part :
         {"// loop_steps_kernel: (n: i64) -> i64\n", ".version 6.3\n.target sm_75\n",
          ".visible .entry loop_steps_kernel(", ".visible .entry off_by_one_steps_kernel("})
      EXPECT_NE(portable.out.find(part), std::string::npos) << part;
    const CommandResult newer = run_command(
        "komuz build examples/collatz/loop.komuz --emit=ptx --cpu sm_90 -o $T/loop.ptx && cat "
        "$T/loop.ptx",
        scratch.path());
    EXPECT_NE(newer.out.find(".version 7.8\n.target sm_90\n"), std::string::npos) << newer.err;
    EXPECT_NE(newer.out.find(".visible .entry steps_kernel("), std::string::npos);
  } else {
    EXPECT_EQ(portable.exit, 4) << portable.err;
  }
  struct Wrong {
    std::string command;
    const char* said;
  };
  const std::string one = "komuz build examples/collatz/loop.komuz ";
  const Wrong all[] = {{one + "--emit=ptx --cpu sm_80", "sm_75"},
                       {one + "--emit=ptx --header $T/l.h", "`--header` is for functions of C"},
                       {one + "--emit=ptx --entry no", "no"},
                       {two + "--emit=obj -o $T/two.o", "name one program"},
                       {one + "examples/collatz/loop.komuz --emit=ptx", "`loop_steps_kernel`"},
                       {"komuz build --emit=ptx", "name one program"}};
  for (const Wrong& wrong : all) {
    const CommandResult made = run_command(wrong.command, scratch.path());
    EXPECT_EQ(made.exit, 2) << wrong.command;
    EXPECT_NE(made.err.find(wrong.said), std::string::npos) << made.err;
  }
}

// Without it, and with something else in its place, everything else works, and the reason is said.
TEST(Native, WithoutBackendTheReasonIsSaid) {
  const ScratchFolder scratch;
  const std::string files[] = {"/no/such/file.so", "README.md", "/lib/x86_64-linux-gnu/libc.so.6"};
  for (const std::string& file : files) {
    const std::string with = "KOMUZ_BACKEND=" + file + " komuz ";
    const CommandResult devices = run_command(with + "devices", scratch.path());
    EXPECT_EQ(devices.exit, 0);
    EXPECT_NE(devices.out.find("native none: "), std::string::npos) << devices.out;
    EXPECT_NE(devices.out.find(file), std::string::npos) << devices.out;
    EXPECT_EQ(run_command(with + "run examples/collatz/loop.komuz -- 27", scratch.path()).out,
              "111\n");
    const CommandResult build =
        run_command(with + "build examples/collatz/loop.komuz --emit=ll", scratch.path());
    EXPECT_EQ(build.exit, 4);
    EXPECT_EQ(build.out, "");
    EXPECT_NE(build.err.find("no native code of `steps`: "), std::string::npos) << build.err;
  }
}

TEST(Native, OptionsOfNativeCodeAreForItAlone) {
  const ScratchFolder scratch;
  const CommandResult wrong =
      run_command("komuz build examples/collatz/loop.komuz --cpu native", scratch.path());
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("`--cpu` is for native code"), std::string::npos) << wrong.err;
}

// Everything that runs: outcomes, traps, fuel, scores, ranks.
TEST(Native, NothingOfItShowsInResults) {
  const ScratchFolder scratch;
  const std::string commands[] = {
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 --json -",
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 --fuel 100 --json - --case-scores",
      "komuz eval examples/braking/candidates --harness examples/braking/harness.komuz --cases "
      "examples/braking/roads.csv --minimize --json -",
      "head -n 20 examples/regression/candidates.jsonl | komuz eval - --cases "
      "examples/regression/cases.csv --score squared --json -",
      "komuz eval examples/packing/candidates --harness examples/packing/by_room.komuz --cases "
      "examples/packing/or3.jsonl --minimize --json -",
      "komuz search examples/sketches/mass.komuz --cases examples/feynman/rows/I.10.7.csv "
      "--generations 2 --population 10 --seed 3 --json -",
      "komuz search examples/packing/worth.komuz --harness examples/packing/by_room.komuz --cases "
      "examples/packing/or3.jsonl --minimize --generations 2 --population 70 --seed 1 --json -",
      "komuz test examples/tour.komuz examples/library.komuz --samples 300",
      "komuz run examples/collatz/recursion.komuz -- 27",
      "komuz run examples/collatz/recursion.komuz --fuel 50 --json -- 27",
      "komuz run examples/tour.komuz --entry gcd -- 1071 462",
      "komuz repl -e 'fn f(n: i64) -> i64 rec 30 { if n < 2 { n } else { f(n - 1) + f(n - 2) } }' "
      "-e 'f(20)' -e 'f(30)'",
  };
  for (const std::string& command : commands) {
    const CommandResult never =
        run_command("export KOMUZ_NATIVE=never; " + command, scratch.path());
    EXPECT_NE(never.out, "") << command << "\n" << never.err;
    for (const char* const when : {"auto", "always"}) {
      const CommandResult other =
          run_command("export KOMUZ_NATIVE=" + std::string(when) + "; " + command, scratch.path());
      EXPECT_EQ(other.out, never.out) << when << ": " << command << "\n" << other.err;
      EXPECT_EQ(other.exit, never.exit) << when << ": " << command << "\n" << other.err;
    }
  }
}

// Where it is demanded and there is none, the run goes on, and the reason is said once.
TEST(Native, WhatIsDemandedAndMissingIsSaid) {
  const ScratchFolder scratch;
  const std::string eval =
      " komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 --json - --native ";
  const std::string missing = "KOMUZ_BACKEND=/no/such/file.so";
  const CommandResult never = run_command(eval + "never", scratch.path());
  const CommandResult demanded = run_command(missing + eval + "always", scratch.path());
  EXPECT_EQ(demanded.out, never.out);
  EXPECT_EQ(demanded.exit, never.exit);
  const size_t said = demanded.err.find("no native code: there is no /no/such/file.so");
  ASSERT_NE(said, std::string::npos) << demanded.err;
  EXPECT_EQ(demanded.err.find("no native code", said + 1), std::string::npos) << demanded.err;
  EXPECT_EQ(run_command(missing + eval + "auto", scratch.path()).err.find("no native code"),
            std::string::npos);
  const CommandResult wrong = run_command(eval + "sometimes", scratch.path());
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("`--native` takes one of never, auto, always"), std::string::npos)
      << wrong.err;
  EXPECT_EQ(run_command("KOMUZ_NATIVE=sometimes" + eval + "never", scratch.path()).exit, 2);
}

// A library with another version of the interface is left alone.
TEST(Native, ABackendOfAnotherVersionIsRefused) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/other.c", "const unsigned komuz_backend[32] = {999};\n");
  if (run_command("cc -shared -o " + scratch.path() + "/other.so " + scratch.path() + "/other.c",
                  scratch.path())
          .exit != 0)
    GTEST_SKIP() << "there is no compiler of C";
  const std::string run = " komuz run examples/collatz/recursion.komuz --native always -- 27";
  const CommandResult usual = run_command(
      "KOMUZ_NATIVE=never komuz run examples/collatz/recursion.komuz -- 27", scratch.path());
  const CommandResult other =
      run_command("KOMUZ_BACKEND=" + scratch.path() + "/other.so" + run, scratch.path());
  EXPECT_EQ(other.out, usual.out);
  EXPECT_EQ(other.exit, usual.exit);
  EXPECT_NE(other.err.find("belongs to another version of Komuz (999, not "), std::string::npos)
      << other.err;
}

TEST(Native, StatsSayWhatWasCompiled) {
  const ScratchFolder scratch;
  const std::string eval =
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 --stats --native ";
  EXPECT_NE(run_command(eval + "never", scratch.path()).err.find("native: never\n"),
            std::string::npos);
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const std::string always = run_command(eval + "always", scratch.path()).err;
  EXPECT_NE(always.find(" programs compiled in "), std::string::npos) << always;
  EXPECT_NE(always.find(" cases in "), std::string::npos) << always;
  // It was native all the same.
  const CommandResult unkept = run_command(
      "KOMUZ_NATIVE_CACHE=/proc/none komuz run examples/tour.komuz --entry gcd --native always -- "
      "1071 462",
      scratch.path());
  EXPECT_EQ(unkept.out, "21\n");
  EXPECT_NE(unkept.err.find("warning: native code is not kept in /proc/none"), std::string::npos)
      << unkept.err;
  EXPECT_EQ(unkept.err.find("virtual machine"), std::string::npos) << unkept.err;
  // 10,000 expressions are what the batch machine is best at.
  const std::string many =
      run_command(
          "komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
          "--score squared --stats",
          scratch.path())
          .err;
  EXPECT_NE(many.find("native: 0 programs compiled\n"), std::string::npos) << many;
}

}  // namespace
}  // namespace komuz::cli_test
