// SPDX-License-Identifier: Apache-2.0
// What `komuz build` says of names, processors and files of native code. That compilers take the headers is a test of its
// own (tests/backend/check_headers.py).
#include <gtest/gtest.h>

#include "backend/abi.h"
#include "tests/cli/native_backend.h"
#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

CommandResult build_library(const ScratchFolder& scratch, const std::string& program,
                            const std::string& options) {
  write_text(scratch.path() + "/p.komuz", program);
  return run_command("komuz build $T/p.komuz --emit=obj -o $T/p.o " + options, scratch.path());
}

// Whoever calls the C library would call these, compilers know them, or two things would be one.
TEST(NativeLibrary, NamesThatAreTakenAreRefused) {
  const ScratchFolder scratch;
  const auto function = [](const std::string& name) {
    return "pub fn " + name + "(x: i64) -> i64 { x }";
  };
  struct Wrong {
    std::string program;
    const char* said;
  };
  std::vector<Wrong> all;
  for (const char* const name : {"malloc", "free", "memset", "memcpy", "memmove", "hypot", "exit",
                                 "read", "write", "fabsf", "cosf32", "open64", "isless", "main"})
    all.push_back({function(name), std::string(name) == "main" ? "is no name for a function of C"
                                                               : "is a function of the C library"});
  for (const char* const name : {"_start", "_exit", "__x"})
    all.push_back({function(name), "those that begin with `_` are of compilers"});
  for (const char* const name : {"typeof", "int64_t", "INT32_MAX", "nullptr"})
    all.push_back({function(name), "is no name for a function of C"});
  for (const Wrong& wrong : all) {
    const CommandResult made = build_library(scratch, wrong.program, "--header $T/p.h");
    EXPECT_EQ(made.exit, 2) << wrong.program;
    EXPECT_NE(made.err.find(wrong.said), std::string::npos) << wrong.program << made.err;
    EXPECT_NE(made.err.find("`--prefix my_`"), std::string::npos) << made.err;
    // With it, all is well.
    if (has_backend(scratch)) {
      const CommandResult prefixed =
          build_library(scratch, wrong.program, "--header $T/p.h --prefix my_");
      EXPECT_EQ(prefixed.exit, 0) << wrong.program << prefixed.err;
    }
  }
  const Wrong twice[] = {
      {"type komuz_trap = komuz_trap(x: i64); pub fn f(t: komuz_trap) -> i64 { t.x }",
       "`komuz_` and `KOMUZ_` begin those of Komuz"},
      {"type KOMUZ = OVERFLOW | FUEL; pub fn f(k: KOMUZ) -> i64 { 1 }", "`KOMUZ_OVERFLOW`"},
      {function("komuz_trap"), "`komuz_trap` is no name for a function"},
      {"pub fn tuple_i64_i64(p: (i64, i64)) -> i64 { p.0 }",
       "a function and a type of C would both be `tuple_i64_i64`"},
      {"type Color = Red | Blue; type Color_Red = Color_Red(x: i64); pub fn f(c: Color, d: "
       "Color_Red) -> i64 { d.x }",
       "an alternative and a type of C would both be `Color_Red`"},
      {"pub fn f(x: i64) -> i64 { x } pub fn f_case(x: i64) -> i64 { x }",
       "two functions of C would both be `f_case`"},
  };
  for (const Wrong& wrong : twice) {
    const CommandResult made = build_library(scratch, wrong.program, "--header $T/p.h");
    EXPECT_EQ(made.exit, 2) << wrong.program << made.err;
    EXPECT_NE(made.err.find(wrong.said), std::string::npos) << wrong.program << made.err;
  }
}

