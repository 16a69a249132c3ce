// SPDX-License-Identifier: Apache-2.0
// komuz fix: makes the edits that diagnostics propose.

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/programs/program.h"
#include "frontend_gpu/frontend.h"
#include "mend/standard_uses.h"
#include "services/apply_edits.h"
#include "services/display_text.h"
#include "services/harness.h"
#include "services/line_diff.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"check", "", "write nothing; name the files that would change"},
    {"diff", "", "write nothing; show the lines that would change"},
};

struct Counts {
  u64 unread = 0;  // files and folders that could not be read, or written
  u64 fixes = 0;
  u64 fixed = 0;   // files
  u64 errors = 0;  // that are left
};

// The mended source, and its remaining diagnostics. A harness is mended, too: functions without bodies are no error
// there. Other programs are compiled completely, since only their code shows how much stack they need.
services::Fixed fixed_source(const std::string& source, frontend::Options options,
                             frontend::Compilation& rest) {
  frontend::Compiler compiler(options);
  services::Fixed fixed = services::fix_source(compiler, source, services::FixKind::All);
  compiler.compile(fixed.text, rest);
  if (!services::lacks_bodies(rest.diagnostics)) return fixed;
  options.is_harness = true;
  frontend::Compiler of_harness(options);
  fixed = services::fix_source(of_harness, source, services::FixKind::All);
  of_harness.compile(fixed.text, rest);
  return fixed;
}

class Fixer {
 public:
  Fixer(const Args& args, Terminal& terminal)
      : terminal_(terminal), checks_(args.has("check")), shows_(args.has("diff")) {}

  void fix(const std::string& path) {
    std::string source;
    if (const auto error = services::read_file(path, source, services::kMostSourceBytes))
      return miss(error);
    const bool is_input = path == "-";
    const std::string name = is_input ? "<stdin>" : path;
    services::Project project(path);
    project.modules().load(source);
    if (project.modules().needs_too_many())
      return miss(input_problem({}, path + ": " + std::string(engine::ModuleLoader::kTooMany),
                                "leave some out, or join some into one"));
    project.modules().load(standard_use_items());  // a fix may name any of them
    frontend::Compilation rest;
    const services::Fixed fixed =
        fixed_source(source, {.examples = true, .library = &project.modules().library()}, rest);
    const bool changes = fixed.text != source;
    if (checks_ && changes) terminal_.out.write(services::printable(name, ~0u) + "\n");
    if (shows_) terminal_.out.write(services::line_diff({name, source}, {name, fixed.text}));
    if (!checks_ && !shows_) {
      if (is_input)
        terminal_.out.write(fixed.text);
      else if (changes)
        if (const auto error = write_file(path, fixed.text)) return miss(error);
      tell(name, fixed);
    }
    counts.fixes += fixed.fixes.size();
    counts.fixed += changes;
    tell_rest(name, fixed.text, rest);
  }
  void miss(const Problem& error) {
    ++counts.unread;
    terminal_.error(error.message(), error.remedy());
  }

  Counts counts;

 private:
  // Written to standard error if standard output is the program.
  void tell(const std::string& name, const services::Fixed& fixed) {
    std::string text;
    for (const services::AppliedFix& fix : fixed.fixes)
      text += services::printable(name, ~0u) + ":" + std::to_string(fix.line) + ": fixed " +
              std::string(diagnostic_row(fix.code).code) + ": " + fix.message + "\n";
    (name == "<stdin>" ? terminal_.err : terminal_.out).write(text);
  }
  // Reports the diagnostics that no edit mends.
  void tell_rest(const std::string& name, const std::string& text,
                 const frontend::Compilation& rest) {
    for (const Diagnostic& d : rest.diagnostics)
      counts.errors += diagnostic_row(d.code()).severity == Severity::Error;
    terminal_.err.write(services::render_diagnostics(
        rest.diagnostics, {name, rest.text.empty() ? text : rest.text}, terminal_.err.style()));
  }

  Terminal& terminal_;
  bool checks_, shows_;
};

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("fix", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("fix",
                                "no programs: name files or folders, or `-` for standard input");
  std::vector<std::string> paths;
  Fixer fixer(args, terminal);
  fixer.counts.unread = find_programs(args.positional, terminal, paths);
  for (const std::string& path : paths) fixer.fix(path);
  const Counts& counts = fixer.counts;
  const bool writes = !args.has("check") && !args.has("diff");
  terminal.err.write(std::string(grouped(counts.fixes)) + (counts.fixes == 1 ? " fix" : " fixes") +
                     (writes ? " in " : " to make in ") + counted(counts.fixed, "file") + "; " +
                     counted(counts.errors, "error") + " left\n");
  if (counts.unread > 0) return Exit::InputOutput;
  const bool fails = counts.errors > 0 || (!writes && counts.fixed > 0);
  return fails ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kFixCommand = {
    .name = "fix",
    .summary = "make the edits that `komuz check` proposes",
    .usage =
        "  komuz fix FILES… [--check | --diff]\n"
        "FILES are programs or folders (all *.komuz below them), or `-`, which reads standard "
        "input\n"
        "and writes standard output. Files are changed in place, and each edit is reported. "
        "Errors\n"
        "that no edit fixes are shown on standard error.\n",
    .examples =
        "  komuz fix candidate.komuz\n"
        "  komuz fix --diff candidate.komuz     # what it would do\n"
        "  komuz fix --check candidates         # exit code 1 if a file would change\n",
    .arguments = {files("komuz")},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
