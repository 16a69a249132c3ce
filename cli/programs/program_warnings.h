// SPDX-License-Identifier: Apache-2.0
// The compiler's warnings for programs that somebody has written as files, and that run. Commands whose results are
// of another kind report them on standard error.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/terminal.h"
#include "engine/candidates/load_modules.h"
#include "frontend_gpu/frontend.h"
#include "services/results/warning_notes.h"

namespace komuz::cli {

// For a text without errors, the warnings of `komuz check`: all, those that compiling does not report, or those that
// a candidate's row does not report either.
enum class WarningsOf : u8 { Program, BesideCompiling, BesideRow };
void add_warnings(std::string_view id, std::string_view source, WarningsOf which,
                  frontend::Options options, services::Warnings& out);
// Warnings that rows do not report, for candidates in files that the words name.
void add_file_warnings(std::span<const std::string_view> words, engine::ModuleLoader& modules,
                       const frontend::Options& options, services::Warnings& out);
void say_warnings(const services::Warnings& warnings, Terminal& terminal);

}  // namespace komuz::cli
