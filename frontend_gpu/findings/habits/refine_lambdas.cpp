// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_lambdas.h"

#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/builtins.h"
#include "mend/aliases.h"
#include "mend/habits/from_chains.h"

namespace komuz::frontend {

namespace {

// True for an operation whose last argument is a lambda.
bool takes_lambda(std::string_view word) {
  for (u32 k = 0; k < kChainCount; ++k) {
    const ChainRow& operation = chain_row(static_cast<ChainOp>(k));
    if (operation.name == word && operation.lambda != 0) return true;
  }
  return false;
}
// The name of the function that a call calls; kNone: it has none.
Index name_of_call(const Columns& c, Index call) {
  const Index name = is(c, call, Node::Call) && c.left[call] != kNone ? call_name(c, call) : kNone;
  return is(c, name, Node::Name) ? name : kNone;
}

// The `{` behind a token, or the `{` of the braces that end before it; kNone: there is none near.
Index find_block(const Columns& c, Index t) {
  const bool is_behind = t > 0 && token_at(c, i64{t} - 1) == Token::RBrace;
  return is_behind ? opener_of(c, t - 1) : next_block(c, t);
}
// True if braces stand where the lambda of a chain belongs.
bool stands_for_lambda(const Columns& c, Index open) {
  const Token before = token_at(c, i64{open} - 1);
  if (before == Token::Name)
    return token_at(c, i64{open} - 2) == Token::Dot && takes_lambda(text_of(c, i64{open} - 1));
  if (before == Token::LParen) return takes_lambda(text_of(c, i64{open} - 2));
  if (before != Token::RParen) return false;
  const Index first = opener_of(c, open - 1);  // `fold(0) {`
  return first != kNone && is_fold_word(text_of(c, i64{first} - 1));
}
// True for `{ it + 1 }`, `{ x -> x + 1 }`, `{ a, x -> a + x }`, `{ |a, x| a + x }`.
bool is_block_lambda(const Columns& c, Index open, Index close) {
  Index t = open + 1;
  while (token_at(c, t) == Token::Name && token_at(c, i64{t} + 1) == Token::Comma) t += 2;
  const bool has_head = token_at(c, t) == Token::Name && token_at(c, i64{t} + 1) == Token::Arrow;
  if (has_head || token_at(c, i64{open} + 1) == Token::Pipe) return true;
  for (t = open + 1; t < close; ++t)
    if (text_of(c, t) == "it" || text_of(c, t) == "$") return true;
  return false;
}

}  // namespace

bool refine_indexed(const Columns& c, Index pattern, Diagnostic& row) {
  const Index lambda = parent_of(c, pattern);
  if (!is(c, lambda, Node::Lambda) || c.left[lambda] != pattern || !is(c, pattern, Node::Paren))
    return false;
  const Index comma = c.right[pattern];
  const bool are_two = is(c, comma, Node::Comma) && is(c, c.left[comma], Node::Name) &&
                       is(c, c.right[comma], Node::Name);
  const Index name = name_of_call(c, call_of_argument(c, lambda));
  if (!are_two || name == kNone || !takes_lambda(text_of(c, c.token[name]))) return false;
  row.b = 1;
  return true;
}

bool refine_fold(const Columns& c, Index node, Diagnostic& row) {
  const Index around = parent_of(c, node);
  const bool is_called =
      is(c, node, Node::Call) && is(c, around, Node::Call) && c.left[around] == node;
  const Index call = is_called ? node : call_of_argument(c, node);
  const Index name = name_of_call(c, call);
  if (name == kNone) return false;
  const Index t = c.token[name];
  const u32 begin = c.token_start[t], end = end_of(c, t);
  const bool is_known = is_fold_word(text_of(c, t))
                            ? fold_edit(begin, end, source_of(c)).has_value()
                            : chain_edit(begin, end, source_of(c)).has_value();
  if (!is_known) return false;
  become(row, DiagnosticCode::LambdaPlace, 0, 0);
  move_to(c, row, t, t);
  return true;
}

void refine_fold_parameters(const Columns& c, Index pattern, Diagnostic& row) {
  constexpr u32 kSumAndPair = 3;
  if (!is(c, pattern, Node::Paren) || count_elements(c, pattern, kSumAndPair + 1) != kSumAndPair)
    return;
  row.a = kNoEdit;
  row.b = 0;
  const Index name = name_of_call(c, call_of_argument(c, parent_of(c, pattern)));
  if (name == kNone) return;
  // `enumerate()` or `zip(ys)` before the dot.
  const Index dot = c.token[name] - 1;
  const Index open =
      dot > 1 && token_at(c, i64{dot} - 1) == Token::RParen ? opener_of(c, dot - 1) : kNone;
  const std::string_view source_of_pairs = open == kNone ? "" : text_of(c, i64{open} - 1);
  if (source_of_pairs != "enumerate" && source_of_pairs != "zip") return;
  row.a = subtree_span(c, element_at(c, pattern, 1)).begin;
  row.b = subtree_span(c, element_at(c, pattern, 2)).end;
}

bool refine_block_lambda(const Columns& c, Index t, Diagnostic& row) {
  for (const Index open : {find_block(c, t), opener_of(c, t)}) {
    const Index close =
        open == kNone || token_at(c, open) != Token::LBrace ? kNone : closer_of(c, open);
    // `xs.forEach { … }`
    const i64 name = i64{open} - 1;
    const bool is_foreign = close != kNone && text_of(c, name - 1) == "." &&
                            find_function_alias(text_of(c, name)) != nullptr;
    if (is_foreign) {
      become(row, DiagnosticCode::UnknownFunction, 0, 0);
      move_to(c, row, open - 1, open - 1);
      return true;
    }
    // `xs.first { it > 3 }`
    const bool seeks = close != kNone && text_of(c, name - 1) == "." &&
                       (text_of(c, name) == "first" || text_of(c, name) == "last") &&
                       is_block_lambda(c, open, close);
    const Index first =
        seeks && name > 1 ? first_of_operand(c, static_cast<Index>(name) - 2) : kNone;
    if (first != kNone) {
      become(row, DiagnosticCode::MethodArguments, 0, 1);
      move_to(c, row, first, close);
      return true;
    }
    if (close == kNone || !stands_for_lambda(c, open) || !is_block_lambda(c, open, close)) continue;
    become(row, DiagnosticCode::ForeignLambda, 0, 0);
    move_to(c, row, open, close);
    return true;
  }
  return false;
}

bool refine_keyed(const Columns& c, Index open, Diagnostic& row) {
  if (open == kNone || open == 0 || token_at(c, open) != Token::LParen) return false;
  const std::string_view word = text_of(c, i64{open} - 1);
  const Index close = closer_of(c, open);
  if (close == kNone || (word != "sorted" && word != "max" && word != "min")) return false;
  bool is_keyed = false;
  for (Index k = open + 1; k < close; ++k) {
    const std::string_view name = text_of(c, k);
    is_keyed |= text_of(c, i64{k} + 1) == "=" && opener_of(c, k) == open &&
                (name == "key" || (name == "reverse" && word == "sorted"));
  }
  if (!is_keyed) return false;
  become(row, word == "sorted" ? DiagnosticCode::SortParameters : DiagnosticCode::LambdaPlace, 0,
         0);
  move_to(c, row, open - 1, open - 1);
  return true;
}

bool refine_lambda_word(const Columns& c, Index t, Diagnostic& row) {
  if (refine_keyed(c, opener_of(c, t), row)) return true;
  for (const i64 first : {i64{t}, i64{t} - 1}) {
    const std::string_view word = text_of(c, first);
    if (word != "lambda" && word != "fun" && word != "\\") continue;
    i64 k = first + 1;
    const i64 end = c.tokens;
    while (k < end && (token_at(c, k) == Token::Name || token_at(c, k) == Token::Comma)) ++k;
    const bool ends =
        token_at(c, k) == Token::Arrow || (word == "lambda" && token_at(c, k) == Token::Colon);
    if (k == first + 1 || !ends) continue;
    // `reduce(lambda a, x: a + x, xs, 0)`
    const i64 folds = first - 2;
    if (word == "lambda" && text_of(c, first - 1) == "(" && is_fold_word(text_of(c, folds))) {
      const Index name = static_cast<Index>(folds);
      if (fold_edit(c.token_start[name], end_of(c, name), source_of(c))) {
        become(row, DiagnosticCode::LambdaPlace, 0, 0);
        move_to(c, row, name, name);
        return true;
      }
    }
    become(row, DiagnosticCode::ForeignLambda, 0, 0);
    move_to(c, row, static_cast<Index>(first), static_cast<Index>(k));
    return true;
  }
  return false;
}

bool refine_typed_bars(const Columns& c, Index t, Diagnostic& row) {
  if (token_at(c, t) == Token::Colon && t >= 2) t -= 2;
  if (token_at(c, t) != Token::Pipe || token_at(c, i64{t} + 1) != Token::Name ||
      token_at(c, i64{t} + 2) != Token::Colon)
    return false;
  const Token before = token_at(c, i64{t} - 1);
  if (before != Token::LParen && before != Token::Comma && before != Token::Assign) return false;
  Index close = t + 1;
  while (token_at(c, close) != Token::Pipe) {
    const Token token = token_at(c, close);
    const bool ends = token == Token::Semi || token == Token::RParen || token == Token::RBrace;
    if (ends || close + 1 >= c.tokens || close - t > kLongestLook) return false;
    ++close;
  }
  Index last = close;
  if (token_at(c, i64{close} + 1) == Token::Arrow) {  // up to the block
    const Index open = next_block(c, close + 1);
    if (open == kNone) return false;
    last = open - 1;
  }
  become(row, DiagnosticCode::ForeignLambda, 0, 0);
  move_to(c, row, t, last);
  return true;
}

bool refine_constructor_lambda(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view name = text_of(c, t);
  if (token_at(c, t) != Token::Name || name[0] < 'A' || name[0] > 'Z') return false;
  for (Index k = 2; k + 1 < c.tokens && k < kLongestBrackets; ++k) {
    const Token before = token_at(c, i64{k} - 1);
    const bool is_made = before == Token::Assign || before == Token::Pipe;
    if (!is_made || text_of(c, k) != name || token_at(c, i64{k} + 1) != Token::LParen) continue;
    Index first = k;  // of its item
    while (first > 0 && token_at(c, first) != Token::Semi && token_at(c, first) != Token::RBrace &&
           token_at(c, first) != Token::Type)
      --first;
    if (token_at(c, first) != Token::Type) continue;
    become(row, DiagnosticCode::FunctionForLambda, 0, 0);
    return true;
  }
  return false;
}

bool refine_it(const Columns& c, Index name, Diagnostic& row) {
  const std::string_view word = text_of(c, c.token[name]);
  if (word != "it" && word != "_") return false;
  Index argument = name;
  const Index paren = nearest_around(c, name, [](Node kind) { return kind == Node::Paren; });
  while (paren != kNone && parent_of(c, argument) != paren) argument = parent_of(c, argument);
  const bool is_wanted =
      static_cast<DiagnosticCode>(c.error[argument]) == DiagnosticCode::LambdaExpected;
  const Index callee = paren == kNone ? kNone : name_of_call(c, parent_of(c, paren));
  const bool is_alone = is_wanted || (argument == name && callee != kNone);
  if (!is_alone || !is(c, paren, Node::Paren) || callee == kNone ||
      !takes_lambda(text_of(c, c.token[callee])))
    return false;
  const Span all = subtree_span(c, argument);
  become(row, DiagnosticCode::ForeignLambda, 0, 0);
  span(row, all.begin, all.end);
  return true;
}

}  // namespace komuz::frontend
