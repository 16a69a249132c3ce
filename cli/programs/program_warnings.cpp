// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/program_warnings.h"

#include <algorithm>
#include <vector>

#include "services/files/files.h"

namespace komuz::cli {

void add_warnings(std::string_view id, std::string_view source, WarningsOf which,
                  frontend::Options options, services::Warnings& out) {
  frontend::Compilation plain, whole;
  frontend::Compiler(options).compile(source, plain);
  if (!plain.ok) return;
  options.examples = true;
  frontend::Compiler(options).compile(source, whole);
  const std::string_view text = whole.text.empty() ? source : std::string_view(whole.text);
  for (const Diagnostic& d : whole.diagnostics) {
    const DiagnosticRow& row = diagnostic_row(d.code());
    if (row.severity != Severity::Warning) continue;
    const bool is_compiled = std::ranges::find(plain.diagnostics, d.code(), &Diagnostic::code) !=
                             plain.diagnostics.end();
    if (which != WarningsOf::Program && is_compiled) continue;
    if (which == WarningsOf::BesideRow && d.code() == DiagnosticCode::CaretOfNumbers) continue;
    engine::DiagnosticText warning;
    warning.code = row.code;
    warning.severity = row.severity;
    warning.message = diagnostic_message(d, text);
    warning.begin = place_of(text, d.begin);
    out.add(id, warning, services::Warnings::Source::Program);
  }
}

void add_file_warnings(std::span<const std::string_view> words, engine::ModuleLoader& modules,
                       const frontend::Options& options, services::Warnings& out) {
  constexpr size_t kMost = 1000;  // users with more candidates generate them
  std::vector<std::string> paths;
  // The reader of the candidates reports missing ones.
  static_cast<void>(services::find_sources(words, paths));
  std::erase_if(paths, [](const std::string& path) { return !path.ends_with(".komuz"); });
  if (paths.size() > kMost) return;
  for (const std::string& path : paths) {
    std::string source;
    if (services::read_file(path, source, services::kMostSourceBytes)) continue;
    modules.load(source);
    if (modules.needs_too_many()) return;
    add_warnings(path, source, WarningsOf::BesideRow, options, out);
  }
}

void say_warnings(const services::Warnings& warnings, Terminal& terminal) {
  for (const services::Note& note : warnings.notes()) terminal.warning(note.message, note.remedy);
}

}  // namespace komuz::cli
