// SPDX-License-Identifier: Apache-2.0
// Behaviour that a transcript cannot show: streams, signals, terminals, sizes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/transcript.h"

namespace komuz::cli_test {
namespace {

using nlohmann::json;

constexpr const char* kCollatz =
    "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 "
    "--output output1 ";

TEST(Cli, NoEscapeCodesInAPipe) {
  const ScratchFolder scratch;
  for (const std::string& command :
       {std::string(kCollatz), std::string("komuz check tests/cli/data/wrong.komuz"),
        std::string("komuz run examples/tour.komuz --entry nothing"),
        std::string("komuz test tests/cli/data/failing.komuz")}) {
    const CommandResult result = run_command(command, scratch.path());
    EXPECT_EQ((result.out + result.err).find('\x1b'), std::string::npos) << command;
    EXPECT_FALSE((result.out + result.err).empty()) << command;
  }
}

TEST(Cli, ColoursOnATerminalAndNotWithNoColor) {
  const ScratchFolder scratch;
  // `script` gives the command a terminal; where it is not installed there is nothing to look at.
  if (run_command("command -v script", scratch.path()).exit != 0) GTEST_SKIP() << "no `script`";
  const std::string check = "script -qec 'komuz check tests/cli/data/wrong.komuz' /dev/null";
  const std::string colored = run_command("TERM=xterm " + check, scratch.path()).out;
  EXPECT_NE(colored.find("\x1b[1;31merror[K"), std::string::npos) << colored;
  const std::string plain = run_command("NO_COLOR=1 TERM=xterm " + check, scratch.path()).out;
  EXPECT_EQ(plain.find('\x1b'), std::string::npos) << plain;
}

// A candidate whose folder has a module of its own is not run with that of another folder.
TEST(Cli, ModulesBesideACandidateAreItsOwn) {
  const ScratchFolder scratch;
  const std::string use = "use m;\\npub fn f(n: i64) -> i64 { m.g(n) }\\n";
  const std::string prepare =
      "mkdir $T/a $T/b $T/c; printf '" + use +
      "' | tee $T/a/x.komuz $T/b/x.komuz >$T/c/x.komuz; "
      "printf 'pub fn g(n: i64) -> i64 { n }' | tee $T/a/m.komuz >$T/c/m.komuz; "
      "printf 'pub fn g(n: i64) -> i64 { -n }' >$T/b/m.komuz; printf 'n,expected\\n1,1\\n' "
      ">$T/c.csv; ";
  const CommandResult result = run_command(
      prepare + "komuz eval $T/a/x.komuz $T/b/x.komuz $T/c/x.komuz --cases $T/c.csv --json -",
      scratch.path());
  const json report = json::parse(result.out);
  for (const json& row : report["results"]) {
    const bool is_other = row["id"].get<std::string>().ends_with("/b/x.komuz");
    EXPECT_EQ(row["status"], is_other ? "refused" : "ok") << "that of c has the same text";
    if (!is_other) continue;
    const std::string why = row["diagnostics"][0]["message"];
    EXPECT_NE(why.find("/a/m.komuz for all candidates of this run"), std::string::npos) << why;
    EXPECT_NE(why.find("/b/m.komuz; evaluate it"), std::string::npos) << why;
  }
}

// What a table looks like on a terminal of so many columns.
std::string shown_in_columns(const std::string& command, size_t columns,
                             const ScratchFolder& scratch) {
  return run_command("script -qec 'stty cols " + std::to_string(columns) + "; NO_COLOR=1 " +
                         command + "' /dev/null",
                     scratch.path())
      .out;
}

// Ids of candidates are whole in a pipe, and cut to the terminal that there is.
TEST(Cli, LongIdsAreCutToTheTerminalAlone) {
  const ScratchFolder scratch;
  if (run_command("command -v script", scratch.path()).exit != 0) GTEST_SKIP() << "no `script`";
  const std::string id = "first/" + std::string(150, 'x') + "/last";
  write_text(scratch.path() + "/c.jsonl",
             R"({"id": ")" + id + R"(", "source": "pub fn f(x: f64) -> f64 { x }"})" + "\n");
  write_text(scratch.path() + "/c.csv", "x,expected\n1,2\n");
  const std::string eval = "komuz eval $T/c.jsonl --cases $T/c.csv --score squared --device cpu";
  const std::string piped = run_command(eval, scratch.path()).out;
  EXPECT_NE(piped.find(id), std::string::npos) << piped;
  EXPECT_EQ(piped.find("pipe"), std::string::npos) << piped;
  for (const size_t columns : {150, 90}) {
    const std::string shown = shown_in_columns(eval, columns, scratch);
    const size_t cut = shown.find("…");
    ASSERT_NE(cut, std::string::npos) << shown;
    const size_t line = shown.rfind('\n', cut) + 1, end = shown.find_first_of("\r\n", cut);
    EXPECT_EQ(end - line - 2, columns) << shown;  // `…` is one column of three bytes
    EXPECT_NE(shown.find("first/xxx"), std::string::npos) << shown;
    EXPECT_NE(shown.find("xxx/last "), std::string::npos) << shown;
    EXPECT_NE(shown.find("are whole in a pipe"), std::string::npos);
  }
}

// Ids as long as 70 decisions: what is decided stands beside them, as far as there is room.
TEST(Cli, TablesOfASketchFitTheTerminal) {
  const ScratchFolder scratch;
  if (run_command("command -v script", scratch.path()).exit != 0) GTEST_SKIP() << "no `script`";
  std::string source = "pub fn f(x: f64) -> f64 { x";
  for (int k = 0; k < 70; ++k) source += " + ?k" + std::to_string(k) + "(1.0..2.0, steps: 16) * x";
  write_text(scratch.path() + "/s.komuz", source + " }\n");
  write_text(scratch.path() + "/c.csv", "x,expected\n1,2\n");
  for (const char* const command : {"eval", "search"}) {
    const std::string eval =
        std::string("komuz ") + command +
        " $T/s.komuz --cases $T/c.csv --score squared --device cpu" +
        (command == std::string("eval") ? " --samples 2" : " --generations 1 --population 4");
    for (const size_t columns : {150, 80}) {
      const std::string shown = shown_in_columns(eval, columns, scratch);
      const size_t row = shown.find("#[");
      ASSERT_NE(row, std::string::npos) << shown;
      const std::string line = shown.substr(row, shown.find_first_of("\r\n", row) - row);
      EXPECT_EQ(line.find("…"), 6u) << line;
      EXPECT_EQ(line.find(']'), 6u + 3 + 4) << line;
      // `…` is one column of three bytes.
      EXPECT_EQ(shown.rfind('\n', row) + 1 + columns + 4, row + line.size()) << shown;
      EXPECT_NE(line.find("k0 = 1."), std::string::npos) << line;
      EXPECT_NE(shown.find("are whole in a pipe"), std::string::npos) << shown;
    }
    const std::string narrow = shown_in_columns(eval, 50, scratch);
    EXPECT_EQ(narrow.find("decided"), std::string::npos) << narrow;
    const std::string report = run_command(eval + " --json -", scratch.path()).out;
    EXPECT_EQ(report.find("…"), std::string::npos) << report;
    EXPECT_EQ(report.find("decided"), std::string::npos) << report;
  }
}

// They are in the report and at the end of the log, and `merge` gives the same.
TEST(Cli, ReportsHaveTheBestProgramsAsTexts) {
  const ScratchFolder scratch;
  const std::string search =
      "komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv --score "
      "squared --generations 3 --population 40 --json $T/run.json ";
  for (const char* const more : {"", "--programs 25", "--programs 0"}) {
    const CommandResult run = run_command(
        search + more + " --log $T/run.jsonl && komuz merge $T/run.jsonl --json $T/merged.json",
        scratch.path());
    ASSERT_EQ(run.exit, 0) << run.err;
    const std::string report = read_text(scratch.path() + "/run.json");
    EXPECT_EQ(read_text(scratch.path() + "/merged.json"), report) << more;
    const json programs = json::parse(report)["programs"], results = json::parse(report)["results"];
    EXPECT_EQ(programs.size(), std::string(more).ends_with("25")  ? 25u
                               : std::string(more).ends_with("0") ? 0u
                                                                  : 10u);
    for (size_t k = 0; k < programs.size(); ++k) {
      if (k == 0) {
        EXPECT_EQ(programs[k]["id"], results[0]["id"]);
      }
      const std::string fill = "komuz fill examples/sketches/formula.komuz '" +
                               programs[k]["id"].get<std::string>() + "'";
      if (k < 3) {
        EXPECT_EQ(run_command(fill, scratch.path()).out, programs[k]["program"]) << fill;
      }
    }
    EXPECT_EQ(run_command("rm $T/run.jsonl", scratch.path()).exit, 0);
  }
  const CommandResult alone = run_command(
      "komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv "
      "--programs 3",
      scratch.path());
  EXPECT_EQ(alone.exit, 2);
  EXPECT_NE(alone.err.find("`--programs` is for the report and the log"), std::string::npos);
}

// Programs of a pool, also where an edit has mended them.
TEST(Cli, ReportsOfPoolsHaveTheBestProgramsAsTexts) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/c.csv", "x,expected\n1,2\n2,4\n");
  write_text(scratch.path() + "/pool.jsonl",
             R"({"id": "a", "source": "pub fn f(x: f64) -> f64 { x + 1.0 }"})"
             "\n"
             R"({"id": "b", "source": "pub fn f(x: float) -> f64 { x*2.0 }"})"
             "\n"
             R"({"id": "c", "source": "pub fn f(x: f64) -> f64 { x + 1.0 }"})"
             "\n"
             R"({"id": "d", "source": "pub fn f(x: f64) -> f64 { y }"})"
             "\n");
  const std::string eval = "komuz eval $T/pool.jsonl --cases $T/c.csv --score squared --fix ";
  const json programs = json::parse(run_command(eval + "--json -", scratch.path()).out)["programs"];
  EXPECT_EQ(programs, json::parse(R"([
      {"id": "b", "program": "pub fn f(x: f64) -> f64 { x * 2.0 }\n"},
      {"id": "a", "program": "pub fn f(x: f64) -> f64 { x + 1.0 }\n"}])"));
  EXPECT_NE(run_command(eval, scratch.path())
                .out.find("\nbest program, b:\npub fn f(x: f64) -> f64 { x * 2.0 }\n"),
            std::string::npos);
  // The best of a part are not the best of all.
  EXPECT_FALSE(json::parse(run_command(eval + "--json - --shard 1/2", scratch.path()).out)
                   .contains("programs"));
}

TEST(Cli, TheReportIsTheSameForAnyNumberOfThreads) {
  const ScratchFolder scratch;
  const std::string command =
      "komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
      "--score squared --json - --threads ";
  const CommandResult one = run_command(command + "1", scratch.path());
  const CommandResult three = run_command(command + "3", scratch.path());
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
  EXPECT_EQ(json::parse(one.out)["results"].size(), 10'000u);
  EXPECT_EQ(json::parse(one.out)["results"][0]["id"], "c07342");
}

// The report has what `check` says, but for the file, which is the candidate's.
TEST(Cli, TheReportHasTheDiagnosticsOfCheck) {
  const ScratchFolder scratch;
  const std::string lines =
      run_command("komuz check --json tests/cli/data/wrong.komuz", scratch.path()).out;
  json checked = json::array();
  for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    checked.push_back(json::parse(lines.substr(at, lines.find('\n', at) - at)));
    checked.back().erase("file");
  }
  const CommandResult report = run_command(
      "komuz eval tests/cli/data/wrong.komuz --cases examples/collatz/cases.jsonl "
      "--input input1 --output output1 --json -",
      scratch.path());
  EXPECT_EQ(json::parse(report.out)["results"][0]["diagnostics"], checked);
  EXPECT_EQ(checked.size(), 3u);
  EXPECT_EQ(checked[1]["fix"]["end_column"], 12);
}

// `cuda` either runs there or says why not and what to do; `auto` always runs. What comes out is the same. The command ends
// where the name of the device is to stand.
void expect_the_same_on_every_device(const std::string& command) {
  const ScratchFolder scratch;
  const CommandResult cpu = run_command(command + "cpu", scratch.path());
  EXPECT_EQ(cpu.exit, 0) << cpu.err;
  EXPECT_EQ(run_command(command + "auto", scratch.path()).out, cpu.out);
  const CommandResult devices = run_command("komuz devices --json", scratch.path());
  const json found = json::parse(devices.out);
  const CommandResult cuda = run_command(command + "cuda", scratch.path());
  if (found["cuda"]["problem"].is_null()) {
    EXPECT_EQ(cuda.out, cpu.out);
    return;
  }
  EXPECT_EQ(cuda.exit, 4);
  EXPECT_EQ(cuda.out, "");
  const std::string why = found["cuda"]["problem"];
  EXPECT_NE(cuda.err.find("`--device` finds no such GPU: " + why), std::string::npos) << cuda.err;
  EXPECT_NE(cuda.err.find("use `--device cpu`"), std::string::npos) << cuda.err;
}
TEST(Cli, TheReportIsTheSameOnEveryDevice) {
  expect_the_same_on_every_device(
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 "
      "--output output1 --json - --device ");
}
TEST(Cli, ProposalsAreTheSameOnEveryDevice) {
  expect_the_same_on_every_device(
      "komuz propose tests/cli/data/optimise/guards.komuz -k 3 --json --device ");
}

TEST(Cli, ModelIsMeasuredOnAGpuOrSaysWhyNot) {
  const ScratchFolder scratch;
  const std::string model = "komuz model --programs 5 --size 100 --cases 4 --rounds 1 --device ";
  const json found = json::parse(run_command("komuz devices --json", scratch.path()).out);
  const CommandResult measured = run_command(model + "cuda --measure --json", scratch.path());
  if (found["cuda"]["problem"].is_null()) {
    EXPECT_EQ(measured.exit, 0) << measured.err;
    EXPECT_TRUE(json::parse(measured.out)["measured"]["gpu"]["name"].is_string());
  } else {
    EXPECT_EQ(measured.exit, 4);
    EXPECT_EQ(measured.out, "");
    EXPECT_NE(measured.err.find("`--device` finds no such GPU: "), std::string::npos);
  }
  const CommandResult alone = run_command(model + "cuda", scratch.path());
  EXPECT_EQ(alone.exit, 2);
  EXPECT_NE(alone.err.find("`--device cuda` is a GPU that is measured"), std::string::npos);
  const CommandResult paper = run_command("komuz model --device cuda:1", scratch.path());
  EXPECT_EQ(paper.exit, 2);
  EXPECT_NE(paper.err.find("`--device cuda:1` is a GPU that is measured: give `--measure`"),
            std::string::npos);
  const CommandResult twice = run_command(model + "cuda:0,0 --measure", scratch.path());
  EXPECT_EQ(twice.exit, 2);
  EXPECT_NE(twice.err.find("which names GPU 0 twice; name each once"), std::string::npos);
}
TEST(Cli, GpusAreNamedByTheirNumbers) {
  const ScratchFolder scratch;
  const std::string eval =
      "komuz eval examples/collatz --cases examples/collatz/cases.jsonl --input input1 --output "
      "output1 --device ";
  for (const char* const wrong : {"cuda:", "cuda:0,0", "cuda:x", "gpu:0"}) {
    const CommandResult result = run_command(eval + wrong, scratch.path());
    EXPECT_EQ(result.exit, 2) << result.err;
    EXPECT_NE(result.err.find("`" + std::string(wrong) + "`"), std::string::npos) << result.err;
  }
  // There are no thousand of them.
  const CommandResult far = run_command(eval + "cuda:0,1000", scratch.path());
  EXPECT_EQ(far.exit, 4);
  EXPECT_NE(far.err.find("`--device` finds no such GPU: "), std::string::npos) << far.err;
  const CommandResult several = run_command(
      "komuz propose tests/cli/data/optimise/guards.komuz --device cuda:0,1", scratch.path());
  EXPECT_EQ(several.exit, 2);
  EXPECT_NE(several.err.find("the model is calculated on one GPU"), std::string::npos);
}

TEST(Cli, DevicesNamesTheProcessorAndEveryGpuOrTheReason) {
  const ScratchFolder scratch;
  const CommandResult text = run_command("komuz devices", scratch.path());
  EXPECT_EQ(text.exit, 0);
  EXPECT_NE(text.out.find("(in use)"), std::string::npos) << text.out;
  const json found = json::parse(run_command("komuz devices --json", scratch.path()).out);
  EXPECT_GT(found["cpu"]["threads"], 0);
  const json& cuda = found["cuda"];
  EXPECT_TRUE(!cuda["driver"].is_null() || cuda["devices"].empty());
  for (const json& device : cuda["devices"]) {
    EXPECT_NE(text.out.find(std::string(device["name"])), std::string::npos);
    EXPECT_GT(device["memory_bytes"], 0);
  }
  if (!cuda["problem"].is_null()) {
    EXPECT_NE(text.out.find(std::string(cuda["problem"])), std::string::npos) << text.out;
  }
  for (const char* const part : {"native", "proofs"}) {
    const json& about = found[part]["about"];
    const json& said = about.is_null() ? found[part]["problem"] : about;
    EXPECT_NE(text.out.find(std::string(said)), std::string::npos) << text.out;
  }
}

TEST(Cli, DevicesSaysWhereItLookedForTheProver) {
  const ScratchFolder scratch;
  const CommandResult text = run_command("KOMUZ_PROVER=/no/such.so komuz devices", scratch.path());
  EXPECT_EQ(text.exit, 0);
  EXPECT_NE(text.out.find("proofs none: there is no /no/such.so, which KOMUZ_PROVER names\n"),
            std::string::npos)
      << text.out;
}

TEST(Cli, AStreamIsAnsweredWhileItIsWritten) {
  const ScratchFolder scratch;
  // The second candidate is written only after the answer to the first has been read.
  const CommandResult result = run_command(
      "mkfifo $T/in $T/out;"
      "komuz eval - --cases examples/collatz/cases.jsonl --input input1 --output output1 --json -"
      "  <$T/in >$T/out & exec 3>$T/in 4<$T/out;"
      R"(printf '{"id":"a","source":"pub fn f(n: i64) -> i64 { n }"}\n' >&3; read -r line <&4;)"
      R"(echo "$line" | cut -c1-10;)"
      R"(printf '{"id":"b","source":"pub fn f(n: i64) -> i64 {"}\n' >&3; exec 3>&-; cat <&4 | cut -c1-10;)",
      scratch.path());
  EXPECT_EQ(result.out, "{\"id\": \"a\"\n{\"id\": \"b\"\n") << result.err;
}

TEST(Cli, AnInterruptGivesThePartialRanking) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      std::string("mkfifo $T/in; ") +
          "komuz eval - --cases examples/collatz/cases.jsonl --input input1 --output output1"
          " <$T/in >$T/table & exec 3>$T/in;"
          R"(printf '{"id":"a","source":"pub fn f(n: i64) -> i64 { n }"}\n' >&3; sleep 0.5;)"
          "kill -INT $!; wait $!; code=$?; cat $T/table; exit $code",
      scratch.path());
  EXPECT_EQ(result.exit, 130) << result.err;
  EXPECT_NE(result.out.find("a "), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("interrupted"), std::string::npos) << result.err;
}

