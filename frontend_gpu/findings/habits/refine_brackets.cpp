// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_brackets.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "frontend_gpu/text/byte_masks.h"

namespace komuz::frontend {

namespace {

// The end of a label: the byte behind its quote and its name.
size_t name_end(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && is_word_byte(static_cast<u8>(text[end]))) ++end;
  return end;
}
// Kinds of tokens that swallow the brackets behind them, because a closing quote is missing.
enum class Quote : u8 { None, Label, Character, String };

bool has_bracket(std::string_view text) {
  return text.find_first_of("(){}[]") != std::string_view::npos;
}
// `'name: …`, `break 'name …`: up to a later quote, if there is one.
Quote quote_of(const Columns& c, Index t) {
  const Token token = token_at(c, t);
  const std::string_view text = text_of(c, t);
  if (token != Token::Char && token != Token::String) return Quote::None;
  const bool is_closed = text.size() > 1 && text.back() == text[0];
  if (token == Token::String) return is_closed || !has_bracket(text) ? Quote::None : Quote::String;
  const size_t end = std::min(name_end(text), text.size());
  const Token before = token_at(c, i64{t} - 1);
  const bool names = end > 1 && !is_digit_byte(static_cast<u8>(text[1]));
  const bool leaves = before == Token::Break || before == Token::Continue;
  if (names && (text.substr(end).starts_with(':') || leaves)) return Quote::Label;
  return is_closed || !has_bracket(text) ? Quote::None : Quote::Character;
}
void place_at_token(const Columns& c, Finding& finding, DiagnosticCode code, Index t) {
  finding.diagnostic = make_diagnostic(code, c.token_start[t], c.token_length[t]);
  finding.node = kNone;
}

Diagnostic quote_finding(const Columns& c, Index t, Quote quote) {
  const std::string_view text = text_of(c, t);
  const auto make = [&](DiagnosticCode code, size_t length) {
    return make_diagnostic(code, c.token_start[t], static_cast<u32>(length));
  };
  switch (quote) {
    case Quote::None: break;
    case Quote::Label: return make(DiagnosticCode::AttributeOrLabel, name_end(text));
    case Quote::String: return make(DiagnosticCode::UnclosedString, text.size());
    case Quote::Character: {
      const size_t character = text.substr(1).starts_with('\\') ? 3 : 2;
      return make(DiagnosticCode::BadCharLiteral, std::min(character, text.size()));
    }
  }
  return {};
}
// Joins all findings that such a token causes in the rest of its item.
void refine_quotes(const Columns& c, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const std::vector<Index> first_nodes = find_first_nodes(c);
  std::unordered_set<Index> seen;         // items
  std::unordered_map<Index, u32> broken;  // from where on each is broken
  std::vector<Finding> told;
  for (const Finding& finding : findings) {
    if (!seen.insert(finding.item).second) continue;
    const TokenRange tokens = tokens_of(c, first_nodes, finding.item);
    for (Index t = tokens.first; t < tokens.end; ++t) {
      const Quote quote = quote_of(c, t);
      if (quote == Quote::None) continue;
      told.push_back({quote_finding(c, t, quote), finding.item, kNone});
      broken.emplace(finding.item, c.token_start[t]);
      break;
    }
  }
  std::erase_if(findings, [&broken](const Finding& f) {
    const auto quote = broken.find(f.item);
    return quote != broken.end() &&
           (is_of_brackets(f.diagnostic.code()) || f.diagnostic.begin >= quote->second);
  });
  findings.insert(findings.end(), told.begin(), told.end());
}

// What one bracket too few or too many does to the brackets around it: `{ ( }`, `{ ) }`.
void refine_mismatched(const Columns& c, std::vector<Finding>& findings) {
  std::unordered_set<Index> without_closer, with_closer;  // items
  for (Finding& finding : findings) {
    Diagnostic& d = finding.diagnostic;
    if (d.code() != DiagnosticCode::MismatchedBracket) continue;
    if (c.source[d.begin] == '}') {
      without_closer.insert(finding.item);
    } else if (c.source[d.a] == '{') {
      d = make_diagnostic(DiagnosticCode::UnopenedBracket, d.begin, d.length);
      with_closer.insert(finding.item);
    }
  }
  std::erase_if(findings, [&](const Finding& f) {
    const DiagnosticCode code = f.diagnostic.code();
    const u8 bracket = c.source[f.diagnostic.begin];
    return (code == DiagnosticCode::UnclosedBracket && bracket == '{' &&
            without_closer.contains(f.item)) ||
           (code == DiagnosticCode::UnopenedBracket && bracket == '}' &&
            with_closer.contains(f.item));
  });
}

// `xs.map(fn(v) { v + 1 })`: the word starts an item, which separates brackets from their partners.
void refine_nameless(const Columns& c, std::vector<Finding>& findings) {
  if (std::ranges::none_of(findings,
                           [](const Finding& f) { return is_of_brackets(f.diagnostic.code()); }))
    return;
  const std::vector<Index> first_nodes = find_first_nodes(c);
  std::unordered_set<Index> broken;  // items
  std::vector<Finding> told;
  for (Index item = 1; item < c.items; ++item) {
    const Index t = c.token[first_nodes[item]];
    const Token before = token_at(c, i64{t} - 1);
    const bool is_argument = before == Token::LParen || before == Token::Comma;
    if (token_at(c, t) != Token::Fn || token_at(c, i64{t} + 1) != Token::LParen || !is_argument)
      continue;
    broken.insert(item - 1);
    broken.insert(item);
    told.push_back({{}, item, kNone});
    place_at_token(c, told.back(), DiagnosticCode::ForeignLambda, t);
  }
  std::erase_if(findings, [&broken](const Finding& f) { return broken.contains(f.item); });
  findings.insert(findings.end(), told.begin(), told.end());
}

}  // namespace

void refine_brackets(const Columns& c, std::vector<Finding>& findings) {
  refine_quotes(c, findings);
  refine_nameless(c, findings);
  const auto is = [](DiagnosticCode code) {
    return [code](const Finding& f) { return f.diagnostic.code() == code; };
  };
  if (std::none_of(findings.begin(), findings.end(),
                   [](const Finding& f) { return is_of_brackets(f.diagnostic.code()); }))
    return;
  const std::vector<Index> first_nodes = find_first_nodes(c);
  refine_mismatched(c, findings);
  const auto opener = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.diagnostic.code() == DiagnosticCode::UnclosedBracket &&
           c.source[f.diagnostic.begin] == '{' && f.item + 1 < c.items;
  });
  const auto closer =
      std::find_if(findings.begin(), findings.end(), is(DiagnosticCode::UnopenedBracket));
  if (opener == findings.end() || closer == findings.end() || closer->item <= opener->item) return;
  // At the start of a line the item stands where it should, and a bracket is missing before it.
  const Index inner = c.token[first_nodes[opener->item + 1]];
  if (c.source[c.token_start[inner] - 1] == '\n') return;
  const Token keyword = token_at(c, inner);
  const bool is_name = keyword != Token::Fn && token_at(c, i64{inner} + 1) != Token::Name;
  place_at_token(c, *opener,
                 is_name                   ? DiagnosticCode::ReservedWord
                 : keyword == Token::Const ? DiagnosticCode::LocalConstant
                                           : DiagnosticCode::NestedItem,
                 inner);
  findings.erase(closer);
}

}  // namespace komuz::frontend
