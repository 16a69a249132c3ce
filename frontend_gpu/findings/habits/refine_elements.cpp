// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_elements.h"

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_words.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

bool is_capitalised(std::string_view word) {
  return !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
}
bool is_mark(Token token) {
  return token == Token::Colon || token == Token::DotDot || token == Token::DotDotEq;
}
Index left_of(const Columns& c, Index node) { return node == kNone ? kNone : Index{c.left[node]}; }

// The brackets in which a node stands directly, past commas; kNone: none are near.
Index brackets_around(const Columns& c, Index node) {
  Index above = parent_of(c, node);
  for (u32 k = 0; is(c, above, Node::Comma); ++k) {
    if (k == kLongestBrackets) return kNone;
    above = parent_of(c, above);
  }
  return above;
}
bool is_fold(std::string_view word) {
  return is_among(word, {"sum", "min", "max", "any", "all", "count", "fold"});
}
// True if a fold, which needs no list, takes what stands in a bracket: `sum([… for …])`, `[… for …].sum()`.
bool is_folded(const Columns& c, Index open, Index close) {
  if (token_at(c, open) == Token::LParen) return is_fold(text_of(c, i64{open} - 1));
  const bool is_argument = text_of(c, i64{open} - 1) == "(" && is_fold(text_of(c, i64{open} - 2));
  return is_argument || (text_of(c, i64{close} + 1) == "." && is_fold(text_of(c, i64{close} + 2)));
}
// True for a parameter of a type `[T]`, as far as the head of the function shows.
bool is_slice_parameter(const Columns& c, Index name) {
  Index t = name;
  while (t > 0 && name - t < kLongestBrackets && token_at(c, t) != Token::Fn) --t;
  for (; t < name && token_at(c, t) != Token::LBrace; ++t) {
    if (text_of(c, t) != text_of(c, name) || token_at(c, i64{t} + 1) != Token::Colon ||
        token_at(c, i64{t} + 2) != Token::LBracket)
      continue;
    const Index close = closer_of(c, t + 2);
    if (close == kNone) return false;
    for (Index k = t + 3; k < close; ++k)
      if (token_at(c, k) == Token::Semi && opener_of(c, k) == t + 2) return false;
    return true;
  }
  return false;
}

// True if a name stands for elements, as far as the head of the function or its `let` shows.
bool is_elements(const Columns& c, Index name) {
  for (Index t = name; t > 0 && name - t < kLongestBrackets && token_at(c, t) != Token::Fn; --t) {
    const Index spelled = t - 1;
    if (text_of(c, spelled) != text_of(c, name)) continue;
    const Token before = token_at(c, i64{spelled} - 1), behind = token_at(c, t);
    const bool is_bound = before == Token::Let || before == Token::Var;
    if (behind == Token::Colon && (is_bound || is_parameter(c, spelled))) {
      const std::string_view type = text_of(c, i64{t} + 1);
      return type == "[" || type == "List" || type == "Bytes";
    }
    if (is_bound) return behind == Token::Assign && text_of(c, i64{t} + 1) == "[";
  }
  return false;
}

// True for a list whose type is spelled: `let xs: List[i64, 8] = […];`, `return […];` or the value of a function. A
// list without a length of its own gets the length of the type.
bool states_list(const Columns& c, Index open, Index close) {
  const auto is_list = [&](i64 t) { return text_of(c, t) == "List" || text_of(c, t) == "Bytes"; };
  const Token before = token_at(c, i64{open} - 1);
  if (before == Token::Assign && token_at(c, i64{open} - 2) == Token::RBracket) {
    const Index type = opener_of(c, open - 2);
    return type != kNone && is_list(i64{type} - 1);
  }
  const bool is_last = is_first_on_line(c, open) || before == Token::LBrace;
  const bool is_value = is_last && token_at(c, i64{close} + 1) == Token::RBrace &&
                        (i64{close} + 2 >= i64{c.tokens} || is_first_on_line(c, close + 2));
  if (before != Token::Return && !is_value) return false;
  for (Index t = open; t > 0 && open - t < kLongestBrackets && token_at(c, t) != Token::Fn; --t)
    if (token_at(c, t) == Token::Arrow) return is_list(i64{t} + 1);
  return false;
}

// True for a pattern: left of the `=` of a `let`, of `in`, of `=>`.
bool is_pattern(const Columns& c, Index paren) {
  Index outer = paren;
  for (Index above = brackets_around(c, outer); is(c, above, Node::Paren);
       above = brackets_around(c, outer))
    outer = above;
  Index above = parent_of(c, outer);
  if (is(c, above, Node::Colon) && c.left[above] == outer) {
    outer = above;
    above = parent_of(c, outer);
  }
  const bool takes =
      is(c, above, Node::Assign) || is(c, above, Node::In) || is(c, above, Node::Lambda);
  return takes && c.left[above] == outer;
}

}  // namespace

