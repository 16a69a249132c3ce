// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/findings.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/files/json_line.h"
#include "frontend_gpu/expand.h"
#include "frontend_gpu/frontend.h"

namespace komuz::cli {
namespace {

// Equal for one file, whatever its name.
std::string identity_of(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

std::vector<Findings> findings_of(const Library& library, std::span<const u32> modules) {
  std::vector<Findings> all;
  for (const u32 number : modules) {
    const Module& module = library[number];
    // A harness that is used as an ordinary module only lacks the functions that candidates define.
    if (module.ok || !module.open.empty()) continue;
    const std::string& text = module.diagnosed.empty() ? module.text : module.diagnosed;
    all.push_back({{module.file, text}, module.diagnostics});
  }
  return all;
}

}  // namespace

std::vector<Findings> module_findings(const Library& library) {
  std::vector<u32> all(library.size());
  std::iota(all.begin(), all.end(), u32{0});
  return findings_of(library, all);
}
std::vector<Findings> module_findings(const Library& library, std::string_view source) {
  return findings_of(library,
                     frontend::needed_modules(library, frontend::Compiler().list_modules(source)));
}

void ModuleFindings::add(const std::string& path, std::span<const Findings> modules) {
  told_.insert(identity_of(path));
  for (const Findings& module : modules) {
    const std::string file(module.source.name);
    if (std::ranges::find(modules_, file, &Kept::file) == modules_.end())
      modules_.push_back({file,
                          std::string(module.source.text),
                          {module.diagnostics.begin(), module.diagnostics.end()}});
  }
}

std::vector<Findings> ModuleFindings::untold() const {
  std::vector<Findings> all;
  std::set<std::string> told = told_;
  for (const Kept& module : modules_)
    if (told.insert(identity_of(module.file)).second)
      all.push_back({{module.file, module.text}, module.diagnostics});
  return all;
}

std::string render_findings(std::span<const Findings> all, const services::RenderStyle& style) {
  std::string text;
  for (const Findings& found : all)
    for (const Diagnostic& d : found.diagnostics)
      text += services::render_diagnostic(d, found.source, style, found.message);
  return text;
}

std::string finding_lines(std::span<const Findings> all) {
  std::string text;
  for (const Findings& found : all)
    for (const Diagnostic& d : found.diagnostics)
      text += json_line(services::diagnostic_json(d, found.source, found.message));
  return text;
}

u64 count_findings(std::span<const Findings> all, Severity severity) {
  u64 count = 0;
  for (const Findings& found : all)
    count += static_cast<u64>(std::ranges::count_if(found.diagnostics, [&](const Diagnostic& d) {
      return diagnostic_row(d.code()).severity == severity;
    }));
  return count;
}

}  // namespace komuz::cli
