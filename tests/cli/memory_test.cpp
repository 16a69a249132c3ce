// SPDX-License-Identifier: Apache-2.0
// Commands whose memory ends at fifty places: each ends by itself, with what it has, or is as it is without a limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/ints.h"
#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

using nlohmann::json;

constexpr int kFull = 5;  // Exit::Memory
constexpr u32 kPlaces = 50;

struct CommandRun {
  std::string command;
  std::string file = {};  // that it writes
  int exit = 0;           // where there is enough
};

// A sketch of 6,400 variants, cases, many cases, and a log.
void write_inputs(const ScratchFolder& scratch) {
  write_text(
      scratch.path() + "/grid.komuz",
      "pub fn f(x: f64) -> f64 { ?a(-2.0..=2.0, steps: 80) * x + ?b(-2.0..=2.0, steps: 80) }\n");
  write_text(scratch.path() + "/sum.komuz", "pub fn f(x: f64, y: f64) -> f64 { x + y }\n");
  write_text(scratch.path() + "/cases.csv", "x,expected\n1.5,3.0\n2.5,5.0\n3.5,7.0\n");
  std::string many = "x,y,expected\n";
  for (u32 k = 0; k < 40'000; ++k) {
    const std::string number = std::to_string(k);
    many += number + "." + number + ",0." + number + "," + number + "\n";
  }
  write_text(scratch.path() + "/many.csv", many);
  ASSERT_EQ(run_command("komuz eval $T/grid.komuz --cases $T/cases.csv --score squared --device "
                        "cpu --log $T/log.jsonl",
                        scratch.path())
                .exit,
            0);
}

const std::vector<CommandRun> kRuns = {
    {"komuz eval $T/grid.komuz --cases $T/cases.csv --score squared --device cpu --json "
     "$T/out.json",
     "out.json"},
    {"komuz eval $T/grid.komuz --cases $T/cases.csv --score squared --device cpu --threads 3 "
     "--pareto --best $T/out.best",
     "out.best"},
    {"komuz search $T/grid.komuz --cases $T/cases.csv --score squared --device cpu --json "
     "$T/out.json --generations 40 --population 100 --method evolve",
     "out.json"},
    {"komuz eval $T/sum.komuz --cases $T/many.csv --score squared --device cpu --best $T/out.best",
     "out.best"},
    {"komuz merge $T/log.jsonl --json $T/out.json", "out.json"},
    {"komuz report $T/log.jsonl -o $T/out.html", "out.html"},
    {"komuz repl -e ':cases '$T/cases.csv -e ':score squared' -e '?a(-2.0..=2.0, steps: 80) * x + "
     "?b(-2.0..=2.0, steps: 80)' -e '1 + 1'"},
};

// Not by what is counted here, but by the system.
TEST(Memory, OfTheSystemEndsInGoodOrder) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer takes more address space than that";
#endif
  const ScratchFolder scratch;
  write_inputs(scratch);
  for (const CommandRun& run : kRuns)
    for (const u32 kilobytes : {10'000, 20'000, 25'000, 30'000, 60'000, 90'000, 120'000, 160'000}) {
      for (const std::string limit : {"v", "d"}) {
        const CommandResult result =
            run_command("ulimit -" + limit + " " + std::to_string(kilobytes) + "; " + run.command,
                        scratch.path());
        SCOPED_TRACE(run.command + " in " + std::to_string(kilobytes) + " " + limit);
        const CommandResult mere =
            run_command("ulimit -" + limit + " " + std::to_string(kilobytes) + "; komuz version",
                        scratch.path());
        if (mere.exit != 0) continue;  // it does not even begin
        EXPECT_TRUE(result.exit == run.exit || result.exit == kFull || result.exit == 1)
            << result.exit << result.err;
        if (result.exit == kFull) {
          EXPECT_NE(result.err.find("the memory is full"), std::string::npos) << result.err;
        }
      }
    }
}

}  // namespace
}  // namespace komuz::cli_test
