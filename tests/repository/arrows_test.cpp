// SPDX-License-Identifier: Apache-2.0
// Reads every #include "…" of the tree, and fails on an arrow that the house does not allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

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
    // Examples are programs of users.
    if (!top.is_directory() || name == "build" || name == "examples" || name.starts_with('.'))
      continue;
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

// A word of a row that no include needs is an arrow that nobody drew, or a door that leads nowhere.
TEST(Arrows, EveryWordOfARoomIsNeeded) {
  const fs::path root = KOMUZ_SOURCE_DIR;
  std::set<std::pair<std::string_view, std::string_view>> inside, doors;
  for (const auto& path : source_paths(root)) {
    const Room* const from = find_room(path);
    const std::string folder = path.substr(0, path.find('/'));
    for (const auto& include : quoted_includes(read_text(root / path))) {
      const Room* const to = find_room(include.path);
      if (!to || to == from) continue;
      if (include.path.starts_with(folder + "/")) {
        if (from) inside.emplace(from->path, to->path);
      } else if (folder != "tests" && folder != "bench") {
        for (const std::string_view door : words_of(to->doors))
          if (include.path == std::string(to->path) + "/" + std::string(door))
            doors.emplace(to->path, door);
      }
    }
  }
  for (const Room& room : rooms()) {
    const std::string folder(room.path.substr(0, room.path.find('/')));
    for (const std::string_view word : words_of(room.inside)) {
      const std::string other = word == "." ? folder : folder + "/" + std::string(word);
      EXPECT_TRUE(inside.contains({room.path, other}))
          << room.path << " includes nothing of " << other;
    }
    if (room.doors == "*") continue;
    for (const std::string_view door : words_of(room.doors))
      EXPECT_TRUE(doors.contains({room.path, door}))
          << "no other folder includes " << room.path << "/" << door;
  }
}

// Rooms stand on what stands before them, so that there is no circle.
// LLVM's headers take seconds to compile, and change from version to version.
TEST(Arrows, OnlyTwoRoomsSeeLlvm) {
  const fs::path root = KOMUZ_SOURCE_DIR;
  size_t found = 0;
  for (const auto& path : source_paths(root)) {
    if (read_text(root / path)
            .find("#include <"
                  "llvm/") == std::string::npos)
      continue;
    ++found;
    EXPECT_TRUE(path.starts_with("backend/ir/") || path.starts_with("backend/llvm/")) << path;
  }
  EXPECT_GT(found, 5u);
}

TEST(Arrows, RoomsIncludeThoseBeforeThem) {
  std::set<std::string> before;
  for (const Room& room : rooms()) {
    const std::string folder(room.path.substr(0, room.path.find('/')));
    for (const std::string_view word : words_of(room.inside))
      EXPECT_TRUE(before.contains(word == "." ? folder : folder + "/" + std::string(word)))
          << room.path << " names " << word << ", which is no row before it";
    EXPECT_TRUE(before.insert(std::string(room.path)).second) << room.path << " has two rows";
  }
}

TEST(Arrows, EveryFolderWithRoomsHasARowForEachFile) {
  for (const auto& path : source_paths(KOMUZ_SOURCE_DIR)) {
    const std::string folder = path.substr(0, path.find('/'));
    const bool has_rooms = std::ranges::any_of(rooms(), [&](const Room& room) {
      return room.path.starts_with(folder + "/") || room.path == folder;
    });
    EXPECT_TRUE(!has_rooms || find_room(path)) << path << " lies in no room";
  }
}

// One looks through a folder as one reads a page.
TEST(Arrows, NoFolderHoldsMoreThanSixtyFiles) {
  std::map<std::string, int> files;
  for (const auto& path : source_paths(KOMUZ_SOURCE_DIR))
    ++files[fs::path(path).parent_path().string()];
  for (const auto& [folder, count] : files) EXPECT_LE(count, 60) << folder;
}

TEST(Arrows, ForbiddenOnesAreFound) {
  EXPECT_FALSE(forbidden("lang/code.h", "vm/vm.h").empty());
  EXPECT_FALSE(forbidden("base/hash.h", "lang/code.h").empty());
  EXPECT_FALSE(forbidden("vm/batch.cpp", "frontend_gpu/frontend.h").empty());
  EXPECT_FALSE(forbidden("engine/engine.cpp", "services/render.h").empty());
  EXPECT_FALSE(forbidden("lsp/server.cpp", "repl/repl.h").empty());
  EXPECT_FALSE(forbidden("engine/engine.cpp", "cli/process/args.h").empty());
  EXPECT_FALSE(forbidden("gen/program.cpp", "frontend_gpu/frontend.h").empty());
  EXPECT_FALSE(forbidden("engine/engine.cpp", "gen/program.h").empty());
  EXPECT_FALSE(forbidden("cli/main.cpp", "tests/vm/cases.h").empty());
  EXPECT_FALSE(forbidden("attic/old.cpp", "lang/code.h").empty());
  EXPECT_FALSE(forbidden("lang/code.cpp", "code.h").empty());
  EXPECT_FALSE(forbidden("lang/code.cpp", "../vm/vm.h").empty());
  EXPECT_FALSE(forbidden("vm/batch.cpp", "mend/mend.h").empty());
  EXPECT_FALSE(forbidden("lang/code.cpp", "lang/check/check_code.h").empty());
  EXPECT_FALSE(forbidden("frontend_gpu/columns/tables.cpp", "frontend_gpu/frontend.h").empty());
  EXPECT_FALSE(forbidden("frontend_gpu/findings/habits/refine_ends.cpp", "frontend_gpu/code/emit.h")
                   .empty());
  EXPECT_FALSE(forbidden("services/hover.cpp", "frontend_gpu/columns/columns.h").empty());
  EXPECT_FALSE(forbidden("engine/values/value_text.cpp", "engine/results/results.h").empty());
}

TEST(Arrows, AllowedOnesPass) {
  EXPECT_EQ(forbidden("lang/code.h", "base/ints.h"), "");
  EXPECT_EQ(forbidden("lang/code.cpp", "lang/code.h"), "");
  EXPECT_EQ(forbidden("frontend_gpu/tree/lex.h", "base/group/serial.h"), "");
  EXPECT_EQ(forbidden("frontend_gpu/tree/lex.h", "frontend_gpu/columns/columns.h"), "");
  EXPECT_EQ(
      forbidden("frontend_gpu/findings/habits/refine_ends.cpp", "frontend_gpu/findings/collect.h"),
      "");
  EXPECT_EQ(forbidden("services/hover.cpp", "frontend_gpu/view.h"), "");
  EXPECT_EQ(forbidden("tests/frontend/wide_test.cpp", "frontend_gpu/wide/wide_lex.h"), "");
  EXPECT_EQ(forbidden("cli/main.cpp", "engine/engine.h"), "");
  EXPECT_EQ(forbidden("services/results/ranking_text.h", "engine/results/results.h"), "");
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
