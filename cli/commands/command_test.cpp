// SPDX-License-Identifier: Apache-2.0
// komuz test: runs the tests of programs: `test` items, doc examples and properties.
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "cli/files/watch.h"
#include "cli/process/interrupt.h"
#include "cli/programs/native_run.h"
#include "cli/programs/program.h"
#include "repl/open_functions.h"
#include "services/results/test_text.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kHarnessOption,
    kHarnessEntryOption,
    {"name", "TEXT", "only tests whose name contains TEXT; may be given several times"},
    {"samples", "N", "samples of each property (default 4096)"},
    {"seed", "N", "seed of the random samples (default 0)"},
    {"fuel", "N", "ticks that a test may use (default 1000000)"},
    kNativeOption,
    {"watch", "", "run the tests again whenever a file changes, until Ctrl-C"},
    {"json", "", "one object for each test, or for each error of a program, one a line"},
};

struct Tally {
  u64 passed = 0, failed = 0, broken_files = 0;
  u64 skipped = 0;  // tests of harnesses
  u64 unread = 0;   // files and folders

  [[nodiscard]] std::string text() const {
    std::string line = grouped(passed) + " passed, " + grouped(failed) + " failed";
    if (skipped > 0) line += ", " + grouped(skipped) + " skipped";
    if (broken_files > 0) line += ", " + counted(broken_files, "file") + " with errors";
    if (unread > 0) line += ", " + grouped(unread) + " could not be read";
    return line + "\n";
  }
};

// "`a` or `b`"
std::string alternatives(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "`" : " or `") + std::string(name) + "`";
  return text;
}

// The user's request.
struct Wanted {
  const Args& args;
  engine::TestOptions options;
  bool as_json = false;
};

// Valid as long as the program.
services::TestedProgram tested(const Program& program) {
  static const Library kNoModules;
  return {program.path,
          program.code.view(),
          program.source,
          [&program](u32 place) { return program.source_of(place); },
          program.project ? program.project->modules().library() : kNoModules,
          program.asserted};
}

// Turns a harness into a program that traps HOLE at calls of functions that candidates define.
bool fill_harness(Program& program) {
  const Library& library = program.project->modules().library();
  frontend::Compiler plain({.library = &library});
  std::string text =
      repl::open_program(plain, program.source, [](std::string_view) { return false; }).text;
  frontend::Compiler compiler({.examples = true, .library = &library});
  frontend::Compilation compilation;
  compiler.compile(text, compilation);
  if (!compilation.ok) return false;
  program.source = std::move(text);
  program.code = std::move(compilation.code);
  program.asserted = frontend::list_asserted(compiler.columns());
  return true;
}

void skip_test(const Wanted& wanted, const Program& program, u32 test, Terminal& terminal,
               Tally& tally) {
  ++tally.skipped;
  terminal.out.write(wanted.as_json ? json_line(services::skipped_test_json(tested(program), test))
                                    : services::skipped_test_text(tested(program), test));
}

// Warnings on a program whose tests run do not belong in output that scripts parse.
void tell(const Wanted& wanted, const std::vector<Findings>& all, bool ok, Terminal& terminal) {
  if (wanted.as_json && !ok)
    terminal.out.write(finding_lines(all));
  else
    terminal.err.write(render_findings(all, terminal.err.style()));
}

