// SPDX-License-Identifier: Apache-2.0
// What the compiler warns of in programs that somebody has written as files, and that run: commands whose results are others say it
// on standard error.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/terminal.h"
#include "engine/candidates/load_modules.h"
#include "frontend_gpu/frontend.h"
#include "services/results/warning_notes.h"

namespace komuz::cli {

// Of a text without errors, as `komuz check` tells them: all, those that compiling alone does not tell, or those that a candidate's row
// does not tell either.
enum class WarningsOf : u8 { Program, BesideCompiling, BesideRow };
void add_warnings(std::string_view id, std::string_view source, WarningsOf which,
                  frontend::Options options, services::Warnings& out);
// What rows do not tell of candidates that are files of their own, which the words name.
void add_file_warnings(std::span<const std::string_view> words, engine::ModuleLoader& modules,
                       const frontend::Options& options, services::Warnings& out);
void say_warnings(const services::Warnings& warnings, Terminal& terminal);

}  // namespace komuz::cli
