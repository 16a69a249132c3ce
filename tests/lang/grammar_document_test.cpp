// SPDX-License-Identifier: Apache-2.0
// docs/komuz.lark and docs/komuz.gbnf are what the tables say. KOMUZ_UPDATE=1 in the environment rewrites them.
// What they take and refuse is asked by tests/grammar/check_grammars.py.
#include "tests/lang/grammar_document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "lang/tokens.h"

namespace komuz {
namespace {

void expect_document(const std::string& name, const std::string& content) {
  const std::string path = std::string(KOMUZ_SOURCE_DIR) + "/docs/" + name;
  if (std::getenv("KOMUZ_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << content;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), content) << "run with KOMUZ_UPDATE=1 and look at the change";
}

TEST(GrammarDocument, TheLarkFileIsWhatTheTablesSay) {
  expect_document("komuz.lark", lark_grammar());
}
TEST(GrammarDocument, TheGbnfFileIsWhatTheTablesSay) {
  expect_document("komuz.gbnf", gbnf_grammar());
}

// A new token that no rule mentions would be missing from both files without a word.
TEST(GrammarDocument, EveryTokenStandsInBoth) {
  const std::string lark = lark_grammar(), gbnf = gbnf_grammar();
  for (u32 k = 0; k < kTokenCount; ++k) {
    const TokenRow& row = token_row(static_cast<Token>(k));
    if (row.spelling.empty() || row.act == Act::Foreign) continue;
    const std::string spelling(row.spelling);
    const bool in_gbnf = gbnf.find('"' + spelling + '"') != std::string::npos ||
                         gbnf.find('"' + spelling + " \"") != std::string::npos ||
                         gbnf.find("\" " + spelling + " \"") != std::string::npos;
    EXPECT_TRUE(in_gbnf) << spelling;
    std::string pattern;
    for (const char c : spelling) {
      if (std::string_view("/.|^*+?()[]{}").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
    const bool in_lark = lark.find('"' + spelling + '"') != std::string::npos ||
                         lark.find(")*" + pattern) != std::string::npos ||
                         lark.find(": /" + pattern) != std::string::npos;
    EXPECT_TRUE(in_lark) << spelling;
  }
}

}  // namespace
}  // namespace komuz
