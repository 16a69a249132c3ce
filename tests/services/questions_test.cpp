// SPDX-License-Identifier: Apache-2.0
// The files of tests/services/questions: the answers of the editor services. KOMUZ_UPDATE=1 rewrites the answers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/services/question_file.h"

namespace komuz::test {
namespace {

TEST(Questions, HaveTheAnswersBelowThem) {
  const auto folder = std::filesystem::path(KOMUZ_SOURCE_DIR) / "tests/services/questions";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::string found = answered(kept);
    if (std::getenv("KOMUZ_UPDATE") != nullptr)
      std::ofstream(entry.path(), std::ios::binary) << found;
    else
      EXPECT_EQ(found, kept) << entry.path();
  }
}

}  // namespace
}  // namespace komuz::test
