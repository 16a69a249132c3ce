// SPDX-License-Identifier: Apache-2.0
// The programs on the pages of docs/ behave as the pages say. The line that opens a block tells its kind:
//
//   ```komuz                     a program without errors and warnings, whose tests pass
//   ```komuz more                the same together with the programs above it on the page
//   ```komuz later               uses what this version does not compile, and is otherwise correct
//   ```komuz lib/packing.komuz   a program, and the module lib.packing for those below it
//   ```komuz harness             a program that leaves functions open, and is otherwise correct
//   ```komuz excerpt             has `…` for omitted parts, and is not checked
//   ```komuz mistakes            lines of `wrong // right`: the left side gives an error, the right side nothing.
//                                They are items, or statements of
//                                `fn f(n: i64, x: f64, xs: [f64]) -> f64 { var k = 0; … x }`
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/candidates/load_modules.h"
#include "engine/testing/run_tests.h"
#include "frontend_gpu/frontend.h"

namespace komuz::services {
namespace {

struct Block {
  std::string page;
  u32 line;  // of its first line
  std::string kind;
  std::string text;

  std::string place() const { return "docs/" + page + ":" + std::to_string(line); }
};
std::vector<Block> blocks_of(const std::filesystem::path& path) {
  constexpr std::string_view kFence = "```", kOpens = "```komuz";
  std::vector<Block> blocks;
  std::ifstream file(path, std::ios::binary);
  bool inside = false, other = false;
  u32 number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.starts_with(kFence)) {
      if (inside) blocks.back().text += line + '\n';
    } else if (inside || other) {
      inside = other = false;
    } else if (line.starts_with(kOpens)) {
      inside = true;
      const size_t kind = std::min(line.size(), kOpens.size() + 1);
      blocks.push_back({path.filename().string(), number + 1, line.substr(kind), ""});
    } else {
      other = true;
    }
  }
  return blocks;
}
std::vector<Block> all_blocks() {
  std::vector<std::filesystem::path> pages;
  for (const auto& entry : std::filesystem::directory_iterator(KOMUZ_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  std::vector<Block> blocks;
  for (const auto& page : pages) {
    const auto found = blocks_of(page);
    blocks.insert(blocks.end(), found.begin(), found.end());
  }
  return blocks;
}

class PageModules final : public engine::ModuleFiles {
 public:
  void add(std::string file, std::string text) { texts_[std::move(file)] = std::move(text); }
  std::optional<engine::ModuleText> read(std::string_view path) override {
    std::string file(path);
    std::replace(file.begin(), file.end(), '.', '/');
    file += ".komuz";
    const auto found = texts_.find(file);
    if (found == texts_.end()) return std::nullopt;
    return engine::ModuleText{file, found->second};
  }
  std::vector<std::string> list() override { return {}; }

 private:
  std::map<std::string, std::string> texts_;
};

// Codes of what is found, warnings and notes included.
std::string codes_of(std::string_view source, PageModules& files, frontend::Compilation& out) {
  engine::ModuleLoader modules(&files);
  modules.load(source);
  frontend::Compiler compiler({.examples = true, .library = &modules.library()});
  compiler.compile(source, out);
  std::string codes;
  for (const Diagnostic& d : out.diagnostics)
    codes += (codes.empty() ? "" : " ") + std::string(diagnostic_row(d.code()).code);
  return codes;
}
bool has_error(const frontend::Compilation& compilation) {
  return std::ranges::any_of(compilation.diagnostics, [](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error;
  });
}
void expect_program(const Block& block, const std::string& source, PageModules& files) {
  frontend::Compilation compilation;
  ASSERT_EQ(codes_of(source, files, compilation), "") << block.place();
  for (const engine::TestResult& result : engine::run_tests(compilation.code.view()))
    EXPECT_TRUE(result.passed) << block.place() << ": " << engine::describe(result);
}
std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last + 1 - first));
}
std::string whole_program(const std::string& part) {
  if (part.starts_with("fn ") || part.starts_with("type ")) return part;
  return "fn f(n: i64, x: f64, xs: [f64]) -> f64 {\n    var k = 0;\n    " + part + "\n    x\n}\n";
}
void expect_mistakes(const Block& block, PageModules& files) {
  std::istringstream lines(block.text);
  for (std::string line; std::getline(lines, line);) {
    const size_t between = line.find(" // ");
    ASSERT_NE(between, std::string::npos) << block.place() << ": " << line;
    frontend::Compilation wrong, right;
    const std::string first = trimmed(line.substr(0, between)),
                      second = trimmed(line.substr(between + 4));
    EXPECT_NE(codes_of(whole_program(first), files, wrong), "") << block.place() << ": " << first;
    EXPECT_TRUE(has_error(wrong)) << block.place() << ": " << first;
    EXPECT_EQ(codes_of(whole_program(second), files, right), "") << block.place() << ": " << second;
  }
}

TEST(Documents, TheirProgramsDoWhatThePagesSay) {
  const std::vector<Block> blocks = all_blocks();
  std::string page, above;
  PageModules files;
  for (const Block& block : blocks) {
    if (block.page != page) {
      page = block.page;
      above.clear();
      files = {};
    }
    if (block.kind == "excerpt") {
      EXPECT_NE(block.text.find("…"), std::string::npos) << block.place() << " is whole";
    } else if (block.kind == "mistakes") {
      expect_mistakes(block, files);
    } else if (block.kind == "later" || block.kind == "harness") {
      // A program of its own is told that the body is missing.
      const std::string only = block.kind == "later" ? "K0115" : "K0117";
      frontend::Compilation compilation;
      const std::string codes = codes_of(block.text, files, compilation);
      EXPECT_NE(codes, "") << block.place() << " is right: take off `" << block.kind << '`';
      for (size_t at = 0; at < codes.size(); at += 6)
        EXPECT_EQ(codes.substr(at, 5), only) << block.place();
    } else if (block.kind == "more") {
      above += block.text;
      expect_program(block, above, files);
    } else if (block.kind.ends_with(".komuz")) {
      expect_program(block, block.text, files);
      files.add(block.kind, block.text);
    } else {
      EXPECT_EQ(block.kind, "") << block.place();
      expect_program(block, block.text, files);
      above += block.text;
    }
  }
  // The pages of the language have some; a page that lost its fences would pass without a word.
  const auto count = [&](std::string_view name) {
    return std::ranges::count_if(blocks, [&](const Block& b) { return b.page == name; });
  };
  EXPECT_GE(count("language.md"), 6);
  EXPECT_GE(count("language-card.md"), 4);
}

}  // namespace
}  // namespace komuz::services
