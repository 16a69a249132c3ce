// SPDX-License-Identifier: Apache-2.0
// komuz test: runs the `test` items of programs.
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "engine/run_tests.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"fuel", "N", "ticks that a test may use (default 1000000)"},
    {"json", "", "one object for each test, or error of a program, a line each"},
};

std::string test_json(const Program& program, const engine::TestResult& result) {
  const CodeView code = program.code.view();
  nlohmann::ordered_json object;
  object["file"] = program.path;
  object["test"] = code.name(code.functions[result.function]);
  object["passed"] = result.passed;
  object["fuel"] = result.fuel;
  if (!result.passed) {
    const Place place = place_of(program.source, result.place);
    object["line"] = place.line;
    object["column"] = place.column;
    object["trap"] = nullptr;
    if (result.trap != Trap::None) object["trap"] = trap_name(result.trap);
    object["message"] = engine::describe(result);
  }
  return json_line(object);
}

std::string test_text(const Program& program, const engine::TestResult& result,
                      const services::RenderStyle& style) {
  const CodeView code = program.code.view();
  const services::Palette& p = services::palette(style);
  std::string text;
  if (result.passed) {
    text += p.note;
    text += "ok    ";
  } else {
    text += p.error;
    text += "FAILED";
  }
  text += p.plain;
  text +=
      " " + program.path + ": " + std::string(code.name(code.functions[result.function])) + "\n";
  if (result.passed) return text;
  text += "  " + engine::describe(result) + "\n";
  if (program.source.empty()) return text;
  return text + services::excerpt(program.source, result.place,
                                  services::token_end(program.source, result.place), p.error,
                                  style);
}

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
  const ErrorForm form = args.has("json") ? ErrorForm::Lines : ErrorForm::Text;
  for (const std::string& path : paths) {
    Program program;
    const Exit loaded = load_correct_program(path, form, terminal, program);
    if (loaded != Exit::Success) {
      ++(loaded == Exit::InputOutput ? tally.unread : tally.broken_files);
      continue;
    }
    for (const engine::TestResult& result :
         engine::run_tests(program.code.view(), fuel, interrupt.token())) {
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
  return tally.failed + tally.broken_files > 0 ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kTestCommand = {
    .name = "test",
    .summary = "run the tests that programs hold",
    .usage =
        "  komuz test FILES… [--json]\n"
        "FILES are programs or folders of them.\n",
    .examples =
        "  komuz test examples/tour.komuz\n"
        "  komuz test examples --json    # for a script\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