Exit run_once(const Wanted& wanted, const Interrupt& interrupt, Terminal& terminal) {
  std::vector<std::string> paths;
  Tally tally;
  tally.unread = find_programs(wanted.args.positional, terminal, paths);
  if (paths.empty()) return Exit::InputOutput;
  std::optional<Harness> harness;
  if (const Exit opened = open_harness(wanted.args, "test", terminal, harness);
      opened != Exit::Success)
    return opened;

  ModuleFindings modules;
  const Loading how{DocExamples::Tests, ProgramKind::MayBeHarness, harness ? &*harness : nullptr};
  for (const std::string& path : paths) {
    Program program;
    const Exit loaded = load_program(path, terminal, program, how);
    if (loaded != Exit::Success) {
      ++(loaded == Exit::InputOutput ? tally.unread : tally.broken_files);
      continue;
    }
    tell(wanted, program.own_findings(), program.ok, terminal);
    if (!program.ok) {
      ++tally.broken_files;
      modules.add(path, program.module_findings());
      continue;
    }
    if (program.is_harness && !fill_harness(program)) {
      for (const u32 test : engine::find_tests(program.code.view(), wanted.options.names))
        skip_test(wanted, program, test, terminal, tally);
      continue;
    }
    for (const engine::TestResult& result :
         engine::run_tests(program.code.view(), wanted.options)) {
      if (program.is_harness && result.trap == Trap::Hole) {
        skip_test(wanted, program, result.function, terminal, tally);
        continue;
      }
      ++(result.passed ? tally.passed : tally.failed);
      terminal.out.write(wanted.as_json
                             ? json_line(services::test_json(tested(program), result))
                             : services::test_text(tested(program), result, terminal.out.style()));
    }
    if (interrupt.requested()) break;
  }
  tell(wanted, modules.untold(), false, terminal);
  if (!wanted.as_json) terminal.out.write(tally.text());
  if (interrupt.requested()) {
    terminal.error("interrupted after " + counted(tally.passed + tally.failed, "test"));
    return Exit::Interrupted;
  }
  if (tally.unread > 0) return Exit::InputOutput;
  if (tally.skipped > 0)
    terminal.note(counted(tally.skipped, "test") + " of a harness " +
                      (tally.skipped == 1 ? "calls" : "call") + " what candidates define",
                  "in a candidate it runs: `komuz test CANDIDATE --harness FILE`");
  const u64 bad = tally.failed + tally.broken_files;
  const bool none_chosen = !wanted.options.names.empty() && tally.passed + tally.skipped + bad == 0;
  if (none_chosen)
    terminal.error("there is no test whose name holds " + alternatives(wanted.options.names));
  return bad > 0 || none_chosen ? Exit::Failure : Exit::Success;
}

// A harness may lie elsewhere.
std::vector<std::string_view> watched_words(const Args& args) {
  std::vector<std::string_view> words = args.positional;
  if (const auto harness = args.value("harness")) words.push_back(*harness);
  return words;
}

// Runs again whenever a file changes, until Ctrl-C.
Exit watch(const Wanted& wanted, const Interrupt& interrupt, Terminal& terminal) {
  constexpr std::string_view kClearScreen = "\x1b[H\x1b[2J\x1b[3J";
  while (!interrupt.requested() && terminal.out.good()) {
    const FileState state(watched_words(wanted.args));
    if (terminal.out.is_terminal()) terminal.out.write(kClearScreen);
    if (run_once(wanted, interrupt, terminal) == Exit::Interrupted) break;
    terminal.out.write("watching " + counted(state.files(), "file") + "; Ctrl-C ends\n");
    terminal.out.flush();
    state.wait_for_change(interrupt.token());
  }
  return Exit::Interrupted;
}

Exit run(Args& args, Terminal& terminal) {
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  const u64 samples = args.number("samples", engine::kDefaultSamples, 1, u64{1} << 24);
  const u64 seed = args.number("seed", 0, 0, ~u64{0});
  NativeRun native(args, terminal);
  if (!args.error().empty()) return terminal.usage_error("test", args.error());
  if (args.has_rest) return terminal.usage_error("test", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("test", "no programs: name files or folders");
  if (args.has("watch") && args.has("json"))
    return terminal.usage_error("test", "`--watch` shows results to people; leave out `--json`");
  const Interrupt interrupt;
  const std::vector<std::string_view> names = args.values("name");
  engine::TestOptions options;
  options.fuel = fuel;
  options.names = names;
  options.samples = static_cast<u32>(samples);
  options.seed = seed;
  options.stop = interrupt.token();
  options.native = native.tier();
  const Wanted wanted{args, options, args.has("json")};
  return args.has("watch") ? watch(wanted, interrupt, terminal)
                           : run_once(wanted, interrupt, terminal);
}

}  // namespace

constinit const Command kTestCommand = {
    .name = "test",
    .summary = "run the tests of programs",
    .usage =
        "  komuz test FILES… [--harness FILE] [--name TEXT] [--watch | --json]\n"
        "FILES are programs or folders of them. Doc examples (`/// >>> e`)\n"
        "and properties (`prop`) are tests, too.\n",
    .examples =
        "  komuz test examples/tour.komuz\n"
        "  komuz test examples --name gcd\n"
        "  komuz test candidates --harness harness.komuz\n"
        "  komuz test . --watch          # while you write\n"
        "  komuz test examples --json    # for a script\n",
    .arguments = {files(kProgramEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
