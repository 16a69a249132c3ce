// SPDX-License-Identifier: Apache-2.0
// Logs of runs that are killed or interrupted, or run out of space, and logs of shards in separate processes.
#include <gtest/gtest.h>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

// A run of some hundred milliseconds.
constexpr const char* kRun =
    "komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
    "--score squared --threads 1 ";

// What a run that nothing disturbs leaves.
struct Whole {
  std::string log, report;
};
Whole whole_run(const std::string& scratch) {
  const CommandResult result =
      run_command(std::string(kRun) + "--log $T/whole.jsonl --json $T/whole.json", scratch);
  EXPECT_EQ(result.exit, 0) << result.err;
  return {read_text(scratch + "/whole.jsonl"), read_text(scratch + "/whole.json")};
}

TEST(Log, AKilledRunGoesOnToTheSameBytes) {
  const ScratchFolder scratch;
  const Whole whole = whole_run(scratch.path());
  // Ever later, so that each run gets a bit further than what it finds.
  const CommandResult result = run_command(
      std::string("for t in 0.01 0.02 0.04 0.07 0.1 0.15; do ") + kRun +
          "--resume $T/log.jsonl --json $T/report.json >$T/table 2>&1 & sleep $t; kill -9 $!; "
          "wait $! 2>/dev/null; done; " +
          kRun + "--resume $T/log.jsonl --json $T/report.json",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(read_text(scratch.path() + "/log.jsonl"), whole.log);
  EXPECT_EQ(read_text(scratch.path() + "/report.json"), whole.report);
}

TEST(Log, AnInterruptSaysHowToGoOn) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/a.komuz", "pub fn f(n: i64) -> i64 { n }\n");
  write_text(scratch.path() + "/b.komuz",
             "pub fn f(n: i64) -> i64 { var k = n; while k >= 0 { k ^= 1; } k }\n");
  const CommandResult result = run_command(
      "komuz eval $T/a.komuz $T/b.komuz --cases examples/collatz/cases.jsonl --input input1 "
      "--output output1 --threads 1 --fuel 2000000000000 --log $T/log >/dev/null"
      " & sleep 0.5; kill -INT $!; wait $!",
      scratch.path());
  EXPECT_EQ(result.exit, 130) << result.err;
  EXPECT_NE(result.err.find("/log` goes on from there"), std::string::npos) << result.err;
  const std::string log = read_text(scratch.path() + "/log");
  EXPECT_NE(log.find("a.komuz\""), std::string::npos) << log;
  EXPECT_EQ(log.find("\"end\""), std::string::npos) << log;
}

// The ranking of what there is, an error, and a log that goes on once there is room.
TEST(Log, ADiskWithoutRoomLosesNothing) {
  const ScratchFolder scratch;
  const Whole whole = whole_run(scratch.path());
  const CommandResult full =
      run_command(std::string("ulimit -f 2000; ") + kRun + "--log $T/log.jsonl", scratch.path());
  EXPECT_EQ(full.exit, 3) << full.err;
  EXPECT_NE(full.err.find("cannot write"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("--resume"), std::string::npos) << full.err;
  EXPECT_NE(full.out.find("   1  c"), std::string::npos) << full.out;
  const CommandResult resumed = run_command(
      std::string(kRun) + "--resume $T/log.jsonl --json $T/report.json", scratch.path());
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(read_text(scratch.path() + "/log.jsonl"), whole.log);
  EXPECT_EQ(read_text(scratch.path() + "/report.json"), whole.report);
}

// Whoever holds it has all the time that the run was given; how long that is does not show.
TEST(Log, AHeldOneIsWaitedFor) {
  const ScratchFolder scratch;
  const Whole whole = whole_run(scratch.path());
  const std::string hold =
      "(flock 9; : >$T/held; until [ -e $T/free ]; do sleep 0.01; done) 9>>$T/log.jsonl & "
      "until [ -e $T/held ]; do sleep 0.01; done; ";
  const CommandResult waited = run_command(
      hold + kRun + "--resume $T/log.jsonl --wait 10m --json $T/report.json 2>$T/err & run=$!; " +
          "until grep -q 'it is waited for' $T/err; do sleep 0.01; done; : >$T/free; wait $run",
      scratch.path());
  EXPECT_EQ(waited.exit, 0) << read_text(scratch.path() + "/err");
  EXPECT_EQ(read_text(scratch.path() + "/log.jsonl"), whole.log);
  EXPECT_EQ(read_text(scratch.path() + "/report.json"), whole.report);

  const CommandResult late =
      run_command("rm $T/free $T/held; " + hold + kRun +
                      "--resume $T/log.jsonl --wait 20ms; code=$?; : >$T/free; wait; exit $code",
                  scratch.path());
  EXPECT_EQ(late.exit, 3) << late.err;
  EXPECT_NE(late.err.find("another run is writing this log"), std::string::npos) << late.err;
  EXPECT_EQ(read_text(scratch.path() + "/log.jsonl"), whole.log);
}

TEST(Log, ARemovedLogIsAnError) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      "mkfifo $T/in; komuz eval - --cases examples/collatz/cases.jsonl --input input1 "
      "--output output1 --log $T/log <$T/in >/dev/null & exec 3>$T/in;"
      R"(printf '{"id":"a","source":"pub fn f(n: i64) -> i64 { n }"}\n' >&3; sleep 0.3;)"
      "rm $T/log; exec 3>&-; wait $!",
      scratch.path());
  EXPECT_EQ(result.exit, 3) << result.err;
  EXPECT_NE(result.err.find("was removed"), std::string::npos) << result.err;
}

