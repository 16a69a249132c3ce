// SPDX-License-Identifier: Apache-2.0
// The output of `komuz doc` for the standard library.
#include "services/doc.h"

#include <gtest/gtest.h>

#include "lang/standard_modules.h"

namespace komuz::services {
namespace {

TEST(Doc, TheStandardLibrarySaysWhatItHas) {
  frontend::Compiler compiler;
  for (const StandardModule& module : standard_modules()) {
    EXPECT_EQ(module_summary(module.text).find('\n'), module_summary(module.text).size() - 1)
        << module.name << ": its first comment is a line, which stands in the list of modules";
    const std::vector<DocEntry> entries = module_docs(compiler, module.name, module.text);
    EXPECT_FALSE(entries.empty()) << module.name;
    for (const DocEntry& entry : entries) {
      const std::string line = render_doc_line(entry);
      EXPECT_TRUE(line.ends_with(".\n") || line.ends_with("?\n"))
          << module.name << "." << entry.name << ": its first sentence is on its first line";
      if (!entry.signature.starts_with("pub fn")) continue;
      EXPECT_NE(entry.text.find("\n>>> "), std::string::npos)
          << module.name << "." << entry.name << " has no example";
    }
  }
}

}  // namespace
}  // namespace komuz::services
