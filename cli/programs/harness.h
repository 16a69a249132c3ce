// SPDX-License-Identifier: Apache-2.0
// Harnesses and their candidates, for the commands with `--harness`.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/process/args.h"
#include "cli/terminal/terminal.h"
#include "services/files/project.h"
#include "services/harness.h"

namespace komuz::cli {

// The options of commands that look at candidates without running them on cases.
inline constexpr OptionRow kHarnessOption = {
    "harness", "FILE", "the programs are its candidates: they define its open functions",
    files("komuz")};
inline constexpr OptionRow kHarnessEntryOption = {
    "entry", "NAME", "the harness's function that scores (default `score`)"};

// A harness that the user names, and the settings that its candidates are compiled with.
struct Harness {
  std::string path;
  std::string entry;                           // its scoring function
  std::shared_ptr<services::Project> project;  // its modules, and those of its candidates
  u32 number = kNoModule;                      // its own number among these

  // True for this file, whatever its name.
  [[nodiscard]] bool is_file(const std::string& other) const;
};

// Compiles a harness into `modules`, and finds its entry. Faults are reported on standard error.
[[nodiscard]] Exit open_harness(const std::string& path, std::string_view entry,
                                engine::ModuleLoader& modules, Terminal& terminal, u32& number);

// The harness of the options `--harness` and `--entry`; none if they are absent. Modules are looked for as in `komuz
// eval`.
[[nodiscard]] Exit open_harness(const Args& args, std::string_view command, Terminal& terminal,
                                std::optional<Harness>& out);

// A harness that a program with errors names by `use`: among the modules that the program was compiled with, or in
// the folder above the program's, if the candidates have a folder of their own.
[[nodiscard]] services::UsedHarness find_used_harness(const std::string& path,
                                                      std::string_view source,
                                                      const Library& library);

}  // namespace komuz::cli
