// SPDX-License-Identifier: Apache-2.0
#include "cli/project.h"

#include <algorithm>
#include <filesystem>

#include "cli/files.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".komuz";
// Who has misspelled a path is shown one of so many at most.
constexpr size_t kMostListed = 2000;

// `lib.packing` of the file lib/packing.komuz below a folder.
std::string module_path(const fs::path& below) {
  std::string path = below.generic_string();
  path.resize(path.size() - kEnding.size());
  std::ranges::replace(path, '/', '.');
  return path;
}

}  // namespace

void ProjectFiles::add_folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  if (path != "-" && is_folder(path)) folder = path.ends_with('/') ? path : path + "/";
  if (std::ranges::find(folders_, folder) == folders_.end()) folders_.push_back(std::move(folder));
}

std::optional<engine::ModuleText> ProjectFiles::read(std::string_view path) {
  std::string file(path);
  std::ranges::replace(file, '.', '/');
  file += kEnding;
  for (const std::string& folder : folders_)
    if (auto module = read_file_of_module(folder + file)) return module;
  return read_file_of_module(file);
}

std::optional<engine::ModuleText> ProjectFiles::read_file_of_module(std::string file) {
  if (!exists(file) || is_folder(file)) return std::nullopt;
  const auto is_this = [&](const std::string& written) { return is_same_file(written, file); };
  if (std::ranges::any_of(written_, is_this)) {
    if (std::ranges::find(left_out_, file) == left_out_.end()) left_out_.push_back(std::move(file));
    return std::nullopt;
  }
  engine::ModuleText module{std::move(file), "", false};
  module.is_unreadable = read_file(module.file, module.text, kMostSourceBytes).has_value();
  return module;
}

std::vector<std::string> ProjectFiles::list() {
  std::vector<std::string> paths;
  std::vector<std::string> folders = folders_;
  folders.emplace_back("");
  for (const std::string& folder : folders) {
    const fs::path root = folder.empty() ? fs::path(".") : fs::path(folder);
    std::error_code error;
    fs::recursive_directory_iterator entries(root, fs::directory_options::skip_permission_denied,
                                             error);
    size_t seen = 0;
    for (; !error && entries != fs::recursive_directory_iterator() && seen < kMostListed;
         entries.increment(error), ++seen) {
      if (entries.depth() > 0) entries.disable_recursion_pending();
      if (entries->path().extension() == kEnding)
        paths.push_back(module_path(entries->path().lexically_relative(root)));
    }
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace komuz::cli
