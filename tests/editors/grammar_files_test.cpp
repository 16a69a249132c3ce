// SPDX-License-Identifier: Apache-2.0
// The grammars in editors/ agree with the tables. KOMUZ_UPDATE=1 in the environment rewrites them.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "lang/tokens.h"
#include "tests/editors/grammars.h"
#include "tests/editors/words.h"
#include "tests/lang/grammar_symbols.h"

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

bool has_word(const std::string& text, std::string_view word) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool is_start = at == 0 || !is_letter(text[at - 1]);
    const size_t end = at + word.size();
    if (is_start && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// A group of words that a grammar forgets would be missing from its file without a word.
TEST(GrammarFiles, EveryKeywordAndTypeStandsInAll) {
  const Words& w = words();
  const std::string grammars[] = {textmate_grammar(), codemirror_language(), vim_syntax(),
                                  kate_syntax(),      emacs_words(),         tree_sitter_grammar()};
  for (u32 k = 0; k < kTokenCount; ++k) {
    const TokenRow& row = token_row(static_cast<Token>(k));
    if (row.act == Act::Foreign || !grammar::is_word(row.spelling)) continue;
    for (const std::string& text : grammars)
      EXPECT_TRUE(has_word(text, row.spelling)) << row.spelling << " is not in:\n" << text;
  }
  for (const std::string_view type : w.types)
    for (const std::string& text : grammars) EXPECT_TRUE(has_word(text, type)) << type;
}

}  // namespace
}  // namespace komuz::editors
