// SPDX-License-Identifier: Apache-2.0
// Every file under tests/golden equals what golden_file.h makes of it. KOMUZ_UPDATE=1 rewrites the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/frontend/golden_file.h"
#include "tests/frontend/golden_modules.h"

namespace komuz::test {
namespace {

std::string golden_folder() { return std::string(KOMUZ_SOURCE_DIR) + "/tests/golden"; }

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden_folder()))
    if (entry.path().extension() == ".komuz")
      names.push_back(std::filesystem::relative(entry.path(), golden_folder()).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Inserted lines move the places that other lines state, so an update takes up to three rounds.
void update(const std::string& path, std::string text, EveryGroup& groups, EveryMachine& machines,
            const Library& library) {
  for (int round = 0; round < 3; ++round) {
    std::string failure;
    text = remade_golden_file(text, groups, machines, library, failure);
  }
  std::ofstream(path, std::ios::binary) << text;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsWhatItSays) {
  const std::string path = golden_folder() + "/" + GetParam();
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  modules.load(read_file(path));
  const Library& library = modules.library();
  EveryGroup groups(
      {frontend::GroupKind::Serial, frontend::GroupKind::Permuted, frontend::GroupKind::Emulated},
      &library);
  EveryMachine machines;
  if (std::getenv("KOMUZ_UPDATE") != nullptr)
    update(path, read_file(path), groups, machines, library);
  const std::string text = read_file(path);
  ASSERT_FALSE(text.empty());
  std::string failure;
  const std::string remade = remade_golden_file(text, groups, machines, library, failure);
  EXPECT_EQ(failure, "") << GetParam();
  EXPECT_EQ(remade, text) << GetParam() << ": run with KOMUZ_UPDATE=1 and look at the difference";
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(golden_names()), [](const auto& test) {
  std::string name = test.param.substr(0, test.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace komuz::test
