// SPDX-License-Identifier: Apache-2.0
#include "cli/editor/disk_files.h"

#include <algorithm>
#include <filesystem>

#include "cli/files/file_writer.h"
#include "cli/process/version.h"
#include "services/files/files.h"
#include "services/files/module_paths.h"
#include "services/options/environment.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

std::string cache_folder() {
  const std::string_view cache = services::environment_value("XDG_CACHE_HOME");
  if (cache.starts_with('/')) return std::string(cache);  // others mean nothing, says the standard
  const std::string_view home = services::environment_value("HOME");
  return home.starts_with('/') ? std::string(home) + "/.cache" : std::string();
}

}  // namespace

std::optional<std::string> DiskFiles::read(const std::string& path) {
  std::error_code ignored;
  // What is no regular file may have no end, or wait for somebody.
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  std::string text;
  if (services::read_file(path, text)) return std::nullopt;
  return text;
}

lsp::Files::Limited DiskFiles::read_limited(const std::string& path, size_t most) {
  using State = Limited::State;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return {State::Missing, {}};
  if (!fs::is_regular_file(status)) return {State::NoFile, {}};
  if (fs::file_size(path, error) > most || error) return {State::TooLarge, {}};
  std::string text;
  // It may have grown.
  if (services::read_file(path, text, most)) return {State::Missing, {}};
  return {State::There, std::move(text)};
}

std::string DiskFiles::real_path(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

std::vector<std::string> DiskFiles::list_modules(const std::string& folder) {
  std::vector<std::string> paths;
  static_cast<void>(walk(folder, paths));
  return paths;
}
bool DiskFiles::lists_all(const std::string& folder) {
  std::vector<std::string> paths;
  return walk(folder, paths);
}

std::vector<std::string> DiskFiles::list_folder(const std::string& folder) {
  // Entries that are looked at, of which nobody reads more.
  constexpr size_t kMostSeen = 10'000;
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (size_t seen = 0; !error && entry != fs::directory_iterator() && seen < kMostSeen; ++seen) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    const bool is_folder = entry->is_directory(ignored);
    if (!name.starts_with('.') && (is_folder || entry->is_regular_file(ignored)))
      names.push_back(is_folder ? name + "/" : std::move(name));
    entry.increment(error);
  }
  std::ranges::sort(names);
  return names;
}

// True if all modules of the folder are among the paths, or if it is nobody's project.
bool DiskFiles::walk(const std::string& folder, std::vector<std::string>& paths) {
  constexpr size_t kMostSeen = 10'000, kMostListed = kMostSeen;
  const std::string real = real_path(folder);
  const std::string_view home = services::environment_value("HOME");
  if (real == "/" || (!home.empty() && real == real_path(std::string(home)))) return true;
  const bool saw_all = services::add_module_paths(folder, kMostSeen, kMostListed, paths);
  std::ranges::sort(paths);
  return saw_all;
}

std::string DiskFiles::keep(const std::string& name, std::string_view text) {
  const std::string cache = cache_folder();
  if (cache.empty()) return {};
  const std::string path = cache + "/komuz/" + std::string(kVersion) + "/" + name;
  std::string before;
  if (services::exists(path) && !services::read_file(path, before) && before == text) return path;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error || write_file(path, text)) return {};
  return path;
}

}  // namespace komuz::cli