// LLVM knows them, and would end the process.
TEST(NativeLibrary, ProcessorsOf32BitsAreRefused) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const std::string program = " examples/collatz/loop.komuz ";
  for (const std::string cpu : {"i686", "i386", "pentium3", "athlon", "k6", "geode", "lakemont"})
    for (const std::string& command :
         {"komuz build" + program + "--emit=obj -o $T/p.o --header $T/p.h --cpu " + cpu,
          "komuz dump" + program + "--phase=ir --cpu " + cpu}) {
      const CommandResult made = run_command(command, scratch.path());
      EXPECT_EQ(made.exit, 4) << command;
      EXPECT_NE(made.err.find("no x86-64 code for a processor `" + cpu + "`; say x86-64, "),
                std::string::npos)
          << made.err;
    }
  // What is listed makes code.
  const CommandResult listed = run_command("komuz build --emit=obj --cpu help", scratch.path());
  EXPECT_EQ(listed.exit, 0) << listed.err;
  for (const char* const name : {"native\n", "\nx86-64\n", "\nx86-64-v3\n", "\nsapphirerapids\n"})
    EXPECT_NE(listed.out.find(name), std::string::npos) << listed.out;
  EXPECT_EQ(listed.out.find("i686"), std::string::npos) << listed.out;
  EXPECT_EQ(run_command("komuz dump --phase=ir --cpu help", scratch.path()).out, listed.out);
  EXPECT_EQ(run_command("komuz build --emit=ptx --cpu help", scratch.path()).out, "sm_75\nsm_90\n");
  const CommandResult each =
      run_command("for cpu in $(komuz build --emit=obj --cpu help); do komuz build" + program +
                      "--emit=obj -o $T/p.o --cpu $cpu || exit 1; done",
                  scratch.path());
  EXPECT_EQ(each.exit, 0) << each.err;
}

TEST(NativeLibrary, OptionsThatSayNothingAreRefused) {
  const ScratchFolder scratch;
  struct Wrong {
    const char *options, *said;
  };
  const Wrong all[] = {
      {"--emit=obj --entry steps --entry steps", "`--entry` names one function, and is given 2"},
      {"--emit=obj --entry ''", "`--entry` takes the name of a function"},
      {"--emit=ptx --entry ''", "`--entry` takes the name of a function"},
      {"-o=$T/x.o", "/x.o`; the value is a word by itself: `-o /"},
      {"--emit=obj -o - --depfile $T/x.d", "`--depfile` is about files"},
  };
  for (const Wrong& wrong : all) {
    const CommandResult made = run_command(
        "komuz build examples/collatz/loop.komuz " + std::string(wrong.options), scratch.path());
    EXPECT_EQ(made.exit, 2) << wrong.options;
    EXPECT_NE(made.err.find(wrong.said), std::string::npos) << made.err;
  }
}

TEST(NativeLibrary, HolesAreWarnedOf) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  for (const std::string kind : {"obj -o $T/p.o", "obj -o $T/p.o --header $T/p.h", "ptx"}) {
    const CommandResult made =
        run_command("komuz build examples/sketches/mass.komuz --emit=" + kind, scratch.path());
    EXPECT_EQ(made.exit, 0) << made.err;
    EXPECT_NE(made.err.find("warning: examples/sketches/mass.komuz: `"), std::string::npos);
    EXPECT_NE(made.err.find("has a hole that nobody has decided"), std::string::npos) << made.err;
  }
  EXPECT_EQ(
      run_command("komuz build examples/collatz/loop.komuz --emit=obj -o $T/p.o", scratch.path())
          .err,
      "");
}

// The files that make has to look at, as make reads them.
TEST(NativeLibrary, ADepfileNamesTheModules) {
  const ScratchFolder scratch;
  const CommandResult made = run_command(
      "mkdir -p \"$T/a b/lib\" && printf 'pub fn one() -> i64 { 1 }\\n' >\"$T/a b/lib/r.komuz\" && "
      "printf 'use lib.r;\\n\\npub fn f(n: i64) -> i64 { n + r.one() }\\n' >\"$T/a b/m.komuz\" && "
      "cd \"$T/a b\" && komuz build m.komuz -o m.kbc --depfile m.d && cat m.d",
      scratch.path());
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(made.out, "m.kbc: \\\n  lib/r.komuz \\\n  m.komuz\n");
  const CommandResult blank = run_command(
      "komuz build \"$T/a b/m.komuz\" -o $T/m.kbc --depfile $T/m.d && cat $T/m.d", scratch.path());
  EXPECT_NE(blank.out.find("/a\\ b/lib/r.komuz"), std::string::npos) << blank.out << blank.err;
}

