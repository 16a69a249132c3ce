// SPDX-License-Identifier: Apache-2.0
#include "tests/repository/arrows.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

namespace komuz::arrows {
namespace {

// A folder may include itself, what stands on a lower floor, and the rooms its row names besides.
constexpr int kAside = -1;  // on no floor: only `besides` holds
struct Folder {
  std::string_view name;
  int floor;
  std::array<std::string_view, 2> besides{};
};
// `base` lies below `lang` on the ground floor, so it is written as one floor further down.
constexpr Folder kFolders[] = {
    {"base", 0},
    {"lang", 1},
    {"frontend_gpu", 2},
    {"vm", 2},
    {"backend", 2},
    {"neural", 2},
    {"engine", 3},
    {"services", 4},
    {"repl", 5},
    {"lsp", 5},
    {"cli", 6},
    {"gen", kAside, {"base", "lang"}},
    {"tests", 7, {"gen", "bench"}},
    {"bench", 7, {"gen", "tests"}},
};

const Folder* find_folder(std::string_view name) {
  const auto* found = std::ranges::find(kFolders, name, &Folder::name);
  return found == std::end(kFolders) ? nullptr : found;
}

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

bool allowed(const Folder& from, const Folder& to) {
  if (from.name == to.name || std::ranges::find(from.besides, to.name) != from.besides.end())
    return true;
  return to.floor != kAside && to.floor < from.floor;
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<Include> quoted_includes(std::string_view text) {
  std::vector<Include> includes;
  int line_number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++line_number;
    const auto skip_blanks = [&line] {
      line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
    };
    skip_blanks();
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    skip_blanks();
    if (!line.starts_with("include")) continue;
    line.remove_prefix(std::string_view("include").size());
    skip_blanks();
    if (!line.starts_with('"')) continue;
    line.remove_prefix(1);
    includes.push_back({line_number, std::string(line.substr(0, line.find('"')))});
  }
  return includes;
}

std::string forbidden(std::string_view path, std::string_view included) {
  const Folder* from = find_folder(first_part(path));
  const Folder* to = find_folder(first_part(included));
  if (!from) return "this folder is not in the table of tests/repository/arrows.cpp";
  if (included.find('/') == std::string_view::npos || included.starts_with("."))
    return "an include starts at the repository root";
  if (!to) return "there is no such folder";
  if (!allowed(*from, *to))
    return std::string(from->name) + " may not include " + std::string(to->name);
  return {};
}

}  // namespace komuz::arrows
