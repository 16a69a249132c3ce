// SPDX-License-Identifier: Apache-2.0
#include "tests/repository/arrows.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

namespace komuz::arrows {
namespace {

// A folder may include itself, what stands on a lower floor, and what its row names besides.
constexpr int kAside = -1;  // on no floor: only `besides` holds
struct Folder {
  std::string_view name;
  int floor;
  std::array<std::string_view, 2> besides{};
  std::string_view without = {};  // a lower folder that it does not see
};
// `base` lies below `lang` on the ground floor, so it is written as one floor further down.
constexpr int kOutside = 9;  // looks into every room
constexpr Folder kFolders[] = {
    {"base", 0},
    {"lang", 1},
    {"mend", 2},
    {"frontend_gpu", 3},
    {"vm", 3, {}, "mend"},
    {"backend", 3, {}, "mend"},
    {"engine", 4},
    {"neural", 5, {"gen"}},
    {"services", 6},
    {"repl", 7},
    {"lsp", 7},
    {"python", 7},
    {"cli", 8},
    {"gen", kAside, {"base", "lang"}},
    {"tests", kOutside, {"gen", "bench"}},
    {"bench", kOutside, {"gen", "tests"}},
};

const Folder* find_folder(std::string_view name) {
  const auto* found = std::ranges::find(kFolders, name, &Folder::name);
  return found == std::end(kFolders) ? nullptr : found;
}

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

bool allowed(const Folder& from, const Folder& to) {
  if (from.name == to.name || std::ranges::find(from.besides, to.name) != from.besides.end())
    return true;
  return to.floor != kAside && to.floor < from.floor && to.name != from.without;
}

constexpr Room kRooms[] = {
#define ROOM(path, inside, doors) {path, inside, doors},
#include "tests/repository/rooms.def"
#undef ROOM
};

bool lies_in(std::string_view path, std::string_view room) {
  return path.starts_with(room) && path.substr(room.size()).starts_with('/');
}

// "lang/ops" as rows of `lang` name it.
std::string_view name_in_folder(const Room& room) {
  const size_t slash = room.path.find('/');
  return slash == std::string_view::npos ? "." : room.path.substr(slash + 1);
}

// Why a room may not include a header of another one; empty: it may.
std::string forbidden_between(const Folder& from, std::string_view path,
                              std::string_view included) {
  const Room* const to_room = find_room(included);
  if (!to_room || from.floor == kOutside) return {};
  const Room* const from_room = find_room(path);
  if (from_room == to_room) return {};
  if (first_part(path) == first_part(included)) {
    if (from_room && has_word(from_room->inside, name_in_folder(*to_room))) return {};
    return std::string(from_room ? from_room->path : first_part(path)) + " may not include " +
           std::string(to_room->path) + " (tests/repository/rooms.def)";
  }
  if (to_room->doors == "*" || has_word(to_room->doors, included.substr(to_room->path.size() + 1)))
    return {};
  return "it is no door of " + std::string(to_room->path) + " (tests/repository/rooms.def)";
}

}  // namespace

std::span<const Room> rooms() { return kRooms; }

const Room* find_room(std::string_view path) {
  const Room* found = nullptr;
  for (const Room& room : kRooms)
    if (lies_in(path, room.path) && (!found || room.path.size() > found->path.size()))
      found = &room;
  return found;
}

std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    words.push_back(list.substr(0, list.find(' ')));
    list.remove_prefix(std::min(list.size(), words.back().size() + 1));
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = words_of(list);
  return std::ranges::find(words, word) != words.end();
}

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
  return forbidden_between(*from, path, included);
}

}  // namespace komuz::arrows
