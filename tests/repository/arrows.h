// SPDX-License-Identifier: Apache-2.0
// The floors of the house (docs/architecture.md, "Floors") and the rooms of its folders as tables, and a check for
// violations.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace komuz::arrows {

// The content of a file; empty if it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

// The quoted includes of a source text, in order, each with its line.
struct Include {
  int line = 0;
  std::string path;
};
[[nodiscard]] std::vector<Include> quoted_includes(std::string_view text);

// A row of rooms.def.
struct Room {
  std::string_view path;  // from the repository root
  std::string_view
      inside;  // rooms of its folder that it may include, each a word; ".": the folder's own row
  std::string_view doors;  // headers that other folders may include, each a word; "*": all
};
[[nodiscard]] std::span<const Room> rooms();
// The room that contains a file; null if its folder has no rooms.
[[nodiscard]] const Room* find_room(std::string_view path);
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view list);
[[nodiscard]] bool has_word(std::string_view list, std::string_view word);

// Why a file at `path` (from the repository root) may not include `included`; empty if it may.
[[nodiscard]] std::string forbidden(std::string_view path, std::string_view included);

}  // namespace komuz::arrows