TEST(Log, ShardsInProcessesOfTheirOwnAreTheWholeRun) {
  const ScratchFolder scratch;
  const Whole whole = whole_run(scratch.path());
  const CommandResult partial = run_command(
      std::string("for i in 1 2 3; do ") + kRun +
          "--shard $i/3 --log $T/$i.jsonl >/dev/null & pids=\"$pids $!\"; done; sleep 0.05; "
          "kill -9 ${pids##* }; wait; head -c 60000 $T/3.jsonl >$T/cut; mv $T/cut $T/3.jsonl; "
          "komuz merge $T/3.jsonl $T/1.jsonl $T/2.jsonl --json $T/partial.json >/dev/null",
      scratch.path());
  EXPECT_EQ(partial.exit, 3) << partial.err;
  EXPECT_NE(partial.err.find("3.jsonl has no end"), std::string::npos) << partial.err;
  EXPECT_TRUE(read_text(scratch.path() + "/partial.json")
                  .starts_with("{\"komuz_report\": 2, \"complete\": false"));
  const CommandResult merged =
      run_command(std::string(kRun) +
                      "--shard 3/3 --resume $T/3.jsonl >/dev/null; "
                      "komuz merge $T/3.jsonl $T/1.jsonl $T/2.jsonl --json $T/merged.json",
                  scratch.path());
  EXPECT_EQ(merged.exit, 0) << merged.err;
  EXPECT_EQ(read_text(scratch.path() + "/merged.json"), whole.report);
}

// The network reads the cases again when the run goes on, with any number of threads.
TEST(Log, OfASearchWithProposalsGoesOnWithThem) {
  const ScratchFolder scratch;
  const std::string search =
      "komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv "
      "--score squared --population 40 --seed 2 ";
  const auto run = [&](const std::string& more) {
    return run_command(search + more, scratch.path());
  };
  EXPECT_EQ(run("--generations 9 --propose neural --threads 1 --log $T/whole.jsonl").exit, 0);
  EXPECT_EQ(run("--generations 3 --propose neural --threads 3 --log $T/part.jsonl").exit, 0);
  const CommandResult plain = run("--generations 9 --resume $T/part.jsonl");
  EXPECT_EQ(plain.exit, 3);
  EXPECT_NE(plain.err.find("`method` was \"evolve with proposals "), std::string::npos)
      << plain.err;
  EXPECT_EQ(run("--generations 9 --propose neural --threads 2 --resume $T/part.jsonl").exit, 0);
  EXPECT_EQ(read_text(scratch.path() + "/part.jsonl"), read_text(scratch.path() + "/whole.jsonl"));
  EXPECT_EQ(run("--generations 3 --threads 1 --log $T/plain.jsonl").exit, 0);
  EXPECT_EQ(read_text(scratch.path() + "/plain.jsonl").find("proposals"), std::string::npos);
}

// Of candidates that ended at a failure it is not known which of them do the same.
TEST(Log, OfFirstFailuresBehavioursAreNotCompared) {
  const ScratchFolder scratch;
  const CommandResult run = run_command(
      "komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
      "--first-failure --log $T/log.jsonl >/dev/null; komuz merge $T/log.jsonl --distinct",
      scratch.path());
  EXPECT_EQ(run.exit, 2) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("`--distinct` is not for logs of `--first-failure`"), std::string::npos)
      << run.err;
  EXPECT_EQ(run_command("komuz merge $T/log.jsonl", scratch.path()).exit, 0);
}

}  // namespace
}  // namespace komuz::cli_test
