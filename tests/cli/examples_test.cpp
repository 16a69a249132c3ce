// SPDX-License-Identifier: Apache-2.0
// The examples that need more than a transcript: rows made by a script, and data that are too large to keep here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The report's entry for the only candidate; null where there is none, with the reason as a failure.
json evaluate(const std::string& program, const std::string& options, const std::string& scratch) {
  const std::string command = "komuz eval " + program + " " + options + " --json -";
  const CommandResult result = run_command(command, scratch);
  const json report = json::parse(result.out, nullptr, false);
  if (report.is_object() && report["results"].size() == 1) return report["results"][0];
  ADD_FAILURE() << command << "\n" << result.err;
  return nullptr;
}

std::vector<std::string> equation_names() {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(KOMUZ_SOURCE_DIR "/examples/feynman/programs"))
    names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The equations of Feynman's lectures against their evaluation to 40 digits. A row's own
// tolerance is 1e-12 of its result.
TEST(Examples, FeynmanProgramsAgreeWithAnIndependentEvaluation) {
  const ScratchFolder scratch;
  const std::string rows = scratch.path() + "/rows";
  const CommandResult made =
      run_command("python3 examples/feynman/sample.py --rows 1000 " + rows, scratch.path());
  ASSERT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(made.out,
            "III.8.54: 1 of 1000 rows are ill-conditioned\n"
            "III.15.12: 5 of 1000 rows are ill-conditioned\n");
  const std::vector<std::string> names = equation_names();
  EXPECT_EQ(names.size(), 100u);
  for (const std::string& name : names) {
    const std::string program = "examples/feynman/programs/" + name + ".komuz";
    const json many =
        evaluate(program, "--floor 0 --cases " + rows + "/" + name + ".csv", scratch.path());
    EXPECT_EQ(many["passed"], 1000) << name << ": " << many["first_failure"];
    EXPECT_EQ(many["cases"], 1000) << name;
    const json kept = evaluate(program, "--floor 0 --cases examples/feynman/rows/" + name + ".csv",
                               scratch.path());
    EXPECT_EQ(kept["passed"], 5) << name << ": " << kept["first_failure"];
    EXPECT_EQ(kept["cases"], 5) << name;
  }
}

// The test above can fail: results of every size that are off by twice the tolerance are refused.
TEST(Examples, FeynmanRowsRefuseWhatIsOffByTwiceTheTolerance) {
  const ScratchFolder scratch;
  for (const char* name : {"I.6.2a", "I.12.4", "I.48.2", "III.8.54"}) {
    std::string text =
        read_text(KOMUZ_SOURCE_DIR "/examples/feynman/programs/" + std::string(name) + ".komuz");
    const size_t open = text.find('{');
    ASSERT_NE(open, std::string::npos);
    text.replace(open, 1, "{ 1.000000000002 * (");
    text.replace(text.rfind('}'), 1, ") }");
    const std::string program = scratch.path() + "/off.komuz";
    write_text(program, text);
    const json off =
        evaluate(program, "--floor 0 --cases examples/feynman/rows/" + std::string(name) + ".csv",
                 scratch.path());
    EXPECT_EQ(off["status"], "wrong") << name << off["diagnostics"];
    EXPECT_EQ(off["passed"], 0) << name;
  }
}

// Scores by candidate; empty, with the reason as a failure, where there is no report.
std::map<std::string, double> packing_scores(const std::string& harness,
                                             const std::string& scratch) {
  const std::string command = "komuz eval examples/packing/candidates " + scratch +
                              "/proposals.jsonl --harness " + harness +
                              " --cases examples/packing/or3.jsonl --minimize --json -";
  const CommandResult result = run_command(command, scratch);
  const json report = json::parse(result.out, nullptr, false);
  std::map<std::string, double> scores;
  if (!report.is_object()) {
    ADD_FAILURE() << command << "\n" << result.err;
    return scores;
  }
  for (const json& candidate : report["results"])
    if (candidate["score"].is_number()) scores[candidate["id"]] = candidate["score"];
  return scores;
}

// The harness for many candidates gives the bits that the plain one gives.
TEST(Examples, BothPackingHarnessesGiveTheSameScores) {
  const ScratchFolder scratch;
  const CommandResult made =
      run_command("python3 examples/packing/propose.py 40 >" + scratch.path() + "/proposals.jsonl",
                  scratch.path());
  ASSERT_EQ(made.exit, 0) << made.err;
  const auto plain = packing_scores("examples/packing/harness.komuz", scratch.path());
  const auto by_room = packing_scores("examples/packing/by_room.komuz", scratch.path());
  EXPECT_EQ(plain.size(), 45u);
  EXPECT_EQ(plain, by_room);
}

// All cases of the data set that KOMUZ_PSB1 names; the edge cases are kept here and stand in a transcript.
TEST(Examples, BenchmarkProblemsPassAllCasesOfTheirDataSet) {
  const char* data = std::getenv("KOMUZ_PSB1");
  if (!data) GTEST_SKIP() << "KOMUZ_PSB1 names no folder of the data set";
  const ScratchFolder scratch;
  struct Problem {
    const char* name;
    int inputs;
  };
  for (const auto& [name, inputs] : {Problem{"collatz-numbers", 1},
                                     {"count-odds", 1},
                                     {"even-squares", 1},
                                     {"grade", 5},
                                     {"small-or-large", 1},
                                     {"smallest", 4}}) {
    std::string options = "--output output1";
    for (int i = 1; i <= inputs; ++i) options += " --input input" + std::to_string(i);
    size_t files = 0;
    for (const auto& file : fs::directory_iterator(fs::path(data) / name)) {
      if (file.path().extension() != ".jsonl") continue;
      const json result =
          evaluate(std::string("examples/psb1/") + name,
                   "--cases " + file.path().string() + " " + options, scratch.path());
      EXPECT_GT(result["cases"], 0) << file.path();
      EXPECT_EQ(result["passed"], result["cases"]) << file.path() << result["first_failure"];
      ++files;
    }
    EXPECT_GE(files, 1u) << name;
  }
}

}  // namespace
}  // namespace komuz::cli_test
