// SPDX-License-Identifier: Apache-2.0
// Reads every #include "…" of the tree and fails on an arrow that the house does not have.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/repository/arrows.h"

namespace komuz::arrows {
namespace {

namespace fs = std::filesystem;

// The sources and headers below the top folders that hold any, as paths from the root.
std::vector<std::string> source_paths(const fs::path& root) {
  static const std::set<std::string> kEndings = {".h", ".cpp", ".cu", ".cuh", ".def"};
  std::vector<std::string> paths;
  for (const auto& top : fs::directory_iterator(root)) {
    const std::string name = top.path().filename().string();
    if (!top.is_directory() || name == "build" || name.starts_with('.')) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top.path()))
      if (entry.is_regular_file() && kEndings.contains(entry.path().extension().string()))
        paths.push_back(fs::relative(entry.path(), root).string());
  }
  return paths;
}

TEST(Arrows, EveryIncludeFollowsTheHouse) {
  const fs::path root = KOMUZ_SOURCE_DIR;
  const auto paths = source_paths(root);
  ASSERT_GT(paths.size(), 20u) << "the tree was not found at " << root;
  size_t includes = 0;
  for (const auto& path : paths) {
    for (const auto& include : quoted_includes(read_text(root / path))) {
      ++includes;
      const std::string reason = forbidden(path, include.path);
      EXPECT_TRUE(reason.empty()) << path << ":" << include.line << ": \"" << include.path
                                  << "\": " << reason;
      EXPECT_TRUE(fs::exists(root / include.path))
          << path << ":" << include.line << ": \"" << include.path << "\" does not exist";
    }
  }
  EXPECT_GT(includes, paths.size() / 2);
}

TEST(Arrows, ForbiddenOnesAreFound) {
  EXPECT_FALSE(forbidden("lang/code.h", "vm/vm.h").empty());
  EXPECT_FALSE(forbidden("base/hash.h", "lang/code.h").empty());
  EXPECT_FALSE(forbidden("vm/batch.cpp", "frontend_gpu/frontend.h").empty());
  EXPECT_FALSE(forbidden("engine/engine.cpp", "services/render.h").empty());
  EXPECT_FALSE(forbidden("lsp/server.cpp", "repl/repl.h").empty());
  EXPECT_FALSE(forbidden("engine/engine.cpp", "cli/args.h").empty());
  EXPECT_FALSE(forbidden("gen/program.cpp", "frontend_gpu/frontend.h").empty());
  EXPECT_FALSE(forbidden("engine/engine.cpp", "gen/program.h").empty());
  EXPECT_FALSE(forbidden("cli/main.cpp", "tests/vm/cases.h").empty());
  EXPECT_FALSE(forbidden("attic/old.cpp", "lang/code.h").empty());
  EXPECT_FALSE(forbidden("lang/code.cpp", "code.h").empty());
  EXPECT_FALSE(forbidden("lang/code.cpp", "../vm/vm.h").empty());
}

TEST(Arrows, AllowedOnesPass) {
  EXPECT_EQ(forbidden("lang/code.h", "base/ints.h"), "");
  EXPECT_EQ(forbidden("lang/code.cpp", "lang/code.h"), "");
  EXPECT_EQ(forbidden("frontend_gpu/lex.cpp", "base/group/serial.h"), "");
  EXPECT_EQ(forbidden("cli/main.cpp", "engine/engine.h"), "");
  EXPECT_EQ(forbidden("services/results/ranking_text.h", "engine/results.h"), "");
  EXPECT_EQ(forbidden("repl/repl.cpp", "services/render.h"), "");
  EXPECT_EQ(forbidden("gen/program.cpp", "lang/ops.h"), "");
  EXPECT_EQ(forbidden("tests/vm/vm_test.cpp", "gen/program.h"), "");
}

TEST(Arrows, QuotedIncludesAreReadWithTheirLines) {
  const auto includes = quoted_includes(
      "#include <a>\n  #  include \"lang/b.h\"\n// #include \"no.h\"\n#include\t\"vm/c.h\"  // "
      "why");
  ASSERT_EQ(includes.size(), 2u);
  EXPECT_EQ(includes[0].path, "lang/b.h");
  EXPECT_EQ(includes[0].line, 2);
  EXPECT_EQ(includes[1].path, "vm/c.h");
  EXPECT_EQ(includes[1].line, 4);
}

}  // namespace
}  // namespace komuz::arrows
