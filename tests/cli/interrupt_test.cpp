// SPDX-License-Identifier: Apache-2.0
// Signals in every state: a command stops in good order, or ends at once, and with the same exit code. Commands wait
// at a named pipe: once the test can open it to write, the command has opened it to read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/cli/native_backend.h"
#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

// The command, with its streams in files of the folder.
pid_t start(const std::vector<std::string>& words, const std::string& folder) {
  const pid_t child = fork();
  if (child != 0) return child;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (chdir(KOMUZ_SOURCE_DIR) != 0) _exit(99);
  for (const auto& [stream, name] : {std::pair{1, "/out"}, {2, "/err"}})
    dup2(open((folder + name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), stream);
  std::vector<char*> arguments = {const_cast<char*>(KOMUZ_EXECUTABLE)};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(KOMUZ_EXECUTABLE, arguments.data());
  _exit(99);
}

struct Ended {
  bool by_signal;
  int exit;
  std::string out, err;
};
// Sends the signal when the command has opened the pipe, into which `text` goes first.
Ended interrupt(const std::vector<std::string>& words, const std::string& pipe,
                std::string_view text, int signal, const ScratchFolder& scratch) {
  unlink(pipe.c_str());
  EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t child = start(words, scratch.path());
  const int fd = open(pipe.c_str(), O_WRONLY);
  EXPECT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  close(fd);
  return {!WIFEXITED(status), WEXITSTATUS(status), read_text(scratch.path() + "/out"),
          read_text(scratch.path() + "/err")};
}

TEST(Interrupts, EveryCommandEndsWithTheSameExitCode) {
  const ScratchFolder scratch;
  const std::string pipe = scratch.path() + "/a.komuz";
  int signal = SIGINT;
  for (const char* command : {"check", "fmt", "fix", "run", "build", "dump", "sketch", "test"}) {
    const Ended ended = interrupt({command, pipe}, pipe, "", signal, scratch);
    EXPECT_FALSE(ended.by_signal) << command;
    EXPECT_EQ(ended.exit, 130) << command << ended.err;
    signal = signal == SIGINT ? SIGTERM : SIGINT;
  }
}

// Also before anything of them has come.
TEST(Interrupts, OfCasesThatAreRead) {
  const ScratchFolder scratch;
  const std::string pipe = scratch.path() + "/cases.csv", report = scratch.path() + "/report";
  write_text(scratch.path() + "/a.komuz", "pub fn f(x: f64) -> f64 { x * ?[1.0, 2.0] }\n");
  write_text(scratch.path() + "/more.csv", "x,expected\n1,2\n");
  const std::string sketch = scratch.path() + "/a.komuz", more = scratch.path() + "/more.csv";
  for (const std::vector<std::string>& words : {
           std::vector<std::string>{"eval", sketch, "--cases", pipe, "--json", report},
           {"search", sketch, "--cases", pipe, "--json", report},
           {"eval", sketch, "--cases", more, "--held-out", pipe, "--json", report},
       })
    for (const std::string_view text : {"", "x,expected\n1,2\n"}) {
      const Ended ended = interrupt(words, pipe, text, SIGINT, scratch);
      EXPECT_FALSE(ended.by_signal);
      EXPECT_EQ(ended.exit, 130) << ended.err;
      EXPECT_EQ(ended.out, "");
      EXPECT_NE(
          ended.err.find("interrupted while " + pipe + " was read: no candidate has been run"),
          std::string::npos)
          << ended.err;
      EXPECT_NE(access(report.c_str(), F_OK), 0);
    }
}

// Nobody writes to it, not even opens it.
// The signal is there before the command is, which keeps it until it can take it.
TEST(Interrupts, OfLogsThatAreRead) {
  const ScratchFolder scratch;
  ASSERT_EQ(run_command("komuz eval examples/regression/candidates.jsonl --cases "
                        "examples/regression/cases.csv --log "
                        "$T/run.jsonl --device cpu >/dev/null",
                        scratch.path())
                .exit,
            0);
  for (const char* command :
       {"merge $T/run.jsonl --json $T/out", "report $T/run.jsonl -o $T/out"}) {
    const CommandResult result = run_command(
        "env --block-signal=INT sh -c 'kill -INT $$; exec komuz " + std::string(command) + "'",
        scratch.path());
    EXPECT_EQ(result.exit, 130) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "komuz: error: interrupted while logs were read: nothing of them is shown\n");
    EXPECT_EQ(run_command("test -e $T/out", scratch.path()).exit, 1);
  }
}

