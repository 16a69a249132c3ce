// SPDX-License-Identifier: Apache-2.0
// The findings on a text: its diagnostics together with their source. The output and the counts of a command come
// from the same findings.
#pragma once
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lang/library.h"
#include "services/render.h"

namespace komuz::cli {

struct Findings {
  services::NamedSource source;
  std::span<const Diagnostic> diagnostics;
  std::string message = {};  // replaces the diagnostics' own message; empty: it does not
};

// Findings on the modules with errors, in the order of their compilation.
[[nodiscard]] std::vector<Findings> module_findings(const Library& library);
// The same for the modules that a program needs.
[[nodiscard]] std::vector<Findings> module_findings(const Library& library,
                                                    std::string_view source);

// Findings on the modules of several programs. They are reported once, behind all programs, however many use a
// module, and not if the module's file was a program itself.
class ModuleFindings {
 public:
  // For a program with errors: its file, and its modules.
  void add(const std::string& path, std::span<const Findings> modules);
  // Valid until something is added.
  [[nodiscard]] std::vector<Findings> untold() const;

 private:
  // Findings that outlive their program.
  struct Kept {
    std::string file, text;
    std::vector<Diagnostic> diagnostics;
  };

  std::set<std::string> told_;  // files with errors, identified whatever their names
  std::vector<Kept> modules_;
};

[[nodiscard]] std::string render_findings(std::span<const Findings> all,
                                          const services::RenderStyle& style);
// One line with an object for each diagnostic.
[[nodiscard]] std::string finding_lines(std::span<const Findings> all);
[[nodiscard]] u64 count_findings(std::span<const Findings> all, Severity severity);

}  // namespace komuz::cli
