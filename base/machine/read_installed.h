// SPDX-License-Identifier: Apache-2.0
// Files that come with this program.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/machine/own_folder.h"
#include "base/problem.h"

namespace komuz::machine {

// What read(path) gives, a Result, for the file that an environment variable names, else for the one with this name
// beside this program (own_folder.h), else for that in ../share/komuz from there. `what` it is: "model". The problem says why there
// is none.
template <class Read>
auto read_installed(const char* variable, const char* name, const std::string& what,
                    const Read& read) -> decltype(read(std::string())) {
  if (const char* const given = std::getenv(variable); given != nullptr && *given != 0) {
    // A pipe would be waited for.
    std::error_code unknown;
    if (const auto status = std::filesystem::status(given, unknown);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return Problem(input_problem({.file = given}, "this is no regular file",
                                   std::string(variable) + " names it: without it the " + what +
                                       " that comes with Komuz is taken"));
    auto made = read(std::string(given));
    if (!made.problem() || !made.problem().remedy().empty()) return made;
    return Problem(made.problem())
        .with_remedy(std::string(variable) + " names this file: without it the " + what +
                     " that comes with Komuz is taken");
  }
  std::error_code ignored;
  const std::filesystem::path folder = own_folder();
  const std::filesystem::path beside = folder / name;
  for (const std::filesystem::path& path :
       {beside, folder.parent_path() / "share" / "komuz" / name})
    if (std::filesystem::exists(path, ignored)) return read(path.string());
  return input_problem(
      {},
      "there is no " + beside.string() + ": this Komuz was built or installed without a " + what,
      "install Komuz again, or name a " + what + ": " + variable + "=…/" + name);
}

}  // namespace komuz::machine
