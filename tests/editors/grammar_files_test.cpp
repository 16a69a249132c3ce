// SPDX-License-Identifier: Apache-2.0
// The grammars in editors/ agree with the tables. KOMUZ_UPDATE=1 in the environment rewrites them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/editors/grammars.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

struct GrammarFile {
  const char* path;
  std::string (*text)();
};
constexpr GrammarFile kFiles[] = {
    {"vscode/syntaxes/komuz.tmLanguage.json", textmate_grammar},
    {"vscode/language-configuration.json", vscode_configuration},
    {"web/komuz_language.js", codemirror_language},
    {"vim/syntax/komuz.vim", vim_syntax},
    {"kate/komuz.xml", kate_syntax},
    {"emacs/komuz-words.el", emacs_words},
    {"tree-sitter/grammar.js", tree_sitter_grammar},
    {"tree-sitter/queries/highlights.scm", tree_sitter_highlights},
    {"helix/queries/highlights.scm", helix_highlights},
};

TEST(GrammarFiles, AreWhatTheTablesSay) {
  for (const GrammarFile& file : kFiles) {
    const std::string path = std::string(KOMUZ_SOURCE_DIR) + "/editors/" + file.path;
    if (std::getenv("KOMUZ_UPDATE") != nullptr) {
      std::ofstream out(path, std::ios::binary);
      ASSERT_TRUE(out << file.text()) << path << " cannot be written";
      continue;
    }
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_TRUE(text.str() == file.text())
        << "editors/" << file.path << ": run with KOMUZ_UPDATE=1 and look at the change";
  }
}

}  // namespace
}  // namespace komuz::editors
