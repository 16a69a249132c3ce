// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/harness.h"

#include <algorithm>
#include <filesystem>

#include "cli/files/files.h"
#include "cli/programs/findings.h"
#include "engine/candidates/harness_names.h"
#include "mend/near_miss.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

bool is_harness_file(const std::string& path) {
  std::string source;
  if (!exists(path) || read_file(path, source, kMostSourceBytes)) return false;
  Project project(path);
  project.modules().load(source);
  frontend::Compilation compilation;
  frontend::Compiler({.library = &project.modules().library()}).compile(source, compilation);
  return !compilation.ok && only_lacks_bodies(compilation.diagnostics);
}

}  // namespace

bool Harness::is_file(const std::string& other) const {
  std::error_code ignored;
  return fs::equivalent(path, other, ignored);
}

Exit open_harness(const std::string& path, std::string_view entry, engine::ModuleLoader& modules,
                  Terminal& terminal, u32& number) {
  engine::ModuleText file{path, ""};
  if (const auto error = read_file(file.file, file.text, kMostSourceBytes))
    return terminal.input_error(error.message(), error.remedy());
  number = modules.load_harness(engine::harness_module(path), std::move(file));
  const Library& library = modules.library();
  const Module& harness = library[number];
  if (modules.needs_too_many()) {
    terminal.error(path + ": " + std::string(engine::ModuleLoader::kTooMany),
                   "leave some out, or join some into one");
    return Exit::Failure;
  }
  if (!harness.ok) {
    terminal.err.write(render_findings(module_findings(library), terminal.err.style()));
    return Exit::Failure;
  }
  if (harness.open.empty()) {
    terminal.error(harness.file + " leaves nothing to its candidates",
                   "write what they define as `pub fn f(x: f64) -> f64;`, without a body");
    return Exit::Failure;
  }
  const CodeView code = harness.code.view();
  if (code.find_function(entry) == code.functions.size()) {
    std::vector<std::string_view> names;
    for (const Function& function : code.functions) names.push_back(code.name(function));
    if (std::ranges::count(names, entry) != 0) {
      terminal.error("`" + std::string(entry) + "` of " + harness.file + " has no body",
                     "candidates define it; `--entry` names the function that scores them");
      return Exit::Usage;
    }
    const std::string_view near = nearest_word(entry, names);
    terminal.error(harness.file + " has no function `" + std::string(entry) + "`",
                   near.empty() ? "define `pub fn score() -> f64`, or name another one by `--entry`"
                                : "did you mean `" + std::string(near) + "`? `--entry` names it");
    return entry == engine::kScoreFunction ? Exit::Failure : Exit::Usage;
  }
  return Exit::Success;
}

Exit open_harness(const Args& args, std::string_view command, Terminal& terminal,
                  std::optional<Harness>& out) {
  const auto path = args.value("harness");
  if (!path) {
    if (args.value("entry"))
      return terminal.usage_error(command, "`--entry` names a function of a `--harness`");
    return Exit::Success;
  }
  Harness harness{std::string(*path),
                  std::string(args.value("entry").value_or(engine::kScoreFunction)),
                  std::make_shared<Project>(std::string(*path))};
  harness.project->files().add_folder_of(std::string(args.positional[0]));
  const Exit opened = open_harness(harness.path, harness.entry, harness.project->modules(),
                                   terminal, harness.number);
  out = std::move(harness);
  return opened;
}

bool lacks_bodies(std::span<const Diagnostic> diagnostics) {
  return std::ranges::any_of(
      diagnostics, [](const Diagnostic& d) { return d.code() == DiagnosticCode::MissingBody; });
}
bool only_lacks_bodies(std::span<const Diagnostic> diagnostics) {
  return std::ranges::all_of(diagnostics, [](const Diagnostic& d) {
    return d.code() == DiagnosticCode::MissingBody ||
           diagnostic_row(d.code()).severity != Severity::Error;
  });
}

UsedHarness find_used_harness(const std::string& path, std::string_view source,
                              const Library& library) {
  const fs::path above = fs::path(path).parent_path() / "..";
  for (std::string& name : frontend::Compiler().list_modules(source)) {
    if (const u32 known = library.find(name); known != kNoModule) {
      const Module& module = library[known];
      // A harness that could not be read has none.
      const bool has_findings = !module.diagnostics.empty();
      if (!module.ok && has_findings && only_lacks_bodies(module.diagnostics))
        return {std::move(name), module.file};
    } else if (name.find('.') == std::string::npos) {
      std::string file = (above / (name + ".komuz")).lexically_normal().string();
      if (is_harness_file(file)) return {std::move(name), std::move(file)};
    }
  }
  return {};
}

}  // namespace komuz::cli
