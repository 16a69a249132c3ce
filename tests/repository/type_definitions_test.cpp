// SPDX-License-Identifier: Apache-2.0
// No two files of one program define a type of one name.
#include "tests/repository/type_definitions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "tests/repository/arrows.h"

namespace komuz::arrows {
namespace {

namespace fs = std::filesystem;

// What is linked together: the sources of the product, with those of one folder of tests, or with one benchmark.
std::string program_of(const std::string& path) {
  if (path.starts_with("tests/")) return path.substr(0, path.find('/', 6));
  return path.starts_with("bench/") ? path : std::string();
}
// A file of its own for each machine, of which a build takes one: `x_cuda.cpp` and `x_no_cuda.cpp`.
std::string without_machine(std::string path) {
  for (const std::string_view ending : {"_no_cuda.cpp", "_cuda.cpp"})
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

TEST(TypeDefinitions, AreFoundWhereOtherFilesSeeThem) {
  const auto names = [](std::string_view source) {
    std::string out;
    for (const TypeDefinition& type : type_definitions(source))
      out += type.name + ":" + std::to_string(type.line) + " ";
    return out;
  };
  EXPECT_EQ(names("namespace a::b {\nstruct S final : T {\n  struct Inner {};\n};\nenum class E : "
                  "u8 { A };\n}\n"),
            "a::b::S:2 a::b::E:5 ");
  EXPECT_EQ(names("namespace a { namespace { struct Own {}; } void f() { struct Local {}; } }"),
            "");
  EXPECT_EQ(
      names("template <class T, class U = V<T>>\nstruct P { };\ntemplate <> struct P<int> {};"),
      "P:2 ");
  EXPECT_EQ(names("struct A; class B b(); struct C f() { return {}; } class [[nodiscard]] D {};"),
            "D:1 ");
  EXPECT_EQ(names("// struct A {}\n/* class B {} */ const char* s = R\"x(struct C {})x\";\n#define "
                  "M struct D {}\n"
                  "char q = '\"'; struct E {}; \"struct F {}\""),
            "E:4 ");
  EXPECT_EQ(
      names("namespace a::inline b { struct Owner::Part { }; const int n = 1'000; union U { }; }"),
      "a::b::Owner::Part:1 a::b::U:1 ");
}

TEST(TypeDefinitions, AreOneForEachName) {
  const fs::path root = KOMUZ_SOURCE_DIR;
  struct Place {
    std::string path;
    int line;
  };
  std::map<std::string, std::vector<Place>> places;
  static const std::set<std::string> kEndings = {".h", ".cpp", ".cu", ".cuh"};
  for (const auto& top : fs::directory_iterator(root)) {
    const std::string folder = top.path().filename().string();
    if (!top.is_directory() || folder == "build" || folder == "examples" || folder.starts_with('.'))
      continue;
    for (const auto& entry : fs::recursive_directory_iterator(top.path())) {
      if (!entry.is_regular_file() || !kEndings.contains(entry.path().extension().string()))
        continue;
      const std::string path = fs::relative(entry.path(), root).string();
      for (const TypeDefinition& type : type_definitions(read_text(entry.path())))
        places[type.name].push_back({path, type.line});
    }
  }
  ASSERT_GT(places.size(), 500u) << "the tree was not found at " << root;
  for (const auto& [name, all] : places)
    for (size_t a = 0; a < all.size(); ++a)
      for (size_t b = a + 1; b < all.size(); ++b) {
        const std::string first = program_of(all[a].path), second = program_of(all[b].path);
        const bool are_together = first.empty() || second.empty() || first == second;
        // What one file defines twice, it defines for different builds.
        const bool are_apart =
            !are_together || without_machine(all[a].path) == without_machine(all[b].path);
        EXPECT_TRUE(are_apart) << name << " is defined in " << all[a].path << ":" << all[a].line
                               << " and in " << all[b].path << ":" << all[b].line
                               << ": put one of them into a namespace of its file, or rename it";
      }
}

}  // namespace
}  // namespace komuz::arrows
