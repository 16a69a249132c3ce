// SPDX-License-Identifier: Apache-2.0
// The modules of golden files: `lib.shapes` is tests/golden/modules/lib/shapes.komuz.
#pragma once
#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/candidates/load_modules.h"

namespace komuz::test {

class GoldenModules final : public engine::ModuleFiles {
 public:
  std::optional<engine::ModuleText> read(std::string_view path) override {
    std::string file(path);
    std::replace(file.begin(), file.end(), '.', '/');
    std::ifstream stream(std::string(KOMUZ_SOURCE_DIR) + "/tests/golden/modules/" + file + ".komuz",
                         std::ios::binary);
    if (!stream) return std::nullopt;
    std::ostringstream text;
    text << stream.rdbuf();
    return engine::ModuleText{file, text.str()};
  }
  std::vector<std::string> list() override { return {"lib.shapes", "lib.broken"}; }
};

}  // namespace komuz::test
