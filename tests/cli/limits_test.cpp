// SPDX-License-Identifier: Apache-2.0
// Limits of the machine on a process, and files without an end.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

constexpr std::string_view kGrid =
    "pub fn f(x: f64) -> f64 { ?a(-2.0..=2.0, steps: 40) * x + ?b(-2.0..=2.0, steps: 40) }\n";
constexpr std::string_view kCases = "x,expected\n1,2\n2,4\n3,6\n";

void write_inputs(const ScratchFolder& scratch) {
  write_text(scratch.path() + "/grid.komuz", kGrid);
  write_text(scratch.path() + "/cases.csv", kCases);
}

size_t count_of(std::string_view part, std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Off a terminal, also while nothing moves: here no candidate comes for a while.
TEST(Limits, ALongRunSaysHowFarItIsWhereThatIsAskedFor) {
  const ScratchFolder scratch;
  write_inputs(scratch);
  const std::string candidate = R"({"id": "a", "source": "pub fn f(x: f64) -> f64 { x }"})";
  const std::string run = "(sleep 0.6; echo '" + candidate +
                          "') | komuz eval - --cases $T/cases.csv --score squared --device cpu";
  const CommandResult told = run_command(run + " --progress 50ms", scratch.path());
  EXPECT_GE(count_of(" s: no candidates yet\n", told.err), 2U) << told.err;
  EXPECT_EQ(told.exit, 0);
  const CommandResult silent = run_command(run, scratch.path());
  EXPECT_EQ(silent.err, "");
  EXPECT_EQ(silent.out, told.out);
  for (const char* wrong : {"0", "10x", "-1s", "", "s"}) {
    const CommandResult refused =
        run_command("komuz merge x --progress '" + std::string(wrong) + "'", scratch.path());
    EXPECT_EQ(refused.exit, 2) << wrong;
    EXPECT_NE(refused.err.find("`--progress` takes a time such as 10s"), std::string::npos);
  }
}

// A pipe that is full and that nobody reads: nobody waits for it. Then it holds whole lines.
TEST(Limits, ProgressThatNobodyReadsHoldsNothingUp) {
  const ScratchFolder scratch;
  write_inputs(scratch);
  const CommandResult result = run_command(
      "mkfifo $T/err; exec 3<>$T/err; head -c 65500 /dev/zero | tr '\\0' ' ' >&3; "
      "komuz search $T/grid.komuz --cases $T/cases.csv --score squared --device cpu --generations "
      "40 --population 30 --progress 1ms 2>&3; code=$?; "
      "exec 4<$T/err 3>&-; cat <&4 | tail -c +65501; exit $code",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.out.find("rank"), std::string::npos) << result.out;
}

// A device has no end, and a file with holes may be longer than any memory.
TEST(Limits, FilesWithoutEndAreRefused) {
  const ScratchFolder scratch;
  write_inputs(scratch);
  ASSERT_EQ(run_command("for f in cases2.csv code.kbc pool.jsonl; do truncate -s 64G $T/$f; done",
                        scratch.path())
                .exit,
            0);
  struct Row {
    std::string command, message;
    int exit;
  };
  const std::string eval = "komuz eval $T/grid.komuz --score squared --device cpu ";
  for (const Row& row : {
           Row{eval + "--cases /dev/zero", "/dev/zero:1: this line is too long", 3},
           {eval + "--cases $T/cases2.csv",
            "/cases2.csv is longer than 4,294,967,296 bytes, the most that a file of cases may", 3},
           {eval + "--cases $T/cases.csv --held-out /dev/zero", "this line is too long", 3},
           {"printf ':cases /dev/zero\\n:cases %s/cases2.csv\\n1 + 1\\n' $T | komuz repl",
            "a file of cases may have", 1},
           {"komuz repl /dev/zero", "the most that a script may have", 3},
           {"komuz run $T/code.kbc", "the most that a program may have", 3},
           {"komuz eval - --cases $T/cases.csv --device cpu </dev/zero",
            "<stdin>:1: this line is longer than 268,435,456 bytes, and nothing behind it is", 3},
           {"komuz merge $T/pool.jsonl", "this is no results log", 3},
       }) {
    const CommandResult result = run_command(row.command, scratch.path());
    EXPECT_EQ(result.exit, row.exit) << row.command;
    EXPECT_NE(result.err.find(row.message), std::string::npos) << row.command << "\n" << result.err;
  }
}

// A program may need so many modules; a pool and a session may come by more.
TEST(Limits, OfModules) {
  const ScratchFolder scratch;
  ASSERT_EQ(run_command(
                "cd $T; for k in $(seq 300); do echo \"pub fn f(n: i64) -> i64 { n + $k }\" "
                ">m$k.komuz; done; use() { for k in $(seq $1 $2); do echo \"use m$k;\"; done; }; "
                "for g in 1 2 3 4 5; do (use $((51 * g - 50)) $((51 * g)); "
                "echo 'pub fn h() -> i64 { 1 }') >g$g.komuz; echo \"use g$g;\"; done >many.komuz; "
                "echo 'pub fn g(n: i64) -> i64 { n }' >>many.komuz; "
                "(use 1 255; echo 'nonsense') >a.komuz; "
                "(use 300 300; echo 'pub fn g(n: i64) -> i64 { m300.f(n) }') >b.komuz; "
                "(for k in $(seq 299); do echo \"use m$k; fn bad() -> i64 { x }\"; done; "
                "use 300 300; echo 'm300.f(1)') >session.txt",
                scratch.path())
                .exit,
            0);
  const std::string message =
      "it needs more modules than the 255 that a program may have, with those that they need";
  for (const char* const command :
       {"komuz check $T/many.komuz", "komuz test $T/many.komuz", "komuz run $T/many.komuz -- 1",
        "komuz fix $T/many.komuz", "komuz build $T/many.komuz -o $T/many.kbc"}) {
    const CommandResult result = run_command(command, scratch.path());
    EXPECT_NE(result.exit, 0) << command;
    EXPECT_NE(result.err.find("many.komuz: " + message), std::string::npos)
        << command << result.out << result.err;
  }
  const CommandResult pool = run_command(
      "cd $T; printf 'n,expected\\n1,301\\n' >cases.csv; komuz eval a.komuz many.komuz "
      "b.komuz --cases cases.csv",
      scratch.path());
  EXPECT_EQ(pool.exit, 0) << pool.err;
  EXPECT_NE(pool.out.find("1/1"), std::string::npos) << pool.out;
  EXPECT_NE(pool.out.find("many.komuz: " + message), std::string::npos) << pool.out;
  EXPECT_EQ(pool.out.find("there is no module"), std::string::npos) << pool.out;
  const CommandResult session = run_command("cd $T; komuz repl <session.txt", scratch.path());
  EXPECT_EQ(session.out, "301\n") << "what is refused takes no room";
  EXPECT_EQ(session.err.find("there is no module"), std::string::npos) << session.err;
}

TEST(Limits, OfWhatIsShownOfACounterexample) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/p.komuz",
             "type Long = Long(a_name_that_takes_a_whole_line_of_a_report_by_itself: i64);\n"
             "prop \"short\"(xs: List[Long, 200]) {\n  assert xs.len() < 70;\n}\n");
  const CommandResult lines = run_command("komuz test --json $T/p.komuz", scratch.path());
  EXPECT_NE(lines.out.find(R"("arguments":{"xs":null},"cut":[{"of":"arguments.xs","bytes":4270,)"
                           R"("begin":"[{\"a_name_that_)"),
            std::string::npos)
      << lines.out;
  EXPECT_NE(lines.out.find(R"("counterexample":"")"), std::string::npos);
  const CommandResult text = run_command("komuz test $T/p.komuz", scratch.path());
  EXPECT_NE(text.out.find("  with xs = [Long(a_name_that_"), std::string::npos) << text.out;
  EXPECT_LT(text.out.size(), 600u);
}

// As `ulimit -u` does: no thread can be started, here for want of room for its stack.
TEST(Limits, WithoutThreadsAllIsDoneByOne) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer looks at the limit of the stack";
#endif
  const ScratchFolder scratch;
  write_inputs(scratch);
  for (const std::string& command :
       {std::string("komuz eval $T/grid.komuz --cases $T/cases.csv --score squared --threads 4 "
                    "--device cpu --json -"),
        std::string("komuz search $T/grid.komuz --cases $T/cases.csv --score absolute --threads 4 "
                    "--generations 3 --population 30 --method lexicase --device cpu"),
        std::string("komuz search $T/grid.komuz --cases $T/cases.csv --score squared --time 600 "
                    "--generations 3 --population 30 --device cpu"),
        std::string("komuz repl -e '1 + 1'")}) {
    const CommandResult expected = run_command(command, scratch.path());
    const CommandResult alone = run_command("ulimit -s 200000000000; " + command, scratch.path());
    EXPECT_EQ(alone.exit, 0) << alone.err;
    EXPECT_EQ(alone.out, expected.out) << command;
  }
}

}  // namespace
}  // namespace komuz::cli_test
