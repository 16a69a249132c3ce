// SPDX-License-Identifier: Apache-2.0
#include "lsp/project/named_files.h"

#include <algorithm>

#include "base/counts.h"

namespace komuz::lsp {
namespace {

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) &&
         (folder.ends_with('/') || path[folder.size()] == '/');
}

}  // namespace

std::string too_large_text(std::string_view name) {
  return "`" + std::string(name) + "` has more than " + grouped(NamedFiles::kMostBytes >> 20) +
         " MiB, the most that an editor looks at; `komuz eval` takes more";
}

NamedFile NamedFiles::look_for(const Document& document, const std::string& name) const {
  std::vector<std::string> folders;
  if (!document.path.empty())
    folders.push_back(document.path.substr(0, std::max<size_t>(document.path.rfind('/'), 1)));
  for (const std::string& folder : folders_) folders.push_back(files_.real_path(folder));
  NamedFile refused;
  refused.problem = "there is no file `" + name + "` beside this one or in the workspace";
  const bool is_absolute = name.starts_with('/');
  for (const std::string& folder : folders) {
    const std::string path =
        files_.real_path(is_absolute ? name : std::string(folder).append("/").append(name));
    const bool is_inside =
        std::ranges::any_of(folders, [&](const std::string& one) { return is_below(path, one); });
    if (!is_inside) {
      refused.problem =
          "`" + name +
          "` is outside of the workspace, where an editor reads nothing; copy it into a "
          "folder of the workspace";
      continue;
    }
    using State = Files::Limited::State;
    Files::Limited file = files_.read_limited(path, kMostBytes);
    switch (file.state) {
      case State::There:
        return {path, {}, std::make_shared<const std::string>(std::move(file.text))};
      case State::Missing: break;
      case State::NoFile:
        refused.problem = "`" + name + "` is no regular file; name a file of text";
        break;
      case State::TooLarge: refused.problem = too_large_text(name); break;
    }
  }
  return refused;
}

NamedFile NamedFiles::read(const Document& document, const std::string& name, u64 stamp) {
  const std::string key = document.path.substr(0, document.path.rfind('/') + 1) + "\n" + name;
  const auto known = known_.find(key);
  if (known != known_.end() && known->second.stamp == stamp) return known->second.file;
  NamedFile file = look_for(document, name);
  if (known != known_.end() && known->second.file.bytes != nullptr && file.bytes != nullptr &&
      *known->second.file.bytes == *file.bytes)
    file.bytes = known->second.file.bytes;
  if (known == known_.end() && known_.size() == kMostKnown) known_.clear();
  known_[key] = {stamp, file};
  return file;
}

}  // namespace komuz::lsp
