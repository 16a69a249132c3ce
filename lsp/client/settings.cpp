// SPDX-License-Identifier: Apache-2.0
#include "lsp/client/settings.h"

#include "base/counts.h"
#include "services/editor/head_lines.h"

namespace komuz::lsp {
namespace {

// Null stands for "not set", as what a client has no value for.
bool read_value(const Json& value, std::string& out) {
  if (!value.is_null() && !value.is_string()) return false;
  out = value.is_null() ? "" : value.get<std::string>();
  return true;
}
bool read_value(const Json& value, u32& out) {
  if (value.is_null()) {
    out = 0;
    return true;
  }
  if (!value.is_number_unsigned() || value.get<u64>() == 0 || value.get<u64>() > services::kMostTop)
    return false;
  out = value.get<u32>();
  return true;
}
std::string wanted(const std::string& /*text*/) { return "a text"; }
std::string wanted(u32 /*count*/) {
  return "a whole number from 1 to " + grouped(services::kMostTop);
}

}  // namespace

void read_settings(const Json& section, Settings& settings, std::vector<std::string>& problems) {
  if (!section.is_object()) return;
  const auto read = [&](std::string_view name, std::string_view example, auto& out) {
    const auto found = section.find(name);
    if (found == section.end() || read_value(*found, out)) return;
    problems.push_back("the setting `komuz." + std::string(name) + "` is " + wanted(out) +
                       ", such as `" + std::string(example) + "`, and not `" + json_text(*found) +
                       "`");
  };
#define SETTING(name, Kind, example, what) read(#name, example, settings.name);
#include "lsp/client/settings.def"
#undef SETTING
}

std::vector<std::string> Project::paths() const {
  std::vector<std::string> paths;
  for (const Folder& folder : folders) paths.push_back(folder.path);
  return paths;
}

const Settings& Project::settings_of(std::string_view path) const {
  const Folder* innermost = nullptr;
  for (const Folder& folder : folders) {
    const bool is_inside =
        path.starts_with(folder.path) &&
        (folder.path.ends_with('/') || path.substr(folder.path.size()).starts_with('/'));
    if (is_inside && (innermost == nullptr || innermost->path.size() < folder.path.size()))
      innermost = &folder;
  }
  return innermost == nullptr ? settings : innermost->settings;
}

}  // namespace komuz::lsp
