// SPDX-License-Identifier: Apache-2.0
// `--tier` as a user gives it: reports have the same bytes, and `--stats` says which way programs went.
#include <gtest/gtest.h>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

TEST(Tier, ReportsHaveTheSameBytes) {
  const ScratchFolder scratch;
  const char* const commands[] = {
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 --json -",
      "head -n 20 examples/regression/candidates.jsonl >$T/some.jsonl; komuz eval $T/some.jsonl "
      "--cases examples/regression/cases.csv --score squared --case-scores --json -",
      "komuz eval examples/braking/candidates --harness examples/braking/harness.komuz --cases "
      "examples/braking/roads.csv --minimize --json -",
      "komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv --score "
      "squared --generations 2 --population 8 --json -",
  };
  for (const std::string command : commands) {
    const CommandResult plain = run_command(command + " --tier traditional", scratch.path());
    EXPECT_EQ(plain.exit, 0) << plain.err;
    EXPECT_NE(plain.out.find("\"komuz_report\""), std::string::npos);
    for (const char* const tier : {" --tier neural", " --tier hybrid", ""})
      EXPECT_EQ(run_command(command + tier, scratch.path()).out, plain.out) << command << tier;
  }
}

TEST(Tier, StatsSayWhichWayProgramsWent) {
  const ScratchFolder scratch;
  const std::string command =
      "printf 'n,expected\\n1,1\\n9,7\\n' >$T/c.csv; printf 'pub fn f(n: i64) -> i64 { if n < 7 { "
      "n } "
      "else { 7 } }' >$T/least.komuz; printf 'pub fn f(n: i64) -> i64 { n }' >$T/same.komuz; komuz "
      "eval $T/least.komuz $T/same.komuz --cases $T/c.csv --stats --tier ";
  const std::string neural = run_command(command + "neural", scratch.path()).err;
  for (const char* const part : {"tier: neural\n", "tier: 1 program ran as cheaper code by rules\n",
                                 "tier: 1 program has no window\n", "tier: 1 window looked at in ",
                                 "; 1 got cheaper", "tier: 2 cases on cheaper code in ",
                                 "least.komuz ran as cheaper code by rules: 1 of 1 window "
                                 "cheaper, "})
    EXPECT_NE(neural.find(part), std::string::npos) << part << "\n" << neural;
  const std::string hybrid = run_command(command + "hybrid", scratch.path()).err;
  EXPECT_NE(hybrid.find("tier: hybrid\ntier: 2 programs were over before cheaper code could pay\n"),
            std::string::npos)
      << hybrid;
  const std::string traditional = run_command(command + "traditional", scratch.path()).err;
  EXPECT_NE(traditional.find("tier: traditional\n"), std::string::npos) << traditional;
  EXPECT_EQ(traditional.find("program"), traditional.find("programs compiled")) << traditional;
}

// Who asks for the model is told that there is none.
TEST(Tier, NeuralWithoutAModelIsAWarning) {
  const ScratchFolder scratch;
  const std::string command =
      "printf 'n,expected\n1,1\n' >$T/c.csv; printf 'pub fn f(n: i64) -> i64 { if n < 7 { n } "
      "else { 7 } }' >$T/f.komuz; KOMUZ_MODEL=README.md komuz eval $T/f.komuz --cases $T/c.csv "
      "--tier ";
  const CommandResult neural = run_command(command + "neural", scratch.path());
  EXPECT_EQ(neural.exit, 0);
  EXPECT_NE(neural.err.find("`--tier neural` has no model: README.md"), std::string::npos)
      << neural.err;
  EXPECT_EQ(run_command(command + "hybrid", scratch.path()).err, "");
}

// It works without a solver and without a model, and says what is missing.
TEST(Tier, SaysWhatIsMissing) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      "printf 'n,expected\\n1,1\\n' >$T/c.csv; printf 'pub fn f(n: i64) -> i64 { if n < 7 { n } "
      "else { "
      "7 } }' >$T/f.komuz; KOMUZ_PROVER=$T/none.so KOMUZ_MODEL=$T/none komuz eval $T/f.komuz "
      "--cases "
      "$T/c.csv --tier neural --stats",
      scratch.path());
  EXPECT_EQ(result.exit, 0);
  EXPECT_NE(result.err.find("tier: no solver: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("tier: no model: "), std::string::npos) << result.err;
}

TEST(Tier, ANameThatThereIsNotIsRefused) {
  const ScratchFolder scratch;
  const std::string command =
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 ";
  const CommandResult option = run_command(command + "--tier fast", scratch.path());
  EXPECT_EQ(option.exit, 2);
  EXPECT_NE(option.err.find("traditional"), std::string::npos) << option.err;
  const CommandResult variable = run_command("KOMUZ_TIER=fast " + command, scratch.path());
  EXPECT_EQ(variable.exit, 2);
  EXPECT_NE(variable.err.find("KOMUZ_TIER"), std::string::npos) << variable.err;
  EXPECT_EQ(run_command("KOMUZ_TIER=neural " + command, scratch.path()).exit, 0);
}

}  // namespace
}  // namespace komuz::cli_test
