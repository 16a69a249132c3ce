// SPDX-License-Identifier: Apache-2.0
// komuz build: writes a program as bytecode or as native code, in a file or as text; or programs for a GPU.
#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/outputs.h"
#include "cli/programs/native_errors.h"
#include "cli/programs/native_program.h"
#include "cli/programs/program.h"
#include "cli/programs/ptx_module.h"
#include "lang/text/code_file.h"
#include "lang/text/code_text.h"

namespace komuz::cli {
namespace {

// What is written, in the order of kKinds.
enum class Kind : u8 { Bytecode, Assembly, Object, Ir, NativeAssembly, Ptx };
constexpr std::string_view kKinds[] = {"bytecode", "asm", "obj", "ll", "asm-native", "ptx"};
struct KindRow {
  std::string_view ending;  // of the file that is written by default; empty: standard output
  backend::Form form = backend::Form::Object;
};
constexpr KindRow kRows[] = {{".kbc"},
                             {""},
                             {".o", backend::Form::Object},
                             {"", backend::Form::Ir},
                             {"", backend::Form::Assembly},
                             {""}};
constexpr OptionRow kOptions[] = {
    {"emit", "KIND", "bytecode (default), asm; native code: obj, ll, asm-native; for GPUs: ptx",
     one_of(kKinds)},
    {"output", "OUT", "the file to write; default: FILE with .kbc (obj: .o), else standard output",
     files("kbc kasm o ll s ptx"), 'o'},
    {"entry", "NAME",
     "the function of native code; default: the only `pub fn`, or with --header all of them"},
    kHeaderOption,
    kPrefixOption,
    kNativeFuelOption,
    kLimitsOption,
    kCpuOption,
    kDebugOption,
    {"depfile", "D", "a rule of make: the files that OUT depends on", files("d")},
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

// As make reads it, and ninja.
std::string escaped(std::string_view path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

// "OUT: FILE FILE", each once.
std::string rule_of(const std::string& out, std::vector<std::string> files) {
  std::ranges::sort(files);
  const auto [end, last] = std::ranges::unique(files);
  files.erase(end, last);
  std::string rule = escaped(out) + ":";
  for (const std::string& file : files) rule += " \\\n  " + escaped(file);
  return rule + "\n";
}

Exit run(Args& args, Terminal& terminal) {
  const Kind kind = static_cast<Kind>(args.choice("emit"));
  const KindRow& row = kRows[static_cast<u8>(kind)];
  const bool is_native = kind >= Kind::Object, as_text = row.ending.empty(),
             is_ptx = kind == Kind::Ptx;
  if (!args.error().empty()) return terminal.usage_error("build", args.error());
  if (is_native && asks_for_processors(args)) {
    if (!is_ptx) return list_processors(terminal);
    terminal.out.write("sm_75\nsm_90\n");
    return Exit::Success;
  }
  if (args.positional.empty() || args.has_rest || (args.positional.size() > 1 && !is_ptx))
    return terminal.usage_error("build",
                                "name one program: `komuz build FILE`; `--emit=ptx` takes several");
  for (const std::string_view option : {"entry", "header", "prefix", "fuel", "limits", "cpu"})
    if (!is_native && args.has(option))
      return terminal.usage_error(
          "build", "`--" + std::string(option) + "` is for native code: `--emit=obj`");
  if (args.has("debug") && kind != Kind::Object && kind != Kind::NativeAssembly)
    return terminal.usage_error(
        "build", "`--debug` is for native code: `--emit=obj` or `--emit=asm-native`");
  for (const std::string_view option : {"header", "prefix", "fuel", "limits"})
    if (is_ptx && args.has(option))
      return terminal.usage_error(
          "build", "`--" + std::string(option) + "` is for functions of C: `--emit=obj`");
  std::vector<Program> programs(args.positional.size());
  std::vector<std::string> read;
  for (size_t k = 0; k < programs.size(); ++k) {
    const std::string file(args.positional[k]);
    const Exit loaded = load_correct_program(file, ErrorForm::Text, terminal, programs[k]);
    if (loaded != Exit::Success) return loaded;
    std::ranges::copy(files_of(programs[k]), std::back_inserter(read));
  }
  const Program& program = programs[0];
  const std::string path(args.positional[0]);
  const CodeView code = program.code.view();
  const std::string header(args.value("header").value_or(""));
  std::string bytes, header_text;
  if (is_ptx) {
    Exit exit = Exit::Success;
    std::optional<std::string> made = ptx_module(programs, "build", args, terminal, exit);
    if (!made) return exit;
    bytes = std::move(*made);
  } else if (is_native) {
    Exit exit = Exit::Success;
    std::optional<NativeFiles> made =
        native_files(program, {.form = row.form, .header = header}, "build", args, terminal, exit);
    if (!made) return exit;
    bytes = std::move(made->code);
    header_text = std::move(made->header);
  } else {
    bytes = as_text ? disassemble(code) : file_bytes(code);
  }
  std::string out(args.value("output").value_or(as_text ? "-" : ""));
  if (out.empty()) out = path == "-" ? "-" : with_ending(path, row.ending);
  if (out == "-" && !as_text && terminal.out.is_terminal())
    return terminal.usage_error("build", std::string(is_native ? "an object file" : "bytecode") +
                                             " is not for a terminal; add `-o FILE`");
  const std::string depfile(args.value("depfile").value_or(""));
  if (!depfile.empty() &&
      (out == "-" || std::ranges::find(args.positional, "-") != args.positional.end()))
    return terminal.usage_error("build",
                                "`--depfile` is about files: name the program and `-o OUT`");
  const Output outputs[] = {{args.has("output") ? "-o" : "build", out, true},
                            {"--header", header, true},
                            {"--depfile", depfile, true}};
  if (const Exit checked = check_outputs(outputs, read, terminal); checked != Exit::Success)
    return checked;
  const std::string rule = rule_of(out, read);
  for (const auto& [file, text] :
       {std::pair(out, &std::as_const(bytes)), std::pair(header, &std::as_const(header_text)),
        std::pair(depfile, &rule)}) {
    if (file.empty()) continue;
    if (file == "-")
      terminal.out.write(*text);
    else if (const auto error = write_file(file, *text))
      return terminal.input_error(error.message(), error.remedy());
  }
  return Exit::Success;
}

}  // namespace

constinit const Command kBuildCommand = {
    .name = "build",
    .summary = "write a program's bytecode, or native code",
    .usage =
        "  komuz build FILE [--emit=KIND] [-o OUT]\n"
        "  komuz build FILE… --emit=ptx [-o OUT]\n"
        "FILE is a program (.komuz), assembly (.kasm) or bytecode (.kbc); OUT `-` is standard "
        "output.\n",
    .examples =
        "  komuz build examples/collatz/loop.komuz -o loop.kbc && komuz run loop.kbc -- 27\n"
        "  komuz build examples/collatz/loop.komuz --emit=asm\n"
        "  komuz build examples/collatz/loop.komuz --emit=obj -o loop.o --header loop.h\n"
        "  komuz build examples/collatz/loop.komuz --emit=ptx --cpu sm_90 -o loop.ptx\n",
    .arguments = {files(kProgramEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
