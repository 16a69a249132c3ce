// SPDX-License-Identifier: Apache-2.0
// One program from a file, ready to run: compiled from source, or read from bytecode and checked.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"
#include "lang/code.h"
#include "lang/diagnostics.h"
#include "services/render.h"

namespace komuz::cli {

struct Program {
  std::string path;
  std::string source;
  Code code;  // checked; empty if there are errors
  std::vector<Diagnostic> diagnostics;
  bool ok = false;
  bool is_code = false;  // read from bytecode or assembly: there is no source

  [[nodiscard]] services::NamedSource named_source() const { return {path, source}; }
};

// The files of programs that the words stand for. What is not there is named on standard error; returns how many of the
// words that are.
[[nodiscard]] u64 find_programs(std::span<const std::string_view> words, Terminal& terminal,
                                std::vector<std::string>& paths);

// What a line `/// >>> e` is.
enum class DocExamples : u8 { Comments, Tests };

// Success: the file could be read, and `out` says what came of it. Otherwise the reason is on standard error: InputOutput,
// also of a `.kbc` that is not one or does not pass the checker; Failure of assembly with errors.
[[nodiscard]] Exit load_program(const std::string& path, Terminal& terminal, Program& out,
                                DocExamples examples = DocExamples::Comments);

// How what is wrong with a program is shown to the user of a command that is about something else.
enum class ErrorForm : u8 {
  Text,   // on standard error
  Lines,  // on standard output, as `komuz check --json` does
};
// The same for commands that need a program without errors.
[[nodiscard]] Exit load_correct_program(const std::string& path, ErrorForm form, Terminal& terminal,
                                        Program& out, DocExamples examples = DocExamples::Comments);

// An object for each diagnostic, a line each.
[[nodiscard]] std::string diagnostic_lines(const Program& program);

// On one line, with its end. Sources may hold bytes that are not UTF-8, JSON may not: they become U+FFFD.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& object);

}  // namespace komuz::cli
