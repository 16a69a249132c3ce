// SPDX-License-Identifier: Apache-2.0
#include "services/files/project.h"

#include <algorithm>
#include <utility>

#include "services/files/files.h"
#include "services/files/module_paths.h"

namespace komuz::services {
namespace {

constexpr std::string_view kEnding = ".komuz";
// The most paths that are considered as corrections of a misspelled one.
constexpr size_t kMostListed = 2000;

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

std::string ProjectFiles::beside(std::string_view candidate, std::string_view path) {
  if (!candidate.ends_with(kEnding)) return {};
  const size_t slash = candidate.rfind('/');
  const std::string folder(candidate.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
  // Folders have few modules, and many candidates, which come one after the other.
  if (std::exchange(folder_of_others_, folder) != folder) others_.clear();
  const auto [known, is_new] = others_.try_emplace(std::string(path));
  if (is_new) known->second = other_file(folder, path);
  return known->second.empty() || !exists(std::string(candidate)) ? std::string() : known->second;
}

std::string ProjectFiles::other_file(const std::string& folder, std::string_view path) {
  std::string below(path);
  std::ranges::replace(below, '.', '/');
  const std::string file = folder + below + std::string(kEnding);
  const auto is_this = [&](const std::string& written) { return is_same_file(written, file); };
  if (!exists(file) || std::ranges::any_of(written_, is_this)) return {};
  const std::optional<engine::ModuleText> other = read_file_of_module(file), taken = read(path);
  const bool is_other = other && taken && !is_same_file(file, taken->file) &&
                        (other->is_unreadable || other->text != taken->text);
  return is_other ? file : std::string();
}

std::optional<engine::ModuleText> ProjectFiles::read_file_of_module(std::string file) {
  if (!exists(file) || is_folder(file)) return std::nullopt;
  const auto is_this = [&](const std::string& written) { return is_same_file(written, file); };
  if (std::ranges::any_of(written_, is_this)) {
    if (std::ranges::find(left_out_, file) == left_out_.end()) left_out_.push_back(std::move(file));
    return std::nullopt;
  }
  engine::ModuleText module{std::move(file), "", false};
  module.is_unreadable = static_cast<bool>(read_file(module.file, module.text, kMostSourceBytes));
  return module;
}

std::vector<std::string> ProjectFiles::list() {
  std::vector<std::string> paths;
  std::vector<std::string> folders = folders_;
  folders.emplace_back("");
  for (const std::string& folder : folders)
    static_cast<void>(add_module_paths(folder, kMostListed, kMostListed, paths));
  std::ranges::sort(paths);
  return paths;
}

}  // namespace komuz::services
