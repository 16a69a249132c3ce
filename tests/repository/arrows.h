// SPDX-License-Identifier: Apache-2.0
// The floors of the house (docs/architecture.md, section 1) as a table, and what breaks it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace komuz::arrows {

// All of a file; empty: it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

// The quoted includes of a source text, in order, each with its line.
struct Include {
  int line = 0;
  std::string path;
};
[[nodiscard]] std::vector<Include> quoted_includes(std::string_view text);

// Why a file at `path` (from the repository root) may not include `included`; empty if it may.
[[nodiscard]] std::string forbidden(std::string_view path, std::string_view included);

}  // namespace komuz::arrows
