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
#include "cli/programs/project.h"
#include "cli/terminal/terminal.h"
#include "frontend_gpu/asserted.h"
#include "lang/code.h"
#include "lang/diagnostics.h"

namespace komuz::cli {

// As files of them are called, and of bytecode and assembly.
inline constexpr std::string_view kProgramEndings = "komuz kbc kasm";

struct Program {
  std::string path;
  std::string source;
  std::string diagnosed;  // what the diagnostics speak of, where that is more than the source
  std::shared_ptr<Project> project;  // of a source: the modules that it uses
  Code
      code;  // checked; empty if there are errors. Of a harness neither linked nor checked: there is nothing to run
  std::vector<frontend::AssertedComparison> asserted;  // of a source
  std::vector<Diagnostic> diagnostics;
  // Of a candidate without its harness: that, and what the diagnostics above do not have because of it.
  UsedHarness used_harness;
  std::vector<Diagnostic> harness_diagnostics;
  bool ok = false;
  bool is_harness = false;
  bool is_code = false;  // read from bytecode or assembly: there is no source

  [[nodiscard]] services::NamedSource named_source() const {
    return {path, diagnosed.empty() ? source : diagnosed};
  }
  // The file of a place in the code.
  [[nodiscard]] services::NamedSource source_of(u32 place) const;
  // What is wrong with it, and with the modules that it uses: where these have errors, it has one, too.
  [[nodiscard]] std::vector<Findings> findings() const;
  [[nodiscard]] std::vector<Findings> own_findings() const;
  [[nodiscard]] std::vector<Findings> module_findings() const;
};

// The files of programs that the words stand for. What is not there is named on standard error; returns how many of the
// words that are.
[[nodiscard]] u64 find_programs(std::span<const std::string_view> words, Terminal& terminal,
                                std::vector<std::string>& paths);

// What a line `/// >>> e` is.
enum class DocExamples : u8 { Comments, Tests };

// Success: the file could be read, and `out` says what came of it. Otherwise the reason is on standard error: InputOutput,
// also of a `.kbc` that is not one or does not pass the checker; Failure of assembly with errors.
enum class ProgramKind : u8 {
  Whole,
  MayBeHarness,  // functions that candidates define may be open
};
struct Loading {
  DocExamples examples = DocExamples::Comments;
  ProgramKind kind = ProgramKind::Whole;
  const Harness* harness = nullptr;  // what is not its file is its candidate
};
[[nodiscard]] Exit load_program(const std::string& path, Terminal& terminal, Program& out,
                                Loading how = {});

// How what is wrong with a program is shown to the user of a command that is about something else.
enum class ErrorForm : u8 {
  Text,   // on standard error
  Lines,  // on standard output, as `komuz check --json` does
};
// The same for commands that need a program without errors.
[[nodiscard]] Exit load_correct_program(const std::string& path, ErrorForm form, Terminal& terminal,
                                        Program& out, Loading how = {});

}  // namespace komuz::cli
