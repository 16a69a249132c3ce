// SPDX-License-Identifier: Apache-2.0
#include "lsp/project/folder_modules.h"

#include <algorithm>

namespace komuz::lsp {

std::string module_file(std::string_view folder, std::string_view module) {
  std::string below(module);
  std::ranges::replace(below, '.', '/');
  return std::string(folder).append("/").append(below).append(".komuz");
}

std::vector<std::string> FolderModules::files_of(std::string_view path) const {
  if (const auto named = named_.find(path); named != named_.end()) return {named->second};
  std::vector<std::string> files;
  for (const std::string& folder : folders_) files.push_back(module_file(folder, path));
  return files;
}

std::optional<engine::ModuleText> FolderModules::read(std::string_view path) {
  for (const std::string& file : files_of(path)) {
    const std::string real = files_.real_path(file);
    if (const auto supposed = supposed_.find(real); supposed != supposed_.end())
      return engine::ModuleText{file, supposed->second};
    if (const DocumentRef open = documents_.find_path(real))
      return engine::ModuleText{file, open->text};
    if (auto text = files_.read(file)) return engine::ModuleText{file, std::move(*text)};
  }
  return std::nullopt;
}

std::vector<std::string> FolderModules::list() {
  std::vector<std::string> paths;
  for (const std::string& folder : folders_)
    for (std::string& path : files_.list_modules(folder)) paths.push_back(std::move(path));
  return paths;
}

}  // namespace komuz::lsp
