// SPDX-License-Identifier: Apache-2.0
// Cases that are held out, of a file of their own and by `--split`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

constexpr std::string_view kPool =
    "seq 20 | awk 'BEGIN { print \"x,expected\" } { print $1 \",\" $1 * $1 }' >$T/cases.csv; "
    "printf '%s\\n' "
    "'{\"id\": \"square\", \"source\": \"pub fn f(x: f64) -> f64 { x * x }\"}' "
    "'{\"id\": \"line\", \"source\": \"pub fn f(x: f64) -> f64 { 20.0 * x }\"}' >$T/pool.jsonl; ";

CommandResult run(const ScratchFolder& scratch, const std::string& command) {
  return run_command(std::string(kPool) + command, scratch.path());
}

TEST(HeldOut, SplitIsRefusedWhereItHasNoMeaning) {
  const ScratchFolder scratch;
  const std::string eval = "komuz eval $T/pool.jsonl --score squared ";
  for (const auto& [options, words] : std::vector<std::pair<std::string, std::string>>{
           {"--cases $T/cases.csv --split 0", "between 0 and 1"},
           {"--cases $T/cases.csv --split 1", "between 0 and 1"},
           {"--cases $T/cases.csv --split=-0.5", "between 0 and 1"},
           {"--cases $T/cases.csv --split some", "--split"},
           {"--cases $T/cases.csv --split 0.5 --held-out $T/cases.csv", "either of the two"},
           {"--cases $T/cases.csv --split-seed 3", "add it"},
           {"--cases $T/cases.csv --split 0.5 --shard 1/2", "best of a `--shard`"}}) {
    const CommandResult result = run(scratch, eval + options);
    EXPECT_EQ(result.exit, 2) << options << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  }
  const CommandResult one = run(scratch, "printf 'x,expected\\n1,1\\n' >$T/one.csv; " + eval +
                                             "--cases $T/one.csv --split 0.5");
  EXPECT_EQ(one.exit, 3);
  EXPECT_NE(one.err.find("needs two cases"), std::string::npos) << one.err;
}

TEST(HeldOut, ASplitIsTheSameWithAnyThreadsAndAnotherForAnotherSeed) {
  const ScratchFolder scratch;
  const auto report = [&](const std::string& options) {
    const CommandResult result =
        run(scratch,
            "komuz eval $T/pool.jsonl --score squared --cases $T/cases.csv --json - " + options);
    EXPECT_EQ(result.exit, 0) << result.err;
    return result.out;
  };
  const std::string first = report("--split 0.25");
  EXPECT_EQ(report("--split 0.25 --threads 1"), first);
  EXPECT_EQ(report("--split 0.25 --split-seed 0"), first);
  const nlohmann::json parsed = nlohmann::json::parse(first);
  EXPECT_EQ(parsed["cases"], 15);
  EXPECT_EQ(parsed["held_out"]["cases"], 5);
  EXPECT_EQ(parsed["results"][0]["held_out"], parsed["held_out"]);
  EXPECT_EQ(parsed["results"][1]["held_out"]["id"], "line");
  // The errors of the line say which cases were drawn.
  const nlohmann::json other = nlohmann::json::parse(report("--split 0.25 --split-seed 1"));
  EXPECT_NE(other["results"][1]["score"], parsed["results"][1]["score"]);
}

TEST(HeldOut, ALogKnowsTheSplit) {
  const ScratchFolder scratch;
  const std::string eval = "komuz eval $T/pool.jsonl --score squared --cases $T/cases.csv ";
  const CommandResult first =
      run(scratch, eval + "--split 0.25 --log $T/log.jsonl --json $T/report.json --top 1");
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(run(scratch, eval + "--split 0.25 --resume $T/log.jsonl").exit, 0);
  for (const std::string options : {"--split 0.3", "--split 0.25 --split-seed 7", ""}) {
    const CommandResult other = run(scratch, eval + options + " --resume $T/log.jsonl");
    EXPECT_EQ(other.exit, 3) << options << other.err;
  }
  const CommandResult merged = run(scratch, "komuz merge $T/log.jsonl");
  EXPECT_NE(merged.out.find("held out: square ok, score 0, 5/5 exact"), std::string::npos)
      << merged.out << merged.err;
}

}  // namespace
}  // namespace komuz::cli_test
