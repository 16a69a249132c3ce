// SPDX-License-Identifier: Apache-2.0
#include "services/files/drawing_file.h"

#include <algorithm>
#include <filesystem>

namespace komuz::services {

Problem find_drawing_problem(std::string_view option, const std::string& path) {
  constexpr std::string_view kOthers[] = {".png", ".jpg", ".jpeg", ".gif", ".webp",
                                          ".pdf", ".ps",  ".eps",  ".html"};
  std::filesystem::path name(path);
  const std::string ending = name.extension().string();
  if (std::ranges::find(kOthers, ending) == std::end(kOthers)) return {};
  return input_problem(
      {}, "`" + std::string(option) + "` draws SVG, and " + path + " would be " + ending.substr(1),
      "name " + name.replace_extension(".svg").string() + ", which other tools convert");
}

}  // namespace komuz::services
