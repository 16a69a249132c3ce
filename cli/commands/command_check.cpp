// SPDX-License-Identifier: Apache-2.0
// komuz check: reports the faults of programs, without running them.
#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/programs/program.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kHarnessOption,
    kHarnessEntryOption,
    {"json", "", "one object for each diagnostic, one a line, on standard output"},
};

struct Counts {
  u64 files = 0, errors = 0, warnings = 0;
  u64 unread = 0;  // files and folders

  [[nodiscard]] std::string text() const {
    return counted(files, "file") + ": " + counted(errors, "error") + ", " +
           counted(warnings, "warning") +
           (unread == 0 ? "" : "; " + grouped(unread) + " could not be read") + "\n";
  }
};

class Checker {
 public:
  Checker(ErrorForm form, const Harness* harness, Terminal& terminal)
      : terminal_(terminal), form_(form), harness_(harness) {}

  void check(const std::string& path) {
    Program program;
    const Exit loaded = load_program(path, terminal_, program,
                                     {DocExamples::Tests, ProgramKind::MayBeHarness, harness_});
    if (loaded == Exit::InputOutput) {
      ++counts.unread;
      return;
    }
    failed = failed || loaded != Exit::Success || !program.ok;
    ++counts.files;
    if (loaded != Exit::Success) ++counts.errors;  // assembly that was refused
    tell(program.own_findings());
    if (!program.ok) modules_.add(path, program.module_findings());
  }
  void tell_modules() { tell(modules_.untold()); }

  Counts counts;
  bool failed = false;

 private:
  void tell(const std::vector<Findings>& all) {
    counts.errors += count_findings(all, Severity::Error);
    counts.warnings += count_findings(all, Severity::Warning);
    terminal_.out.write(form_ == ErrorForm::Lines ? finding_lines(all)
                                                  : render_findings(all, terminal_.out.style()));
  }

  Terminal& terminal_;
  ErrorForm form_;
  const Harness* harness_;  // null: none
  ModuleFindings modules_;
};

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("check", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("check", "no programs: name files or folders");
  std::vector<std::string> paths;
  std::optional<Harness> harness;
  if (const Exit opened = open_harness(args, "check", terminal, harness); opened != Exit::Success)
    return opened;
  Checker checker(args.has("json") ? ErrorForm::Lines : ErrorForm::Text,
                  harness ? &*harness : nullptr, terminal);
  checker.counts.unread = find_programs(args.positional, terminal, paths);
  if (paths.empty()) return Exit::InputOutput;
  for (const std::string& path : paths) checker.check(path);
  checker.tell_modules();
  if (!args.has("json")) terminal.out.write(checker.counts.text());
  if (checker.counts.unread > 0) return Exit::InputOutput;
  return checker.failed ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kCheckCommand = {
    .name = "check",
    .summary = "report the errors and warnings of programs",
    .usage =
        "  komuz check FILES… [--harness FILE] [--json]\n"
        "FILES are programs, folders of them, or bytecode (.kbc).\n",
    .examples =
        "  komuz check examples\n"
        "  komuz check candidate.komuz --json    # for an editor or a script\n"
        "  komuz check examples/braking/candidates --harness examples/braking/harness.komuz\n",
    .arguments = {files(kProgramEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
