// SPDX-License-Identifier: Apache-2.0
// Reads the passes and their tables: the number of a diagnostic that one of them names has to fit 8 bits.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tests/repository/arrows.h"

namespace komuz::arrows {
namespace {

namespace fs = std::filesystem;

// What the files include, and they themselves.
std::set<std::string> with_includes(const fs::path& root, std::vector<std::string> left) {
  std::set<std::string> paths;
  while (!left.empty()) {
    const std::string path = left.back();
    left.pop_back();
    if (!paths.insert(path).second) continue;
    for (const Include& include : quoted_includes(read_text(root / path)))
      left.push_back(include.path);
  }
  return paths;
}

std::set<std::string> first_groups(const std::string& text, const char* pattern) {
  const std::regex form(pattern);
  std::set<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
    words.insert((*at)[1]);
  return words;
}

TEST(Diagnostics, NoPassReportsOneOfTheHost) {
  const fs::path root = KOMUZ_SOURCE_DIR;
  const std::set<std::string> of_host =
      first_groups(read_text(root / "lang/diagnostics.def"), "\nHOST_DIAGNOSTIC\\((\\w+),");
  ASSERT_GT(of_host.size(), 50u);
  size_t named = 0;
  for (const std::string& path :
       with_includes(root, {"frontend_gpu/groups/pipeline.h", "frontend_gpu/columns/grammar.cpp",
                            "frontend_gpu/columns/tables.cpp"})) {
    for (const std::string& name :
         first_groups(read_text(root / path), "\\b(?:DiagnosticCode|D)::(\\w+)")) {
      ++named;
      EXPECT_FALSE(of_host.contains(name)) << path << " names " << name;
    }
  }
  EXPECT_GT(named, 100u);
}

// The host reports through the column `error`, too.
TEST(Diagnostics, NoneOfTheHostGoesThroughTheColumn) {
  const fs::path root = KOMUZ_SOURCE_DIR;
  const std::set<std::string> of_host =
      first_groups(read_text(root / "lang/diagnostics.def"), "\nHOST_DIAGNOSTIC\\((\\w+),");
  size_t named = 0;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / "frontend_gpu")) {
    if (!file.is_regular_file()) continue;
    for (const std::string& name : first_groups(
             read_text(file.path()),
             "\\b(?:report|report_note)\\((?:host|g|g_), c_?,[^;]*?DiagnosticCode::(\\w+)")) {
      ++named;
      EXPECT_FALSE(of_host.contains(name)) << file.path() << " reports " << name;
    }
  }
  EXPECT_GT(named, 20u);
}

}  // namespace
}  // namespace komuz::arrows
