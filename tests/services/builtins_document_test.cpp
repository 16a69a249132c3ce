// SPDX-License-Identifier: Apache-2.0
// docs/builtins.md agrees with the tables. KOMUZ_UPDATE=1 in the environment rewrites it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "lang/builtins.h"
#include "services/doc.h"

namespace komuz::services {
namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '\n') out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

TEST(BuiltinsDocument, IsWhatTheTablesSay) {
  std::string page =
      "# Built-in names\n\n"
      "Built-in names need no `use`. A function that a program defines hides the built-in function "
      "of the same name. `x.f(a)` is `f(x, a)`. `komuz doc NAME` shows a row of this table.\n"
      "The table is made from `lang/builtins.def`: do not edit it.\n\n"
      "| signature | what it is |\n| --- | --- |\n";
  std::vector<std::string_view> seen;
  for (const std::string_view name : builtin_names()) {
    // A name that is a function and an operation stands once, with both rows.
    if (std::ranges::find(seen, name) != seen.end()) continue;
    seen.push_back(name);
    const auto entries = builtin_docs(name);
    EXPECT_FALSE(entries.empty()) << name;
    for (const DocEntry& entry : entries)
      page += "| `" + cell(entry.signature) + "` | " + cell(entry.text) + " |\n";
  }

  const std::string path = KOMUZ_SOURCE_DIR "/docs/builtins.md";
  if (std::getenv("KOMUZ_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << page;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), page) << "run with KOMUZ_UPDATE=1 and look at the change";
}

}  // namespace
}  // namespace komuz::services
