// SPDX-License-Identifier: Apache-2.0
#include "base/machine/opened_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/machine/own_folder.h"
#include "base/machine/whole_object.h"

namespace komuz::machine {
namespace {

std::vector<std::filesystem::path> places(const OwnLibrary& library) {
  if (const char* const given = std::getenv(library.variable); given != nullptr && *given != 0)
    return {std::filesystem::absolute(given)};
  const std::filesystem::path folder = own_folder();
  return {folder / library.file, folder.parent_path() / "lib" / "komuz" / library.file};
}

Problem no_library(std::string why, std::string remedy = {}) {
  return Problem(ProblemKind::Device, {}, std::move(why), std::move(remedy));
}

std::string last_error() {
  const char* const text = dlerror();
  return text != nullptr ? text : "it cannot be opened";
}

}  // namespace

Result<const void*> open_own_library(const OwnLibrary& library) {
  const std::vector<std::filesystem::path> tried = places(library);
  for (const std::filesystem::path& path : tried) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    if (const std::string fault = object_fault(path); !fault.empty())
      return no_library(
          path.string() + " cannot be opened: " + fault,
          "install Komuz again, or name another file by " + std::string(library.variable));
    void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) return no_library(last_error());
    const void* const table = dlsym(opened, library.table);
    if (table == nullptr)
      return no_library(path.string() + " is no " + library.what + " of Komuz: " + last_error());
    const u32 version = *static_cast<const u32*>(table);
    if (version != library.version)
      return no_library(path.string() + " belongs to another version of Komuz (" +
                        std::to_string(version) + ", not " + std::to_string(library.version) + ")");
    return table;
  }
  const std::string missing = "there is no " + tried.front().string();
  const std::string variable = library.variable;
  // One place alone is the one that was named.
  if (tried.size() == 1) return no_library(missing + ", which " + variable + " names");
  return no_library(missing + ": this Komuz was built or installed without " + library.lacks,
                    std::string("install ") + library.package +
                        " and build Komuz again, or name a file of another installation of this "
                        "version: " +
                        variable + "=…/" + library.file);
}

}  // namespace komuz::machine