bool refine_slice(const Columns& c, Index t, Diagnostic& row) {
  if (!is_mark(token_at(c, t))) return false;
  const Index open = opener_of(c, t);
  if (open == kNone || open == 0 || token_at(c, open) != Token::LBracket ||
      !touches_next(c, i64{open} - 1) || is_capitalised(text_of(c, i64{open} - 1)))
    return false;
  const Token before = token_at(c, i64{open} - 1);
  const bool is_index =
      before == Token::Name || before == Token::RParen || before == Token::RBracket;
  const Index close = closer_of(c, open);
  if (!is_index || close == kNone) return false;
  u32 marks = 0, depth = 0;
  for (Index k = open + 1; k < close; ++k) {
    const Token token = token_at(c, k);
    if (closes(token)) --depth;
    marks += depth == 0 && is_mark(token);
    if (opens(token)) ++depth;
    const bool is_path = token == Token::Colon && token_at(c, i64{k} - 1) == Token::Colon;
    if (is_path && token_at(c, i64{k} + 1) == Token::Name) return false;  // `xs[i64::MAX]`
  }
  if (marks > 1) {
    become(row, DiagnosticCode::StepsOfElements, 0, 0);
  } else {
    const bool is_name = before == Token::Name && token_at(c, i64{open} - 2) != Token::Dot;
    become(row, DiagnosticCode::SlicePart, c.token_start[open - 1],
           is_name ? c.token_length[open - 1] : 0);
  }
  move_to(c, row, open + 1, close - 1);
  return true;
}

bool refine_comprehension(const Columns& c, Index t, Diagnostic& row) {
  if (token_at(c, t) != Token::For) return false;
  const Index open = opener_of(c, t), close = open == kNone ? kNone : closer_of(c, open);
  if (close == kNone) return false;
  // `{k: 1 for k in xs}`, as opposed to a block in which a `for` stands.
  const bool in_braces = token_at(c, open) == Token::LBrace;
  for (Index k = t; in_braces && k < close; ++k)
    if (token_at(c, k) == Token::LBrace) return false;
  Index in = t;
  while (in < close && token_at(c, in) != Token::In) ++in;
  if (in == close) return false;
  // The parentheses of a call stay.
  const bool is_call = token_at(c, open) == Token::LParen && open > 0 &&
                       token_at(c, i64{open} - 1) == Token::Name && touches_next(c, i64{open} - 1);
  const bool folded = is_folded(c, open, close);
  const bool is_free = folded || states_list(c, open, close);
  const bool has_length = is_free || !is_slice_parameter(c, in + 1);
  become(row, DiagnosticCode::Comprehension, is_free ? 1 : 0,
         has_length && !in_braces ? 0 : kNoEdit);
  // `any(x > 3 for x in xs)`: the test becomes the argument of the call.
  const std::string_view function = is_call ? text_of(c, i64{open} - 1) : std::string_view();
  if (function == "any" || function == "all")
    move_to(c, row, open - 1, close);
  else
    move_to(c, row, is_call ? open + 1 : open, is_call ? close - 1 : close);
  return true;
}

bool refine_spread(const Columns& c, Index t, Diagnostic& row) {
  const bool is_second = text_of(c, t) == "." && text_of(c, i64{t} - 1) == "..";
  const Index sign = is_second ? t - 1 : t;
  const bool has_three = text_of(c, sign) == ".." && text_of(c, i64{sign} + 1) == ".";
  const Index list = sign + (has_three ? 2 : 1), open = opener_of(c, sign);
  const bool is_sign = text_of(c, sign) == ".." || text_of(c, sign) == "*";
  const Token before = token_at(c, i64{sign} - 1);
  if (!is_sign || open == kNone || token_at(c, open) != Token::LBracket ||
      (before != Token::LBracket && before != Token::Comma) || token_at(c, list) != Token::Name ||
      !touches_next(c, i64{list} - 1))
    return false;
  // `xs[..n]`, `xs [..n]`
  const bool is_index = open > 0 && !is_first_on_line(c, open) &&
                        token_row(token_at(c, i64{open} - 1)).ends == Ends::Yes;
  // With two dots, `[..n]` is a range without its start. With `*`, it is a product without its left side.
  if (is_index || (!has_three && !is_elements(c, list))) return false;
  // `[...xs]` holds the same as `xs`.
  const bool is_alone = open + 1 == sign && token_at(c, i64{list} + 1) == Token::RBracket;
  become(row, DiagnosticCode::SpreadElements, is_alone ? c.token_start[open] : 0,
         is_alone ? end_of(c, list + 1) : 0);
  move_to(c, row, sign, list - 1);
  return true;
}

