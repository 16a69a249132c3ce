// SPDX-License-Identifier: Apache-2.0
// komuz test: runs the tests of programs: `test` items and doc examples.
#include "cli/command.h"
#include "base/counts.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/test_text.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"name", "TEXT", "only tests whose name holds it; may be given several times"},
    {"fuel", "N", "ticks that a test may use (default 1000000)"},
    {"json", "", "one object for each test, or error of a program, a line each"},
};

struct Tally {
  u64 passed = 0, failed = 0, broken_files = 0;
  u64 unread = 0;  // files and folders

  [[nodiscard]] std::string text() const {
    std::string line = grouped(passed) + " passed, " + grouped(failed) + " failed";
    if (broken_files > 0) line += ", " + counted(broken_files, "file") + " with errors";
    if (unread > 0) line += ", " + grouped(unread) + " could not be read";
    return line + "\n";
  }
};

Exit run(Args& args, Terminal& terminal) {
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  if (!args.error().empty()) return terminal.usage_error("test", args.error());
  if (args.has_rest) return terminal.usage_error("test", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("test", "no programs: name files or folders");
  std::vector<std::string> paths;
  Tally tally;
  tally.unread = find_programs(args.positional, terminal, paths);
  if (paths.empty()) return Exit::InputOutput;

  const Interrupt interrupt;
  const std::vector<std::string_view> names = args.values("name");
  const engine::TestOptions options{.fuel = fuel, .names = names, .stop = interrupt.token()};
  const ErrorForm form = args.has("json") ? ErrorForm::Lines : ErrorForm::Text;
  for (const std::string& path : paths) {
    Program program;
    const Exit loaded = load_correct_program(path, form, terminal, program, DocExamples::Tests);
    if (loaded != Exit::Success) {
      ++(loaded == Exit::InputOutput ? tally.unread : tally.broken_files);
      continue;
    }
    for (const engine::TestResult& result : engine::run_tests(program.code.view(), options)) {
      ++(result.passed ? tally.passed : tally.failed);
      terminal.out.write(args.has("json") ? test_json(program, result)
                                          : test_text(program, result, terminal.out.style()));
    }
    if (interrupt.requested()) break;
  }
  if (!args.has("json")) terminal.out.write(tally.text());
  if (interrupt.requested()) {
    terminal.error("interrupted after " + counted(tally.passed + tally.failed, "test"));
    return Exit::Interrupted;
  }
  if (tally.unread > 0) return Exit::InputOutput;
  if (!names.empty() && tally.passed + tally.failed + tally.broken_files == 0) {
    terminal.error("no test has such a name");
    return Exit::Failure;
  }
  return tally.failed + tally.broken_files > 0 ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kTestCommand = {
    .name = "test",
    .summary = "run the tests that programs hold",
    .usage =
        "  komuz test FILES… [--name TEXT] [--json]\n"
        "FILES are programs or folders of them. Doc examples (`/// >>> e`) are tests, too.\n",
    .examples =
        "  komuz test examples/tour.komuz\n"
        "  komuz test examples --name gcd\n"
        "  komuz test examples --json    # for a script\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
