// SPDX-License-Identifier: Apache-2.0
// Logs of fits that make several searches.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

constexpr const char* kTable =
    "printf 'x,t,y\\n' >$T/data.csv; seq 1 40 | awk '{ print $1 / 8 \",\" ($1 * 7 % 13) / 5 \",\" "
    "$1 * $1 / 50 + sin($1 * 7 % 13) }' >>$T/data.csv; ";
constexpr const char* kFit =
    "komuz fit $T/data.csv --folds 2 --seeds 2 --generations 4 --population 50 --threads 1 --worst "
    "0 ";

std::vector<std::string> logs_of(const std::string& scratch, const std::string& name) {
  std::vector<std::string> logs;
  for (const char* const end : {"", ".2", ".3", ".4"})
    logs.push_back(read_text(scratch + "/" + name + end));
  return logs;
}

// What is left of four logs: so many are whole, and a half of the next one.
TEST(FitLogs, SeveralSearchesGoOnAtAnyPlace) {
  const ScratchFolder scratch;
  const CommandResult whole = run_command(
      std::string(kTable) + kFit + "--log $T/whole --json $T/whole.json", scratch.path());
  ASSERT_EQ(whole.exit, 0) << whole.err;
  const std::vector<std::string> logs = logs_of(scratch.path(), "whole");
  for (const std::string& log : logs) EXPECT_NE(log.find("\"end\""), std::string::npos);
  EXPECT_NE(logs[0], logs[1]);
  EXPECT_NE(logs[2], logs[3]);
  constexpr const char* kEnds[] = {"", ".2", ".3", ".4"};
  for (size_t left = 0; left < logs.size(); ++left) {
    for (size_t k = 0; k < logs.size(); ++k) {
      const std::string path = scratch.path() + "/part" + kEnds[k];
      std::filesystem::remove(path);
      if (k <= left) write_text(path, k < left ? logs[k] : logs[k].substr(0, logs[k].size() / 2));
    }
    const CommandResult result =
        run_command(std::string(kFit) + "--resume $T/part --json $T/part.json", scratch.path());
    EXPECT_EQ(result.exit, 0) << result.err;
    EXPECT_EQ(logs_of(scratch.path(), "part"), logs) << left;
    EXPECT_EQ(read_text(scratch.path() + "/part.json"), read_text(scratch.path() + "/whole.json"));
  }
}

// By time, a search that came to its end stays as it is, but for the generation in which that was.
TEST(FitLogs, SearchesThatHaveEndedAreNotMadeLonger) {
  const ScratchFolder scratch;
  const std::string fit =
      "komuz fit $T/data.csv --split 0.2 --seeds 2 --time 1s --population 50 --threads 1 --worst "
      "0 ";
  const auto generations = [&] {
    const std::string text = read_text(scratch.path() + "/fit.json");
    const size_t at = text.find("\"generations\": ", text.find("\"searches\""));
    return std::stoul(text.substr(at + 15));
  };
  ASSERT_EQ(run_command(kTable + fit + "--log $T/log --json $T/fit.json", scratch.path()).exit, 0);
  const size_t first = generations();
  ASSERT_EQ(run_command(fit + "--resume $T/log --json $T/fit.json", scratch.path()).exit, 0);
  EXPECT_LE(generations(), first + 1);
  const std::string log = read_text(scratch.path() + "/log");
  ASSERT_EQ(run_command(fit + "--resume $T/log --json $T/fit.json", scratch.path()).exit, 0);
  EXPECT_EQ(read_text(scratch.path() + "/log"), log);
}

// Searches by time come to different numbers of generations.
TEST(FitLogs, TheCommandThatFindsTheSameIsForSeveralSearches) {
  const ScratchFolder scratch;
  const CommandResult timed = run_command(
      std::string(kTable) + "komuz fit $T/data.csv --folds 2 --seeds 2 --time 4s --population 20",
      scratch.path());
  ASSERT_EQ(timed.exit, 0) << timed.err;
  const size_t begin = timed.out.find("`komuz fit "), end = timed.out.find("` finds the same\n");
  ASSERT_LT(begin, end) << timed.out;
  const CommandResult again =
      run_command(timed.out.substr(begin + 1, end - begin - 1) + " --threads 1", scratch.path());
  EXPECT_EQ(again.exit, 0) << again.err;
  // Behind it stands how many formulas there were: the clock has ended searches within a generation.
  const size_t drawn = timed.out.find("cases drawn");
  EXPECT_EQ(again.out.substr(0, drawn), timed.out.substr(0, drawn));
}

TEST(FitLogs, OneThatIsThereIsNotWrittenOver) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/log.3", "mine\n");
  const CommandResult result =
      run_command(std::string(kTable) + kFit + "--log $T/log", scratch.path());
  EXPECT_EQ(result.exit, 3);
  EXPECT_NE(result.err.find("log.3: this file is there already"), std::string::npos) << result.err;
  EXPECT_EQ(read_text(scratch.path() + "/log.3"), "mine\n");
  EXPECT_FALSE(std::filesystem::exists(scratch.path() + "/log"));
}

}  // namespace
}  // namespace komuz::cli_test