// The call that docs/native.md shows.
TEST(NativeLibrary, TheCallOfTheDocumentsRuns) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const std::string page = read_text(KOMUZ_SOURCE_DIR "/docs/native.md");
  const size_t main = page.find("int main(void)");
  ASSERT_NE(main, std::string::npos);
  const size_t begin = page.rfind("```c\n", main) + 5;
  write_text(scratch.path() + "/main.c", page.substr(begin, page.find("```", begin) - begin));
  const CommandResult made = run_command(
      "komuz build examples/collatz/loop.komuz --emit=obj -o $T/loop.o && cc -std=c99 -Wall "
      "-Wextra -pedantic -Werror $T/main.c $T/loop.o -o $T/main && $T/main",
      scratch.path());
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(made.out,
            "steps(27) = 111, 112 ticks\nsteps(97) = 118, 119 ticks\nsteps(1) = 0, 1 ticks\n");
}

// Debuggers walk out of objects, and nothing is in the text that only this process has a use for.
TEST(NativeLibrary, ObjectsHaveTablesToUnwind) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult object = run_command(
      "komuz build examples/collatz/loop.komuz --emit=obj -o $T/p.o --header $T/p.h && grep -c "
      "eh_frame $T/p.o",
      scratch.path());
  EXPECT_EQ(object.exit, 0) << object.err;
  const std::string text =
      run_command("komuz build examples/collatz/loop.komuz --emit=ll", scratch.path()).out;
  EXPECT_NE(text.find("uwtable"), std::string::npos) << text;
  EXPECT_EQ(text.find("warn-stack-size"), std::string::npos) << text;
}

TEST(NativeLibrary, ColumnsOfKernelsAreListed) {
  const ScratchFolder scratch;
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  write_text(scratch.path() + "/p.komuz",
             "type V = V(x: f64, y: f64);\ntype C = Red | Green;\n"
             "pub fn f(n: i64, v: V, vs: [V; 3], g: [[i32; 3]; 2], b: Bytes[4], o: Option[(i64, "
             "f64)], os: [Option[(i64, i64)]; 2], c: C) -> (V, bool) { (v, true) }\n");
  const CommandResult made = run_command("komuz build $T/p.komuz --emit=ptx", scratch.path());
  EXPECT_NE(made.out.find("//   column 0: n, i64\n"
                          "//   column 1: v.x, f64\n"
                          "//   column 2: v.y, f64\n"
                          "//   columns 3-5: vs[0..3].x, f64\n"
                          "//   columns 6-8: vs[0..3].y, f64\n"
                          "//   columns 9-14: g[0..2][0..3], i32\n"
                          "//   column 15: b.len(), i64\n"
                          "//   columns 16-19: b[0..4], u8\n"
                          "//   column 20: o (1: Some), u8\n"
                          "//   column 21: o.Some.0, i64\n"
                          "//   column 22: o.Some.1, f64\n"
                          "//   columns 23-24: os[0..2] (1: Some), u8\n"
                          "//   columns 25-28: os[0..2].Some.0, os[0..2].Some.1, i64\n"
                          "//   column 29: c (0: Red, 1: Green), u8\n"
                          "//   value 0: result.0.x, f64\n"
                          "//   value 1: result.0.y, f64\n"
                          "//   value 2: result.1, bool\n"),
            std::string::npos)
      << made.out.substr(0, 1200) << made.err;
}

