// SPDX-License-Identifier: Apache-2.0
// komuz build: writes a program as bytecode, in a file or as text.
#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/outputs.h"
#include "cli/programs/program.h"
#include "lang/text/code_file.h"
#include "lang/text/code_text.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kKinds[] = {"bytecode", "asm"};
constexpr OptionRow kOptions[] = {
    {"emit", "KIND", "bytecode (default) or asm", one_of(kKinds)},
    {"output", "OUT", "the file to write; default: FILE with .kbc, for asm standard output",
     files("kbc kasm"), 'o'},
};

// dir/a.komuz → dir/a.kbc
std::string with_ending(std::string_view path, std::string_view ending) {
  constexpr size_t kNone = std::string_view::npos;
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const bool has_ending = dot != kNone && (slash == kNone ? dot > 0 : dot > slash + 1);
  return std::string(path.substr(0, has_ending ? dot : kNone)) + std::string(ending);
}

std::string file_bytes(const CodeView& code) {
  std::vector<u8> bytes;
  write_code_file(code, bytes);
  return {bytes.begin(), bytes.end()};
}

// The files that its code depends on.
std::vector<std::string> files_of(const Program& program) {
  std::vector<std::string> files = {program.path};
  if (!program.project) return files;
  const Library& library = program.project->modules().library();
  for (u32 k = 0; k < library.size(); ++k) files.push_back(library[k].file);
  return files;
}

Exit run(Args& args, Terminal& terminal) {
  const bool as_text = args.choice("emit") == 1;
  if (!args.error().empty()) return terminal.usage_error("build", args.error());
  if (args.positional.size() != 1 || args.has_rest)
    return terminal.usage_error("build", "name one program: `komuz build FILE`");
  Program program;
  const std::string path(args.positional[0]);
  const Exit loaded = load_correct_program(path, ErrorForm::Text, terminal, program);
  if (loaded != Exit::Success) return loaded;

  const CodeView code = program.code.view();
  const std::string bytes = as_text ? disassemble(code) : file_bytes(code);
  std::string out(args.value("output").value_or(as_text ? "-" : ""));
  if (out.empty()) out = path == "-" ? "-" : with_ending(path, ".kbc");
  if (out == "-") {
    if (!as_text && terminal.out.is_terminal())
      return terminal.usage_error("build", "bytecode is not for a terminal; add `-o FILE`");
    terminal.out.write(bytes);
    return Exit::Success;
  }
  const Output output[] = {{args.has("output") ? "-o" : "build", out, true}};
  if (const Exit checked = check_outputs(output, files_of(program), terminal);
      checked != Exit::Success)
    return checked;
  if (const auto error = write_file(out, bytes))
    return terminal.input_error(error.message(), error.remedy());
  return Exit::Success;
}

}  // namespace

constinit const Command kBuildCommand = {
    .name = "build",
    .summary = "write a program's bytecode",
    .usage =
        "  komuz build FILE [--emit=bytecode|asm] [-o OUT]\n"
        "FILE is a program (.komuz), assembly (.kasm) or bytecode (.kbc); OUT `-` is standard "
        "output.\n",
    .examples =
        "  komuz build examples/collatz/loop.komuz -o loop.kbc && komuz run loop.kbc -- 27\n"
        "  komuz build examples/collatz/loop.komuz --emit=asm\n",
    .arguments = {files(kProgramEndings), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
