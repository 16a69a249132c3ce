// SPDX-License-Identifier: Apache-2.0
#include "tests/lang/grammar_symbols.h"

#include <cctype>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace komuz::grammar {

using std::string;
using std::string_view;

std::vector<Symbol> symbols_of(string_view body) {
  std::vector<Symbol> symbols;
  for (size_t at = 0; at < body.size();) {
    const char c = body[at];
    size_t end = at + 1;
    if (c == ' ') {
      at = end;
    } else if (c == '\'') {
      end = body.find('\'', at + 1);
      symbols.push_back({SymbolKind::Token, body.substr(at + 1, end - at - 1)});
      at = end + 1;
    } else if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      symbols.push_back({SymbolKind::Punctuation, body.substr(at, 1)});
      at = end;
    } else {
      while (end < body.size() &&
             (std::isalpha(static_cast<unsigned char>(body[end])) != 0 || body[end] == '_'))
        ++end;
      const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
      symbols.push_back(
          {upper ? SymbolKind::Terminal : SymbolKind::Rule, body.substr(at, end - at)});
      at = end;
    }
  }
  return symbols;
}

Token token_of(string_view spelling) {
  for (u32 k = 0; k < kTokenCount; ++k)
    if (token_row(static_cast<Token>(k)).spelling == spelling) return static_cast<Token>(k);
  throw std::logic_error("no token is spelled " + string(spelling));
}
bool is_word(string_view spelling) {
  return !spelling.empty() && std::isalpha(static_cast<unsigned char>(spelling[0])) != 0;
}
bool is_infix_word(Token token) { return token >= Token::Limit && token <= Token::Rec; }
bool is_reserved(Token token) {
  return is_word(token_row(token).spelling) &&
         (!is_contextual(token) || token_row(token).act == Act::Item) && token != Token::Space &&
         token != Token::Test && token != Token::Prop;
}

Space space_beside(Token token) {
  switch (token_row(token).act) {
    case Act::Separator: return {true, token != Token::Semi};
    case Act::Infix:
    case Act::Range: return {true, true};
    case Act::Brace: return {true, true};
    case Act::Paren: return {false, true};
    case Act::Close: return {true, false};
    case Act::Minus: return {false, true};
    case Act::Operand:
    case Act::Item:
    case Act::If:
    case Act::Foreign: return {false, !is_word(token_row(token).spelling)};
  }
  return {};
}

namespace {
// In the order of their tokens.
std::vector<Token> operators(std::initializer_list<NodeClass> classes) {
  std::vector<Token> found;
  for (u32 k = 0; k < kTokenCount; ++k) {
    const TokenRow& row = token_row(static_cast<Token>(k));
    const Node node = row.infix;
    if (row.act == Act::Foreign || node == Node::Pow) continue;
    for (const NodeClass c : classes)
      if (node != Node::None && node_row(node).node_class == c)
        found.push_back(static_cast<Token>(k));
  }
  return found;
}
}  // namespace
std::vector<OperatorRule> operator_rules() {
  return {{"lazy", operators({NodeClass::Lazy})},
          {"comparison", operators({NodeClass::Compare})},
          {"arithmetic", operators({NodeClass::Arithmetic, NodeClass::Shift})},
          {"update", operators({NodeClass::Update})}};
}

std::vector<WordRule> chain_rules() {
  std::vector<WordRule> rules = {{"chain", {}}, {"step_with", {}}, {"step", {}}};
  const auto takes_lambda = [](std::string_view name) {
    for (u32 k = 0; k < kChainCount; ++k)
      if (const ChainRow& row = chain_row(static_cast<ChainOp>(k)); row.name == name)
        if (row.lambda != 0) return true;
    return false;
  };
  for (u32 k = 0; k < kNamedChains; ++k) {
    const ChainRow& row = chain_row(static_cast<ChainOp>(k));
    rules[takes_lambda(row.name) ? 0 : row.arguments == 2 ? 1 : 2].words.push_back(row.name);
  }
  return rules;
}

std::vector<WordRule> grid_rules() {
  return {{"steps", {"steps"}}, {"log", {"log"}}, {"real", {"real"}}};
}

std::vector<WordRule> type_rules() {
  return {{"list", {"List"}}, {"bytes", {"Bytes"}}, {"option", {"Option"}}};
}

}  // namespace komuz::grammar
