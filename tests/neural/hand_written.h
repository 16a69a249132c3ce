// SPDX-License-Identifier: Apache-2.0
// The functions of tests/neural/programs, which people wrote and no generator knows: a model is judged by them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "lang/code.h"

namespace komuz::test {

struct HandWritten {
  std::string name;  // "bits/gray_code"
  Code code;         // of the whole file
  u32 function = 0;
};

// Those of the folder, by files and places. A file with errors gives none.
inline std::vector<HandWritten> read_hand_written(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".komuz") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<HandWritten> functions;
  frontend::Compiler compiler;
  for (const std::filesystem::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    frontend::Compilation made;
    compiler.compile(text, made);
    for (u32 f = 0; f < made.code.functions.size(); ++f) {
      const Function& function = made.code.functions[f];
      if (!function.is_public || function.kind != FunctionKind::Function) continue;
      const std::string name(made.code.view().name(function));
      functions.push_back({path.stem().string() + "/" + name, made.code, f});
    }
  }
  return functions;
}

}  // namespace komuz::test