TEST(Interrupts, OfCandidatesThatDoNotCome) {
  const ScratchFolder scratch;
  const std::string pipe = scratch.path() + "/pool.jsonl";
  write_text(scratch.path() + "/cases.csv", "x,expected\n1,2\n");
  const Ended ended = interrupt({"eval", pipe, "--cases", scratch.path() + "/cases.csv"}, pipe, "",
                                SIGINT, scratch);
  EXPECT_EQ(ended.exit, 130) << ended.err;
  EXPECT_NE(ended.err.find("interrupted after 0 candidates"), std::string::npos) << ended.err;
}

// The session goes on with the cases that it had.
TEST(Interrupts, OfCasesThatASessionReads) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/old.csv", "x,expected\n1,2\n");
  const CommandResult result = run_command(
      "mkfifo $T/in $T/out $T/new.csv; komuz repl --json <$T/in >$T/out & "
      "exec 3>$T/in 4<$T/out; printf ':cases %s\n:cases %s\n:cases\n' $T/old.csv $T/new.csv >&3; "
      "exec 5>$T/new.csv; echo 'x,expected' >&5; kill -INT $!; exec 3>&-; wait $!; code=$?; "
      "cat <&4; exit $code",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.out.find("\"error\":\"interrupted\",\"note\":\"the cases are those of"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("\"text\":\"1 case of "), std::string::npos) << result.out;
}

// LLVM cannot be stopped, and nobody waits for it: not the command, nor what it has until then.
TEST(Interrupts, WhileNativeCodeIsMade) {
  const ScratchFolder scratch;
  const std::string cases = scratch.path() + "/cases.csv", report = scratch.path() + "/report";
  write_text(cases, "n,expected\n1,1\n2,2\n3,3\n");
  write_text(scratch.path() + "/a.komuz", "pub fn f(n: i64) -> i64 { n }\n");
  std::string large =
      "pub fn f(n: i64) -> i64 {\n    var t = n;\n    var xs = [1; 8];\n    for i in 0..1000000000 "
      "{\n";
  for (int k = 0; k < 200; ++k)
    large += "        t = (t * 7 + xs[i % 8]) % 10007;\n        xs[t % 8] = t;\n";
  write_text(scratch.path() + "/b.komuz", large + "    }\n    t\n}\n");
  if (!has_backend(scratch)) GTEST_SKIP() << "built without LLVM";
  for (const char* const when : {"auto", "always"}) {
    const pid_t child =
        start({"eval", scratch.path() + "/a.komuz", scratch.path() + "/b.komuz", "--cases", cases,
               "--fuel", "1000000000000", "--threads", "1", "--native", when, "--json", report},
              scratch.path());
    const std::string maps = "/proc/" + std::to_string(child) + "/maps";
    int status = 0;
    bool is_over = false;
    // The library is opened for the first compile.
    while (!is_over && read_text(maps).find("komuz_backend.so") == std::string::npos) {
      is_over = waitpid(child, &status, WNOHANG) == child;
      usleep(1000);
    }
    ASSERT_FALSE(is_over) << when << read_text(scratch.path() + "/err");
    kill(child, SIGINT);
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << when;
    EXPECT_EQ(WEXITSTATUS(status), 130) << when << read_text(scratch.path() + "/err");
    const std::string kept = read_text(report);
    EXPECT_NE(kept.find("\"complete\": false"), std::string::npos) << kept;
    // What had ended is in it: with `always`, only the first program may have been waited for.
    if (std::string_view(when) == "auto") {
      EXPECT_NE(kept.find("a.komuz"), std::string::npos) << kept;
    }
  }
}

}  // namespace
}  // namespace komuz::cli_test
