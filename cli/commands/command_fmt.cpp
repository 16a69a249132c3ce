// SPDX-License-Identifier: Apache-2.0
// komuz fmt: writes programs in their canonical form.
#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/programs/program.h"
#include "frontend_gpu/frontend.h"
#include "services/display_text.h"
#include "services/format.h"
#include "services/line_diff.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"check", "", "write nothing; name the files that would change"},
    {"diff", "", "write nothing; show the lines that would change"},
};

struct Counts {
  u64 unread = 0;   // files and folders that could not be read, or written
  u64 wrong = 0;    // with errors of syntax
  u64 changed = 0;  // or would be changed
};

class Formatter {
 public:
  Formatter(const Args& args, Terminal& terminal)
      : terminal_(terminal), checks_(args.has("check")), shows_(args.has("diff")) {}

  void format(const std::string& path) {
    std::string source;
    if (const auto error = services::read_file(path, source, services::kMostSourceBytes))
      return miss(error);
    const bool is_input = path == "-";
    const std::string name = is_input ? "<stdin>" : path;
    const services::Formatted formatted = services::format(compiler_, source);
    if (!formatted.ok) {
      ++counts.wrong;
      terminal_.err.write(services::render_diagnostics(formatted.diagnostics, {name, source},
                                                       terminal_.err.style()));
      return;
    }
    const bool changes = formatted.text != source;
    counts.changed += changes;
    if (checks_ && changes) terminal_.out.write(services::printable(name, ~0u) + "\n");
    if (shows_) terminal_.out.write(services::line_diff({name, source}, {name, formatted.text}));
    if (!writes()) return;
    if (is_input) {
      terminal_.out.write(formatted.text);
    } else if (changes) {
      if (const auto error = write_file(path, formatted.text)) return miss(error);
      terminal_.out.write(services::printable(name, ~0u) + "\n");
    }
  }
  void miss(const Problem& error) {
    ++counts.unread;
    terminal_.error(error.message(), error.remedy());
  }

  [[nodiscard]] bool writes() const { return !checks_ && !shows_; }

  Counts counts;

 private:
  Terminal& terminal_;
  bool checks_, shows_;
  frontend::Compiler compiler_;
};

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("fmt", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("fmt",
                                "no programs: name files or folders, or `-` for standard input");
  std::vector<std::string> paths;
  Formatter formatter(args, terminal);
  formatter.counts.unread = find_programs(args.positional, terminal, paths);
  for (const std::string& path : paths) formatter.format(path);
  const Counts& counts = formatter.counts;
  if (counts.unread > 0) return Exit::InputOutput;
  const bool fails = counts.wrong > 0 || (!formatter.writes() && counts.changed > 0);
  return fails ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kFmtCommand = {
    .name = "fmt",
    .summary = "format programs",
    .usage =
        "  komuz fmt FILES… [--check | --diff]\n"
        "FILES are programs or folders (all *.komuz below them), or `-`, which reads standard "
        "input\n"
        "and writes standard output. Files are changed in place, and each changed file is named.\n",
    .examples =
        "  komuz fmt examples\n"
        "  komuz fmt --check examples    # exit code 1 if a file would change\n"
        "  komuz fmt --diff examples     # … and which lines would\n"
        "  komuz fmt - <candidate.komuz\n",
    .arguments = {files("komuz")},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
