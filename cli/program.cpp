// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "frontend_gpu/frontend.h"
#include "lang/check_code.h"
#include "lang/code_file.h"
#include "lang/code_text.h"

namespace komuz::cli {
namespace {

void compile_source(std::string source, DocExamples examples, Program& out) {
  out.source = std::move(source);
  frontend::Compiler compiler({.examples = examples == DocExamples::Tests});
  frontend::Compilation compilation;
  compiler.compile(out.source, compilation);
  out.code = std::move(compilation.code);
  out.diagnostics = std::move(compilation.diagnostics);
  out.ok = compilation.ok;
}

Exit check_assembled(const std::string& path, Terminal& terminal, Program& out) {
  const CodeError error = check_code(out.code.view(), out.code.functions);
  if (error) {
    std::string where;
    if (error.function < out.code.functions.size())
      where = "in function " + std::to_string(error.function) + ": ";
    if (error.instruction < out.code.instructions.size())
      where = "at instruction " + std::to_string(error.instruction) + ": ";
    terminal.error(path + ": the code is refused: " + where + error.reason);
    return Exit::Failure;
  }
  out.ok = true;
  return Exit::Success;
}

}  // namespace

u64 find_programs(std::span<const std::string_view> words, Terminal& terminal,
                  std::vector<std::string>& paths) {
  const std::vector<FileError> errors = find_sources(words, paths);
  for (const FileError& error : errors) terminal.error(error.message, error.remedy);
  return errors.size();
}

Exit load_program(const std::string& path, Terminal& terminal, Program& out, DocExamples examples) {
  out = Program{};
  out.path = path == "-" ? "<stdin>" : path;
  const bool is_bytecode = path.ends_with(".kbc");
  const bool is_assembly = path.ends_with(".kasm");
  out.is_code = is_bytecode || is_assembly;
  std::string bytes;
  const size_t most = out.is_code ? kMostFileBytes : kMostSourceBytes;
  if (const auto error = read_file(path, bytes, most))
    return terminal.input_error(error->message, error->remedy);
  if (is_bytecode) {
    const std::span file(reinterpret_cast<const u8*>(bytes.data()), bytes.size());
    if (const CodeFileError error = read_code_file(file, out.code))
      return terminal.input_error(path + ": at byte " + std::to_string(error.offset) + ": " +
                                  error.reason);
    out.ok = true;
    return Exit::Success;
  }
  if (is_assembly) {
    if (const AssemblyError error = assemble(bytes, out.code)) {
      terminal.error(path + ":" + std::to_string(error.line) + ": " + error.reason);
      return Exit::Failure;
    }
    return check_assembled(path, terminal, out);
  }
  compile_source(std::move(bytes), examples, out);
  return Exit::Success;
}

Exit load_correct_program(const std::string& path, ErrorForm form, Terminal& terminal, Program& out,
                          DocExamples examples) {
  const Exit loaded = load_program(path, terminal, out, examples);
  if (loaded != Exit::Success) return loaded;
  // Warnings on a program that goes on to be used are no part of what its user parses.
  if (form == ErrorForm::Lines && !out.ok)
    terminal.out.write(diagnostic_lines(out));
  else
    terminal.err.write(
        services::render_diagnostics(out.diagnostics, out.named_source(), terminal.err.style()));
  return out.ok ? Exit::Success : Exit::Failure;
}

std::string diagnostic_lines(const Program& program) {
  std::string text;
  for (const Diagnostic& d : program.diagnostics)
    text += json_line(services::diagnostic_json(d, program.named_source()));
  return text;
}

std::string json_line(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace komuz::cli
