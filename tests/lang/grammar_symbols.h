// SPDX-License-Identifier: Apache-2.0
// The common source of both grammars: the rules of grammar_rules.def as symbols, and facts about tokens from the
// tables in lang/.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lang/builtins.h"
#include "lang/tokens.h"

namespace komuz::grammar {

struct Rule {
  std::string_view name, comment, body;
};
inline constexpr Rule kRules[] = {
#define RULE(name, comment, body) {#name, comment, body},
#include "tests/lang/grammar_rules.def"
};

// One symbol of a rule's body.
enum class SymbolKind { Punctuation, Token, Terminal, Rule };
struct Symbol {
  SymbolKind kind;
  std::string_view text;
};
[[nodiscard]] std::vector<Symbol> symbols_of(std::string_view body);

// For a spelling in tokens.def; any other spelling is a mistake in grammar_rules.def.
[[nodiscard]] Token token_of(std::string_view spelling);
[[nodiscard]] bool is_word(std::string_view spelling);
// `limit`, `depth`, `in`, `rec`
[[nodiscard]] bool is_infix_word(Token token);
// True if it can never be a name.
[[nodiscard]] bool is_reserved(Token token);

// Where blanks and line ends beside a token have no meaning.
struct Space {
  bool before, behind;
};
[[nodiscard]] Space space_beside(Token token);

// A rule that is a choice of tokens: the operators of a class of nodes.
struct OperatorRule {
  std::string_view name;
  std::vector<Token> tokens;
};
[[nodiscard]] std::vector<OperatorRule> operator_rules();

// A rule that is a choice of words.
struct WordRule {
  std::string_view name;
  std::vector<std::string_view> words;
};
// The operations of chains by their last argument: a lambda, another value, or none apart from the receiver.
[[nodiscard]] std::vector<WordRule> chain_rules();
// The words of a grid, which are names elsewhere.
[[nodiscard]] std::vector<WordRule> grid_rules();
// The types that have brackets behind their names.
[[nodiscard]] std::vector<WordRule> type_rules();

}  // namespace komuz::grammar
