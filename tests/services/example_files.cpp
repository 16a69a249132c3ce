// SPDX-License-Identifier: Apache-2.0
#include "tests/services/example_files.h"

#include <algorithm>

namespace komuz::services {
namespace {

// "lib.packing" of "// lib/packing.komuz"; nothing of any other line.
std::string path_in(std::string_view line) {
  constexpr std::string_view kBefore = "// ", kBehind = ".komuz";
  if (!line.starts_with(kBefore) || !line.ends_with(kBehind)) return {};
  line.remove_prefix(kBefore.size());
  line.remove_suffix(kBehind.size());
  std::string path(line);
  std::replace(path.begin(), path.end(), '/', '.');
  return path.find(' ') == std::string::npos ? path : std::string();
}

}  // namespace

std::vector<ExampleFile> files_of(std::string_view source) {
  std::vector<ExampleFile> files;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size() - 1);
    const std::string_view line = source.substr(0, end + 1);
    source.remove_prefix(end + 1);
    std::string path = path_in(line.substr(0, line.find('\n')));
    if (!path.empty())
      files.push_back({std::move(path), ""});
    else if (files.empty())
      files.push_back({"", std::string(line)});
    else
      files.back().text += line;
  }
  // The blank line between two files belongs to neither.
  for (ExampleFile& file : files)
    while (file.text.ends_with("\n\n")) file.text.pop_back();
  if (files.empty()) files.emplace_back();
  return files;
}

std::optional<engine::ModuleText> ExampleModules::read(std::string_view path) {
  const auto file = std::ranges::find(files_, path, &ExampleFile::path);
  if (file == files_.end()) return std::nullopt;
  return engine::ModuleText{std::string(path) + ".komuz", file->text};
}

}  // namespace komuz::services
