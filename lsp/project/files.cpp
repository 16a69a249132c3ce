// SPDX-License-Identifier: Apache-2.0
#include "lsp/project/files.h"

#include <utility>

namespace komuz::lsp {

// Good enough for files that lie in memory; a disk would read a large one first.
Files::Limited Files::read_limited(const std::string& path, size_t most) {
  std::optional<std::string> text = read(path);
  if (!text) return {};
  if (text->size() > most) return {Limited::State::TooLarge, {}};
  return {Limited::State::There, std::move(*text)};
}

std::vector<std::string> Files::list_folder(const std::string& /*folder*/) { return {}; }

}  // namespace komuz::lsp
