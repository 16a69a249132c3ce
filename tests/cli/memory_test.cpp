// SPDX-License-Identifier: Apache-2.0
// Commands whose memory ends at fifty places: each ends by itself, with its results so far, or behaves as without a
// limit.
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

// With a log, rows may go before memory ends.
bool is_memory_end(const CommandResult& result) {
  for (const char* const sentence : {"the memory is full", "there was no memory for the rows"})
    if (result.err.find(sentence) != std::string::npos) return true;
  return false;
}

struct CommandRun {
  std::string command;
  std::string file = {};  // that it writes
  u32 step = 300;         // kB of memory from place to place
};

// A sketch of 6,400 variants, cases, many cases, and a log.
void write_inputs(const ScratchFolder& scratch) {
  write_text(
      scratch.path() + "/grid.komuz",
      "pub fn f(x: f64) -> f64 { ?a(-2.0..=2.0, steps: 80) * x + ?b(-2.0..=2.0, steps: 80) }\n");
  write_text(scratch.path() + "/sum.komuz", "pub fn f(x: f64, y: f64) -> f64 { x + y }\n");
  write_text(scratch.path() + "/cases.csv", "x,expected\n1.5,3.0\n2.5,5.0\n3.5,7.0\n");
  std::string many = "x,y,expected\n";
  for (u32 k = 0; k < 10'000; ++k) {
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
     "out.best", 500},
    // Rows that the log has, and those that it has not yet; and a log that another run goes on with.
    {"rm -f $T/own.jsonl; komuz eval $T/grid.komuz --cases $T/cases.csv --score squared --device "
     "cpu --log $T/own.jsonl --json $T/out.json",
     "out.json", 1500},
    {"head -2000 $T/log.jsonl >$T/own.jsonl; komuz eval $T/grid.komuz --cases $T/cases.csv --score "
     "squared --device cpu --resume $T/own.jsonl --json $T/out.json",
     "out.json", 1500},
    {"komuz merge $T/log.jsonl --json $T/out.json", "out.json"},
    {"komuz report $T/log.jsonl -o $T/out.html", "out.html"},
    {"komuz repl -e ':cases '$T/cases.csv -e ':score squared' -e '?a(-2.0..=2.0, steps: 80) * x + "
     "?b(-2.0..=2.0, steps: 80)' -e '1 + 1'",
     "", 400},
};

TEST(Memory, EndsAtFiftyPlacesInGoodOrder) {
  const ScratchFolder scratch;
  write_inputs(scratch);
  for (const CommandRun& run : kRuns) {
    const std::string file = scratch.path() + "/" + run.file;
    const CommandResult whole = run_command(run.command, scratch.path());
    ASSERT_EQ(whole.exit, 0) << run.command << "\n" << whole.err;
    const std::string written = run.file.empty() ? "" : read_text(file);
    u32 full = 0, partial = 0, same = 0;
    for (u32 place = 0; place < kPlaces; ++place) {
      if (!run.file.empty()) write_text(file, "before");
      const std::string memory = " --memory " + std::to_string(200 + run.step * place) + "K";
      SCOPED_TRACE(run.command + memory);
      const CommandResult result = run_command(run.command + memory, scratch.path());
      const std::string now = run.file.empty() ? "" : read_text(file);
      const bool is_session = run.command.starts_with("komuz repl");
      const bool says_so = is_memory_end(result);
      if (result.exit == whole.exit && !says_so) {
        ++same;
        EXPECT_EQ(result.out, whole.out);
        EXPECT_EQ(now, written);
        continue;
      }
      ++full;
      EXPECT_TRUE(says_so) << result.err;
      EXPECT_TRUE(result.exit == kFull || (is_session && result.exit == 1)) << result.exit;
      // Of a session the input that takes much, and the one behind it does not see it.
      if (is_session) partial += result.out.ends_with("2\n");
      if (run.file == "out.json" && now != "before") {
        const json report = json::parse(now, nullptr, false);
        ASSERT_FALSE(report.is_discarded());
        EXPECT_EQ(report["complete"], false);
        partial += !report["results"].empty();
      }
    }
    EXPECT_GT(full, 3U) << run.command;
    EXPECT_GT(same, 3U) << run.command;
    const bool has_log = run.command.find("own.jsonl") != std::string::npos;
    if ((run.file == "out.json" && !has_log) || run.file.empty()) {
      EXPECT_GT(partial, 2U) << run.command;
    }
  }
}

// Not by what is counted here, but by the system.
TEST(Memory, OfTheSystemEndsInGoodOrder) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer takes more address space than that";
#endif
  const ScratchFolder scratch;
  write_inputs(scratch);
  for (const CommandRun& run : kRuns)
    for (const u32 kilobytes : {50'000, 60'000, 75'000, 90'000, 120'000, 160'000}) {
      for (const std::string limit : {"v", "d"}) {
        const CommandResult result =
            run_command("ulimit -" + limit + " " + std::to_string(kilobytes) + "; " + run.command,
                        scratch.path());
        SCOPED_TRACE(run.command + " in " + std::to_string(kilobytes) + " " + limit);
        const CommandResult mere =
            run_command("ulimit -" + limit + " " + std::to_string(kilobytes) + "; komuz version",
                        scratch.path());
        if (mere.exit != 0) continue;  // it does not even begin
        EXPECT_TRUE(result.exit == 0 || result.exit == kFull || result.exit == 1)
            << result.exit << result.err;
        if (result.exit == kFull) {
          EXPECT_TRUE(is_memory_end(result)) << result.err;
        }
      }
    }
}

TEST(Memory, SizesAreBytesWithUnits) {
  const ScratchFolder scratch;
  write_inputs(scratch);
  for (const char* size : {"1000000000", "1000M", "1000MiB", "1gb", "0.9G", "1T"})
    EXPECT_EQ(
        run_command("komuz merge $T/log.jsonl --memory " + std::string(size), scratch.path()).exit,
        0)
        << size;
  for (const char* size : {"0", "-1", "x", "1X", "G", "''", "1e300"}) {
    const CommandResult refused =
        run_command("komuz merge $T/log.jsonl --memory " + std::string(size), scratch.path());
    EXPECT_EQ(refused.exit, 2) << size;
    EXPECT_NE(refused.err.find("takes a number of bytes such as 800M"), std::string::npos);
  }
}

}  // namespace
}  // namespace komuz::cli_test