// The second candidate would run for hours: the ranking has the first one, and the report is whole.
TEST(Cli, AnInterruptCutsARunShortAndKeepsWhatWasDone) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/a.komuz", "pub fn f(n: i64) -> i64 { n }\n");
  write_text(scratch.path() + "/b.komuz",
             "pub fn f(n: i64) -> i64 { var k = n; while k >= 0 { k ^= 1; } k }\n");
  const CommandResult result = run_command(
      std::string("komuz eval $T/a.komuz $T/b.komuz --cases examples/collatz/cases.jsonl "
                  "--input input1 --output output1 --threads 1 --fuel 2000000000000 "
                  "--json $T/report --stats >$T/table") +
          " & sleep 0.5; kill -INT $!; wait $!; code=$?; cat $T/table; exit $code",
      scratch.path());
  EXPECT_EQ(result.exit, 130) << result.err;
  EXPECT_NE(result.out.find("a.komuz"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("b.komuz"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("interrupted after 1 candidate"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("\nnative: "), std::string::npos) << result.err;
  const std::string report = read_text(scratch.path() + "/report");
  EXPECT_NE(report.find("a.komuz"), std::string::npos) << report;
  EXPECT_EQ(report.find("b.komuz"), std::string::npos) << report;
}

TEST(Cli, AnInterruptEndsARunWhoseReportNobodyReads) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/a.komuz", "pub fn f(n: i64) -> i64 { n }\n");
  const CommandResult result = run_command(
      "mkfifo $T/report; komuz eval $T/a.komuz --cases examples/collatz/cases.jsonl --input input1 "
      "--output output1 --json $T/report & sleep 0.5; kill -INT $!; wait $!",
      scratch.path());
  EXPECT_EQ(result.exit, 130) << result.err;
  EXPECT_NE(result.err.find("nobody has read"), std::string::npos) << result.err;
}

TEST(Cli, ACompileBudgetRefusesACandidateAndNotTheOthers) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/a.komuz", "pub fn f(n: i64) -> i64 { n }\n");
  write_text(scratch.path() + "/b.komuz",
             "pub fn f(n: i64) -> i64 { n }\n// " + std::string(200, '-') + "\n");
  std::string long_sum = "pub fn f(n: i64) -> i64 { n";
  for (int k = 0; k < 20; ++k) long_sum += "+n";
  write_text(scratch.path() + "/c.komuz", long_sum + " }\n");
  const CommandResult result = run_command(
      "komuz eval $T/a.komuz $T/b.komuz $T/c.komuz --cases examples/collatz/cases.jsonl "
      "--input input1 --output output1 --compile-budget 150,4000",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.out.find("3 candidates on"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("2 with errors"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("b.komuz:1:1: error[K0020]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("c.komuz:1:1: error[K0021]"), std::string::npos) << result.out;
}

// The fuel would last for hours: without the interrupt the third line is not read.
TEST(Cli, AnInterruptEndsALineOfASessionOfAProgramAlone) {
  const ScratchFolder scratch;
  const std::string spin = "{ var k = 1; while k >= 0 { k ^= 1; } }";
  const CommandResult result = run_command(
      "mkfifo $T/in $T/out; komuz repl --json --fuel 2000000000000 <$T/in >$T/out & "
      "exec 3>$T/in 4<$T/out; printf 'let a = 1\n" +
          spin + "\na + 1\n' >&3; read -r line <&4; sleep 0.3; kill -INT $!; exec 3>&-; " +
          "wait $!; code=$?; echo \"$line\"; cat <&4; exit $code",
      scratch.path());
  EXPECT_EQ(result.exit, 0) << result.err;
  std::istringstream lines(result.out);
  for (const char* const expected :
       {R"("value":{"a":1})", R"("error":"interrupted")", R"("value":2)"}) {
    std::string object;
    std::getline(lines, object);
    EXPECT_NE(object.find(expected), std::string::npos) << object;
  }
}

TEST(Cli, AnInterruptEndsASessionOfAProgramThatWaits) {
  const ScratchFolder scratch;
  const CommandResult waiting = run_command(
      "mkfifo $T/in $T/out; komuz repl --json <$T/in >$T/out & exec 3>$T/in 4<$T/out; "
      "printf '1 + 1\n' >&3; read -r line <&4; sleep 0.5; kill -INT $!; "
      "wait $!; code=$?; echo \"$line\"; cat <&4; exit $code",
      scratch.path());
  EXPECT_EQ(waiting.exit, 130) << waiting.err;
  EXPECT_NE(waiting.out.find(R"("value":2)"), std::string::npos) << waiting.out;
}

TEST(Cli, AnInterruptedTestIsNotReported) {
  const ScratchFolder scratch;
  write_text(scratch.path() + "/spin.komuz",
             "test \"short\" { assert true; }\n"
             "test \"long\" { var k = 1; while k >= 0 { k ^= 1; } }\n");
  const CommandResult result = run_command(
      "komuz test $T/spin.komuz --fuel 2000000000000 >$T/tests & sleep 0.5; kill -INT $!; "
      "wait $!; code=$?; cat $T/tests; exit $code",
      scratch.path());
  EXPECT_EQ(result.exit, 130) << result.err;
  EXPECT_NE(result.err.find("interrupted after 1 test"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find(": short"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find(": long"), std::string::npos) << result.out;
}

TEST(Cli, AFullDiskIsAnError) {
  const ScratchFolder scratch;
  const CommandResult result = run_command("komuz help >/dev/full", scratch.path());
  EXPECT_EQ(result.exit, 3);
  EXPECT_NE(result.err.find("could not be written"), std::string::npos) << result.err;
}

// What is written elsewhere is written all the same.
TEST(Cli, APipeWithoutAReaderLosesNoFile) {
  const ScratchFolder scratch;
  const std::string run =
      "komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
      "--score squared --json $T/report.json --plot $T/plot.svg --best $T/best.komuz";
  const CommandResult result =
      run_command("bash -c '(sleep 0.5; " + run + "; echo $? >$T/code) | true'; ls $T; cat $T/code",
                  scratch.path());
  EXPECT_EQ(result.out, "best.komuz\ncode\nplot.svg\nreport.json\n141\n") << result.err;
  EXPECT_EQ(result.err, "");
}

TEST(Cli, AnEntryWithoutABodyIsNone) {
  const ScratchFolder scratch;
  const CommandResult result = run_command(
      "komuz eval examples/packing/worth.komuz --harness examples/packing/by_room.komuz "
      "--cases examples/packing/or3.jsonl --entry priority",
      scratch.path());
  EXPECT_EQ(result.exit, 2);
  EXPECT_NE(result.err.find("has no body"), std::string::npos) << result.err;
}

// The limit's signal is an error of the write like any other: what could be printed is there, and no half file.
TEST(Cli, AFileThatMayNotGrowIsAnErrorAndLeavesNoHalfFile) {
  const ScratchFolder scratch;
  const std::string run =
      "komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
      "--score squared --json $T/out/report.json --top 1";
  const std::string cut = "(ulimit -c 0; ulimit -f 1000; " + run + ")";
  const CommandResult first =
      run_command("mkdir $T/out; " + cut + "; echo $?; ls $T/out", scratch.path());
  EXPECT_NE(first.out.find("   1  c07342"), std::string::npos) << first.out;
  EXPECT_TRUE(first.out.ends_with("\n3\n")) << first.out;
  EXPECT_NE(first.err.find("cannot write"), std::string::npos) << first.err;
  const CommandResult kept =
      run_command(run + " >/dev/null; cp $T/out/report.json $T/first; " + cut +
                      " >/dev/null; ls $T/out; cmp $T/first $T/out/report.json",
                  scratch.path());
  EXPECT_EQ(kept.out, "report.json\n") << kept.err;
}

TEST(Cli, LargeAndStrangeSourcesAreRefusedWithAPlace) {
  const ScratchFolder scratch;
  const std::string many(100'000, '(');
  write_text(scratch.path() + "/nested.komuz", "fn f() -> i64 { " + many + "1 }\n");
  write_text(scratch.path() + "/large.komuz", std::string((16u << 20) + 1, ' '));
  write_text(scratch.path() + "/long_line.komuz", "// " + std::string(70'000, 'x') + "\n");
  std::string junk;
  for (int i = 0; i < 65'536; ++i) junk += static_cast<char>(i * 2654435761u >> 13);
  write_text(scratch.path() + "/junk.komuz", junk);
  std::string errors;
  for (int i = 0; i < 100'000; ++i) errors += "fn f() -> i64 { x y }\n";
  write_text(scratch.path() + "/errors.komuz", errors);
  for (const char* name : {"nested", "large", "long_line", "junk", "errors"}) {
    const CommandResult result =
        run_command(std::string("komuz check --json $T/") + name + ".komuz", scratch.path());
    EXPECT_EQ(result.exit, 1) << name << result.err;
    const json first = json::parse(result.out.substr(0, result.out.find('\n')));
    EXPECT_EQ(first["severity"], "error") << name;
    EXPECT_GE(first["line"], 1) << name;
    EXPECT_LT(result.out.size(), 200'000u) << name;
    EXPECT_EQ(run_command(std::string("komuz check $T/") + name + ".komuz", scratch.path()).exit,
              1);
  }
}

// Steps of a script with `komuz test --watch` behind them, whose output is in $T/out.
std::string watch_script(const std::string& start) {
  return "seen() { for i in $(seq 200); do [ \"$(grep -ac \"$1\" $T/out)\" -ge \"$2\" ] && return; "
         "sleep 0.05; "
         "done; echo \"not seen: $1\"; };"
         "mkdir $T/w; echo 'test \"one\" { assert 1 == 1; }' >$T/w/a.komuz; touch $T/out;" +
         start +
         "seen '1 passed, 0 failed' 1; seen watching 1;"
         "echo 'test \"two\" { assert 1 == 2; }' >$T/w/b.komuz; seen '1 passed, 1 failed' 1;"
         "echo 'test \"two\" { assert 2 == 2; }' >$T/w/new; mv $T/w/new $T/w/b.komuz;"
         "seen '2 passed, 0 failed' 1; rm $T/w/b.komuz; seen '1 passed, 0 failed' 2; seen watching "
         "4;";
}

TEST(Cli, WatchRunsTestsAgainWhenFilesChange) {
  const ScratchFolder scratch;
  const CommandResult result =
      run_command(watch_script("komuz test --watch $T/w >$T/out 2>$T/err & ") +
                      "kill -INT $!; wait $!; code=$?; cat $T/out $T/err; exit $code",
                  scratch.path());
  EXPECT_EQ(result.exit, 130);
  EXPECT_EQ(result.out.find("not seen"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << result.out;
}

// The keys of a terminal come from a pipe; one of them is Ctrl-C.
TEST(Cli, WatchClearsATerminal) {
  const ScratchFolder scratch;
  if (run_command("command -v script", scratch.path()).exit != 0) GTEST_SKIP() << "no `script`";
  const CommandResult result = run_command(
      watch_script("mkfifo $T/keys; TERM=xterm script -qefc \"komuz test --watch $T/w\" $T/log "
                   "<$T/keys >$T/out & exec 3>$T/keys;") +
          R"(printf '\003' >&3; wait $!; code=$?; exec 3>&-; grep -ac '2J' $T/out; exit $code)",
      scratch.path());
  EXPECT_EQ(result.exit, 130) << result.out;
  EXPECT_EQ(result.out, "4\n");
}

}  // namespace
}  // namespace komuz::cli_test