// A library of this version that was built from other headers would write other memory than is meant.
TEST(NativeLibrary, ABackendOfAnotherLayoutIsRefused) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/other.c", "const unsigned komuz_backend[64] = {" +
                                              std::to_string(backend::kAbiVersion) + ", " +
                                              std::to_string(backend::kAbiLayout + 1) + "u};\n");
  if (run_command("cc -shared -o $T/other.so $T/other.c", scratch.path()).exit != 0)
    GTEST_SKIP() << "there is no compiler of C";
  const CommandResult other =
      run_command("KOMUZ_BACKEND=$T/other.so komuz build examples/collatz/loop.komuz --emit=ptx",
                  scratch.path());
  EXPECT_EQ(other.exit, 4);
  EXPECT_NE(other.err.find("was built for another Komuz of this version"), std::string::npos)
      << other.err;
  EXPECT_NE(other.err.find("build both from the same source"), std::string::npos) << other.err;
}

// What is to be done stands behind each reason.
TEST(NativeLibrary, AMissingBackendSaysHowToGetOne) {
  const ScratchFolder scratch;
  const std::string alone = "mkdir -p $T/bin && cp $(command -v komuz) $T/bin && $T/bin/komuz ";
  for (const char* const command :
       {"build examples/collatz/loop.komuz --emit=ptx",
        "build examples/collatz/loop.komuz --emit=obj -o $T/p.o", "build --emit=obj --cpu help",
        "run examples/collatz/loop.komuz --native always -- 27"})
    EXPECT_NE(run_command(alone + command, scratch.path())
                  .err.find("install llvm-19-dev and build Komuz again"),
              std::string::npos)
        << command;
}

TEST(NativeLibrary, TheCacheMayBeOffAndMakesOneFolder) {
  const ScratchFolder scratch;
  const std::string run = " komuz run examples/collatz/loop.komuz --native always -- 27";
  for (const char* const off : {"off", "no", ""}) {
    const CommandResult made =
        run_command("KOMUZ_NATIVE_CACHE=" + std::string(off) + run, scratch.path());
    EXPECT_EQ(made.out, "111\n");
    EXPECT_EQ(made.err.find("KOMUZ_NATIVE_CACHE"), std::string::npos) << made.err;
  }
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult wrong = run_command("KOMUZ_NATIVE_CACHE=maybe" + run, scratch.path());
  EXPECT_NE(wrong.err.find("KOMUZ_NATIVE_CACHE is `on`, `off` or the absolute path"),
            std::string::npos)
      << wrong.err;
  const CommandResult deep = run_command("KOMUZ_NATIVE_CACHE=$T/mis/spelt" + run, scratch.path());
  EXPECT_EQ(deep.out, "111\n");
  EXPECT_NE(deep.err.find("native code is not kept in"), std::string::npos) << deep.err;
  EXPECT_FALSE(std::filesystem::exists(scratch.path() + "/mis"));
  EXPECT_EQ(run_command("KOMUZ_NATIVE_CACHE=$T/kept/" + run, scratch.path()).err, "");
  EXPECT_FALSE(std::filesystem::is_empty(scratch.path() + "/kept"));
  EXPECT_EQ(run_command("HOME=$T XDG_CACHE_HOME= KOMUZ_NATIVE_CACHE=on" + run, scratch.path()).err,
            "");
  EXPECT_FALSE(std::filesystem::is_empty(scratch.path() + "/.cache/komuz/native"));
}

TEST(NativeLibrary, StatsOfARun) {
  const ScratchFolder scratch;
  const std::string run = "komuz run examples/collatz/recursion.komuz --stats --native ";
  const CommandResult never = run_command(run + "never -- 27", scratch.path());
  EXPECT_EQ(never.out, "111\n");
  EXPECT_EQ(never.err, "native: never\n");
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  const CommandResult always = run_command(run + "always -- 27", scratch.path());
  EXPECT_EQ(always.out, "111\n");
  EXPECT_NE(always.err.find("native: 1 program compiled in "), std::string::npos) << always.err;
  EXPECT_NE(always.err.find("native: 1 case in "), std::string::npos) << always.err;
}

}  // namespace
}  // namespace komuz::cli_test
