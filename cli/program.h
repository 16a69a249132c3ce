// SPDX-License-Identifier: Apache-2.0
// One program from a file, ready to run: compiled from source, or read from bytecode and checked.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/findings.h"
#include "cli/project.h"
#include "cli/terminal.h"
#include "lang/code.h"
#include "lang/diagnostics.h"

namespace komuz::cli {

struct Program {
  std::string path;
  std::string source;
  std::string diagnosed;  // what the diagnostics speak of, where that is more than the source
  std::shared_ptr<Project> project;  // of a source: the modules that it uses
  Code code;                         // checked; empty if there are errors
  std::vector<Diagnostic> diagnostics;
  bool ok = false;
  bool is_code = false;  // read from bytecode or assembly: there is no source

  [[nodiscard]] services::NamedSource named_source() const {
    return {path, diagnosed.empty() ? source : diagnosed};
  }
  // The file of a place in the code.
  [[nodiscard]] services::NamedSource source_of(u32 place) const;
  [[nodiscard]] Findings own_findings() const { return {named_source(), diagnostics}; }
  // What is wrong with it, and with the modules that it uses: where these have errors, it has one, too.
  [[nodiscard]] std::vector<Findings> findings() const;
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
  MayBeHarness,  // functions that candidates define may be open: then there is no code
};
struct Loading {
  DocExamples examples = DocExamples::Comments;
  ProgramKind kind = ProgramKind::Whole;
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
                                        Program& out, DocExamples examples = DocExamples::Comments);

}  // namespace komuz::cli
