// SPDX-License-Identifier: Apache-2.0
// komuz check: what is wrong with programs, without running them.
#include "base/counts.h"
#include "cli/command.h"
#include "cli/program.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"json", "", "one object for each diagnostic, a line each, on standard output"},
};

struct Counts {
  u64 files = 0, errors = 0, warnings = 0;
  u64 unread = 0;  // files and folders

  void add(const Program& program) {
    ++files;
    for (const Diagnostic& d : program.diagnostics) {
      const Severity severity = diagnostic_row(d.code()).severity;
      errors += severity == Severity::Error;
      warnings += severity == Severity::Warning;
    }
  }
  [[nodiscard]] std::string text() const {
    return counted(files, "file") + ": " + counted(errors, "error") + ", " +
           counted(warnings, "warning") +
           (unread == 0 ? "" : "; " + grouped(unread) + " could not be read") + "\n";
  }
};

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("check", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("check", "no programs: name files or folders");
  std::vector<std::string> paths;
  Counts counts;
  counts.unread = find_programs(args.positional, terminal, paths);
  if (paths.empty()) return Exit::InputOutput;
  bool failed = false;
  for (const std::string& path : paths) {
    Program program;
    const Exit loaded =
        load_program(path, terminal, program,
                     {.examples = DocExamples::Tests, .kind = ProgramKind::MayBeHarness});
    if (loaded == Exit::InputOutput) {
      ++counts.unread;
      continue;
    }
    failed = failed || loaded != Exit::Success || !program.ok;
    counts.add(program);
    if (loaded != Exit::Success) ++counts.errors;  // assembly that was refused
    terminal.out.write(args.has("json") ? diagnostic_lines(program)
                                        : program.render_diagnostics(terminal.out.style()));
  }
  if (!args.has("json")) terminal.out.write(counts.text());
  if (counts.unread > 0) return Exit::InputOutput;
  return failed ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kCheckCommand = {
    .name = "check",
    .summary = "report what is wrong with programs",
    .usage =
        "  komuz check FILES… [--json]\n"
        "FILES are programs, folders of them, or bytecode (.kbc).\n",
    .examples =
        "  komuz check examples\n"
        "  komuz check candidate.komuz --json    # for an editor or a script\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
