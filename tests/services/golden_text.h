// SPDX-License-Identifier: Apache-2.0
// Expected texts: files of tests/services/golden. KOMUZ_UPDATE=1 rewrites them.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace komuz::test {

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(KOMUZ_SOURCE_DIR) / "tests/services/golden" / name;
  if (std::getenv("KOMUZ_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // The message omits both texts, which are long.
  EXPECT_TRUE(kept == text) << path << ": run with KOMUZ_UPDATE=1, look at the difference";
}

}  // namespace komuz::test
