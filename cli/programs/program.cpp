// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/program.h"

#include <algorithm>
#include <iterator>

#include "cli/files/whole_file.h"
#include "cli/terminal/bar_watch.h"
#include "frontend_gpu/expand.h"
#include "frontend_gpu/frontend.h"
#include "lang/check/check_code.h"
#include "lang/text/code_file.h"
#include "lang/text/code_text.h"
#include "services/files/files.h"

namespace komuz::cli {
namespace {

void take(frontend::Compilation& compilation, Program& out) {
  out.code = std::move(compilation.code);
  out.diagnostics = std::move(compilation.diagnostics);
  out.diagnosed = std::move(compilation.text);
  out.ok = compilation.ok;
}

// Checks a program that must define the functions left open by a harness. Without errors, its code stays that for its
// own tests.
void check_candidate(const Harness& harness, frontend::Options options, Program& out) {
  options.harness = harness.number;
  options.harness_entry = harness.entry;
  frontend::Compilation compilation;
  frontend::Compiler(options).compile(out.source, compilation);
  if (!compilation.ok) take(compilation, out);
}

// The errors of a candidate without its harness may only reflect that.
void find_missing_harness(Program& out) {
  out.used_harness = find_used_harness(out.path, out.source, out.project->modules().library());
  if (out.used_harness.file.empty()) return;
  const auto is_about_it = [&](const Diagnostic& d) {
    return services::is_about_harness(d, out.source, out.used_harness);
  };
  std::ranges::copy_if(out.diagnostics, std::back_inserter(out.harness_diagnostics), is_about_it);
  std::erase_if(out.diagnostics, is_about_it);
}

void compile_source(const std::string& path, std::string source, Loading how, Program& out) {
  const bool is_candidate = how.harness != nullptr && !how.harness->is_file(path);
  out.source = std::move(source);
  out.project =
      how.harness != nullptr ? how.harness->project : std::make_shared<services::Project>(path);
  engine::ModuleLoader& modules = out.project->modules();
  // Modules that only other candidates named may be dropped.
  if (is_candidate) static_cast<void>(modules.keep_few(how.harness->number + 1));
  modules.load(out.source);
  if (modules.needs_too_many()) return;
  frontend::Options options{.examples = how.examples == DocExamples::Tests,
                            .library = &modules.library()};
  frontend::Compilation compilation;
  frontend::Compiler compiler(options);
  compiler.compile(out.source, compilation);
  if (compilation.ok) out.asserted = frontend::list_asserted(compiler.columns());
  out.is_harness = how.kind == ProgramKind::MayBeHarness && !is_candidate && !compilation.ok &&
                   services::lacks_bodies(compilation.diagnostics);
  if (out.is_harness) {
    options.is_harness = true;
    frontend::Compiler(options).compile(out.source, compilation);
  }
  take(compilation, out);
  if (is_candidate) check_candidate(*how.harness, options, out);
  if (how.kind == ProgramKind::MayBeHarness && how.harness == nullptr && !out.ok)
    find_missing_harness(out);
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

// JSON Lines have no meaning as a program, and each line would be an error.
bool is_json_lines(std::string_view path) { return path.ends_with(".jsonl"); }
Problem json_lines_error(const std::string& path) {
  return input_problem({}, path + " holds JSON lines, not a program",
                       "a pool of candidates is for `komuz eval " + path +
                           " --cases FILE`, which also says what is wrong with each");
}

}  // namespace

u64 find_programs(std::span<const std::string_view> words, Terminal& terminal,
                  std::vector<std::string>& paths) {
  std::vector<Problem> errors = services::find_sources(words, paths);
  for (const std::string& path : paths)
    if (is_json_lines(path)) errors.push_back(json_lines_error(path));
  std::erase_if(paths, is_json_lines);
  for (const Problem& error : errors) terminal.error(error.message(), error.remedy());
  return errors.size();
}

Exit load_program(const std::string& path, Terminal& terminal, Program& out, Loading how) {
  out = Program{};
  out.path = path == "-" ? "<stdin>" : path;
  const bool is_bytecode = path.ends_with(".kbc");
  const bool is_assembly = path.ends_with(".kasm");
  out.is_code = is_bytecode || is_assembly;
  if (is_json_lines(path)) {
    const Problem error = json_lines_error(path);
    return terminal.input_error(error.message(), error.remedy());
  }
  std::string bytes;
  const BarWatch bar(terminal, nullptr, {});
  if (const auto error = out.is_code ? read_whole_file(path, kCodeLimit, bar, bytes)
                                     : services::read_file(path, bytes))
    return terminal.input_error(error.message(), error.remedy());
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
  compile_source(path, std::move(bytes), how, out);
  if (!out.project->modules().needs_too_many()) return Exit::Success;
  terminal.error(path + ": " + std::string(engine::ModuleLoader::kTooMany),
                 "leave some out, or join some into one");
  return Exit::Failure;
}

Exit load_correct_program(const std::string& path, ErrorForm form, Terminal& terminal, Program& out,
                          Loading how) {
  const Exit loaded = load_program(path, terminal, out, how);
  if (loaded != Exit::Success) return loaded;
  // Warnings on a program that is then used do not belong in output that its user parses.
  if (form == ErrorForm::Lines && !out.ok)
    terminal.out.write(finding_lines(out.findings()));
  else
    terminal.err.write(render_findings(out.findings(), terminal.err.style()));
  return out.ok ? Exit::Success : Exit::Failure;
}

services::NamedSource Program::source_of(u32 place) const {
  if (file_of(place) == 0 || project == nullptr) return {path, source};
  const Library& library = project->modules().library();
  frontend::Compiler compiler({.library = &library});
  const Module* const module = frontend::module_of_place(place, compiler, source, library);
  if (module == nullptr) return {path, {}};
  return {module->file, module->text};
}

std::vector<Findings> Program::findings() const {
  std::vector<Findings> all = own_findings();
  std::ranges::move(module_findings(), std::back_inserter(all));
  return all;
}

std::vector<Findings> Program::own_findings() const {
  std::vector<Findings> all;
  if (!harness_diagnostics.empty())
    all.push_back({named_source(), harness_diagnostics,
                   "`" + used_harness.name +
                       "` is a harness, and this a candidate of it; add `--harness " +
                       used_harness.file + "`"});
  all.push_back({named_source(), diagnostics});
  return all;
}

std::vector<Findings> Program::module_findings() const {
  if (project == nullptr || ok) return {};
  std::vector<Findings> all = cli::module_findings(project->modules().library(), source);
  std::erase_if(all, [&](const Findings& f) { return f.source.name == used_harness.file; });
  return all;
}

}  // namespace komuz::cli
