// SPDX-License-Identifier: Apache-2.0
// What is wrong with a text: its diagnostics beside what they speak of. What a command shows and what it counts are
// made from the same findings.
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
  std::string message = {};  // what they say, where that is not what such diagnostics say
};

// Of the modules that have errors, in the order in which they were compiled.
[[nodiscard]] std::vector<Findings> module_findings(const Library& library);
// Of those that a program needs.
[[nodiscard]] std::vector<Findings> module_findings(const Library& library,
                                                    std::string_view source);

// What is wrong with the modules of several programs, which is told once, behind them all, whoever uses a module, and not
// where its file was a program itself.
class ModuleFindings {
 public:
  // Of a program with errors: its file, and its modules.
  void add(const std::string& path, std::span<const Findings> modules);
  // They hold until something is added.
  [[nodiscard]] std::vector<Findings> untold() const;

 private:
  // Findings that outlive their program.
  struct Kept {
    std::string file, text;
    std::vector<Diagnostic> diagnostics;
  };

  std::set<std::string> told_;  // files with errors, however they are called
  std::vector<Kept> modules_;
};

[[nodiscard]] std::string render_findings(std::span<const Findings> all,
                                          const services::RenderStyle& style);
// An object for each diagnostic, a line each.
[[nodiscard]] std::string finding_lines(std::span<const Findings> all);
[[nodiscard]] u64 count_findings(std::span<const Findings> all, Severity severity);

}  // namespace komuz::cli
