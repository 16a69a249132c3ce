// SPDX-License-Identifier: Apache-2.0
// One program from a file, ready to run: compiled from source, or read from bytecode and checked.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/programs/findings.h"
#include "cli/programs/harness.h"
#include "cli/terminal/terminal.h"
#include "frontend_gpu/asserted.h"
#include "lang/code.h"
#include "lang/diagnostics.h"
#include "services/files/project.h"

namespace komuz::cli {

// Endings of source, bytecode and assembly files.
inline constexpr std::string_view kProgramEndings = "komuz kbc kasm";

struct Program {
  std::string path;
  std::string source;
  std::string diagnosed;  // the text that diagnostics refer to, if it is more than the source
  std::shared_ptr<services::Project> project;  // for a source: the modules that it uses
  Code
      code;  // checked; empty if there are errors. A harness's code is neither linked nor checked, and cannot run
  std::vector<frontend::AssertedComparison> asserted;  // for a source
  std::vector<Diagnostic> diagnostics;
  // For a candidate without its harness: the harness, and the diagnostics that are missing above because of it.
  services::UsedHarness used_harness;
  std::vector<Diagnostic> harness_diagnostics;
  bool ok = false;
  bool is_harness = false;
  bool is_code = false;  // read from bytecode or assembly, without source

  [[nodiscard]] services::NamedSource named_source() const {
    return {path, diagnosed.empty() ? source : diagnosed};
  }
  // The file of a place in the code.
  [[nodiscard]] services::NamedSource source_of(u32 place) const;
  // Its faults, and those of the modules that it uses. If these have errors, the program has one, too.
  [[nodiscard]] std::vector<Findings> findings() const;
  [[nodiscard]] std::vector<Findings> own_findings() const;
  [[nodiscard]] std::vector<Findings> module_findings() const;
};

// The files of programs that the words name. Missing ones are reported on standard error; returns the number of such
// words.
[[nodiscard]] u64 find_programs(std::span<const std::string_view> words, Terminal& terminal,
                                std::vector<std::string>& paths);

// The meaning of a line `/// >>> e`.
enum class DocExamples : u8 { Comments, Tests };

// Success: the file could be read, and `out` holds the result. Otherwise the reason is on standard error:
// InputOutput, also for a `.kbc` that is invalid or does not pass the checker; Failure for assembly with errors.
enum class ProgramKind : u8 {
  Whole,
  MayBeHarness,  // functions that candidates define may be open
};
struct Loading {
  DocExamples examples = DocExamples::Comments;
  ProgramKind kind = ProgramKind::Whole;
  const Harness* harness = nullptr;  // every file but its own is a candidate
};
[[nodiscard]] Exit load_program(const std::string& path, Terminal& terminal, Program& out,
                                Loading how = {});

// The form of a program's errors, in a command with another purpose.
enum class ErrorForm : u8 {
  Text,   // on standard error
  Lines,  // on standard output, like `komuz check --json`
};
// The same for commands that need a program without errors.
[[nodiscard]] Exit load_correct_program(const std::string& path, ErrorForm form, Terminal& terminal,
                                        Program& out, Loading how = {});

}  // namespace komuz::cli