bool refine_collection(const Columns& c, Index node, Diagnostic& row) {
  const Node kind = node_kind(c, node);
  const Index block = brackets_around(c, node);
  const Index above = block == kNone ? kNone : parent_of(c, block);
  if (!is(c, block, Node::Block) || is(c, above, Node::Body) || is(c, above, Node::Else))
    return false;
  const Index key = left_of(c, node);
  if (key == kNone || (kind != Node::Colon && kind != Node::Comma)) return false;
  // `let a, b = 1, 2` by itself.
  Index leftmost = key;
  while (is(c, leftmost, Node::Comma) && c.left[leftmost] != kNone) leftmost = c.left[leftmost];
  const Node first = node_kind(c, leftmost);
  if (kind == Node::Comma && (first == Node::Let || first == Node::Var)) return false;
  // `outer: while …` is a label.
  if (kind == Node::Colon && node_kind(c, key) == Node::Name && c.right[node] != kNone &&
      node_kind(c, c.right[node]) == Node::Body)
    return false;
  const Span braces = subtree_span(c, block);
  become(row, DiagnosticCode::ForeignCollection, 0, 0);
  span(row, braces.begin, braces.end);
  return true;
}

bool refine_empty_braces(const Columns& c, Index index, Diagnostic& row) {
  Index name = index;
  while (name != kNone && node_kind(c, name) == Node::Index) name = c.left[name];
  if (row.a != kUnitBrief || name == kNone || node_kind(c, name) != Node::Name) return false;
  const Index last = c.token[name];
  for (Index t = last; t > 3 && last - t < kLongestBrackets && token_at(c, t) != Token::Fn; --t) {
    if (token_at(c, t) != Token::RBrace || token_at(c, t - 1) != Token::LBrace ||
        token_at(c, t - 2) != Token::Assign || text_of(c, i64{t} - 3) != text_of(c, last))
      continue;
    become(row, DiagnosticCode::ForeignCollection, 0, 0);
    move_to(c, row, t - 1, t);
    return true;
  }
  return false;
}

bool refine_choice_braces(const Columns& c, Index t, Diagnostic& row) {
  const bool is_behind = t > 0 && token_at(c, i64{t} - 1) == Token::RBrace;
  const Index before = is_behind ? opener_of(c, t - 1) : next_block(c, t);
  for (const Index open : {before, opener_of(c, t)}) {
    if (open == kNone || open == 0 || token_at(c, open) != Token::LBrace ||
        token_at(c, open - 1) != Token::Hole || !touches_next(c, i64{open} - 1))
      continue;
    const Index close = closer_of(c, open);
    if (close == kNone) return false;
    become(row, DiagnosticCode::EmptyChoice, c.token_start[open], end_of(c, close));
    move_to(c, row, open - 1, open - 1);
    return true;
  }
  return false;
}

// True if a name stands in the text of a node's subtree.
bool names(const Columns& c, Index node, std::string_view name) {
  const Span all = subtree_span(c, node);
  for (Index t = c.token[node]; t > 0 && c.token_start[t - 1] >= all.begin; --t)
    if (text_of(c, i64{t} - 1) == name) return true;
  for (Index t = c.token[node]; t < c.tokens && c.token_start[t] < all.end; ++t)
    if (text_of(c, t) == name) return true;
  return false;
}

