// SPDX-License-Identifier: Apache-2.0
// komuz dump: shows the output of each phase of the compiler for a program.
#include "cli/commands/command.h"
#include "cli/programs/native_errors.h"
#include "cli/programs/native_program.h"
#include "cli/programs/program.h"
#include "frontend_gpu/dump.h"
#include "lang/text/code_text.h"
#include "services/display_text.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kPhaseNames[] = {"tokens", "tree", "names", "types", "code", "ir"};
constexpr std::string_view kEffortNames[] = {"quick", "normal", "full"};
constexpr std::string_view kLaneNames[] = {"1", "8", "16", "32"};
constexpr OptionRow kOptions[] = {
    {"phase", "PHASE", "tokens (default), tree, names, types, code or ir", one_of(kPhaseNames)},
    {"before", "", "with --phase=code: the code before it is optimised"},
    {"after", "", "with --phase=code: the code that runs (default)"},
    {"entry", "NAME", "with --phase=ir: the function; default: the only `pub fn`"},
    {"lanes", "N", "with --phase=ir: cases at a time, 1 (default), 8, 16 or 32",
     one_of(kLaneNames)},
    {"effort", "EFFORT", "with --phase=ir: passes, quick (none), normal (default) or full",
     one_of(kEffortNames)},
    {"cpu", "NAME",
     "with --phase=ir: the processor, as LLVM calls it (help: all); default: x86-64"},
};
constexpr frontend::DumpPhase kPhases[] = {frontend::DumpPhase::Tokens, frontend::DumpPhase::Tree,
                                           frontend::DumpPhase::Names, frontend::DumpPhase::Types};
constexpr size_t kIr = std::size(kPhases) + 1;

// LLVM's text of a function, and of what it calls.
Exit write_ir(const Program& program, const NativeRequest& request, Args& args,
              Terminal& terminal) {
  Exit exit = Exit::Success;
  const std::optional<NativeFiles> made =
      native_files(program, request, "dump", args, terminal, exit);
  if (made) terminal.out.write(services::printable_lines(made->code));
  return exit;
}

Exit run(Args& args, Terminal& terminal) {
  const size_t phase = args.choice("phase");
  const size_t effort = args.choice("effort", "normal");
  const size_t lanes = args.choice("lanes");
  if (!args.error().empty()) return terminal.usage_error("dump", args.error());
  const bool before = args.has("before");
  if (before && args.has("after"))
    return terminal.usage_error("dump", "one of --before and --after");
  if ((before || args.has("after")) && kPhaseNames[phase] != "code")
    return terminal.usage_error("dump", "--before and --after are of the phase `code`");
  for (const std::string_view option : {"entry", "lanes", "effort", "cpu"})
    if (phase != kIr && args.has(option))
      return terminal.usage_error("dump", "`--" + std::string(option) + "` is of the phase `ir`");
  if (asks_for_processors(args)) return list_processors(terminal);
  if (args.positional.size() != 1 || args.has_rest)
    return terminal.usage_error("dump", "name one program: `komuz dump FILE --phase=tree`");
  Program program;
  const Exit loaded = load_program(std::string(args.positional[0]), terminal, program);
  if (loaded != Exit::Success) return loaded;

  // The phases before code also show programs with errors.
  terminal.err.write(render_findings(program.findings(), terminal.err.style()));
  if (phase < std::size(kPhases)) {
    if (program.is_code)
      return terminal.usage_error("dump", "bytecode has only the phases `code` and `ir`");
    frontend::Compiler compiler({.library = &program.project->modules().library()});
    terminal.out.write(
        services::printable_lines(frontend::dump(compiler, program.source, kPhases[phase])));
  } else if (phase == kIr) {
    if (!program.ok) return Exit::Failure;
    return write_ir(program,
                    {.form = backend::Form::Ir,
                     .effort = static_cast<backend::Effort>(effort),
                     .shape = {backend::kLanes[lanes]},
                     .has_places = true},
                    args, terminal);
  } else if (before && !program.is_code) {
    frontend::Compiler compiler(
        {.library = &program.project->modules().library(), .is_plain = true});
    frontend::Compilation plain;
    compiler.compile(program.source, plain);
    if (plain.ok) terminal.out.write(disassemble(plain.code.view()));
  } else if (before) {
    return terminal.usage_error("dump", "bytecode has no code before");
  } else if (program.ok) {
    terminal.out.write(disassemble(program.code.view()));
  }
  return program.ok ? Exit::Success : Exit::Failure;
}

}  // namespace

constinit const Command kDumpCommand = {
    .name = "dump",
    .summary = "show what each phase of the compiler makes of a program",
    .usage =
        "  komuz dump FILE [--phase=tokens|tree|names|types|code [--before|--after]]\n"
        "  komuz dump FILE --phase=ir [--entry NAME] [--lanes N] [--effort EFFORT]\n",
    .examples =
        "  komuz dump examples/tour.komuz --phase=tree\n"
        "  komuz dump examples/collatz/loop.komuz --phase=code\n"
        "  komuz dump examples/collatz/loop.komuz --phase=code --before\n"
        "  komuz dump examples/collatz/loop.komuz --phase=ir --lanes=8\n",
    .arguments = {files(kProgramEndings), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
