// SPDX-License-Identifier: Apache-2.0
// The tables of docs/lsp.md are what the tables of the code say (`.def`). KOMUZ_UPDATE=1 in the environment rewrites
// them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace komuz::lsp_test {
namespace {

constexpr std::string_view kBegin =
    "<!-- methods: KOMUZ_UPDATE=1 build/release/bin/lsp_test writes this -->\n";
constexpr std::string_view kEnd = "<!-- end of methods -->\n";

std::string row(std::string_view first, std::string_view second) {
  return "| `" + std::string(first) + "` | " + std::string(second) + " |\n";
}

// Compares what stands between two lines of docs/lsp.md.
void expect_page_has(std::string_view first, std::string_view last, const std::string& tables) {
  const std::string path = KOMUZ_SOURCE_DIR "/docs/lsp.md";
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const std::string page = text.str();
  const size_t begin = page.find(first), end = page.find(last);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string now = page.substr(0, begin + first.size()) + tables + page.substr(end);
  if (std::getenv("KOMUZ_UPDATE") != nullptr) {
    in.close();
    std::ofstream(path, std::ios::binary) << now;
    return;
  }
  EXPECT_EQ(page, now) << "run with KOMUZ_UPDATE=1 and look at the change";
}

TEST(LspDocument, IsWhatTheTablesSay) {
  std::string tables = "| request | answer |\n| --- | --- |\n";
#define REQUEST(method, answer, provider, options, what) tables += row(method, what);
#include "lsp/wire/methods.def"
  tables += "\n| documents and files | |\n| --- | --- |\n";
#define NOTIFICATION(method, function, what) tables += row(method, what);
#include "lsp/wire/methods.def"
  tables += "\n| session | |\n| --- | --- |\n";
#define LIFE(method, function, what) tables += row(method, what);
#include "lsp/wire/methods.def"
  tables += "\n| error | when |\n| --- | --- |\n";
#define ERROR_CODE(Name, number, when) tables += row(std::to_string(number) + " " #Name, when);
#include "lsp/wire/error_codes.def"
#undef ERROR_CODE

  expect_page_has(kBegin, kEnd, tables);
}

TEST(LspDocument, HasEachCommand) {
  std::string table =
      "| command (`workspace/executeCommand`) | arguments → result |\n| --- | --- |\n";
#define COMMAND(name, function, what) table += row(name, what);
#define SESSION_COMMAND(name, what) table += row(name, what);
#include "lsp/answers/commands.def"
  expect_page_has("<!-- commands: KOMUZ_UPDATE=1 build/release/bin/lsp_test writes this -->\n",
                  "<!-- end of commands -->\n", table);
}

TEST(LspDocument, HasEachRefactoring) {
  std::string table = "| refactoring | kind | what |\n| --- | --- | --- |\n";
#define REFACTORING(Name, function, kind, title, what) \
  table += "| " title " | `" kind "` | " what " |\n";
#include "services/refactor/refactorings.def"
  expect_page_has("<!-- refactorings: KOMUZ_UPDATE=1 build/release/bin/lsp_test writes this -->\n",
                  "<!-- end of refactorings -->\n", table);
}

TEST(LspDocument, HasEachSetting) {
  std::string table = "| setting | such as | what |\n| --- | --- | --- |\n";
#define SETTING(name, Kind, example, what) \
  table += "| `komuz." #name "` | `" example "` | " what " |\n";
#include "lsp/client/settings.def"
#undef SETTING
  expect_page_has("<!-- settings: KOMUZ_UPDATE=1 build/release/bin/lsp_test writes this -->\n",
                  "<!-- end of settings -->\n", table);
}

}  // namespace
}  // namespace komuz::lsp_test
