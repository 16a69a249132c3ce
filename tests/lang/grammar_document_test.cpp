// SPDX-License-Identifier: Apache-2.0
// docs/komuz.lark, komuz.gbnf and komuz.ebnf agree with the tables. KOMUZ_UPDATE=1 in the environment rewrites them.
// tests/grammar/check_grammars.py tests what they accept and refuse.
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

TEST(GrammarDocument, TheEbnfFileIsWhatTheTablesSay) {
  expect_document("komuz.ebnf", ebnf_grammar());
}

// Operators of one character stand in sets, a `-` last.
bool is_in_a_set(const std::string& grammar, char operation) {
  for (size_t at = grammar.find('['); at != std::string::npos; at = grammar.find('[', at + 1)) {
    const std::string set = grammar.substr(at, grammar.find(']', at) - at);
    if (set.find("-z") == std::string::npos && set.find(operation) != std::string::npos)
      return true;
  }
  return false;
}

// A new token that no rule mentions would be missing from the files without a word.
TEST(GrammarDocument, EveryTokenStandsInAll) {
  const std::string lark = lark_grammar(), gbnf = gbnf_grammar(), ebnf = ebnf_grammar();
  for (u32 k = 0; k < kTokenCount; ++k) {
    const TokenRow& row = token_row(static_cast<Token>(k));
    if (row.spelling.empty() || row.act == Act::Foreign) continue;
    const std::string spelling(row.spelling);
    const bool in_gbnf = gbnf.find('"' + spelling + '"') != std::string::npos ||
                         gbnf.find('"' + spelling + " \"") != std::string::npos ||
                         gbnf.find("\" " + spelling + " \"") != std::string::npos;
    EXPECT_TRUE(in_gbnf) << spelling;
    const std::string rules = ebnf.substr(0, ebnf.find("\nname ::="));
    EXPECT_TRUE(rules.find('"' + spelling + '"') != std::string::npos ||
                (spelling.size() == 1 && is_in_a_set(rules, spelling[0])))
        << spelling;
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
