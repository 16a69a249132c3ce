// SPDX-License-Identifier: Apache-2.0
#include "services/files/module_paths.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <string_view>

namespace komuz::services {
namespace {

constexpr std::string_view kModuleEnding = ".komuz";

std::string path_of_module(const std::filesystem::path& below) {
  std::string path = below.generic_string();
  path.resize(path.size() - kModuleEnding.size());
  std::ranges::replace(path, '/', '.');
  return path;
}

}  // namespace

bool add_module_paths(const std::string& folder, size_t most_seen, size_t most_added,
                      std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  const fs::path root = folder.empty() ? fs::path(".") : fs::path(folder);
  const size_t most = paths.size() + most_added;
  size_t seen = 0;
  for (std::deque<fs::path> left = {root}; !left.empty() && seen < most_seen; left.pop_front()) {
    std::error_code error, ignored;
    fs::directory_iterator entries(left.front(), fs::directory_options::skip_permission_denied,
                                   error);
    for (; !error && entries != fs::directory_iterator() && seen < most_seen && paths.size() < most;
         entries.increment(error), ++seen) {
      const fs::path& path = entries->path();
      const bool is_hidden = path.filename().native().starts_with('.');
      if (path.extension() == kModuleEnding)
        paths.push_back(path_of_module(path.lexically_relative(root)));
      else if (!is_hidden && !entries->is_symlink(ignored) && entries->is_directory(ignored))
        left.push_back(path);
    }
  }
  return seen < most_seen && paths.size() < most;
}

}  // namespace komuz::services
