// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/refine.h"

#include "frontend_gpu/collect.h"
#include "frontend_gpu/refine_definitions.h"
#include "frontend_gpu/refine_elements.h"
#include "frontend_gpu/refine_literals.h"
#include "frontend_gpu/refine_methods.h"
#include "frontend_gpu/refine_operands.h"
#include "frontend_gpu/refine_tuples.h"
#include "frontend_gpu/refine_types.h"
#include "frontend_gpu/refine_words.h"
#include "frontend_gpu/tree.h"
#include "lang/aliases.h"
#include "lang/builtin_words.h"
#include "lang/standard_uses.h"

namespace komuz::frontend {

namespace {

// Tokens between the braces of a pattern.
constexpr u32 kLongestBraces = 128;

// `if let` and `while let`; `else return 1` and `if c: return 1`; `a + if …`, whose fix puts the whole `if … { } else { }` into parentheses.
void refine_prefix(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  const Node kind = node_kind(c, node);
  if (kind == Node::Let || kind == Node::Var) {
    const Token before = token_at(c, static_cast<i64>(t) - 1);
    if (before != Token::If && before != Token::While) return;
    const Token behind = token_at(c, i64{t} + 2);
    const bool loops = before == Token::While;
    const bool takes_apart = token_at(c, i64{t} + 1) == Token::Name && behind == Token::LParen;
    become(row, !takes_apart ? DiagnosticCode::IfLet
                : loops      ? DiagnosticCode::WhileLetPattern
                             : DiagnosticCode::IfLetPattern);
    return move_to(c, row, t - 1, t);
  }
  const Token before = token_at(c, i64{t} - 1);
  if (before == Token::Else && kind == Node::Return) return put_into_braces(c, t - 1, t, row);
  if (before == Token::Colon) {
    become(row, DiagnosticCode::ColonBlock);
    return move_to(c, row, t - 1, t - 1);
  }
  if (kind != Node::If && kind != Node::Match) return;
  Index whole = node;
  for (Index above = parent_of(c, whole); above != kNone; above = parent_of(c, whole)) {
    const Node around = node_kind(c, above);
    if ((around != Node::Body && around != Node::Else) || c.left[above] != whole) break;
    whole = above;
  }
  row.b = whole == node ? 0 : subtree_span(c, whole).end;
}

bool is_head(Node kind) {
  return kind == Node::If || kind == Node::While || kind == Node::For || kind == Node::Match;
}
// Is it an `if` or `while` whose condition an `=` cuts in two: `if x = 3 { … }`?
bool is_cut_by_assignment(const Columns& c, Index node) {
  const Index above = parent_of(c, node);
  if (above == kNone || node_kind(c, above) != Node::Assign || c.left[above] != node) return false;
  const Index right = c.right[above];
  return right != kNone && c.right[node] != kNone &&
         (node_kind(c, right) == Node::Body || node_kind(c, right) == Node::Else);
}
// `while x > { … }`: the block is no body where an operand is missing before it. `let while = 1`: it is no name.
void refine_head(const Columns& c, Index node, Diagnostic& row) {
  const Index above = parent_of(c, node);
  if (is_cut_by_assignment(c, node)) {
    become(row, DiagnosticCode::AssignedCondition);
    return move_to(c, row, c.token[above], c.token[above]);
  }
  if (above != kNone && c.left[above] == node) {
    const Node around = node_kind(c, above);
    if (around == Node::Body) return;
    const bool names = around == Node::Assign || around == Node::Colon;
    if (names && c.right[node] == kNone) return become(row, DiagnosticCode::ReservedWord);
    // `for i = 0; i < n; …`
    // … and `for x : xs { … }`
    const bool names_one = node_kind(c, node) == Node::For && c.right[node] != kNone &&
                           node_kind(c, c.right[node]) == Node::Name;
    if (names_one && (around == Node::Assign || around == Node::Colon))
      return become(row, DiagnosticCode::ForHead);
    if (around == Node::Colon && node_kind(c, node) != Node::Match) {
      become(row, DiagnosticCode::ColonBlock);
      return move_to(c, row, c.token[above], c.token[above]);
    }
  }
  Index last = node;
  while (c.right[last] != kNone && node_kind(c, c.right[last]) != Node::Block) last = c.right[last];
  if (last != node && c.right[last] == kNone) return become(row, DiagnosticCode::MissingBlock);
  become(row, DiagnosticCode::MissingRight);
  move_to(c, row, c.token[last], c.token[last]);
}

// `a if c else b`: the guard, the `else` above it.
void refine_guard(const Columns& c, Index node, Diagnostic& row) {
  become(row, DiagnosticCode::ForeignChoice, 0, 0);
  const Index above = parent_of(c, node);
  const bool whole = above != kNone && node_kind(c, above) == Node::Else && c.left[above] == node &&
                     c.right[above] != kNone && c.left[node] != kNone && c.right[node] != kNone;
  if (!whole) return;
  row.a = c.token_start[c.token[node]];
  row.b = c.token_start[c.token[above]];
  const Span all = subtree_span(c, above);
  span(row, all.begin, all.end);
}

// `let Some(x) = o else { … }`: the `let`, of what stands before the `else`.
bool refine_let_else(const Columns& c, Index node, Diagnostic& row) {
  const Index choice = parent_of(c, node);
  if (choice == kNone || node_kind(c, choice) != Node::Else || c.left[choice] != node) return false;
  const Index binding = parent_of(c, choice);
  if (binding == kNone || node_kind(c, binding) != Node::Assign) return false;
  const Index let = parent_of(c, binding);
  if (let == kNone || node_kind(c, let) != Node::Let) return false;
  become(row, DiagnosticCode::LetElse);
  move_to(c, row, c.token[let], c.token[let]);
  return true;
}
// `let g = |a, v| …`: the bar that starts the lambda, of the comma behind it.
bool refine_lambda(const Columns& c, Index comma, Diagnostic& row) {
  const Index left = c.left[comma];
  for (Index i = c.begin[left]; i < c.end[left]; ++i) {
    if (node_kind(c, i) != Node::LeadingOr) continue;
    become(row, DiagnosticCode::ClosureBars);
    move_to(c, row, c.token[i], c.token[i]);
    return true;
  }
  return false;
}
// Of what is no list.
void refine_comma(const Columns& c, Index node, Diagnostic& row) {
  if (refine_tuple(c, node, row)) return;
  Index lowest = node;  // the first of the commas
  while (c.left[lowest] != kNone && node_kind(c, c.left[lowest]) == Node::Comma)
    lowest = c.left[lowest];
  const Index first = c.left[lowest], second = c.right[lowest];
  if (first == kNone) return;
  const Node kind = node_kind(c, first);
  if (kind == Node::Assert)  // without the message
    return become(row, DiagnosticCode::AssertMessage, 0, subtree_span(c, node).end);
  if ((kind != Node::Let && kind != Node::Var) || refine_lambda(c, lowest, row)) return;
  const bool has_value = second != kNone && node_kind(c, second) == Node::Assign;
  become(row, DiagnosticCode::SecondBinding, has_value ? c.token_start[c.token[lowest]] : 0, 0);
  move_to(c, row, c.token[first], c.token[first]);
}

// What stands where the grammar has no place for it.
void refine_unexpected(const Columns& c, Index node, Diagnostic& row) {
  const Node kind = node_kind(c, node);
  const Index left = c.left[node], above = parent_of(c, node);
  const Node around = above == kNone ? Node::None : node_kind(c, above);
  const bool is_right = above != kNone && c.right[above] == node;
  if (is_head(kind)) return refine_head(c, node, row);
  const Token before = token_at(c, i64{c.token[node]} - 1);
  if (kind == Node::Let && (before == Token::If || before == Token::While))
    return refine_prefix(c, node, row);
  if (kind == Node::Guard) return refine_guard(c, node, row);
  if (around == Node::For && is_right && kind != Node::Limit)
    return become(row, DiagnosticCode::ForHead);
  if (refine_let_else(c, node, row)) return;
  if (around == Node::Else && is_right) {
    const Index first = c.token[c.begin[node]];
    return put_into_braces(c, c.token[above], first, row);
  }
  if (kind == Node::Assign) {
    if (refine_field_colon(c, node, row) || refine_default(c, node, row)) return;
    const bool named = around == Node::Paren && parent_of(c, above) != kNone &&
                       node_kind(c, parent_of(c, above)) == Node::Call;
    if (!named && around != Node::Comma) become(row, DiagnosticCode::AssignedCondition);
    return;
  }
  if (refine_in(c, node, row) || refine_tuple_name(c, node, row)) return;
  if (refine_function_type(c, c.token[node], row)) return;
  if (kind == Node::Arrow && left != kNone &&
      (node_kind(c, left) == Node::Name || node_kind(c, left) == Node::Paren))
    return become(row, DiagnosticCode::ForeignLambda, 0, 0);
  if (left == kNone) return;
  const Index word = c.token[left];
  if (kind == Node::Call && is_item_or_operator(text_of(c, word))) {
    const bool is_function = find_alias(text_of(c, word))->right == "fn";
    const bool loops = text_of(c, word) == "foreach";  // `foreach (x in xs)`
    become(row, is_function ? DiagnosticCode::ForeignLambda : DiagnosticCode::WordOperator, 0,
           loops ? kNoEdit : 0);
    return move_to(c, row, word, word);
  }
  if (kind == Node::Comma) refine_comma(c, node, row);
}

// What stands in a doc example and is not one expression; doc_examples.h says how it is read.
bool refine_example(const Columns& c, Index t, Diagnostic& row) {
  const bool lacks = row.code() == DiagnosticCode::MissingRight;
  if (!lacks && row.code() != DiagnosticCode::NotAnItem) return false;
  Index first = t;  // on its line
  while (first > 0 && (c.token_kind[first] & kFirstOnLine) == 0) --first;
  if (token_at(c, first) != Token::Example || (lacks && t != first + 1)) return false;
  become(row, DiagnosticCode::ExampleForm);
  if (lacks) move_to(c, row, first, t);
  return true;
}

// `test { … }`, `prop (n: i64) { … }`, `test adds() { … }`: these words are names where no string stands behind them.
bool refine_unnamed(const Columns& c, Index node, Diagnostic& row) {
  if (c.key[node] >= kKeysPerDepth) return false;
  Index first = c.token[node];
  while (first > 0 && (c.token_kind[first] & kFirstOnLine) == 0) --first;
  const std::string_view word = text_of(c, first);
  if (word != "test" && word != "prop") return false;
  become(row, DiagnosticCode::UnnamedTest);
  move_to(c, row, first, first);
  return true;
}

// `y ^ 2` of a float.
bool refine_power(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  const bool behind = text_of(c, i64{t} - 1) == "^", before = text_of(c, i64{t} + 1) == "^";
  if (!behind && !before) return false;
  const Index caret = behind ? t - 1 : t + 1;
  become(row, DiagnosticCode::CaretPower, behind ? end_of(c, t) : 0, 0);
  move_to(c, row, caret, caret);
  return true;
}
// `3 % 2.0`: a point behind the 3 would not mend it.
bool refine_remainder(const Columns& c, Index node, Diagnostic& row) {
  Index above = parent_of(c, node);
  while (above != kNone && (node_kind(c, above) == Node::Neg || node_kind(c, above) == Node::Paren))
    above = parent_of(c, above);
  if (above == kNone || node_kind(c, above) != Node::Rem) return false;
  become(row, DiagnosticCode::FloatRemainder, 0, 0);
  move_to(c, row, c.token[above], c.token[above]);
  return true;
}
constexpr u32 kI64Brief = brief_of(Scalar::I64), kBoolBrief = brief_of(Scalar::Bool);
// `n = 3` where a `bool` is wanted.
bool is_meant_as_comparison(const Columns& c, Index node) {
  return node != kNone && node_kind(c, node) == Node::Assign &&
         static_cast<DiagnosticCode>(c.error[node]) == DiagnosticCode::Mismatch &&
         c.error_a[node] == kBoolBrief && c.error_b[node] == kUnitBrief;
}
void become_comparison(const Columns& c, Index assign, Diagnostic& row) {
  become(row, DiagnosticCode::AssignedCondition, 0, 0);
  move_to(c, row, c.token[assign], c.token[assign]);
}

// `assert(c, "message")`, of the parentheses.
bool refine_assert_message(const Columns& c, Index node, Diagnostic& row) {
  const Index above = parent_of(c, node);
  Index comma = node_kind(c, node) == Node::Paren ? Index{c.right[node]} : kNone;
  if (above == kNone || node_kind(c, above) != Node::Assert || comma == kNone ||
      node_kind(c, comma) != Node::Comma)
    return false;
  const u32 end = subtree_span(c, comma).end;
  while (c.left[comma] != kNone && node_kind(c, c.left[comma]) == Node::Comma)
    comma = c.left[comma];
  if (c.left[comma] == kNone) return false;
  become(row, DiagnosticCode::AssertMessage, 0, end);
  move_to(c, row, c.token[comma], c.token[comma]);
  return true;
}

// A block that ends without the value that is wanted of it.
void refine_mismatch(const Columns& c, Index node, Diagnostic& row) {
  if (refine_assert_message(c, node, row)) return;
  if (refine_element_types(c, node, row) || row.b != kUnitBrief) return;
  if (is_meant_as_comparison(c, node)) return become_comparison(c, node, row);
  switch (node_kind(c, node)) {
    case Node::Semi: {
      const Index last = last_statement(c, node);
      const bool drops = last != kNone &&
                         static_cast<DiagnosticCode>(c.error[last]) == DiagnosticCode::UnusedValue;
      become(row, drops ? DiagnosticCode::DroppedValue : DiagnosticCode::NoValue);
      return move_to(c, row, c.token[node], c.token[node]);
    }
    case Node::Body: {
      const bool chooses = node_kind(c, c.left[node]) == Node::If;
      become(row, chooses ? DiagnosticCode::IfWithoutElse : DiagnosticCode::NoValue);
      return move_to(c, row, c.token[c.left[node]], c.token[c.left[node]]);
    }
    case Node::Block: return become(row, DiagnosticCode::NoValue);
    default: return;
  }
}

// `var y: i64;`: the name, and its type for the edit.
void refine_binding(const Columns& c, Index node, Diagnostic& row) {
  if (node_kind(c, node) != Node::Colon || c.left[node] == kNone) return;
  move_to(c, row, c.token[c.left[node]], c.token[c.left[node]]);
  const Index type = c.right[node];
  if (type == kNone || node_kind(c, type) != Node::Name) return;
  row.a = c.token_start[c.token[type]];
  row.b = c.token_length[c.token[type]];
}

// Is it what is called in `for i in f(…)`?
bool is_ran_over(const Columns& c, Index name) {
  const Index call = parent_of(c, name);
  if (call == kNone || node_kind(c, call) != Node::Call || c.left[call] != name) return false;
  const Index in = parent_of(c, call);
  return in != kNone && node_kind(c, in) == Node::In && c.right[in] == call;
}
// `return;`: where the function's result is `()`, that is what is meant.
void refine_return(const Columns& c, Index t, Diagnostic& row) {
  Index fn = t;
  while (fn > 0 && t - fn < kLongestBrackets && token_at(c, fn) != Token::Fn) --fn;
  Index arrow = fn;
  while (arrow < t && token_at(c, arrow) != Token::Arrow && token_at(c, arrow) != Token::LBrace)
    ++arrow;
  const bool gives_nothing = token_at(c, fn) == Token::Fn && token_at(c, arrow) == Token::Arrow &&
                             text_of(c, i64{arrow} + 1) == "(" && text_of(c, i64{arrow} + 2) == ")";
  if (!gives_nothing) row.b = kNoEdit;
}
// `for i in range(n)`
void refine_range(const Columns& c, Index node, Diagnostic& row) {
  if (text_of(c, c.token[c.left[node]]) != "range") return;
  const Index list = c.right[c.right[node]];
  const bool empty = list == kNone;
  const bool two = !empty && node_kind(c, list) == Node::Comma;
  const Index first = two ? Index{c.left[list]} : kNone;
  const bool many =
      two && (c.right[list] == kNone || first == kNone || node_kind(c, first) == Node::Comma);
  become(row, DiagnosticCode::RangeCall, two ? c.token_start[c.token[list]] : 0,
         empty || many ? kNoEdit : 0);
  const Span all = subtree_span(c, node);
  span(row, all.begin, all.end);
}

bool names_pow(const Columns& c, Index callee) {
  if (callee == kNone) return false;
  const Index name = node_kind(c, callee) == Node::Dot ? c.right[callee] : callee;
  return name != kNone && text_of(c, c.token[name]) == "pow";
}

// Does a `:` end the head of an `if`, `while`, `for` or an `else` on its line?
bool is_behind_head(const Columns& c, Index colon) {
  for (Index k = colon; k > 0 && colon - k < 64 && !is_first_on_line(c, k); --k) {
    const Token before = token_at(c, i64{k} - 1);
    if (before == Token::If || before == Token::While || before == Token::For ||
        before == Token::Else)
      return true;
    if (before == Token::Semi || before == Token::LBrace || before == Token::RBrace) return false;
  }
  return false;
}

// Has the module a function of that name, or none that needs no `use`: not `bits.popcount`?
bool is_meant_as_module(std::string_view module, std::string_view function) {
  return is_standard_module(module) &&
         (is_standard_function(module, function) || !is_builtin_word(function));
}
// `math.lerp(x)` without its `use`, `std.math.lerp(x)`.
bool refine_module(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view word = text_of(c, t), behind = text_of(c, i64{t} + 2);
  if (text_of(c, i64{t} + 1) != "." || text_of(c, i64{t} - 1) == "use") return false;
  if (word == "std" && is_standard_module(behind)) {
    become(row, DiagnosticCode::PrefixedModule);
    move_to(c, row, t, t + 1);
    return true;
  }
  if (!is_standard_function(word, behind) && row.code() != DiagnosticCode::UnknownModule)
    return false;
  if (!is_standard_module(word)) return false;
  become(row, DiagnosticCode::ModuleWithoutUse);
  return true;
}
// `xs.iter()`: methods of other languages that stand for what their receiver is by itself.
bool is_idle_method(const Columns& c, Index t) {
  if (text_of(c, i64{t} - 1) != ".") return false;
  for (const std::string_view word :
       {"iter", "into_iter", "iter_mut", "copied", "cloned", "clone", "to_vec", "to_owned",
        "as_slice", "chars", "bytes", "as_bytes", "as_str"})
    if (text_of(c, t) == word) return true;
  return false;
}
void refine_function(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  if (row.code() != DiagnosticCode::UnknownFunction || refine_number_method(c, node, row) ||
      refine_method(c, node, row))
    return;
  if (is_idle_method(c, t)) return become(row, DiagnosticCode::IdleMethod);
  if (refine_float_word(c, t, row)) return;
  const std::string_view word = text_of(c, t);
  const AliasRow* const alias = find_function_alias(word);
  const bool is_method = alias != nullptr && alias->kind == AliasKind::Method;
  if ((is_method || alias == nullptr) && !standard_modules_with(word).empty())
    return become(row, DiagnosticCode::FunctionWithoutUse);
  if (is_method) row.a = kNoEdit;  // of something else than an array or a list
}

// Is it an array or a list, by what type_brief.h makes of it?
bool is_list_brief(const Columns& c, u32 type) {
  const u32 form = type >> 24 & 15;
  if (type >> 28 == 0xD) return form >= 1;
  const u32 place = type & 0xFF'FFFF;
  if (type >> 28 != 0xE || place >= c.bytes) return false;
  const std::string_view text{reinterpret_cast<const char*>(c.source) + place, c.bytes - place};
  return text.starts_with("[") || text.starts_with("List[") || text.starts_with("Bytes[");
}
// `a + b` of lists
void refine_sum(const Columns& c, Index node, Diagnostic& row) {
  const Node kind = node_kind(c, node);
  if (kind != Node::Add && kind != Node::AddAssign) return;
  const bool lists = is_list_brief(c, row.a) && (row.b == 0 || is_list_brief(c, row.b));
  if (lists) become(row, DiagnosticCode::ListSum, row.a, 0);
}

// `i64(color)` of a sum, whose type item stands where the type's name does.
void refine_conversion(const Columns& c, Index node, Diagnostic& row) {
  const Index callee = c.left[node];
  if (callee == kNone) return;
  bool converts = false;
  for (u8 s = 1; s < kScalarCount; ++s)
    converts |= scalar_name(static_cast<Scalar>(s)) == text_of(c, c.token[callee]);
  const Index first = converts ? first_of_sum(c, row.a) : kNone;
  if (first == kNone) return;
  become(row, DiagnosticCode::SumConversion, row.a, c.token_start[first]);
}

// `Circle { r } => …`, `let P { x, y } = p`: braces before an arrow or an `=`.
bool refine_braces(const Columns& c, Index t, Diagnostic& row) {
  const Token token = token_at(c, t);
  if ((token != Token::FatArrow && token != Token::Assign) || t == 0 ||
      token_at(c, i64{t} - 1) != Token::RBrace)
    return false;
  Index open = t - 1;
  while (open > 0 && t - open < kLongestBraces && token_at(c, open) != Token::LBrace) --open;
  const std::string_view name = text_of(c, i64{open} - 1);
  if (token_at(c, open) != Token::LBrace || name.empty() || name[0] < 'A' || name[0] > 'Z')
    return false;
  become(row, DiagnosticCode::PatternBraces, c.token_start[open - 1], c.token_length[open - 1]);
  move_to(c, row, open, t - 1);
  return true;
}
// `for … { … } -1`: a loop is no operand, so its block ends a statement.
bool refine_loop_end(const Columns& c, Index node, Diagnostic& row) {
  const Index body = parent_of(c, node);
  const bool is_body = body != kNone && node_kind(c, body) == Node::Body && c.right[body] == node;
  const Index loop = is_body ? Index{c.left[body]} : kNone;
  if (loop == kNone || token_at(c, c.token[node]) != Token::Minus || c.left[node] == kNone ||
      node_kind(c, c.left[node]) != Node::Block ||
      (node_kind(c, loop) != Node::For && node_kind(c, loop) != Node::While))
    return false;
  become(row, DiagnosticCode::MissingSemicolon, end_of(c, c.token[node] - 1), 0);
  return true;
}
// `P { x: 1.0, y: 2.0 }`: where its braces end.
void refine_record(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view name = text_of(c, t);
  const bool is_record =
      !name.empty() && name[0] >= 'A' && name[0] <= 'Z' && token_at(c, i64{t} + 1) == Token::LBrace;
  const Index close = is_record ? closer_of(c, t + 1) : kNone;
  if (close != kNone) row.a = end_of(c, close);
}
// `-> Vec<i64> {`: the block belongs to what the `>` compares.
void refine_result(const Columns& c, Index t, Diagnostic& row) {
  Index k = t;
  while (k + 2 < c.tokens && token_at(c, k) != Token::Arrow && token_at(c, k) != Token::LBrace) ++k;
  if (token_at(c, k) == Token::Arrow && token_at(c, i64{k} + 2) == Token::Lt)
    (void)refine_angles(c, k + 2, row);
}

// `a == b == true`
bool refine_chained_truth(const Columns& c, Index node, Diagnostic& row) {
  const Index right = c.right[node];
  const Node kind = node_kind(c, node);
  if (right == kNone || (kind != Node::Eq && kind != Node::Ne)) return false;
  const Token truth = token_at(c, c.token[right]);
  if (truth != Token::True && truth != Token::False) return false;
  const bool is_idle = (kind == Node::Eq) == (truth == Token::True);
  row.a = is_idle ? end_of(c, c.token[right]) : kNoEdit;
  row.b = 0;
  return true;
}
// A pattern whose guard starts on the next line: where both stand.
void refine_arm(const Columns& c, Index pattern, Diagnostic& row) {
  const u32 end = subtree_span(c, pattern).end;
  const Index guard = token_from(c, end);
  if (token_at(c, guard) != Token::If || !is_first_on_line(c, guard)) return;
  Index k = guard + 1;
  while (k < c.tokens && !is_first_on_line(c, k) && token_at(c, k) != Token::FatArrow) ++k;
  if (token_at(c, k) != Token::FatArrow || is_first_on_line(c, k)) return;
  row.a = c.token_start[guard];
  row.b = end;
}

// `None`, `[None]`: what is not known is what the Option holds.
void refine_unknown(const Columns& c, Index t, Diagnostic& row) {
  Index first = t;
  while (token_at(c, first) == Token::LBracket) ++first;
  if (text_of(c, first) != "None") return;
  become(row, DiagnosticCode::OptionUnknown, 0, 0);
  move_to(c, row, first, first);
}
// A word that is called: one of another language, or `pow` of integers.
void refine_call(const Columns& c, Index t, Diagnostic& row) {
  const AliasRow* const alias = find_alias(text_of(c, t));
  if (alias == nullptr) return;
  if (alias->kind == AliasKind::Type || alias->kind == AliasKind::Function ||
      alias->kind == AliasKind::Method || alias->kind == AliasKind::Prefix)
    return;
  // `function(x) { … }`
  if (alias->right == "fn") return become(row, DiagnosticCode::ForeignLambda, 0, 0);
  // `mod(a, b)`: its operands stand on either side of an operator
  const bool called =
      row.code() == DiagnosticCode::UnknownFunction && alias->kind == AliasKind::Operator;
  become(row, DiagnosticCode::WordOperator, 0, called ? kNoEdit : 0);
}

}  // namespace

void refine(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  if (refine_example(c, t, row)) return;
  switch (row.code()) {
    case DiagnosticCode::ExpectedOperator:
      if (refine_unnamed(c, node, row)) return;
      return refine_neighbours(c, t, row);
    case DiagnosticCode::BlockOperand:
      if (refine_braces(c, t, row) || refine_loop_end(c, node, row)) return;
      [[fallthrough]];
    case DiagnosticCode::MissingLeft:
    case DiagnosticCode::MissingRight:
    case DiagnosticCode::AttributeOrLabel:
      if (refine_point(c, t, row) || refine_slice(c, t, row)) return;
      if (row.code() == DiagnosticCode::MissingLeft && refine_reference(c, t, row)) return;
      if (row.code() == DiagnosticCode::AttributeOrLabel && refine_collection(c, node, row)) return;
      if (refine_comment(c, t, row) || refine_path(c, t, row) || refine_joined(c, t, row)) return;
      if (refine_sign(c, t, row)) return;
      if (token_at(c, t) == Token::OrOr && row.code() == DiagnosticCode::MissingLeft)  // `|| 1`
        return become(row, DiagnosticCode::ClosureBars);
      if (token_at(c, t) != Token::Colon || !is_behind_head(c, t)) return;
      // `for x : xs { … }`
      if (token_at(c, i64{t} - 2) == Token::For && token_at(c, i64{t} + 1) == Token::Name &&
          !is_first_on_line(c, t + 1)) {
        become(row, DiagnosticCode::ForHead, 0, 0);
        return move_to(c, row, t - 2, t - 2);
      }
      return become(row, DiagnosticCode::ColonBlock);
    case DiagnosticCode::NotAnItem:
      if (refine_digits(c, t, row) || refine_angles(c, t, row)) return;
      if (refine_unnamed(c, node, row)) return;
      if (refine_comment(c, t, row) || refine_path(c, t, row)) return;
      if (t > 0 && text_of(c, i64{t} - 1) == "#") return refine_character(c, t - 1, row);
      if (token_at(c, t) == Token::Error) return refine_character(c, t, row);
      if ((token_at(c, t) == Token::Let || token_at(c, t) == Token::Var) &&
          token_at(c, i64{t} + 1) == Token::Name) {
        become(row, DiagnosticCode::ConstantItem, 0, 0);
        return;
      }
      if (text_of(c, t) == "mod") return become(row, DiagnosticCode::ModuleItem, 0, 0);
      if (is_item_or_operator(text_of(c, t))) become(row, DiagnosticCode::WordOperator, 0, 0);
      return;
    case DiagnosticCode::TypeWithBody: return refine_type_body(c, t, row);
    case DiagnosticCode::BadNumber: (void)refine_suffix(c, t, row); return;
    case DiagnosticCode::ReturnWithoutValue: return refine_return(c, t, row);
    case DiagnosticCode::ElementUnknown: refine_unknown(c, t, row); return;
    case DiagnosticCode::BadCharacter: return refine_character(c, t, row);
    case DiagnosticCode::ReservedWord: {
      const Token behind = token_at(c, i64{t} + 2);
      if (text_of(c, t) == "const" && token_at(c, i64{t} + 1) == Token::Name &&
          (behind == Token::Assign || behind == Token::Colon))
        become(row, DiagnosticCode::LocalConstant);
      return;
    }
    case DiagnosticCode::UnknownConstructor:  // `let mut (a, b) = …`
      if (text_of(c, t) != "mut" || text_of(c, i64{t} - 1) != "let") return;
      become(row, DiagnosticCode::LetMut, 0, 0);
      return move_to(c, row, t - 1, t);
    case DiagnosticCode::LetWithoutValue: return refine_binding(c, node, row);
    case DiagnosticCode::PrefixAfterTighter: return refine_prefix(c, node, row);
    case DiagnosticCode::RecordLiteral: refine_record(c, t, row); [[fallthrough]];
    case DiagnosticCode::UnknownFunction:
      if (is_ran_over(c, node)) refine_range(c, parent_of(c, node), row);
      refine_call(c, t, row);
      return refine_function(c, node, row);
    case DiagnosticCode::ArgumentType: {
      const bool pow =
          node_kind(c, node) == Node::Call && row.a == kI64Brief && names_pow(c, c.left[node]);
      if (pow) return become(row, DiagnosticCode::IntegerPower);
      if (node_kind(c, node) != Node::Call) return;
      refine_conversion(c, node, row);
      return refine_float_call(c, node, row);
    }
    case DiagnosticCode::IntegerForFloat:
      if (refine_grid(c, node, row) || refine_remainder(c, node, row)) return;
      (void)refine_power(c, node, row);
      return;
    case DiagnosticCode::OperandTypes:
      if (refine_string(c, node, row) || refine_repeated(c, node, row)) return;
      if (!refine_operands(c, node, row)) refine_sum(c, node, row);
      return;
    case DiagnosticCode::PatternMismatch: (void)refine_sort(c, node, row); return;
    case DiagnosticCode::ArgumentCount: (void)refine_count(c, node, row); return;
    case DiagnosticCode::ListCapacity: (void)refine_compared(c, node, row); return;
    case DiagnosticCode::UnusedValue: (void)refine_unused(c, node, row); return;
    case DiagnosticCode::NotATuple:
      if (!refine_field(c, node, row) && !refine_sort(c, node, row)) refine_sum_field(c, row);
      return;
    case DiagnosticCode::ChainedOperator:
      if (!refine_slice(c, t, row)) (void)refine_path(c, t, row);
      return;
    case DiagnosticCode::MissingBody: return refine_result(c, t, row);
    case DiagnosticCode::TypeInAngles: (void)refine_angles(c, t, row); return;
    case DiagnosticCode::TypeBrackets: (void)refine_type_brackets(c, t, row); return;
    case DiagnosticCode::ChainLength: return refine_chain_length(c, node, row);
    case DiagnosticCode::ArmWithoutArrow: return refine_arm(c, node, row);
    case DiagnosticCode::UnknownType: {
      const std::string_view word = text_of(c, t);
      if (word == "List" || word == "Bytes" || word == "Option")
        return become(row, DiagnosticCode::TypeArguments, 0, 0);
      (void)refine_text_type(c, t, row);
      return;
    }
    case DiagnosticCode::ElementCells:  // of a list of values that are not known
      if (row.a == kNothingBrief) become(row, DiagnosticCode::ElementUnknown, 0, 0);
      return;
    case DiagnosticCode::OperatorType:
      refine_sum(c, node, row);
      if (!is_float_brief(row.a)) return;
      if (node_kind(c, node) == Node::BitXor) become(row, DiagnosticCode::CaretPower, 0, 0);
      if (node_kind(c, node) == Node::Rem) become(row, DiagnosticCode::FloatRemainder);
      return;
    case DiagnosticCode::FunctionAsValue:  // `f64.sqrt(x)`
      if (token_at(c, i64{t} + 1) != Token::Dot) return;
      // `list.sorted(xs)`: some modules have the name of a function.
      if (is_meant_as_module(text_of(c, t), text_of(c, i64{t} + 2)))
        return become(row, DiagnosticCode::ModuleWithoutUse);
      become(row, DiagnosticCode::PathOperator);
      return move_to(c, row, t, t + 1);
    case DiagnosticCode::Mismatch:
      if (refine_string(c, node, row) || refine_start(c, node, row)) return;
      if (!refine_argument(c, node, row)) refine_mismatch(c, node, row);
      return;
    case DiagnosticCode::NotSupported: (void)refine_path(c, t, row); return;
    case DiagnosticCode::ChainedComparison: {
      if (refine_joined(c, t, row)) return;
      // What stands between the two operators, for the fix.
      const Index left = c.left[node];
      if (left == kNone || c.right[left] == kNone) return;
      if (refine_chained_truth(c, node, row)) return;
      const Span middle = subtree_span(c, c.right[left]);
      row.a = middle.begin;
      row.b = middle.end - middle.begin;
      return;
    }
    case DiagnosticCode::UnknownRecordField: {         // the record as its type item spells it
      const Span record = subtree_span(c, row.a - 1);  // the node before the parentheses: Call
      row.a = record.begin;
      return;
    }
    case DiagnosticCode::MissingField: {
      const Index field = c.token[row.a];
      row.a = c.token_start[field];
      row.b = c.token_length[field];
      return;
    }
    case DiagnosticCode::NotVariable: {
      const Index above = parent_of(c, node);
      if (is_meant_as_comparison(c, above) && c.left[above] == node)
        return become_comparison(c, above, row);
      return refine_immutable(c, row);
    }
    case DiagnosticCode::Unexpected:
      if (refine_digits(c, t, row) || refine_slice(c, t, row)) return;
      if (refine_reference(c, t, row) || refine_type_braces(c, t, row)) return;
      if (refine_collection(c, node, row) || refine_angles(c, t, row)) return;
      if (refine_path(c, t, row) || refine_variant(c, t, row) || refine_joined(c, t, row)) return;
      return refine_unexpected(c, node, row);
    case DiagnosticCode::UnknownName:
      if (refine_module(c, t, row) || refine_variant(c, t, row)) return;
      if (!refine_assigned(c, node, row)) refine_null(c, node, row);
      return;
    case DiagnosticCode::UnknownModule:
      if (refine_module(c, t, row)) return;
      if (c.item_kind[c.item[node]] != ItemKind::Use) (void)refine_variant(c, t, row);
      return;
    default: return;
  }
}

Index last_statement(const Columns& c, Index semi) {
  const Index left = c.left[semi];
  if (node_kind(c, semi) != Node::Semi || c.right[semi] != kNone || left == kNone) return kNone;
  return node_kind(c, left) == Node::Semi ? c.right[left] : left;
}

namespace {

bool comes_of_neighbours(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::ExpectedOperator:
    case DiagnosticCode::BadCharacter:
    case DiagnosticCode::NonAsciiName:
    case DiagnosticCode::AsConversion:
    case DiagnosticCode::ForeignComment:
    case DiagnosticCode::AttributeOrLabel:
    case DiagnosticCode::StepOfRange:
    case DiagnosticCode::WordOperator:
    case DiagnosticCode::ForeignFunction:
    case DiagnosticCode::LetMut:
    case DiagnosticCode::LocalConstant:
    case DiagnosticCode::ForeignChoice:
    case DiagnosticCode::TypeBeforeName:
    case DiagnosticCode::MissingBraces:
    case DiagnosticCode::MacroCall:
    case DiagnosticCode::PathOperator:
    case DiagnosticCode::CallTypeArguments:
    case DiagnosticCode::ForeignLambda:
    case DiagnosticCode::ModuleRename:
    case DiagnosticCode::ModuleItem:
    case DiagnosticCode::UseForm:
    case DiagnosticCode::RangeCall:
    case DiagnosticCode::StringPrefix:
    case DiagnosticCode::Comprehension:
    case DiagnosticCode::InTest:
    case DiagnosticCode::ForHead: return true;
    default: return false;
  }
}

}  // namespace

bool follows_from(const Columns& c, const Diagnostic& earlier, const Diagnostic& row) {
  if (earlier.begin == row.begin && earlier.code_bits == row.code_bits) return true;
  const bool inside = row.begin < earlier.end();
  if (inside && comes_of_neighbours(earlier.code()) && comes_of_neighbours(row.code())) return true;
  if (row.code() != DiagnosticCode::ExpectedOperator && row.code() != DiagnosticCode::NotAnItem)
    return false;
  const DiagnosticCode cause = earlier.code();
  if (!comes_of_neighbours(cause)) return false;
  for (u32 at = earlier.begin; at < row.begin; ++at)
    if (c.source[at] == '\n') return false;
  return true;
}

}  // namespace komuz::frontend
