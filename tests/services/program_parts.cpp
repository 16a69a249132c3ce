// SPDX-License-Identifier: Apache-2.0
#include "tests/services/program_parts.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "services/symbols.h"

namespace komuz::test {

using frontend::Index;

Stretch ProgramParts::damaged_by(Stretch token) const {
  const auto item = std::ranges::find_if(
      items, [&](const Stretch& one) { return one.begin <= token.begin && token.end <= one.end; });
  return item == items.end() ? token : *item;
}

ProgramParts parts_of(const services::Analysis& analysis) {
  const frontend::Columns& c = analysis.columns();
  ProgramParts parts;
  for (Index t = 0; t < analysis.own_tokens(); ++t) {
    const u32 begin = c.token_start[t];
    parts.tokens.push_back({begin, begin + c.token_length[t]});
    if (symbol_of(analysis, analysis.node_of(t)).kind != services::Symbol::Kind::None)
      parts.names.push_back(begin);
  }
  for (Index item = 0; c.nodes != 0 && item < c.items; ++item) {
    const frontend::TokenRange own = analysis.tokens_of(item);
    if (own.first >= analysis.own_tokens() || own.first >= own.end) continue;
    const Index last = std::min(own.end, analysis.own_tokens()) - 1;
    parts.items.push_back({c.token_start[own.first], parts.tokens[last].end});
  }
  return parts;
}

std::optional<engine::ModuleText> FolderModules::read(std::string_view path) {
  std::string name(path);
  std::ranges::replace(name, '.', '/');
  const std::filesystem::path file = root_ / (name + ".komuz");
  if (!std::filesystem::exists(file)) return std::nullopt;
  return engine::ModuleText{file.string(), read_text(file)};
}

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"examples", "stdlib", "tests"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(KOMUZ_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".komuz") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace komuz::test