bool refine_in(const Columns& c, Index node, Diagnostic& row) {
  const Index left = c.left[node], right = c.right[node], above = parent_of(c, node);
  const bool is_range = is(c, right, Node::Range) || is(c, right, Node::RangeInclusive);
  if (node_kind(c, node) == Node::In && is_range && is(c, left, Node::Name) &&
      !is(c, above, Node::For)) {
    const Span all = subtree_span(c, node);
    become(row, DiagnosticCode::InTest, 0, kNoEdit);
    span(row, all.begin, all.end);
    return true;
  }
  // The range of a parameter.
  const bool is_bound =
      is(c, left, Node::Call) || is(c, right, Node::Range) || is(c, right, Node::RangeInclusive);
  if (node_kind(c, node) != Node::In || left == kNone || right == kNone || is_bound ||
      is(c, above, Node::For))
    return false;
  if (is(c, above, Node::Assign) && c.right[above] == node) {  // `let k = n * 2 in k + 1`
    const Index let = parent_of(c, above), mark = c.token[node];
    // In `let found = x in xs` a list stands behind the `in`.
    const bool is_list = is(c, right, Node::Name) || is(c, right, Node::Bracket) ||
                         is(c, right, Node::String) || is(c, right, Node::Dot) ||
                         (is(c, right, Node::Call) && is(c, c.left[above], Node::Name) &&
                          !names(c, right, text_of(c, c.token[c.left[above]])));
    if (is(c, let, Node::Let) && !is_list) {
      const u32 before = end_of(c, mark - 1);
      become(row, DiagnosticCode::MissingSemicolon, before, end_of(c, mark) - before);
      move_to(c, row, mark + 1, mark + 1);
      return true;
    }
  }
  // In other languages `in` binds tighter than `&&`: `a && x in xs && b`.
  const auto joins = [&](Index i) { return is(c, i, Node::AndThen) || is(c, i, Node::OrElse); };
  Index element = left, list = right;
  while (joins(element) && c.right[element] != kNone) element = c.right[element];
  while (joins(list) && c.left[list] != kNone) list = c.left[list];
  become(row, DiagnosticCode::InTest, c.token_start[c.token[node]], 0);
  span(row, subtree_span(c, element).begin, subtree_span(c, list).end);
  return true;
}

bool refine_tuple_name(const Columns& c, Index colon, Diagnostic& row) {
  const Index paren = brackets_around(c, colon), name = c.left[colon], type = c.right[colon];
  if (node_kind(c, colon) != Node::Colon || !is(c, paren, Node::Paren) || name == kNone ||
      type == kNone || node_kind(c, name) != Node::Name)
    return false;
  if (is_pattern(c, paren)) {
    const Node kind = node_kind(c, type);
    const std::string_view word = text_of(c, c.token[type]);
    const bool is_type = kind == Node::Bracket || kind == Node::Index ||
                         (kind == Node::Name && (is_type_word(word) || is_capitalised(word)));
    if (is_type) {
      become(row, DiagnosticCode::PatternType, 0, 0);
      span(row, c.token_start[c.token[colon]], subtree_span(c, type).end);
    } else {
      become(row, DiagnosticCode::NamedArgument, 0, 0);
      move_to(c, row, c.token[name], c.token[name]);
    }
    return true;
  }
  const Index above = parent_of(c, paren);
  if (is(c, above, Node::Call)) return false;
  const bool is_item = is(c, above, Node::Assign) && c.right[above] == paren &&
                       is(c, parent_of(c, above), Node::Type) && is(c, c.left[above], Node::Name);
  become(row, DiagnosticCode::TupleNames, is_item ? c.token_start[c.token[c.left[above]]] : 0,
         is_item ? 0 : kNoEdit);
  move_to(c, row, c.token[paren], c.token[paren]);
  return true;
}

bool refine_field_colon(const Columns& c, Index assign, Diagnostic& row) {
  const Index paren = brackets_around(c, assign);
  const Index call = is(c, paren, Node::Paren) ? parent_of(c, paren) : kNone;
  if (!is(c, call, Node::Call) || c.right[call] != paren || !is(c, c.left[assign], Node::Name))
    return false;
  const bool is_record = is_capitalised(text_of(c, c.token[c.left[call]]));
  become(row, DiagnosticCode::FieldColon, 0, is_record ? 0 : kNoEdit);
  return true;
}

bool refine_element_types(const Columns& c, Index element, Diagnostic& row) {
  const Index bracket = brackets_around(c, element);
  if (!is(c, bracket, Node::Bracket) || row.a == 0 || row.b == 0) return false;
  const Index above = parent_of(c, bracket);
  // Where no type is expected of the whole: `let xs = [ … ]`, `[ … ].sum()`, and what a session evaluates.
  const bool is_bound =
      is(c, above, Node::Assign) && c.right[above] == bracket && is(c, c.left[above], Node::Name) &&
      (is(c, parent_of(c, above), Node::Let) || is(c, parent_of(c, above), Node::Var));
  const bool is_receiver =
      (is(c, above, Node::Dot) || is(c, above, Node::Index)) && c.left[above] == bracket;
  const bool is_evaluated =
      infers_result(c, c.item[element]) && (is(c, above, Node::Semi) || is(c, above, Node::Block));
  if (!is_bound && !is_receiver && !is_evaluated) return false;
  become(row, DiagnosticCode::ElementTypes);
  return true;
}

}  // namespace komuz::frontend
